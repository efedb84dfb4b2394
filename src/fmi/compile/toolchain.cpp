// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/compile/toolchain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tutti/error.hpp>

#include "base/run_program.hpp"
#include "fmi/description/xml.hpp"

namespace tutti::fmi {

Language language_of(std::string_view declared, std::string_view file) {
  if (!declared.empty())
    return lower_case(declared).starts_with("c++") ? Language::cpp : Language::c;
  const std::size_t dot = file.rfind('.');
  const std::string_view suffix = dot == file.npos ? std::string_view{} : file.substr(dot);
  for (const std::string_view cpp : {".cpp", ".cc", ".cxx", ".c++", ".C"}) {
    if (suffix == cpp) return Language::cpp;
  }
  return Language::c;
}

std::string standard_option(std::string_view declared) {
  const std::string name = lower_case(declared);
  for (const auto& [begin, option] : {std::pair("c++", "-std=gnu++"), std::pair("c", "-std=gnu")}) {
    if (!name.starts_with(begin)) continue;
    const std::string year = name.substr(std::string_view(begin).size());
    const bool is_year =
        year.size() == 2 && std::ranges::all_of(year, [](char c) { return c >= '0' && c <= '9'; });
    return is_year ? option + year : "";
  }
  return "";
}

std::vector<std::string> find_compiler(Language language, std::string_view preferred) {
  const bool cpp = language == Language::cpp;
  const char* const variable = cpp ? "CXX" : "CC";
  if (const char* const value = std::getenv(variable); value != nullptr && *value != '\0') {
    std::vector<std::string> words;
    for_each_item(value, [&](std::string_view word) { words.emplace_back(word); });
    const std::string program = words.empty() ? "" : find_program(words.front()).string();
    if (program.empty()) {
      throw Error(ErrorCode::binary,
                  fmt::format("the compiler that the variable {} names cannot be found: \"{}\"",
                              variable, value));
    }
    words.front() = program;
    return words;
  }
  const std::vector<std::string_view> usual =
      cpp ? std::vector<std::string_view>{"c++", "g++", "clang++"}
          : std::vector<std::string_view>{"cc", "gcc", "clang"};
  std::vector<std::string_view> names = usual;
  if (std::ranges::find(usual, preferred) != usual.end()) {
    names.insert(names.begin(), preferred);
  }
  for (const std::string_view name : names) {
    if (const std::string program = find_program(name).string(); !program.empty()) return {program};
  }
  throw Error(
      ErrorCode::binary,
      fmt::format("there is no compiler for {}: none of {} is on PATH. Install one (for "
                  "example the package {}), or set {}.",
                  cpp ? "C++" : "C", fmt::join(usual, ", "), cpp ? "g++" : "gcc", variable));
}

}  // namespace tutti::fmi
