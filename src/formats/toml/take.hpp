// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "formats/toml/keys.hpp"

/// Typed values of keys. All throw Error(usage) with place and path for a value of another type.
namespace tutti::formats {

[[noreturn]] void refuse(const Value& value, const std::string& text, std::string hint = "");

std::string take_text(const Target& target, const Value& value);
bool take_boolean(const Target& target, const Value& value);
double take_finite(const Target& target, const Value& value);  ///< not NaN or infinity
double take_positive(const Target& target, const Value& value);
double take_not_negative(const Target& target, const Value& value);
std::uint32_t take_count(const Target& target, const Value& value);             ///< positive
std::vector<double> take_numbers(const Target& target, const Value& value);     ///< a list
std::vector<std::string> take_texts(const Target& target, const Value& value);  ///< one, or a list
/// One, or a list.
std::vector<double> take_number_or_list(const Target& target, const Value& value);
double take_sign(const Target& target, const Value& value);          ///< 1 or -1
double take_damping(const Target& target, const Value& value);       ///< at least 0 and below 1
std::uint32_t take_order(const Target& target, const Value& value);  ///< 0, 1 or 2
/// Names of components: one, or a list.
std::vector<std::string> take_members(const Target& target, const Value& value);
std::vector<std::string> take_methods(const Target& target, const Value& value);
std::string take_solver(const Target& target, const Value& value);
std::string take_control(const Target& target, const Value& value);
std::string take_built_in(const Target& target, const Value& value);
std::string take_formula(const Target& target, const Value& value);      ///< a string or a number
std::string take_number_text(const Target& target, const Value& value);  ///< a number as written
const std::vector<Value::Entry>& take_table(const Target& target, const Value& value);
/// A list of tables with an output and an input each.
std::vector<CarriedQuantity> take_carried(const Target& target, const Value& value);
/// Two ports, component.port.
std::vector<PortName> take_ports(const Target& target, const Value& value);
Endpoint take_endpoint(const Target& target, const Value& value);
/// A variable, or a whole component.
Endpoint take_end(const Target& target, const Value& value);

/// A number, boolean or string; the solver checks the type of its option.
SolverOption take_solver_option(const Target& target, const Value& value);

/// One of the words.
std::size_t take_word(const Target& target, const Value& value,
                      std::span<const std::string_view> words);

/// Names and values of a table, with the names of nested tables joined by dots; arrays whole, or by
/// element if they contain strings.
std::vector<std::pair<std::string, std::string>> take_assignments(const Target& target,
                                                                  const Value& value);

}  // namespace tutti::formats
