// SPDX-License-Identifier: BSD-2-Clause
#include "system/endpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tutti/error.hpp>
#include <type_traits>

#include "base/number_type.hpp"
#include "base/text.hpp"
#include "system/component_kind.hpp"

namespace tutti::system {
namespace {

struct Whole {
  int bits;
  bool is_signed;
};

std::optional<Whole> whole(Type type) {
  if (is_text(type) || type == Type::enumeration) return std::nullopt;
  return with_number_type(type, []<class Number>(Number) -> std::optional<Whole> {
    if (!std::is_integral_v<Number> || std::is_same_v<Number, bool>) return std::nullopt;
    return Whole{8 * int{sizeof(Number)}, std::is_signed_v<Number>};
  });
}

Selection make_selection(const ModelDescription& description, const Variable& variable,
                         std::vector<std::uint64_t> shape) {
  Selection selection;
  selection.variable = &variable;
  selection.index = static_cast<std::int32_t>(&variable - description.variables.data());
  selection.count = fmi::element_count(shape);
  selection.shape = std::move(shape);
  return selection;
}

/// What can be connected, where no name is near the one that was given.
std::string connectors_of(const ModelDescription& description) {
  const auto named = [&](Causality causality, std::string_view title) {
    std::vector<std::string> names;
    for (const Variable& variable : description.variables)
      if (variable.causality == causality) names.push_back(printable(variable.name));
    return names.empty() ? "" : fmt::format(" {}: {}.", title, list_some(names));
  };
  return named(Causality::input, "Inputs") + named(Causality::output, "Outputs");
}

}  // namespace

std::string source_of(const Component& component) {
  switch (const ComponentKind& kind = kind_of(component); kind.origin) {
    case Origin::file:
      return component.fmu.filename().string();
    case Origin::built_in:
      return component.built_in.type;
    case Origin::object:
    case Origin::cluster:
      return std::string(kind.name);
  }
  return {};
}

std::string source_of(const Component& component, const ModelDescription& description) {
  if (kind_of(component).origin != Origin::file) return source_of(component);
  return fmt::format("{}, FMI {}", source_of(component), to_string(description.version));
}

std::string path_of(const Component& component) {
  const bool is_file = kind_of(component).origin == Origin::file;
  return is_file ? component.fmu.string() : source_of(component);
}

std::string called(const Component& component) {
  return fmt::format("component \"{}\" ({})", component.name, source_of(component));
}

std::string first_element(const std::string& array, std::span<const std::uint64_t> shape) {
  std::string indices = "1";
  for (std::size_t i = 1; i < shape.size(); ++i) indices += ",1";
  return fmt::format("{}[{}]", array, indices);
}

Selection select(const Component& component, const ModelDescription& description,
                 const fmi::StructuralValues& structure, const std::string& name) {
  if (const Variable* variable = description.find(name))
    return make_selection(description, *variable,
                          variable->is_array() ? fmi::shape_of(description, *variable, structure)
                                               : std::vector<std::uint64_t>{});
  for (const std::size_t open : {name.rfind('['), name.find('[')}) {  // the latter in "y[0][0]"
    if (!name.ends_with(']') || open == std::string::npos) break;
    const Variable* array = description.find(std::string_view(name).substr(0, open));
    if (array != nullptr && array->is_array()) {
      const std::vector<std::uint64_t> shape = fmi::shape_of(description, *array, structure);
      const std::string_view indices =
          std::string_view(name).substr(open + 1, name.size() - open - 2);
      const std::optional<std::uint64_t> element = fmi::element_at(shape, indices);
      if (!element)
        throw Error(ErrorCode::usage,
                    fmt::format("{} has no element \"{}\": the array is {} (indices start at 1, "
                                "as in \"{}\")",
                                called(component), printable(name), fmt::join(shape, " x "),
                                first_element(array->name, shape)),
                    {.component = component.name, .variable = name});
      Selection selection = make_selection(description, *array, {});
      selection.first = *element;
      return selection;
    }
  }
  const std::string hint = did_you_mean(name, names_of(description.variables));
  throw Error(ErrorCode::usage,
              fmt::format("{} has no variable \"{}\".", called(component), printable(name)),
              {.component = component.name,
               .variable = name,
               .hint = hint.empty() ? connectors_of(description) : hint});
}

bool widens(const ModelDescription& from_model, const Variable& from, const Variable& to) {
  if (from.type == Type::enumeration) {
    const TypeDefinition* type = from_model.type_of(from);
    if (to.type == Type::enumeration || to.type == Type::int64) return true;
    return to.type == Type::int32 && type != nullptr &&
           std::ranges::all_of(type->items, [](const EnumerationItem& item) {
             return item.value >= std::numeric_limits<std::int32_t>::min() &&
                    item.value <= std::numeric_limits<std::int32_t>::max();
           });
  }
  if (from.type == to.type) return from.type != Type::clock;
  if (from.type == Type::float32) return to.type == Type::float64;
  const std::optional<Whole> a = whole(from.type), b = whole(to.type);
  if (from.type == Type::boolean) return b || to.type == Type::float32 || to.type == Type::float64;
  if (!a) return false;
  if (to.type == Type::enumeration) return true;
  // A float represents integers up to 24 bits, a double up to 53.
  if (to.type == Type::float32) return a->bits <= 16;
  if (to.type == Type::float64) return a->bits <= 32;
  if (!b) return false;
  return a->is_signed == b->is_signed ? b->bits >= a->bits : b->is_signed && b->bits > a->bits;
}

namespace {

[[noreturn]] void refuse_endpoint(const Component& component, const Variable& variable,
                                  const std::string& why, std::string hint = "") {
  throw Error(ErrorCode::usage, fmt::format("\"{}\" is {}", variable.name, why),
              {.component = component.name, .variable = variable.name, .hint = std::move(hint)});
}

constexpr const char* clock_refusal = "a clock; connections of clocks are not supported yet";

}  // namespace

void check_source(const Component& component, const Variable& variable) {
  if (variable.type == Type::clock) refuse_endpoint(component, variable, clock_refusal);
  if (variable.causality == Causality::input)
    refuse_endpoint(component, variable,
                    "an input and cannot feed another one; connect both to the output that feeds "
                    "it");
  if (variable.causality == Causality::independent)
    refuse_endpoint(component, variable, "the time of the model");
}

void check_target(const Component& component, const Variable& variable) {
  if (variable.type == Type::clock) refuse_endpoint(component, variable, clock_refusal);
  if (variable.causality == Causality::input) return;
  const bool is_parameter = variable.causality == Causality::parameter ||
                            variable.causality == Causality::structural_parameter;
  refuse_endpoint(
      component, variable,
      fmt::format("not an input: its causality is \"{}\"", to_string(variable.causality)),
      is_parameter ? "Give it a value under \"set\"." : "Only inputs can be driven.");
}

void check_column_target(const Component& component, const Variable& variable) {
  if (variable.causality != Causality::parameter) return check_target(component, variable);
  if (variable.variability == Variability::tunable) return;
  throw Error(ErrorCode::usage,
              fmt::format("\"{}\" is a parameter that is not tunable", variable.name),
              {.component = component.name,
               .variable = variable.name,
               .hint = "Leave the column out and set the parameter (--set)."});
}

}  // namespace tutti::system
