// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/check.hpp>
#include <tutti/system_check.hpp>
#include <vector>

namespace tutti::cli {

struct CheckCommand {
  CheckOptions options;
  bool all = false;              ///< show every finding
  bool json = false;             ///< findings or rules as JSON
  bool rules = false;            ///< list the rules, check nothing
  bool keys = false;             ///< list the keys of system files, check nothing
  std::vector<std::string> set;  ///< for a system: NAME=VALUE
};

/// Returns the exit status: 1 if there are errors among the findings.
int check(CheckCommand command);

std::string check_json(const CheckReport& report);
std::string rules_json();
std::string system_check_json(const SystemReport& report);

/// The same for a system.
int check_system(const CheckCommand& command);

}  // namespace tutti::cli
