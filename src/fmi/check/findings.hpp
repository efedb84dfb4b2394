// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <tutti/check.hpp>
#include <vector>

#include "fmi/check/rule.hpp"

namespace tutti::fmi {

/// What was found so far. Of each rule only so many findings are kept; all are counted.
class Findings {
 public:
  explicit Findings(std::size_t most_per_rule);

  void set_version(FmiVersion version) { version_ = version; }
  /// Counts one. True: its text is wanted, hand it to keep().
  bool count(const CheckRule& rule);
  void keep(const CheckRule& rule, Finding finding);
  /// Both in one, for who has the text at hand.
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

/// Judges every rule that can be judged without running the FMU, and fills in what the report says
/// of the FMU. False: the FMU lacks so much that it cannot be run.
/// @throws Error if it cannot be read at all
bool judge(const std::filesystem::path& fmu, const FmuOptions& options, Findings& findings,
           CheckReport& report);

}  // namespace tutti::fmi
