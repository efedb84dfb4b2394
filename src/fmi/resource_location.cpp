// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/resource_location.hpp"

#include <fmt/format.h>

#include <string_view>

namespace tutti::fmi {

std::string file_uri(const std::filesystem::path& absolute) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/";
  std::string uri = "file://";
  const std::string path = absolute.generic_string();
  if (!path.starts_with('/')) uri += '/';  // a drive letter
  for (const char c : path) {
    if (plain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

std::string resource_uri(const std::filesystem::path& fmu_folder) {
  return file_uri(std::filesystem::absolute(fmu_folder / "resources"));
}

std::optional<std::string> resource_path(const std::filesystem::path& fmu_folder) {
  const std::filesystem::path folder = std::filesystem::absolute(fmu_folder / "resources");
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) return std::nullopt;
  return (folder / "").string();
}

}  // namespace tutti::fmi
