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

/// Looks at an FMU and reports each breach of its rule.
using RuleFunction = void(const Subject& fmu, Reporter& report);
/// A rule that can be judged also where the description could not be read to its end.
struct Raw {
  RuleFunction* function;
};
/// Where a rule stands, in FMI 1.0 (the schema's type), 2.0 and 3.0; empty: no rule of it.
using Sections = std::array<std::string_view, 3>;

/// A row of the table in rule.cpp. A rule is judged by a function, or noticed by the reader of the
/// description (then it stands where the reader says), or by running the FMU (then by neither).
struct CheckRule {
  std::string_view id, text;
  std::string_view advice;  ///< what follows from a breach, and what to do: for tutti::topics()
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
/// The rule that the reader's one is, or null where a function judges the same thing better.
const CheckRule* find_rule(Rule read);
/// @pre there is one
const CheckRule& find_rule(std::string_view id);

}  // namespace tutti::fmi
