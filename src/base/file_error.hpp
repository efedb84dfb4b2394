// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <tutti/error.hpp>
#include <utility>

namespace tutti {

/// An error about a file that the text names.
inline Error file_error(const std::filesystem::path& file, ErrorCode code, const std::string& text,
                        ErrorDetails details = {}) {
  return Error(code, text, std::move(details)).with({.file = file.string()});
}

/// `reason` is by default that of errno.
inline Error write_error(const std::filesystem::path& file, ErrorDetails details = {},
                         std::string_view reason = std::strerror(errno)) {
  return file_error(file, ErrorCode::file,
                    fmt::format("cannot write \"{}\": {}", file.string(), reason),
                    std::move(details));
}

}  // namespace tutti
