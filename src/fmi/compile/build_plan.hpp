// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "fmi/compile/compile.hpp"

namespace tutti::fmi {

/// The commands that make a library. They run in the folder sources/ of the FMU; `{headers}` and
/// `{build}` stand for folders that are known later, so that equal plans have equal texts.
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
