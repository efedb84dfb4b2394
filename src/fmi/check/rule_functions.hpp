// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/check/reporter.hpp"

/// The rules that a function judges, one function each; what they demand is said in the table of
/// rule.cpp. All of them take time at most n log n in the size of the description.
namespace tutti::fmi::rules {

// rules_files.cpp
void archive_entries(const Subject& fmu, Reporter& report);
void archive_layout(const Subject& fmu, Reporter& report);
void archive_name(const Subject& fmu, Reporter& report);
void binary_name(const Subject& fmu, Reporter& report);
void build_description(const Subject& fmu, Reporter& report);
void documentation(const Subject& fmu, Reporter& report);
void implementation(const Subject& fmu, Reporter& report);
void licenses(const Subject& fmu, Reporter& report);
void pictures(const Subject& fmu, Reporter& report);
void platform_name(const Subject& fmu, Reporter& report);
void source_files(const Subject& fmu, Reporter& report);

// rules_binary.cpp
void binary_format(const Subject& fmu, Reporter& report);
void binary_functions(const Subject& fmu, Reporter& report);
void binary_unused_functions(const Subject& fmu, Reporter& report);

// rules_model.cpp
void capabilities(const Subject& fmu, Reporter& report);
void element_order(const Subject& fmu, Reporter& report);
void empty_list(const Subject& fmu, Reporter& report);
void encoding(const Subject& fmu, Reporter& report);
void fmi_version(const Subject& fmu, Reporter& report);
void generation_date(const Subject& fmu, Reporter& report);
void log_categories(const Subject& fmu, Reporter& report);
void model_identifier(const Subject& fmu, Reporter& report);
void xml_declaration(const Subject& fmu, Reporter& report);

// rules_types.cpp
void display_unit(const Subject& fmu, Reporter& report);
void display_unit_defined(const Subject& fmu, Reporter& report);
void display_unit_unique(const Subject& fmu, Reporter& report);
void enumeration_items(const Subject& fmu, Reporter& report);
void enumeration_start(const Subject& fmu, Reporter& report);
void enumeration_type(const Subject& fmu, Reporter& report);
void type_name(const Subject& fmu, Reporter& report);
void type_unique(const Subject& fmu, Reporter& report);
void unit_factor(const Subject& fmu, Reporter& report);

// rules_variables.cpp
void derivative_type(const Subject& fmu, Reporter& report);
void independent(const Subject& fmu, Reporter& report);
void multiple_set(const Subject& fmu, Reporter& report);
void nominal(const Subject& fmu, Reporter& report);
void reinit(const Subject& fmu, Reporter& report);
void start_range(const Subject& fmu, Reporter& report);
void state_causality(const Subject& fmu, Reporter& report);
void variability_required(const Subject& fmu, Reporter& report);

// rules_v1.cpp
void alias_base(const Subject& fmu, Reporter& report);
void alias_negated(const Subject& fmu, Reporter& report);
void continuous_v1(const Subject& fmu, Reporter& report);
void direct_dependency(const Subject& fmu, Reporter& report);
void fixed_start(const Subject& fmu, Reporter& report);

// rules_alias.cpp
void alias_constant(const Subject& fmu, Reporter& report);
void alias_settable(const Subject& fmu, Reporter& report);
void alias_unit(const Subject& fmu, Reporter& report);

// rules_v3.cpp
void clock_attributes(const Subject& fmu, Reporter& report);
void clocked_states(const Subject& fmu, Reporter& report);
void clocked_variability(const Subject& fmu, Reporter& report);
void event_indicators(const Subject& fmu, Reporter& report);
void intermediate_update(const Subject& fmu, Reporter& report);
void previous(const Subject& fmu, Reporter& report);
void structural_parameter(const Subject& fmu, Reporter& report);

// rules_structure.cpp
void dependencies_kind_allowed(const Subject& fmu, Reporter& report);
void dependencies_known(const Subject& fmu, Reporter& report);
void dependencies_order(const Subject& fmu, Reporter& report);
void initial_unknowns(const Subject& fmu, Reporter& report);
void initial_unknowns_only(const Subject& fmu, Reporter& report);
void initial_unknowns_order(const Subject& fmu, Reporter& report);
void listed_once(const Subject& fmu, Reporter& report);
void state_derivative_type(const Subject& fmu, Reporter& report);
void state_unique(const Subject& fmu, Reporter& report);

}  // namespace tutti::fmi::rules
