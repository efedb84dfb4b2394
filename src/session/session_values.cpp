// SPDX-License-Identifier: BSD-2-Clause
#include "session/session_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <tutti/error.hpp>

#include "base/number_type.hpp"
#include "base/text.hpp"
#include "system/lines.hpp"
#include "system/names.hpp"

namespace tutti::session {
namespace {

/// One kind of values: a scalar, or a vector of them.
template <class Element, class Item, class Read>
Value collected(bool is_array, std::span<const Item> items, const Read& read) {
  if (!is_array) return static_cast<Element>(read(items.front()));
  std::vector<Element> all;
  all.reserve(items.size());
  for (const Item& item : items) all.push_back(static_cast<Element>(read(item)));
  return all;
}

/// The value of items whose cells and texts are read by functions.
template <class Item, class ReadCell, class ReadText, class ReadBinary>
Value value_from(const VariableInfo& info, std::span<const Item> items, const ReadCell& cell,
                 const ReadText& text, const ReadBinary& binary) {
  const bool is_array = !info.shape.empty();
  switch (info.type) {
    case Type::float32:
    case Type::float64:
      return collected<double>(is_array, items, [&](const Item& i) { return cell(i).real; });
    case Type::boolean:
      return collected<bool>(is_array, items, [&](const Item& i) { return cell(i).natural != 0; });
    case Type::string:
      return collected<std::string>(is_array, items, text);
    case Type::binary:
      return collected<Binary>(is_array, items, binary);
    default:
      if (is_signed_integer(info.type))
        return collected<std::int64_t>(is_array, items,
                                       [&](const Item& i) { return cell(i).integer; });
      return collected<std::uint64_t>(is_array, items,
                                      [&](const Item& i) { return cell(i).natural; });
  }
}

/// From hexadecimal digits.
Binary binary_of(std::string_view text) {
  Binary bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    std::uint8_t byte = 0;
    std::from_chars(text.data() + i, text.data() + i + 2, byte, 16);
    bytes.push_back(byte);
  }
  return bytes;
}

std::string text_of(double value) { return number_text(value); }
std::string text_of(std::int64_t value) { return fmt::format("{}", value); }
std::string text_of(std::uint64_t value) { return fmt::format("{}", value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(const std::string& value) { return value; }
std::string text_of(const Binary& value) { return fmt::format("{:02x}", fmt::join(value, "")); }
template <class Element>
std::vector<std::string> texts_of(const std::vector<Element>& values) {
  std::vector<std::string> texts;
  for (auto&& value : values) texts.push_back(text_of(value));
  return texts;
}
template <class Element>
std::vector<std::string> texts_of(const Element& value) {
  return {text_of(value)};
}
/// Without this overload, a binary would be an array of numbers.
std::vector<std::string> texts_of(const Binary& value) { return {text_of(value)}; }

/// The elements as a user would write them, one for each scalar.
std::vector<std::string> elements_of(const FoundVariable& variable, const Value& value) {
  const Type type = variable.info.type;
  const bool is_text_value = std::holds_alternative<std::string>(value) ||
                             std::holds_alternative<std::vector<std::string>>(value);
  const bool is_binary_value =
      std::holds_alternative<Binary>(value) || std::holds_alternative<std::vector<Binary>>(value);
  const bool takes_text = type == Type::string || type == Type::enumeration;
  if ((is_text_value && !takes_text) || (!is_text_value && type == Type::string) ||
      is_binary_value != (type == Type::binary))
    throw Error(ErrorCode::usage, fmt::format("\"{}\" is of type {}, but the value is not",
                                              variable.info.name, to_string(type)));
  std::vector<std::string> elements =
      std::visit([](const auto& content) { return texts_of(content); }, value);
  const std::uint64_t count = variable.selection.count;
  if (elements.size() == 1) elements.resize(count, elements.front());
  if (elements.size() != count)
    throw Error(ErrorCode::usage, fmt::format("\"{}\" has {} elements, but {} values are given",
                                              variable.info.name, count, elements.size()));
  return elements;
}

}  // namespace

FoundVariable find_variable(const PreparedSystem& prepared, std::string_view name) {
  const System& system = prepared.system();
  const system::ComponentNames names(system);
  const Endpoint endpoint = names.resolve(name);
  const auto c = static_cast<std::uint32_t>(names.find(endpoint.component));
  return find_variable(system, prepared.plan(), c, endpoint.variable,
                       *prepared.models().descriptions[c], prepared.start_values(c).structure());
}

FoundVariable find_variable(const System& system, const system::Plan& plan, std::uint32_t component,
                            const std::string& name, const ModelDescription& description,
                            const fmi::StructuralValues& structure) {
  FoundVariable variable;
  variable.component = component;
  variable.selection =
      system::select(system.components[variable.component], description, structure, name);
  const Variable& v = *variable.selection.variable;
  if (v.is_array()) variable.array_shape = fmi::shape_of(description, v, structure);
  variable.info = {system.qualified(variable.component, name),
                   v.type,
                   variable.selection.shape,
                   v.attributes.unit,
                   v.causality,
                   v.variability};
  const auto leads_there = [&](const auto& item) {
    return item.to.component == variable.component && item.to.variable == variable.selection.index;
  };
  variable.is_driven = std::any_of(plan.links.begin(), plan.links.end(), leads_there) ||
                       std::any_of(plan.external.begin(), plan.external.end(), leads_there);
  const auto is_this = [&](const system::Point& input) {
    return input.component == variable.component && input.variable == variable.selection.index;
  };
  variable.is_delayed = std::ranges::any_of(plan.lines.delays, leads_there) ||
                        std::ranges::any_of(plan.lines.ports, [&](const auto& port) {
                          return port.component == variable.component &&
                                 std::ranges::any_of(input_points(port, description), is_this);
                        });
  return variable;
}

std::vector<const models::Scalar*> scalars_of(const FoundVariable& variable,
                                              const models::ValueSet& values) {
  const system::Selection& selection = variable.selection;
  std::vector<const models::Scalar*> scalars;
  for (const models::Scalar& scalar : values.scalars())
    if (scalar.variable == selection.index && scalar.element >= selection.first &&
        scalar.element < selection.first + selection.count)
      scalars.push_back(&scalar);
  return scalars;
}

void locate(FoundVariable& variable, const models::Instance& instance) {
  for (const models::ValueSet* set : {&instance.outputs(), &instance.inputs()}) {
    std::vector<const models::Scalar*> scalars = scalars_of(variable, *set);
    if (scalars.size() != variable.selection.count) continue;
    variable.value_set = set;
    variable.is_input = set == &instance.inputs();
    variable.scalars = std::move(scalars);
    if (variable.info.type == Type::float64 && variable.info.shape.empty() && !variable.is_input)
      variable.number = reinterpret_cast<const double*>(set->address(*variable.scalars.front()));
    return;
  }
}

Value value_of(const VariableInfo& info, const models::ValueSet& values,
               std::span<const models::Scalar* const> scalars) {
  using models::Scalar;
  return value_from(
      info, scalars, [&](const Scalar* s) { return values.read(*s); },
      [&](const Scalar* s) { return values.text(*s); },
      [&](const Scalar* s) { return values.binary(*s); });
}

Value value_of(const VariableInfo& info, std::span<const Cell> cells,
               std::span<const std::string> texts) {
  const auto text = [&](Cell cell) { return texts[cell.natural]; };
  return value_from(
      info, cells, [](Cell cell) { return cell; }, text,
      [&](Cell cell) { return binary_of(text(cell)); });
}

std::size_t element_count(const VariableInfo& info) {
  return std::accumulate(info.shape.begin(), info.shape.end(), std::size_t{1}, std::multiplies<>());
}

void write_value(const FoundVariable& variable, const Value& value,
                 const ModelDescription& description, models::ValueSet& values) {
  const auto scalars = scalars_of(variable, values);
  if (const double* number = std::get_if<double>(&value);
      number != nullptr && variable.info.type == Type::float64) {
    for (const models::Scalar* scalar : scalars) values.write_real(*scalar, *number);
    return;
  }
  const std::vector<std::string> elements = elements_of(variable, value);
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    try {
      values.assign(*scalars[i], elements[i], description);
    } catch (const Error& error) {
      throw Error(ErrorCode::usage, fmt::format("cannot set \"{}\" to \"{}\": {}",
                                                variable.info.name, elements[i], error.what()));
    }
  }
}

std::vector<models::Assignment> assignments_of(const FoundVariable& variable, const Value& value) {
  const std::vector<std::string> elements = elements_of(variable, value);
  const system::Selection& selection = variable.selection;
  if (!selection.variable->is_array()) return {{selection.variable->name, elements.front()}};
  std::vector<models::Assignment> assignments;
  for (std::size_t i = 0; i < elements.size(); ++i)
    assignments.push_back(
        {fmi::element_name(selection.variable->name, variable.array_shape, selection.first + i),
         elements[i]});
  return assignments;
}

master::Change change_of(const FoundVariable& variable, std::string_view text,
                         const ModelDescription& description,
                         const fmi::StructuralValues& structure) {
  const system::Selection& selection = variable.selection;
  master::Change change{variable.component, {description, {&selection.index, 1}, structure}, {}};
  std::vector<std::string_view> elements{text};
  if (!variable.info.shape.empty()) elements = models::split_elements(text);
  if (elements.size() == 1) elements.resize(selection.count, elements.front());
  try {
    if (elements.size() != selection.count)
      throw Error(ErrorCode::usage, fmt::format("it has {} elements, but {} values are given",
                                                selection.count, elements.size()));
    for (std::uint64_t i = 0; i < selection.count; ++i) {
      const models::Scalar& scalar = change.values.scalars()[selection.first + i];
      change.values.assign(scalar, elements[i], description);
      models::check_range(*selection.variable, scalar, change.values);
      change.scalars.push_back(selection.first + i);
    }
  } catch (const Error& error) {
    throw error.as(ErrorCode::usage)
        .within(fmt::format("cannot set \"{}\" to \"{}\"", variable.info.name, printable(text)));
  }
  return change;
}

void check_settable(const FoundVariable& variable, const ModelDescription& description,
                    std::string_view instead) {
  const Variable& v = *variable.selection.variable;
  const std::string& name = variable.info.name;
  if (variable.is_driven)
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" cannot be set: a connection or a table drives it", name));
  if (variable.is_delayed)
    throw Error(
        ErrorCode::usage,
        fmt::format("\"{}\" cannot be set during the run: a line or a delayed signal drives it",
                    name));
  if (v.causality == Causality::input) return;
  if (v.causality == Causality::parameter && v.variability == Variability::tunable) return;
  const bool is_parameter =
      v.causality == Causality::parameter || v.causality == Causality::structural_parameter;
  const std::string_view rule = description.version == FmiVersion::v3   ? "FMI 3.0, 2.4.7.4"
                                : description.version == FmiVersion::v2 ? "FMI 2.0, 2.2.7"
                                                                        : "FMI 1.0, 3.3";
  throw Error(ErrorCode::usage,
              is_parameter
                  ? fmt::format("\"{}\" cannot be set during the run: it is a {} parameter, which "
                                "does not change after initialization ({}). {}",
                                name, to_string(v.variability), rule, instead)
                  : fmt::format("\"{}\" cannot be set: the FMU computes it (causality \"{}\"; only "
                                "inputs and tunable parameters can be set during the run, {})",
                                name, to_string(v.causality), rule));
}

}  // namespace tutti::session
