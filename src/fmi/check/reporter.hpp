// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <utility>

#include "fmi/check/subject.hpp"

namespace tutti::fmi {

/// Collects the violations of one rule. A text is formatted only if the finding is kept.
class Reporter {
 public:
  Reporter(const Subject& fmu, const CheckRule& rule, Findings& findings)
      : fmu_(fmu), rule_(rule), findings_(findings) {}

  /// About a variable, where it is defined.
  template <class... Values>
  void variable(const Variable& about, fmt::format_string<Values...> text, Values&&... values) {
    add(description_file, about.line, about.name, text, std::forward<Values>(values)...);
  }
  template <class... Values>
  void variable(std::size_t about, fmt::format_string<Values...> text, Values&&... values) {
    variable(fmu_.description.variables[about], text, std::forward<Values>(values)...);
  }
  /// About a variable, at another place of the description.
  template <class... Values>
  void variable_at(std::size_t about, pugi::xml_node at, fmt::format_string<Values...> text,
                   Values&&... values) {
    add(description_file, fmu_.line(at), fmu_.description.variables[about].name, text,
        std::forward<Values>(values)...);
  }
  /// About a part of the description that is not a variable.
  template <class... Values>
  void element(pugi::xml_node at, fmt::format_string<Values...> text, Values&&... values) {
    add(description_file, fmu_.line(at), "", text, std::forward<Values>(values)...);
  }
  template <class... Values>
  void line(std::size_t number, fmt::format_string<Values...> text, Values&&... values) {
    add(description_file, static_cast<std::uint32_t>(number), "", text,
        std::forward<Values>(values)...);
  }
  /// About a file of the FMU; an empty path: the archive.
  template <class... Values>
  void file(std::string_view path, fmt::format_string<Values...> text, Values&&... values) {
    add(path, 0, "", text, std::forward<Values>(values)...);
  }

 private:
  template <class... Values>
  void add(std::string_view file, std::uint32_t line, std::string_view variable,
           fmt::format_string<Values...> text, Values&&... values) {
    if (!findings_.count(rule_)) return;
    Finding finding;
    finding.file = file;
    finding.line = line;
    finding.variable = variable;
    finding.text = fmt::format(text, std::forward<Values>(values)...);
    findings_.keep(rule_, std::move(finding));
  }

  const Subject& fmu_;
  const CheckRule& rule_;
  Findings& findings_;
};

}  // namespace tutti::fmi

/// The rules that are checked by a function, one function each; their requirements are in the table
/// of rule.cpp. All of them take time at most n log n in the size of the description.
namespace tutti::fmi::rules {

// rules_files.cpp
RuleFunction archive_entries, archive_layout, archive_name, binary_name, build_description,
    documentation, implementation, licenses, pictures, platform_name, source_files;

// rules_binary.cpp
RuleFunction binary_format, binary_functions, binary_unused_functions;

// rules_model.cpp
RuleFunction capabilities, element_order, empty_list, encoding, fmi_version, generation_date,
    log_categories, model_identifier, xml_declaration;

// rules_types.cpp
RuleFunction display_unit, display_unit_defined, display_unit_unique, enumeration_items,
    enumeration_start, enumeration_type, type_name, type_unique, unit_factor;

// rules_variables.cpp
RuleFunction derivative_type, independent, multiple_set, nominal, reinit, start_range,
    state_causality, variability_required;

// rules_v1.cpp
RuleFunction alias_base, alias_negated, continuous_v1, direct_dependency, fixed_start;

// rules_alias.cpp
RuleFunction alias_constant, alias_settable, alias_unit;

// rules_v3.cpp
RuleFunction clock_attributes, clocked_states, clocked_variability, event_indicators,
    intermediate_update, previous, structural_parameter;

// rules_structure.cpp
RuleFunction dependencies_kind_allowed, dependencies_known, dependencies_order, initial_unknowns,
    initial_unknowns_only, initial_unknowns_order, listed_once, state_derivative_type, state_unique;

}  // namespace tutti::fmi::rules
