// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <vector>

#include "fmi/fmu.hpp"
#include "system/cluster.hpp"

namespace tutti::models {

/// The FMUs of a cluster as one FMU: its instances are clusters of instances.
/// @param fmus by member
std::shared_ptr<fmi::Fmu> make_cluster_fmu(std::shared_ptr<const system::Cluster> cluster,
                                           std::vector<std::shared_ptr<fmi::Fmu>> fmus);

}  // namespace tutti::models
