// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tutti::fmi {

/// file:///..., with every byte that RFC 3986 does not allow in a path percent-encoded: spaces,
/// '#', '?', '%' and the bytes of non-ASCII letters in UTF-8.
std::string file_uri(const std::filesystem::path& absolute);

/// FMI 2.0: URI of the folder `resources`, whether it exists or not (section 2.1.5).
std::string resource_uri(const std::filesystem::path& fmu_folder);

/// FMI 3.0: native path of the folder with a trailing separator; nothing (NULL) if the FMU has no
/// such folder (section 2.3.1, resourcePath).
std::optional<std::string> resource_path(const std::filesystem::path& fmu_folder);

}  // namespace tutti::fmi
