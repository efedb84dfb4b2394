// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <tutti/check.hpp>
#include <vector>

#include "fmi/check/rule.hpp"

namespace tutti::fmi {

/// The findings so far. The number kept per rule is limited; all are counted.
class Findings {
 public:
  explicit Findings(std::size_t max_per_rule);

  void set_version(FmiVersion version) { version_ = version; }
  /// Counts one. True: its text is needed, pass it to keep().
  bool count(const CheckRule& rule);
  void keep(const CheckRule& rule, Finding finding);
  /// Both together, for callers that have the text.
  void add(const CheckRule& rule, Finding finding) {
    if (count(rule)) keep(rule, std::move(finding));
  }
  /// Moves everything into the report, sorted.
  void finish(CheckReport& report);

 private:
  std::size_t most_;
  FmiVersion version_{};
  std::vector<std::size_t> counts_;  ///< by position in the table
  std::vector<Finding> kept_;
};

/// Checks every rule that can be checked without running the FMU, and fills in the FMU's properties
/// in the report. False: the FMU is too incomplete to be run.
/// @throws Error if it cannot be read at all
bool judge(const std::filesystem::path& fmu, const FmuOptions& options, Findings& findings,
           CheckReport& report);

}  // namespace tutti::fmi
