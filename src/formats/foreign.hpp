// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "formats/registry.hpp"

/// Systems in the formats of others. All of these throw Error.
namespace tutti::formats {

using ReadSystem = System(const std::filesystem::path& file, const Surroundings& surroundings);
using WriteSystem = void(const System& system, const std::filesystem::path& file,
                         const Surroundings& surroundings);

/// A configuration file of the EAS master. The model descriptions of its FMUs are read, because the
/// file may name variables by value references.
namespace eas {
ReadSystem read;
}

/// A project file of MASTERSIM (A. Nicolai: MASTERSIM – Masteralgorithmen für die FMI
/// Co-Simulation).
namespace msim {
ReadSystem read;
}

/// System Structure and Parameterization (SSP 1.0; 2.0 as far as it says the same).
namespace ssp {

/// A description (.ssd) beside the files that it refers to.
ReadSystem read_ssd;
/// A package (.ssp), unpacked into a temporary folder that goes with the system.
ReadSystem read_ssp;

/// A description (.ssd) that refers to the FMUs where they are, or a package (.ssp) that contains
/// them. What SSP has no words for stands in an annotation.
WriteSystem write_ssd, write_ssp;

/// The folder of an unpacked package.
bool is_unpacked(const std::filesystem::path& folder);
/// The description that is to be read in this folder: the one that was asked for, or
/// SystemStructure.ssd, with a warning if there are others. @param shown the package in messages
std::string chosen_description(const std::filesystem::path& folder, const std::string& shown,
                               const Surroundings& surroundings);

}  // namespace ssp
}  // namespace tutti::formats
