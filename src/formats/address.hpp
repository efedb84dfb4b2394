// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>

namespace tutti::formats {

/// The base of relative addresses in a file.
struct Base {
  std::filesystem::path folder;  ///< of the description
  std::filesystem::path root;    ///< of the package that addresses must not leave; empty: none
};

/// The file of an address (a URI, RFC 3986). @throws Error(usage)
std::filesystem::path resolve(const std::string& address, const Base& base);

}  // namespace tutti::formats
