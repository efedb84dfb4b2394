// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fmi/compile/compile.hpp"

namespace tutti::fmi {

enum class Language { c, cpp };

/// By the set's attribute, else by the suffix of the file.
Language language_of(std::string_view declared, std::string_view file);

/// `-std=` for a language as buildDescription.xml names it ("C99", "C++11"); "" for none. With the
/// GNU extensions: sources use POSIX functions regardless of their declared standard.
std::string standard_option(std::string_view declared);

/// The words that start the compiler: $CC or $CXX (which may hold options), else the one that the
/// FMU prefers, else the first of the usual names that is on PATH.
/// @throws Error (binary) with what to install or to set
std::vector<std::string> find_compiler(Language language, std::string_view preferred);

/// The commands that make a library. They run in the folder sources/ of the FMU; `{headers}` and
/// `{build}` are placeholders of folders that are known later, so that equal plans have equal
/// texts.
struct BuildPlan {
  struct Step {
    std::string source;                ///< relative to sources/
    std::vector<std::string> command;  ///< writes {build}/<number>.o
  };
  std::vector<Step> compile;
  std::vector<std::string> link;
  std::vector<std::vector<std::string>> compilers;  ///< those that are used
};

/// From sources/buildDescription.xml, else from the SourceFiles of the interface (FMI 2.0).
/// @throws Error (binary, description)
BuildPlan make_build_plan(const CompileTask& task, const Log& log);

}  // namespace tutti::fmi
