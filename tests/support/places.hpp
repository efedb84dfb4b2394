// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>

/// Where the things are that tests use. Only places.cpp is compiled with these paths, so that
/// compiler caches serve every checkout.
namespace tutti::places {

std::filesystem::path source_folder();  ///< the root of this repository
std::filesystem::path build_folder();
std::filesystem::path fmu_folder();  ///< FMUs for tests, made by the kit, by version
std::filesystem::path tutti_program();
std::filesystem::path fmukit_pack_program();
/// A library that faulty_missing_library.fmu needs and does not contain.
std::filesystem::path not_shipped_library();

}  // namespace tutti::places
