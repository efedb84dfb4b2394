// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "formats/registry.hpp"

namespace tutti::formats::ssp {

/// Write a description (.ssd) that refers to the FMUs where they are, or a package (.ssp) that
/// contains them. What SSP has no words for stands in an annotation. @throws Error
void write_ssd(const System& system, const std::filesystem::path& file,
               const Surroundings& surroundings);
void write_ssp(const System& system, const std::filesystem::path& file,
               const Surroundings& surroundings);

}  // namespace tutti::formats::ssp
