// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tutti/model_description.hpp>

namespace tutti::fmi {

/// The rules of the standard whose breach does no harm and is only warned of.
enum class Rule : std::uint8_t {
  model,
  interface_type,
  unit_definition,
  type_definition,
  experiment,
  unknown_part,
  number,
  variable,
  name,
  unique_name,
  unique_reference,
  causality,
  initial,
  start,
  unit,
  declared_type,
  dimension,
  structure,
  outputs,
  terminal,
};
inline constexpr std::size_t rule_count = 20;

/// What the rule is about, for "12 more warnings about ...".
std::string_view subject_of(Rule rule);

/// Where it stands, for example "FMI 2.0, section 2.2.7". For FMI 1.0 the schema's type.
std::string citation_of(Rule rule, FmiVersion version);

}  // namespace tutti::fmi
