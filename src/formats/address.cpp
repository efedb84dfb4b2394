// SPDX-License-Identifier: BSD-2-Clause
#include "formats/address.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string_view>
#include <tutti/error.hpp>

#include "base/text.hpp"

namespace tutti::formats {
namespace fs = std::filesystem;

fs::path resolve(const std::string& address, const Base& base) {
  const auto refuse = [&](std::string_view why) {
    throw Error(ErrorCode::usage, fmt::format("\"{}\" {}", printable(address), why));
  };
  std::string_view rest = address;
  if (rest.starts_with("file://"))
    rest.remove_prefix(7);
  else if (rest.starts_with("file:"))
    rest.remove_prefix(5);
  else if (const std::size_t colon = rest.find(':');
           colon != rest.npos && colon < rest.find('/') && colon > 1)
    refuse("cannot be opened: only files can");
  std::string path;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    std::uint8_t byte = 0;
    const std::string_view digits = rest.substr(i + 1, 2);
    if (rest[i] == '%' && digits.size() == 2 &&
        std::from_chars(digits.data(), digits.data() + 2, byte, 16).ptr == digits.data() + 2) {
      path += static_cast<char>(byte);
      i += 2;
    } else {
      path += rest[i];
    }
  }
  if (path.find('\0') != path.npos) refuse("contains a character that paths cannot contain");
  fs::path file = (base.folder / path).lexically_normal();
  if (base.root.empty()) return file;
  const fs::path inside = file.lexically_relative(base.root.lexically_normal());
  if (inside.empty() || *inside.begin() == "..") refuse("leads out of the package");
  return file;
}

}  // namespace tutti::formats
