// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <tutti/check.hpp>

#include "fmi/description/rules.hpp"

namespace tutti::fmi {

struct Subject;
class Reporter;

/// Checks an FMU and reports each violation of its rule.
using RuleFunction = void(const Subject& fmu, Reporter& report);
/// A rule that can be checked even if the description could not be read completely.
struct Raw {
  RuleFunction* function;
};
/// The section of a rule, in FMI 1.0 (the schema's type), 2.0 and 3.0; empty: the version has no
/// such rule.
using Sections = std::array<std::string_view, 3>;

/// A row of the table in rule.cpp. A rule is checked by a function, by the reader of the
/// description (which then provides the section), or by running the FMU (then by neither).
struct CheckRule {
  std::string_view id, text;
  std::string_view advice;  ///< consequence of a violation, and what to try: for tutti::topics()
  Sections sections;
  RuleFunction* function = nullptr;
  Finding::Severity severity;
  bool raw = false;
  std::optional<Rule> read = std::nullopt;

  constexpr CheckRule(std::string_view name, Finding::Severity how, std::string_view what,
                      std::string_view help, Sections where, RuleFunction* judge = nullptr)
      : id(name), text(what), advice(help), sections(where), function(judge), severity(how) {}
  constexpr CheckRule(std::string_view name, Finding::Severity how, std::string_view what,
                      std::string_view help, Sections where, Raw judge)
      : id(name),
        text(what),
        advice(help),
        sections(where),
        function(judge.function),
        severity(how),
        raw(true) {}
  constexpr CheckRule(std::string_view name, Finding::Severity how, std::string_view what,
                      std::string_view help, Rule reader)
      : id(name), text(what), advice(help), severity(how), read(reader) {}

  bool needs_run() const { return function == nullptr && !read; }
  std::string_view section(FmiVersion version) const {
    return read ? section_of(*read, version) : sections[static_cast<std::size_t>(version)];
  }
};

/// All rules, sorted by id.
std::span<const CheckRule> all_rules();
/// The rule that corresponds to the reader's, or null where a function checks it more precisely.
const CheckRule* find_rule(Rule read);
/// @pre the id exists
const CheckRule& find_rule(std::string_view id);

}  // namespace tutti::fmi
