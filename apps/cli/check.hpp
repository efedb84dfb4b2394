// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/check.hpp>

namespace tutti::cli {

struct CheckCommand {
  CheckOptions options;
  bool all = false;    ///< show every finding
  bool json = false;   ///< findings or rules as JSON
  bool rules = false;  ///< list the rules, check nothing
};

/// Answers the exit status: 1 if there are errors among the findings.
int check(CheckCommand command);

std::string check_json(const CheckReport& report);
std::string rules_json();

}  // namespace tutti::cli
