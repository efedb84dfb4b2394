// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <tutti/sweep.hpp>
#include <vector>

#include "studies/sweep/sweep_meta.hpp"

namespace tutti::studies {

/// The values of one output in the runs of a sample: of A, of B, and for each parameter of A with
/// its column from B.
using SampleValues = std::span<const double>;
/// Passes all samples of an output on, in the same order each time.
using EachSample = std::function<void(const std::function<void(SampleValues)>&)>;

/// Of one output, by parameter, without names. Samples with values that are not finite are left
/// out. @param samples gets the number of the others
std::vector<SobolIndex> sobol_indices(std::size_t parameters, const EachSample& each_sample,
                                      std::uint64_t& samples);

/// Of all outputs of a complete table; fills the members of the report about indices, and writes
/// `<name>-indices.csv`. @throws Error(file)
void add_indices(const SweepMeta& meta, SweepReport& report);

}  // namespace tutti::studies
