// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "formats/registry.hpp"

/// System Structure and Parameterization (SSP 1.0; 2.0 as far as it says the same).
namespace tutti::formats::ssp {

/// A description (.ssd) beside the files that it refers to. @throws Error
System read_ssd(const std::filesystem::path& file, const Surroundings& surroundings);

/// A package (.ssp), unpacked into a temporary folder that goes with the system. @throws Error
System read_ssp(const std::filesystem::path& file, const Surroundings& surroundings);

/// The folder of an unpacked package.
bool is_unpacked(const std::filesystem::path& folder);
/// The description that is to be read in this folder: the one that was asked for, or
/// SystemStructure.ssd, with a warning if there are others. @param shown the package in messages
/// @throws Error(usage)
std::string chosen_description(const std::filesystem::path& folder, const std::string& shown,
                               const Surroundings& surroundings);

}  // namespace tutti::formats::ssp
