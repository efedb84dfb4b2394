// SPDX-License-Identifier: BSD-2-Clause
#include "formats/toml/take.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "system/names.hpp"

namespace tutti::formats {
namespace {

[[noreturn]] void refuse_kind(const Target& target, const Value& value, std::string_view wanted) {
  if (value.is(Value::Kind::other) && is_integer(value.text))
    refuse(value, fmt::format("{} = {} is too large", target.path, printable(value.text)));
  refuse(value, fmt::format("{} must be {}, not {}", target.path, wanted, described(value)));
}

std::string quoted_list(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words)
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", word);
  return text;
}

/// The scalars of nested lists, row-major, each with its indices "[1,2]".
void collect(const Value& value, const std::string& indices,
             std::vector<std::pair<std::string, const Value*>>& leaves) {
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const std::string here = fmt::format("{}{}{}", indices, indices.empty() ? "" : ",", i + 1);
    if (value.items[i].is(Value::Kind::list))
      collect(value.items[i], here, leaves);
    else
      leaves.emplace_back(here, &value.items[i]);
  }
}

void add_assignment(const Target& target, const std::string& name, const Value& value,
                    std::vector<std::pair<std::string, std::string>>& all) {
  if (value.is(Value::Kind::table)) {
    for (const Value::Entry& entry : value.entries)
      add_assignment(target, name.empty() ? entry.key : name + "." + entry.key, entry.value, all);
    return;
  }
  if (!value.is(Value::Kind::list)) {
    all.emplace_back(name, written(value));
    return;
  }
  std::vector<std::pair<std::string, const Value*>> leaves;
  collect(value, "", leaves);
  std::string row;
  bool by_element = false;
  for (const auto& [indices, leaf] : leaves) {
    if (leaf->is(Value::Kind::table)) refuse_kind(target, *leaf, "a value in a list");
    by_element |= leaf->is(Value::Kind::text);  // a string may contain blanks
    if (!row.empty()) row += ' ';
    row += written(*leaf);
  }
  if (!by_element)
    all.emplace_back(name, row);
  else
    for (const auto& [indices, leaf] : leaves)
      all.emplace_back(fmt::format("{}[{}]", name, indices), written(*leaf));
}

Endpoint take_named(const Target& target, const Value& value,
                    Endpoint (system::ComponentNames::*resolve)(std::string_view) const) {
  const std::string text = take_text(target, value);
  try {
    return (target.names->*resolve)(text);
  } catch (const Error& error) {
    throw error.within(fmt::format("{} = \"{}\"", target.path, printable(text)),
                       system::where(value.place));
  }
}

}  // namespace

void refuse(const Value& value, const std::string& text, std::string hint) {
  throw Error(ErrorCode::usage, text, system::where(value.place, {.hint = std::move(hint)}));
}

std::string take_text(const Target& target, const Value& value) {
  if (!value.is(Value::Kind::text)) refuse_kind(target, value, "a string (in quotes)");
  if (value.text.empty()) refuse(value, target.path + " is empty");
  return value.text;
}

bool take_boolean(const Target& target, const Value& value) {
  if (!value.is(Value::Kind::boolean)) refuse_kind(target, value, "true or false");
  return value.boolean;
}

double take_finite(const Target& target, const Value& value) {
  if (!value.is_number()) refuse_kind(target, value, "a number");
  if (!std::isfinite(value.number))
    refuse(value, fmt::format("{} must be finite, not {}", target.path, written(value)));
  return value.number;
}

double take_positive(const Target& target, const Value& value) {
  if (take_finite(target, value) <= 0) refuse_kind(target, value, "a positive number");
  return value.number;
}

double take_not_negative(const Target& target, const Value& value) {
  if (take_finite(target, value) < 0) refuse_kind(target, value, "a non-negative number");
  return value.number;
}

std::uint32_t take_count(const Target& target, const Value& value) {
  constexpr std::int64_t maximum = 1'000'000'000;
  if (!value.is(Value::Kind::integer) || value.integer < 1)
    refuse_kind(target, value, "a positive integer");
  if (value.integer > maximum)
    refuse(value,
           fmt::format("{} = {} is too large: at most {}", target.path, value.integer, maximum));
  return static_cast<std::uint32_t>(value.integer);
}

std::vector<std::string> take_texts(const Target& target, const Value& value) {
  if (!value.is(Value::Kind::list)) return {take_text(target, value)};
  std::vector<std::string> texts;
  for (const Value& item : value.items) texts.push_back(take_text(target, item));
  return texts;
}

std::vector<double> take_numbers(const Target& target, const Value& value) {
  if (!value.is(Value::Kind::list))
    refuse(value,
           fmt::format("{} must be a list of numbers, not {}", target.path, described(value)));
  std::vector<double> numbers;
  for (const Value& item : value.items) numbers.push_back(take_finite(target, item));
  return numbers;
}

std::vector<double> take_number_or_list(const Target& target, const Value& value) {
  if (value.is_number()) return {take_finite(target, value)};
  if (!value.is(Value::Kind::list)) refuse_kind(target, value, "a number or a list of numbers");
  return take_numbers(target, value);
}

double take_sign(const Target& target, const Value& value) {
  const double sign = take_finite(target, value);
  if (sign != 1 && sign != -1) refuse_kind(target, value, "1 or -1");
  return sign;
}

double take_damping(const Target& target, const Value& value) {
  const double damping = take_finite(target, value);
  if (damping < 0 || damping >= 1)
    refuse_kind(target, value, "a number that is non-negative and below 1");
  return damping;
}

std::vector<CarriedQuantity> take_carried(const Target& target, const Value& value) {
  constexpr std::string_view wanted = "a list of tables as { out = \"h_out\", in = \"h_in\" }";
  if (!value.is(Value::Kind::list)) refuse_kind(target, value, wanted);
  std::vector<CarriedQuantity> all;
  for (const Value& item : value.items) {
    if (!item.is(Value::Kind::table)) refuse_kind(target, item, wanted);
    CarriedQuantity& quantity = all.emplace_back();
    for (const Value::Entry& entry : item.entries) {
      if (entry.key != "out" && entry.key != "in")
        refuse(entry.value,
               fmt::format("{}: unknown key \"{}\".", target.path, printable(entry.key)),
               did_you_mean(entry.key, {"out", "in"}) + " Expected out and in.");
      (entry.key == "out" ? quantity.out : quantity.in) = take_text(target, entry.value);
    }
    if (quantity.out.empty() || quantity.in.empty())
      refuse(item,
             fmt::format("{}: an entry lacks \"{}\"", target.path,
                         quantity.out.empty() ? "out" : "in"),
             "A carried quantity has an output and an input.");
  }
  return all;
}

std::vector<PortName> take_ports(const Target& target, const Value& value) {
  if (!value.is(Value::Kind::list) || value.items.size() != 2)
    refuse(value,
           fmt::format("{} must be a list of two ports, [\"component.port\", "
                       "\"component.port\"], not {}",
                       target.path,
                       value.is(Value::Kind::list) ? fmt::format("a list of {}", value.items.size())
                                                   : described(value)));
  std::vector<PortName> ports;
  for (const Value& item : value.items) {
    Endpoint end = take_endpoint(target, item);
    ports.push_back({std::move(end.component), std::move(end.variable)});
  }
  return ports;
}

std::uint32_t take_order(const Target& target, const Value& value) {
  const double order = take_finite(target, value);
  if (order != 0 && order != 1 && order != 2)
    refuse(value, fmt::format("{} must be 0, 1 or 2, not {}", target.path, described(value)));
  return static_cast<std::uint32_t>(order);
}

std::vector<std::string> take_members(const Target& target, const Value& value) {
  std::vector<std::string> members = take_texts(target, value);
  for (std::size_t i = 0; i < members.size(); ++i)
    if (target.names->find(members[i]) < 0)
      throw target.names->unknown(members[i])
          .within("", system::where((value.is(Value::Kind::list) ? value.items[i] : value).place));
  return members;
}

std::vector<std::string> take_methods(const Target& target, const Value& value) {
  std::vector<std::string> methods = take_texts(target, value);
  if (methods.empty()) refuse(value, target.path + " is empty: name a coupling method");
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const Value& item = value.is(Value::Kind::list) ? value.items[i] : value;
    std::vector<std::string_view> known(target.words.methods.begin(), target.words.methods.end());
    const bool is_whole_system = target.path == "simulation.method";
    if (is_whole_system) known.emplace_back("auto");
    if (methods[i] == "auto") {
      if (methods.size() == 1 && is_whole_system) continue;
      refuse(
          item,
          "\"auto\" is allowed only for the whole system and alone: simulation.method = \"auto\"",
          "Choose one of " + quoted_list(known));
    }
    if (std::ranges::find(known, methods[i]) == known.end())
      refuse(item, fmt::format("unknown coupling method \"{}\".", printable(methods[i])),
             fmt::format("{} Expected one of: {}.", did_you_mean(methods[i], known),
                         quoted_list(known)));
  }
  return methods;
}

std::string take_solver(const Target& target, const Value& value) {
  std::string name = take_text(target, value);
  const auto& known = target.words.solvers;
  if (std::ranges::find(known, name) == known.end())
    refuse(value, fmt::format("unknown solver \"{}\".", printable(name)),
           fmt::format("{} Expected one of: {}.", did_you_mean(name, known), quoted_list(known)));
  return name;
}

SolverOption take_solver_option(const Target& target, const Value& value) {
  switch (value.kind) {
    case Value::Kind::boolean:
      return value.boolean;
    case Value::Kind::integer:
      return value.integer;
    case Value::Kind::number:
      return take_finite(target, value);
    case Value::Kind::text:
      return take_text(target, value);
    default:
      refuse_kind(target, value, "a number, a boolean or a string");
  }
}

Endpoint take_endpoint(const Target& target, const Value& value) {
  return take_named(target, value, &system::ComponentNames::resolve);
}

Endpoint take_end(const Target& target, const Value& value) {
  return take_named(target, value, &system::ComponentNames::resolve_end);
}

std::size_t take_word(const Target& target, const Value& value,
                      std::span<const std::string_view> words) {
  const std::string word = take_text(target, value);
  const auto found = std::ranges::find(words, word);
  if (found == words.end())
    refuse(value,
           fmt::format("{} must be one of {}, not \"{}\".", target.path, quoted_list(words),
                       printable(word)),
           did_you_mean(word, {words.begin(), words.end()}));
  return static_cast<std::size_t>(found - words.begin());
}

std::string take_control(const Target& target, const Value& value) {
  const auto& known = target.words.controls;
  return std::string(known[take_word(target, value, known)]);
}

std::string take_built_in(const Target& target, const Value& value) {
  const std::string name = take_text(target, value);
  const auto& known = target.words.built_ins;
  if (std::ranges::find(known, name) == known.end())
    refuse(
        value, fmt::format("unknown type \"{}\".", printable(name)),
        fmt::format("{} Expected one of: {}.", did_you_mean(name, known), fmt::join(known, ", ")));
  return name;
}

std::string take_formula(const Target& target, const Value& value) {
  if (value.is_number()) return written(value);
  if (!value.is(Value::Kind::text)) refuse_kind(target, value, "a formula (in quotes)");
  return take_text(target, value);
}

std::string take_number_text(const Target& target, const Value& value) {
  take_finite(target, value);
  return written(value);
}

const std::vector<Value::Entry>& take_table(const Target& target, const Value& value) {
  if (!value.is(Value::Kind::table)) refuse_kind(target, value, "a table of names and values");
  return value.entries;
}

std::vector<std::pair<std::string, std::string>> take_assignments(const Target& target,
                                                                  const Value& value) {
  take_table(target, value);
  std::vector<std::pair<std::string, std::string>> all;
  add_assignment(target, "", value, all);
  return all;
}

}  // namespace tutti::formats
