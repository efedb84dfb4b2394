// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/description/types_v1.hpp"

#include <utility>

#include "fmi/description/shared.hpp"

namespace tutti::fmi {
namespace {

void read_display_units(Context& context, pugi::xml_node element, Unit& to) {
  for (const pugi::xml_node child : element.children("DisplayUnitDefinition")) {
    DisplayUnit unit;
    for (const pugi::xml_attribute attribute : attributes_of(child)) {
      switch (key(attribute.name())) {
        case key("displayUnit"):
          unit.name = attribute.value();
          break;
        case key("gain"):
          context.read(child, attribute, unit.factor);
          break;
        case key("offset"):
          context.read(child, attribute, unit.offset);
          break;
        default:
          context.unknown_attribute(child, attribute);
      }
    }
    to.display_units.push_back(std::move(unit));
  }
}

}  // namespace

void read_units_v1(Context& context, pugi::xml_node element) {
  for (const pugi::xml_node child : children_of(element)) {
    if (child.name() != std::string_view("BaseUnit")) {
      context.unknown_element(child);
      continue;
    }
    Unit unit;
    unit.name = child.attribute("unit").value();
    read_display_units(context, child, unit);
    context.result.units.push_back(std::move(unit));
  }
}

void read_type_v1(Context& context, pugi::xml_node element) {
  TypeDefinition type;
  for (const pugi::xml_attribute attribute : attributes_of(element)) {
    switch (key(attribute.name())) {
      case key("name"):
        type.name = attribute.value();
        break;
      case key("description"):
        type.description = attribute.value();
        break;
      default:
        context.unknown_attribute(element, attribute);
    }
  }
  for (const pugi::xml_node child : children_of(element)) {
    switch (key(child.name())) {
      case key("RealType"):
        type.type = Type::float64;
        break;
      case key("IntegerType"):
        type.type = Type::int32;
        break;
      case key("BooleanType"):
        type.type = Type::boolean;
        break;
      case key("StringType"):
        type.type = Type::string;
        break;
      case key("EnumerationType"):
        type.type = Type::enumeration;
        break;
      default:
        context.unknown_element(child);
        continue;
    }
    Given given;
    for (const pugi::xml_attribute attribute : attributes_of(child)) {
      const std::uint64_t name = key(attribute.name());
      if (!read_type_attribute(context, child, attribute, name, type.attributes, given)) {
        context.unknown_attribute(child, attribute);
      }
    }
    std::int64_t value = 0;  // items are numbered from 1
    for (const pugi::xml_node item : child.children("Item")) {
      type.items.push_back(read_item(context, item, ++value));
    }
  }
  context.result.types.push_back(std::move(type));
}

}  // namespace tutti::fmi
