// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>

namespace tutti::formats {

/// Where relative addresses of a file lead.
struct Base {
  std::filesystem::path folder;  ///< of the description
  std::filesystem::path root;    ///< of the package that addresses must not leave; empty: none
};

/// The file that an address (a URI, RFC 3986) means. @throws Error(usage)
std::filesystem::path resolve(const std::string& address, const Base& base);

}  // namespace tutti::formats
