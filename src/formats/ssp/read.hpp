// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "formats/registry.hpp"

/// System Structure and Parameterization (SSP 1.0; 2.0 as far as it says the same).
namespace tutti::formats::ssp {

/// A description (.ssd) beside the files that it refers to. @throws Error
System read_ssd(const std::filesystem::path& file, const Surroundings& surroundings);

/// A package (.ssp), unpacked into a temporary folder that goes with the system, or an unpacked
/// one. @throws Error
System read_ssp(const std::filesystem::path& file, const Surroundings& surroundings);

}  // namespace tutti::formats::ssp
