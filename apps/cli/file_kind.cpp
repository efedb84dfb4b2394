// SPDX-License-Identifier: BSD-2-Clause
#include "file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>
#include <tutti/results.hpp>
#include <tutti/system_file.hpp>

namespace tutti::cli {
namespace {

struct Redirection {
  std::string_view command;  ///< empty: every one
  FileKind given;
  std::string_view instead, option;
};

/// The first match applies.
constexpr Redirection redirections[] = {
    {"graph", FileKind::fmu, "info", ""},         {"convert", FileKind::fmu, "info", ""},
    {"advise", FileKind::fmu, "check", ""},       {"plot", FileKind::fmu, "simulate", " --plot"},
    {"", FileKind::fmu, "simulate", ""},          {"info", FileKind::system, "graph", ""},
    {"plot", FileKind::system, "run", " --plot"}, {"", FileKind::system, "run", ""},
    {"", FileKind::result, "plot", ""},
};

std::string_view called(FileKind kind) {
  constexpr std::string_view names[] = {"an FMU", "a system file", "a result file", "a file"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace

FileKind kind_of(const std::filesystem::path& file) {
  std::error_code none;
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (extension == ".fmu" || std::filesystem::exists(file / "modelDescription.xml", none))
    return FileKind::fmu;
  if (is_system_file(file)) return FileKind::system;
  return is_result_file(file) ? FileKind::result : FileKind::unknown;
}

void expect_kind(std::string_view command, FileKind expected, const std::filesystem::path& file) {
  const FileKind given = kind_of(file);
  if (given == expected || given == FileKind::unknown) return;
  const auto* const found =
      std::find_if(std::begin(redirections), std::end(redirections), [&](const Redirection& r) {
        return r.given == given && (r.command.empty() || r.command == command);
      });
  throw Error(ErrorCode::usage,
              fmt::format("\"{}\" is {}, but `tutti {}` takes {}. Try `tutti {} {}{}`.",
                          file.string(), called(given), command, called(expected), found->instead,
                          file.string(), found->option));
}

}  // namespace tutti::cli
