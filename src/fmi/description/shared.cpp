// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/description/shared.hpp"

#include <unordered_set>

namespace tutti::fmi {

void read_model_attributes(Context& context, Attributes more) {
  ModelDescription& to = context.result;
  const pugi::xml_node root = context.xml.root();
  std::string version;  // known by now
  const Attributes common = {{"fmiVersion", &version},
                             {"modelName", &to.model_name},
                             {"description", &to.description},
                             {"author", &to.author},
                             {"version", &to.model_version},
                             {"copyright", &to.copyright},
                             {"license", &to.license},
                             {"generationTool", &to.generation_tool},
                             {"generationDateAndTime", &to.generation_date},
                             {"variableNamingConvention", &to.naming_convention}};
  for (const pugi::xml_attribute attribute : attributes_of(root)) {
    if (!context.read_one_of(root, attribute, common) &&
        !context.read_one_of(root, attribute, more))
      context.unknown_attribute(root, attribute);
    const bool convention = attribute.name() == std::string_view("variableNamingConvention");
    if (convention && to.naming_convention != "flat" && to.naming_convention != "structured") {
      context.warn(Rule::model, {}, attribute, "{}=\"{}\" is neither \"flat\" nor \"structured\"",
                   attribute.name(), attribute.value());
      to.naming_convention = "flat";
    }
  }
}

void check_model(Context& context, std::string_view token_name) {
  ModelDescription& to = context.result;
  const pugi::xml_node root = context.xml.root();
  if (to.naming_convention.empty()) to.naming_convention = "flat";
  if (to.model_name.empty()) context.warn(Rule::model, {}, root, "there is no modelName");
  if (to.token.empty()) context.warn(Rule::model, {}, root, "there is no {}", token_name);
}

void check_identifier(const Context& context, pugi::xml_node element, const Capabilities& read) {
  if (!read.model_identifier.empty()) return;
  context.fail(element,
               "<{}> has no modelIdentifier, so the FMU's shared library has no name. Export the "
               "FMU again.",
               element.name());
}

void read_default_experiment(Context& context, pugi::xml_node element) {
  DefaultExperiment& to = context.result.default_experiment;
  context.read_attributes(element, {{"startTime", &to.start},
                                    {"stopTime", &to.stop},
                                    {"tolerance", &to.tolerance},
                                    {"stepSize", &to.step}});
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
  const auto read_category = [&](pugi::xml_node child) {
    LogCategory& category = context.result.log_categories.emplace_back();
    context.read_attributes(child,
                            {{"name", &category.name}, {"description", &category.description}});
  };
  context.read_children(element, {{"Category", read_category}});
}

namespace {

Unit::Base read_base_unit(Context& context, pugi::xml_node element) {
  Unit::Base base;
  auto& [kg, m, s, A, K, mol, cd, rad] = base.exponents;
  context.read_attributes(element, {{"kg", &kg},
                                    {"m", &m},
                                    {"s", &s},
                                    {"A", &A},
                                    {"K", &K},
                                    {"mol", &mol},
                                    {"cd", &cd},
                                    {"rad", &rad},
                                    {"factor", &base.factor},
                                    {"offset", &base.offset}});
  return base;
}

DisplayUnit read_display_unit(Context& context, pugi::xml_node element) {
  DisplayUnit unit;
  context.read_attributes(element, {{"name", &unit.name},
                                    {"factor", &unit.factor},
                                    {"offset", &unit.offset},
                                    {"inverse", &unit.inverse}});
  return unit;
}

}  // namespace

void read_units(Context& context, pugi::xml_node element) {
  std::unordered_set<std::string_view> names;
  const auto read_unit = [&](pugi::xml_node child) {
    Unit unit;
    context.read_attributes(child, {{"name", &unit.name}});
    context.read_children(
        child,
        {{"BaseUnit", [&](auto part) { unit.base = read_base_unit(context, part); }},
         {"DisplayUnit",
          [&](auto part) { unit.display_units.push_back(read_display_unit(context, part)); }},
         {"Annotations", [](auto) {}}});
    if (!names.insert(child.attribute("name").value()).second) {
      context.warn(Rule::unit_definition, child, child, "it is defined twice; the first is used");
      return;
    }
    context.result.units.push_back(std::move(unit));
  };
  context.read_children(element, {{"Unit", read_unit}});
}

void read_annotations(pugi::xml_node element, const char* name_attribute,
                      std::vector<Annotation>& to) {
  for (const pugi::xml_node child : children_of(element)) {
    if (child.type() != pugi::node_element) continue;
    to.push_back({child.attribute(name_attribute).value(), raw_xml(child)});
  }
}

bool read_type_attribute(Context& context, pugi::xml_node element, pugi::xml_attribute attribute,
                         TypeAttributes& to, Given& given) {
  switch (key(attribute.name())) {
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
  context.read_attributes(
      element, {{"name", &item.name}, {"value", &item.value}, {"description", &item.description}});
  return item;
}

std::optional<Type> scalar_type(std::string_view element) {
  constexpr std::pair<std::string_view, Type> types[] = {{"Real", Type::float64},
                                                         {"Integer", Type::int32},
                                                         {"Boolean", Type::boolean},
                                                         {"String", Type::string},
                                                         {"Enumeration", Type::enumeration}};
  for (const auto& [name, type] : types)
    if (name == element) return type;
  return std::nullopt;
}

void read_scalar_type(Context& context, pugi::xml_node element) {
  const bool v1 = context.result.version == FmiVersion::v1;
  TypeDefinition type;
  context.read_attributes(element, {{"name", &type.name}, {"description", &type.description}});
  for (const pugi::xml_node child : children_of(element)) {
    std::string_view name = child.name();
    if (v1) name = name.ends_with("Type") ? name.substr(0, name.size() - 4) : "";
    const std::optional<Type> kind = scalar_type(name);
    if (!kind) {
      context.unknown_element(child);
      continue;
    }
    type.type = *kind;
    Given given;
    for (const pugi::xml_attribute attribute : attributes_of(child)) {
      if (!read_type_attribute(context, child, attribute, type.attributes, given))
        context.unknown_attribute(child, attribute);
    }
    std::int64_t number = 0;  // items of 1.0 have none of their own and count from 1
    for (const pugi::xml_node item : child.children("Item")) {
      type.items.push_back(read_item(context, item, v1 ? ++number : 0));
    }
  }
  context.result.types.push_back(std::move(type));
}

}  // namespace tutti::fmi
