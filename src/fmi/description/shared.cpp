// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/description/shared.hpp"

#include <unordered_set>

namespace tutti::fmi {

bool read_model_attribute(Context& context, pugi::xml_attribute attribute) {
  ModelDescription& to = context.result;
  const char* value = attribute.value();
  switch (key(attribute.name())) {
    case key("fmiVersion"):
      break;  // known by now
    case key("modelName"):
      to.model_name = value;
      break;
    case key("description"):
      to.description = value;
      break;
    case key("author"):
      to.author = value;
      break;
    case key("version"):
      to.model_version = value;
      break;
    case key("copyright"):
      to.copyright = value;
      break;
    case key("license"):
      to.license = value;
      break;
    case key("generationTool"):
      to.generation_tool = value;
      break;
    case key("generationDateAndTime"):
      to.generation_date = value;
      break;
    case key("variableNamingConvention"):
      to.naming_convention = value;
      if (to.naming_convention != "flat" && to.naming_convention != "structured") {
        context.warn(Rule::model, {}, attribute, "{}=\"{}\" is neither \"flat\" nor \"structured\"",
                     attribute.name(), value);
        to.naming_convention = "flat";
      }
      break;
    default:
      return false;
  }
  return true;
}

void check_model(Context& context, std::string_view token_name) {
  ModelDescription& to = context.result;
  const pugi::xml_node root = context.xml.root();
  if (to.naming_convention.empty()) to.naming_convention = "flat";
  if (to.model_name.empty()) context.warn(Rule::model, {}, root, "there is no modelName");
  if (to.token.empty()) context.warn(Rule::model, {}, root, "there is no {}", token_name);
}

void read_default_experiment(Context& context, pugi::xml_node element) {
  DefaultExperiment& to = context.result.default_experiment;
  for (const pugi::xml_attribute attribute : attributes_of(element)) {
    switch (key(attribute.name())) {
      case key("startTime"):
        context.read(element, attribute, to.start);
        break;
      case key("stopTime"):
        context.read(element, attribute, to.stop);
        break;
      case key("tolerance"):
        context.read(element, attribute, to.tolerance);
        break;
      case key("stepSize"):
        context.read(element, attribute, to.step);
        break;
      default:
        context.unknown_attribute(element, attribute);
    }
  }
  if (to.start.value_or(0) > to.stop.value_or(to.start.value_or(0))) {
    context.warn(Rule::experiment, element, element, "stopTime={} is before startTime={}", *to.stop,
                 to.start.value_or(0));
  }
  const auto drop_unless_positive = [&](std::optional<double>& value, std::string_view name) {
    if (!value || *value > 0) return;
    context.warn(Rule::experiment, element, element, "{}={} is not positive; ignored", name,
                 *value);
    value.reset();
  };
  drop_unless_positive(to.tolerance, "tolerance");
  drop_unless_positive(to.step, "stepSize");
}

void read_log_categories(Context& context, pugi::xml_node element) {
  for (const pugi::xml_node child : children_of(element)) {
    if (child.name() != std::string_view("Category")) {
      context.unknown_element(child);
      continue;
    }
    LogCategory category;
    for (const pugi::xml_attribute attribute : attributes_of(child)) {
      switch (key(attribute.name())) {
        case key("name"):
          category.name = attribute.value();
          break;
        case key("description"):
          category.description = attribute.value();
          break;
        default:
          context.unknown_attribute(child, attribute);
      }
    }
    context.result.log_categories.push_back(std::move(category));
  }
}

namespace {

Unit::Base read_base_unit(Context& context, pugi::xml_node element) {
  Unit::Base base;
  for (const pugi::xml_attribute attribute : attributes_of(element)) {
    switch (key(attribute.name())) {
      case key("kg"):
        context.read_integer(element, attribute, base.exponents[0]);
        break;
      case key("m"):
        context.read_integer(element, attribute, base.exponents[1]);
        break;
      case key("s"):
        context.read_integer(element, attribute, base.exponents[2]);
        break;
      case key("A"):
        context.read_integer(element, attribute, base.exponents[3]);
        break;
      case key("K"):
        context.read_integer(element, attribute, base.exponents[4]);
        break;
      case key("mol"):
        context.read_integer(element, attribute, base.exponents[5]);
        break;
      case key("cd"):
        context.read_integer(element, attribute, base.exponents[6]);
        break;
      case key("rad"):
        context.read_integer(element, attribute, base.exponents[7]);
        break;
      case key("factor"):
        context.read(element, attribute, base.factor);
        break;
      case key("offset"):
        context.read(element, attribute, base.offset);
        break;
      default:
        context.unknown_attribute(element, attribute);
    }
  }
  return base;
}

DisplayUnit read_display_unit(Context& context, pugi::xml_node element) {
  DisplayUnit unit;
  for (const pugi::xml_attribute attribute : attributes_of(element)) {
    switch (key(attribute.name())) {
      case key("name"):
        unit.name = attribute.value();
        break;
      case key("factor"):
        context.read(element, attribute, unit.factor);
        break;
      case key("offset"):
        context.read(element, attribute, unit.offset);
        break;
      case key("inverse"):
        context.read(element, attribute, unit.inverse);
        break;
      default:
        context.unknown_attribute(element, attribute);
    }
  }
  return unit;
}

}  // namespace

void read_units(Context& context, pugi::xml_node element) {
  std::unordered_set<std::string_view> names;
  for (const pugi::xml_node child : children_of(element)) {
    if (child.name() != std::string_view("Unit")) {
      context.unknown_element(child);
      continue;
    }
    Unit unit;
    for (const pugi::xml_attribute attribute : attributes_of(child)) {
      if (attribute.name() == std::string_view("name")) {
        unit.name = attribute.value();
      } else {
        context.unknown_attribute(child, attribute);
      }
    }
    for (const pugi::xml_node part : children_of(child)) {
      switch (key(part.name())) {
        case key("BaseUnit"):
          unit.base = read_base_unit(context, part);
          break;
        case key("DisplayUnit"):
          unit.display_units.push_back(read_display_unit(context, part));
          break;
        case key("Annotations"):
          break;
        default:
          context.unknown_element(part);
      }
    }
    if (!names.insert(child.attribute("name").value()).second) {
      context.warn(Rule::unit_definition, child, child, "it is defined twice; the first is used");
      continue;
    }
    context.result.units.push_back(std::move(unit));
  }
}

void read_annotations(pugi::xml_node element, const char* name_attribute,
                      std::vector<Annotation>& to) {
  for (const pugi::xml_node child : children_of(element)) {
    if (child.type() != pugi::node_element) continue;
    to.push_back({child.attribute(name_attribute).value(), raw_xml(child)});
  }
}

bool read_type_attribute(Context& context, pugi::xml_node element, pugi::xml_attribute attribute,
                         std::uint64_t name, TypeAttributes& to, Given& given) {
  switch (name) {
    case key("quantity"):
      to.quantity = attribute.value();
      break;
    case key("unit"):
      to.unit = attribute.value();
      given.unit = true;
      break;
    case key("displayUnit"):
      to.display_unit = attribute.value();
      break;
    case key("min"):
      context.read(element, attribute, to.min);
      break;
    case key("max"):
      context.read(element, attribute, to.max);
      break;
    case key("nominal"):
      context.read(element, attribute, to.nominal);
      break;
    case key("relativeQuantity"):
      context.read(element, attribute, to.relative_quantity);
      given.relative_quantity = true;
      break;
    case key("unbounded"):
      context.read(element, attribute, to.unbounded);
      given.unbounded = true;
      break;
    default:
      return false;
  }
  return true;
}

EnumerationItem read_item(Context& context, pugi::xml_node element, std::int64_t value) {
  EnumerationItem item;
  item.value = value;
  for (const pugi::xml_attribute attribute : attributes_of(element)) {
    switch (key(attribute.name())) {
      case key("name"):
        item.name = attribute.value();
        break;
      case key("value"):
        context.read_integer(element, attribute, item.value);
        break;
      case key("description"):
        item.description = attribute.value();
        break;
      default:
        context.unknown_attribute(element, attribute);
    }
  }
  return item;
}

}  // namespace tutti::fmi
