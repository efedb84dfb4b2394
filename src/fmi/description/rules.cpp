// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/description/rules.hpp"

#include <fmt/format.h>

#include <array>

namespace tutti::fmi {
namespace {

struct RuleText {
  Rule rule;
  std::string_view subject;
  std::string_view v1, v2, v3;  ///< schema type in 1.0, sections in 2.0 and 3.0
};

constexpr std::array<RuleText, rule_count> rule_texts{{
    {Rule::readable, "what must be there", "fmiModelDescription", "2.2", "2.4"},
    {Rule::version, "the version", "", "", "2.4.1"},
    {Rule::encoding, "the encoding", "fmiModelDescription", "2.2", "2.4"},
    {Rule::model, "the model's attributes", "fmiModelDescription", "2.2.1", "2.4.1"},
    {Rule::unit_definition, "unit definitions", "fmiBaseUnit", "2.2.2", "2.4.3"},
    {Rule::type_definition, "type definitions", "fmiType", "2.2.3", "2.4.4"},
    {Rule::experiment, "the default experiment", "fmiModelDescription", "2.2.5", "2.4.6"},
    {Rule::unknown_part, "unknown elements and attributes", "fmiModelDescription", "2.2", "2.4"},
    {Rule::number, "numbers", "fmiScalarVariable", "2.2.7", "2.4.7.5"},
    {Rule::word, "unknown words", "fmiScalarVariable", "2.2.7", "2.4.7.4"},
    {Rule::unnamed, "missing names", "fmiScalarVariable", "2.2.7", "2.4.7.4"},
    {Rule::name, "names of variables", "fmiScalarVariable", "2.2.9", "2.4.7.5.1"},
    {Rule::unique_name, "names that are not unique", "fmiScalarVariable", "2.2.9", "2.4.7.5.1"},
    {Rule::unique_reference, "value references that are not unique", "", "", "2.4.7.4"},
    {Rule::causality, "causality and variability", "", "2.2.7", "2.4.7.4"},
    {Rule::variability, "missing variability", "", "2.2.7", ""},
    {Rule::continuous, "continuous variables", "", "2.2.7", "2.4.7.4"},
    {Rule::initial, "the attribute initial", "", "2.2.7", "2.4.7.5"},
    {Rule::start_required, "missing start values", "", "2.2.7", "2.4.7.5"},
    {Rule::start_forbidden, "superfluous start values", "", "2.2.7", "2.4.7.5"},
    {Rule::start_value, "start values", "fmiScalarVariable", "2.2.7", "2.4.7.5"},
    {Rule::start_count, "start values of arrays", "", "", "2.4.7.5"},
    {Rule::min_max, "min and max", "fmiScalarVariable", "2.2.3", "2.4.4"},
    {Rule::unit, "units of variables", "", "2.2.2", "2.4.3"},
    {Rule::declared_type, "declared types", "fmiScalarVariable", "2.2.3", "2.4.4"},
    {Rule::dimension, "dimensions", "", "", "2.4.7.2"},
    {Rule::clock, "clocks", "", "", "2.4.7.4"},
    {Rule::derivative, "references to other variables", "", "2.2.7", "2.4.7.5"},
    {Rule::structure_missing, "the model structure", "", "2.2.8", "2.4.8"},
    {Rule::structure, "references in the model structure", "fmiScalarVariable", "2.2.8", "2.4.8"},
    {Rule::dependencies_kind, "dependenciesKind", "", "2.2.8", "2.4.8"},
    {Rule::state_derivative, "derivatives of states", "", "2.2.8", "2.4.8"},
    {Rule::outputs, "outputs in the model structure", "", "2.2.8", "2.4.8"},
    {Rule::terminal, "terminals", "", "", "2.4.9.2"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < rule_texts.size(); ++i) {
    if (rule_texts[i].rule != static_cast<Rule>(i)) return false;
  }
  return true;
}
static_assert(in_order(), "one row per rule, in the order of the enumeration");

}  // namespace

std::string_view subject_of(Rule rule) {
  return rule_texts[static_cast<std::size_t>(rule)].subject;
}

std::string_view section_of(Rule rule, FmiVersion version) {
  const RuleText& text = rule_texts[static_cast<std::size_t>(rule)];
  return version == FmiVersion::v1 ? text.v1 : version == FmiVersion::v2 ? text.v2 : text.v3;
}

std::string citation_of(Rule rule, FmiVersion version) {
  return fmt::format("FMI {}, {}{}", to_string(version),
                     version == FmiVersion::v1 ? "" : "section ", section_of(rule, version));
}

}  // namespace tutti::fmi
