// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tutti/model_description.hpp>

namespace tutti::fmi {

/// The rules of the standard whose violation is harmless and only causes a warning.
enum class Rule : std::uint8_t {
  readable,  ///< not harmless: reading ends
  version,
  encoding,
  model,
  unit_definition,
  type_definition,
  experiment,
  unknown_part,
  number,
  word,
  unnamed,
  name,
  unique_name,
  unique_reference,
  causality,
  variability,
  continuous,
  initial,
  start_required,
  start_forbidden,
  start_value,
  start_count,
  min_max,
  unit,
  declared_type,
  dimension,
  clock,
  derivative,
  structure_missing,
  structure,
  dependencies_kind,
  state_derivative,
  outputs,
  terminal,
};
inline constexpr std::size_t rule_count = 34;

/// One violation, for callers that need more than the text of a warning.
struct Breach {
  Rule rule{};
  std::uint32_t line = 0;
  std::string subject;   ///< for example `unit "m"`; empty: the file as a whole
  std::string variable;  ///< if the subject is a variable: its name
  std::string text;      ///< without place and citation
};
using BreachSink = std::function<void(const Breach&)>;

/// The subject of the rule, for "12 more warnings about ...".
std::string_view subject_of(Rule rule);

/// Its section: "2.2.7"; for FMI 1.0 the schema's type. Empty: that version has no such rule.
std::string_view section_of(Rule rule, FmiVersion version);
/// For example "FMI 2.0, section 2.2.7".
std::string citation_of(Rule rule, FmiVersion version);

}  // namespace tutti::fmi
