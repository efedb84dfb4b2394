// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <tutti/error.hpp>
#include <utility>

namespace tutti {

/// An error of a file that its text names.
inline Error file_error(const std::filesystem::path& file, ErrorCode code, const std::string& text,
                        ErrorDetails details = {}) {
  return Error(code, text, std::move(details)).with({.file = file.string()});
}

}  // namespace tutti
