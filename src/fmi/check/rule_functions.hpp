// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/check/reporter.hpp"

/// The rules that a function judges, one function each; what they demand is said in the table of
/// rule.cpp. All of them take time at most n log n in the size of the description.
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
