// SPDX-License-Identifier: BSD-2-Clause
#include "system/value_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tutti/error.hpp>

#include "base/number_type.hpp"
#include "base/text.hpp"

namespace tutti::system {
namespace {

const Unit::Base* base_of(const ModelDescription& model, const std::string& unit) {
  const auto found = std::ranges::find(model.units, unit, &Unit::name);
  return found == model.units.end() || !found->base ? nullptr : &*found->base;
}

enum class Kind { boolean, whole, none };

Kind kind_of(Type type) {
  if (type == Type::boolean) return Kind::boolean;
  if (is_float(type) || is_text(type) || type == Type::clock) return Kind::none;
  // Half of the values of uint64 are beyond the range of a map.
  return type == Type::uint64 ? Kind::none : Kind::whole;
}

/// Smallest and largest value of a type of whole numbers.
std::pair<std::int64_t, std::int64_t> range_of(Type type) {
  return with_number_type(type, [](auto number) -> std::pair<std::int64_t, std::int64_t> {
    using Limits = std::numeric_limits<decltype(number)>;
    if constexpr (Limits::digits < 64 && Limits::is_integer) return {Limits::min(), Limits::max()};
    return {};
  });
}

std::int64_t value_of(const std::string& text, const ModelDescription& model,
                      const Variable& variable) {
  const auto number = to_integer<std::int64_t>(text);
  if (variable.type == Type::boolean) {
    if (text == "true" || number == 1) return 1;
    if (text == "false" || number == 0) return 0;
  } else if (variable.type == Type::enumeration) {
    std::vector<std::string_view> names;
    if (const TypeDefinition* type = model.type_of(variable))
      for (const EnumerationItem& item : type->items) {
        if (item.name == text || item.value == number) return item.value;
        names.push_back(item.name);
      }
    throw Error(
        ErrorCode::usage,
        fmt::format("\"{}\" in the map is not an item of \"{}\".", printable(text), variable.name),
        {.hint = fmt::format("{} Expected one of: {}.", did_you_mean(text, names),
                             fmt::join(names, ", "))});
  } else if (const auto [least, most] = range_of(variable.type);
             number && *number >= least && *number <= most) {
    return *number;
  }
  throw Error(ErrorCode::usage,
              fmt::format("\"{}\" in the map is not a value of \"{}\", which is of type {}",
                          printable(text), variable.name, to_string(variable.type)));
}

const std::vector<EnumerationItem>* items_of(const ModelDescription& model,
                                             const Variable& variable) {
  const TypeDefinition* type = model.type_of(variable);
  const bool lists = variable.type == Type::enumeration && type != nullptr && !type->items.empty();
  return lists ? &type->items : nullptr;
}

std::string listed(const std::vector<EnumerationItem>& items) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), most); ++i)
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", printable(items[i].name), items[i].value);
  return items.size() > most ? text + ", ..." : text;
}

}  // namespace

UnitConversion convert_units(const ModelDescription& from_model, const Variable& from,
                             const ModelDescription& to_model, const Variable& to) {
  using Kind = UnitConversion::Kind;
  const std::string &a = from.attributes.unit, &b = to.attributes.unit;
  if (a.empty() || b.empty()) return {};
  if (&from_model == &to_model && a == b) return {};
  const Unit::Base* from_base = base_of(from_model, a);
  const Unit::Base* to_base = base_of(to_model, b);
  if (from_base == nullptr || to_base == nullptr)
    return {.kind = a == b ? Kind::none : Kind::unclear};
  // Tools do not agree whether rad counts, so the same name is taken for the same quantity.
  if (a != b && !std::equal(std::begin(from_base->exponents), std::end(from_base->exponents),
                            std::begin(to_base->exponents)))
    return {.kind = Kind::clash};
  if (from_base->factor == to_base->factor && from_base->offset == to_base->offset) return {};
  const bool relative = from.attributes.relative_quantity || to.attributes.relative_quantity;
  return {.kind = Kind::linear,
          .factor = from_base->factor / to_base->factor,
          .offset = relative ? 0 : (from_base->offset - to_base->offset) / to_base->factor};
}

std::optional<EnumerationCheck> make_enumeration_check(const ModelDescription& from_model,
                                                       const Variable& from, const ValueMap& map,
                                                       const ModelDescription& to_model,
                                                       const Variable& to) {
  const std::vector<EnumerationItem>* const allowed = items_of(to_model, to);
  if (allowed == nullptr) return std::nullopt;
  EnumerationCheck check;
  for (const EnumerationItem& item : *allowed) check.items.push_back(item.value);
  std::ranges::sort(check.items);
  const std::vector<EnumerationItem>* const sent = items_of(from_model, from);
  const auto fits = [&](const EnumerationItem& item) {
    return check.contains(mapped(map, item.value));
  };
  if (sent != nullptr && std::all_of(sent->begin(), sent->end(), fits)) return std::nullopt;
  check.expected = listed(*allowed);
  return check;
}

ValueMap make_value_map(const Connection& connection, const ModelDescription& from_model,
                        const Variable& from, const ModelDescription& to_model,
                        const Variable& to) {
  if (kind_of(from.type) == Kind::none || kind_of(from.type) != kind_of(to.type))
    throw Error(ErrorCode::usage,
                fmt::format("a map is for two booleans, or for whole numbers and enumerations, not "
                            "for {} and {}",
                            to_string(from.type), to_string(to.type)));
  ValueMap map;
  for (const auto& [source, target] : connection.map)
    map.emplace_back(value_of(source, from_model, from), value_of(target, to_model, to));
  return map;
}

}  // namespace tutti::system
