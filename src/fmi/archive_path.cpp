// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/archive_path.hpp"

#include <array>
#include <cstddef>
#include <fstream>

namespace tutti::fmi {
namespace {

// Beyond what file systems take, and a bound on the work per entry.
constexpr std::size_t longest_path = 4000;
constexpr std::size_t deepest_path = 100;

bool has_drive_letter(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  return name.size() >= 2 && is_letter(name[0]) && name[1] == ':';
}

}  // namespace

ArchivePath archive_path(std::string_view name) {
  ArchivePath result;
  const auto refuse = [&result](std::string_view reason) {
    result.refusal = reason;
    return result;
  };
  if (name.empty()) return refuse("its name is empty");
  if (name.size() > longest_path) return refuse("its name is too long");
  if (name[0] == '/' || name[0] == '\\') return refuse("it names an absolute path");
  if (has_drive_letter(name)) return refuse("it names a drive");

  result.backslashes = name.find('\\') != std::string_view::npos;
  result.folder = name.back() == '/' || name.back() == '\\';
  std::size_t depth = 0;
  while (!name.empty()) {
    const std::size_t end = name.find_first_of("/\\");
    const std::string_view part = name.substr(0, end);
    name = end == std::string_view::npos ? std::string_view{} : name.substr(end + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") return refuse("it leads out of the archive's folder");
    if (++depth > deepest_path) return refuse("it lies too many folders deep");
    if (!result.path.empty()) result.path += '/';
    result.path += part;
  }
  if (result.path.empty()) result.folder = true;
  return result;
}

std::string_view what_it_looks_like(const std::filesystem::path& file) {
  std::array<char, 512> bytes{};
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), bytes.size());
  std::string_view head(bytes.data(), static_cast<std::size_t>(in.gcount()));
  if (head.empty()) return "It is empty.";
  constexpr std::pair<std::string_view, std::string_view> beginnings[] = {
      {"PK\x03\x04", "It begins like one but its end is missing; copy it again."},
      {"\x7f\x45LF", "It looks like a shared library; give the FMU it came in."},
      {"MZ", "It looks like a Windows library; give the FMU it came in."},
      {"\x1f\x8b", "It looks like a gzip file; unpack it and pack it as zip."},
      {"7z\xbc\xaf", "It looks like a 7-Zip file; unpack it and pack it as zip."},
      {"Rar!", "It looks like a RAR file; unpack it and pack it as zip."},
      {"version https://git-lfs",
       "It is a Git LFS pointer, not the file itself; run \"git lfs pull\"."}};
  for (const auto& [beginning, sentence] : beginnings)
    if (head.starts_with(beginning)) return sentence;
  if (head.size() > 262 && head.substr(257, 5) == "ustar") {
    return "It looks like a tar file; unpack it and pack it as zip.";
  }
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t text = head.find_first_not_of(" \t\r\n");
  if (text == std::string_view::npos || head[text] != '<') return "";
  if (head.find("<html") != std::string_view::npos ||
      head.find("<!DOCTYPE") != std::string_view::npos ||
      head.find("<!doctype") != std::string_view::npos) {
    return "It looks like a web page; the download may have failed.";
  }
  return "It looks like XML; give the FMU or the unpacked FMU folder it belongs to.";
}

}  // namespace tutti::fmi
