// SPDX-License-Identifier: BSD-2-Clause
#include "formats/ssp/write_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "fmi/description/xml.hpp"
#include "fmi/shape.hpp"
#include "system/endpoint.hpp"

namespace tutti::formats::ssp {
namespace {

/// As XML schema writes numbers; anything else as it is.
std::string real_text(const std::string& value) {
  double number = 0;
  if (!parse_number(value, number) || std::isfinite(number)) return std::string(trim(value));
  return std::isnan(number) ? "NaN" : number > 0 ? "INF" : "-INF";
}

std::string item_name(const TypeDefinition* type, const std::string& value) {
  const std::optional<std::int64_t> number = fmi::parse_integer<std::int64_t>(value);
  if (type == nullptr || !number) return value;
  const auto found = std::ranges::find(type->items, *number, &EnumerationItem::value);
  return found == type->items.end() ? value : found->name;
}

void add(pugi::xml_node list, const std::string& name, const char* type, const std::string& value) {
  append(append(list, "ssv:Parameter", {{"name", name}}), type, {{"value", value}});
}

void add_scalar(pugi::xml_node list, const std::string& name, const std::string& value,
                const ModelDescription& model, const Variable& variable) {
  switch (variable.type) {
    case Type::float32:
    case Type::float64:
      return add(list, name, "ssv:Real", real_text(value));
    case Type::boolean: {
      const std::optional<bool> truth = fmi::parse_boolean(value);
      return add(list, name, "ssv:Boolean", !truth ? value : *truth ? "true" : "false");
    }
    case Type::enumeration:
      return add(list, name, "ssv:Enumeration", item_name(model.type_of(variable), value));
    case Type::string:
    case Type::binary:
    case Type::clock:
      return add(list, name, "ssv:String", value);
    default:
      return add(list, name, "ssv:Integer", std::string(trim(value)));
  }
}

}  // namespace

pugi::xml_node append(pugi::xml_node parent, const char* name,
                      std::initializer_list<std::pair<const char*, std::string>> attributes) {
  pugi::xml_node node = parent.append_child(name);
  for (const auto& [attribute, value] : attributes)
    node.append_attribute(attribute) = value.c_str();
  return node;
}

void write_parameters(pugi::xml_node node, const Component& component,
                      const ModelDescription& model) {
  if (component.set.empty()) return;
  const pugi::xml_node values = node.append_child("ssd:ParameterBindings")
                                    .append_child("ssd:ParameterBinding")
                                    .append_child("ssd:ParameterValues");
  const pugi::xml_node list =
      append(append(values, "ssv:ParameterSet", {{"version", "1.0"}, {"name", component.name}}),
             "ssv:Parameters");
  for (const auto& [name, value] : component.set) {
    const system::Selection selection = system::select(component, model, {}, name);
    if (selection.shape.empty()) {
      add_scalar(list, name, value, model, *selection.variable);
      continue;
    }
    // SSP 1.0 has no arrays: one parameter for each element.
    std::vector<std::string> items;
    fmi::for_each_item(value, [&](std::string_view item) { items.emplace_back(item); });
    if (items.size() != selection.count) {  // its size is set, too
      add(list, name, "ssv:String", value);
      continue;
    }
    for (std::size_t i = 0; i < items.size(); ++i)
      add_scalar(list, fmi::element_name(name, selection.shape, i), items[i], model,
                 *selection.variable);
  }
}

}  // namespace tutti::formats::ssp
