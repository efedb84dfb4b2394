// SPDX-License-Identifier: BSD-2-Clause
#include "support/places.hpp"

#include <cstdlib>

namespace tutti::places {
namespace {

/// Test programs are nobody's worker.
const int worker_is_named = ::setenv("TUTTI_WORKER", TUTTI_WORKER_FILE, 0);

}  // namespace

std::filesystem::path source_folder() { return TUTTI_SOURCE_DIR; }
std::filesystem::path build_folder() { return TUTTI_BUILD_DIR; }
std::filesystem::path fmu_folder() { return build_folder() / "fmus"; }
std::filesystem::path tutti_program() { return TUTTI_BINARY; }
std::filesystem::path fmukit_pack_program() { return TUTTI_FMUKIT_PACK; }
std::filesystem::path not_shipped_library() { return TUTTI_NOT_SHIPPED; }

}  // namespace tutti::places
