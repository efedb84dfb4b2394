// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "formats/registry.hpp"

namespace tutti::formats::msim {

/// A system from a project file of MASTERSIM (A. Nicolai: MASTERSIM – Masteralgorithmen für die FMI
/// Co-Simulation). @throws Error
System read(const std::filesystem::path& file, const Surroundings& surroundings);

}  // namespace tutti::formats::msim
