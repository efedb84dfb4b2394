// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tutti::fmi {

/// The path of a zip entry, made safe to join to a folder.
struct ArchivePath {
  std::string path;          ///< components joined by '/', none of them "." or ".."; may be empty
  bool folder = false;       ///< the name ended with a separator
  bool backslashes = false;  ///< separators were backslashes, against the zip format
  std::string_view refusal;  ///< why the name must not be used; empty: it may
};

ArchivePath archive_path(std::string_view name);

/// What a file that is no zip file seems to be, as a sentence with what to try; "" if unknown.
std::string_view what_it_looks_like(const std::filesystem::path& file);

}  // namespace tutti::fmi
