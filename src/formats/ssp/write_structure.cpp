// SPDX-License-Identifier: BSD-2-Clause
#include "formats/ssp/write_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <tutti/error.hpp>
#include <unordered_map>

#include "base/number_type.hpp"
#include "base/text.hpp"
#include "fmi/description/xml.hpp"
#include "fmi/shape.hpp"
#include "formats/ssp/document.hpp"
#include "formats/ssp/structure.hpp"
#include "formats/toml/write.hpp"
#include "system/endpoint.hpp"

namespace tutti::formats::ssp {
namespace {

/// The names of FMI 3.0 but for numbers, of which SSP has two types.
std::string type_element(Type type) {
  const bool is_number = type < Type::boolean || type == Type::clock;
  return fmt::format("ssc:{}", is_float(type) ? "Real" : is_number ? "Integer" : to_string(type));
}

bool is_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

class Writer {
 public:
  Writer(const System& system, const Models& models, const Log& log)
      : system_(system), models_(models), log_(log) {
    for (const Connection& c : system.connections) {
      connections_[c.from.component].push_back(&c);
      if (c.to.component != c.from.component) connections_[c.to.component].push_back(&c);
    }
  }

  std::string run() {
    pugi::xml_node declaration = document_.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    const auto uri = [](Space space) { return std::string(uri_of(space)); };
    const std::string name = system_.name.empty() ? "system" : system_.name;
    const pugi::xml_node root = append(document_, "ssd:SystemStructureDescription",
                                       {{"xmlns:ssd", uri(Space::ssd)},
                                        {"xmlns:ssc", uri(Space::ssc)},
                                        {"xmlns:ssv", uri(Space::ssv)},
                                        {"version", "1.0"},
                                        {"name", name},
                                        {"generationTool", "Tutti"}});
    const pugi::xml_node system = append(root, "ssd:System", {{"name", name}});
    add_components(system);
    add_connections(system);
    add_enumerations(root);
    add_experiment(root);
    add_settings(root);
    std::ostringstream text;
    document_.save(text, "  ", pugi::format_indent, pugi::encoding_utf8);
    return std::move(text).str();
  }

 private:
  void add_components(pugi::xml_node system) {
    if (system_.components.empty()) return;
    pugi::xml_node elements = system.append_child("ssd:Elements");
    for (std::size_t i = 0; i < system_.components.size(); ++i) {
      const Component& component = system_.components[i];
      const BuiltIn& built_in = component.built_in;
      pugi::xml_node node =
          built_in.empty()
              ? append(elements, "ssd:Component",
                       {{"name", component.name},
                        {"type", "application/x-fmu-sharedlibrary"},
                        {"source", address_of(component.fmu)}})
              : append(elements, "ssd:Component",
                       {{"name", component.name},
                        {"type", std::string(built_in_type)},
                        {"source", built_in.file.empty() ? built_in_source + built_in.type
                                                         : address_of(built_in.file)}});
      if (component.as != FmuKind::automatic)
        node.append_attribute("implementation") =
            component.as == FmuKind::co_simulation ? "CoSimulation" : "ModelExchange";
      add_connectors(node, i);
      write_parameters(node, component, *models_[i]);
      if (!built_in.empty())
        append(append(node.append_child("ssd:Annotations"), "ssc:Annotation",
                      {{"type", std::string(built_in_annotation)}}),
               "tutti:Component", {{"xmlns:tutti", "urn:org.tutti.component"}})
            .text() = toml_built_in(built_in).c_str();
    }
  }

  /// Inputs, outputs, and what else is connected.
  void add_connectors(pugi::xml_node component, std::size_t index) {
    const ModelDescription& model = *models_[index];
    const std::string& name = system_.components[index].name;
    std::vector<std::pair<std::string, const char*>> connectors;
    std::set<std::string> known;
    const auto add = [&](const std::string& variable, const char* kind) {
      if (known.insert(variable).second) connectors.emplace_back(variable, kind);
    };
    for (const Variable& variable : model.variables) {
      if (variable.type == Type::clock) continue;
      if (variable.causality == Causality::input) add(variable.name, "input");
      if (variable.causality == Causality::output) add(variable.name, "output");
    }
    for (const Connection* const connection : connections_[name]) {
      const Connection& c = *connection;
      if (c.to.component == name) add(c.to.variable, "input");
      if (c.from.component != name || known.contains(c.from.variable)) continue;
      add(c.from.variable, source_kind(index, c.from.variable));
    }
    if (connectors.empty()) return;
    pugi::xml_node list = component.append_child("ssd:Connectors");
    for (const auto& [variable, kind] : connectors)
      add_type(append(list, "ssd:Connector", {{"name", variable}, {"kind", kind}}), model,
               variable_of(index, variable));
  }

  const Variable& variable_of(std::size_t index, const std::string& name) const {
    return *system::select(system_.components[index], *models_[index], {}, name).variable;
  }

  /// SSP connects outputs and calculated parameters only.
  const char* source_kind(std::size_t index, const std::string& name) const {
    const Variable& variable = variable_of(index, name);
    if (variable.causality == Causality::output) return "output";
    const bool parameter = variable.causality == Causality::parameter ||
                           variable.causality == Causality::structural_parameter;
    if (variable.causality != Causality::calculated_parameter)
      log_.warning("", fmt::format("\"{}.{}\" feeds an input and is not an output; SSP has no such "
                                   "connection, other tools may reject it",
                                   system_.components[index].name, name));
    return parameter || variable.causality == Causality::calculated_parameter
               ? "calculatedParameter"
               : "output";
  }

  void add_type(pugi::xml_node connector, const ModelDescription& model, const Variable& variable) {
    if (variable.type == Type::clock) return;
    if (variable.type != Type::enumeration) {
      connector.append_child(type_element(variable.type).c_str());
      return;
    }
    if (const TypeDefinition* type = model.type_of(variable))
      append(connector, "ssc:Enumeration", {{"name", enumeration_name(*type)}});
  }

  /// Types of one name in different FMUs may have different items.
  std::string enumeration_name(const TypeDefinition& type) {
    const auto same = [](const EnumerationItem& a, const EnumerationItem& b) {
      return a.name == b.name && a.value == b.value;
    };
    for (int n = 1;; ++n) {
      std::string name = n == 1 ? type.name : fmt::format("{}_{}", type.name, n);
      const auto [found, is_new] = enumerations_.emplace(name, &type);
      if (is_new || std::equal(found->second->items.begin(), found->second->items.end(),
                               type.items.begin(), type.items.end(), same))
        return name;
    }
  }

  void add_connections(pugi::xml_node system) {
    if (system_.connections.empty()) return;
    pugi::xml_node list = system.append_child("ssd:Connections");
    for (const Connection& c : system_.connections) {
      pugi::xml_node node = append(list, "ssd:Connection",
                                   {{"startElement", c.from.component},
                                    {"startConnector", c.from.variable},
                                    {"endElement", c.to.component},
                                    {"endConnector", c.to.variable}});
      if (!c.convert_units) node.append_attribute("suppressUnitConversion") = "true";
      if (!c.map.empty()) {
        add_map(node, c);
      } else if (c.factor != 1 || c.offset != 0) {
        append(node, "ssc:LinearTransformation",
               {{"factor", number_text(c.factor)}, {"offset", number_text(c.offset)}});
      }
    }
  }

  void add_map(pugi::xml_node connection, const Connection& c) {
    const std::int32_t index = system_.find(c.from.component);
    const Type type = variable_of(static_cast<std::size_t>(index), c.from.variable).type;
    const bool names = type == Type::enumeration && std::ranges::any_of(c.map, [](const auto& e) {
                         return !is_integer(e.first) || !is_integer(e.second);
                       });
    pugi::xml_node table =
        connection.append_child(type == Type::boolean ? "ssc:BooleanMappingTransformation"
                                : names               ? "ssc:EnumerationMappingTransformation"
                                                      : "ssc:IntegerMappingTransformation");
    for (const auto& [source, target] : c.map)
      append(table, "ssc:MapEntry", {{"source", source}, {"target", target}});
  }

  void add_enumerations(pugi::xml_node root) {
    if (enumerations_.empty()) return;
    pugi::xml_node list = root.append_child("ssd:Enumerations");
    for (const auto& [name, type] : enumerations_) {
      const pugi::xml_node node = append(list, "ssc:Enumeration", {{"name", name}});
      for (const EnumerationItem& item : type->items)
        append(node, "ssc:Item", {{"name", item.name}, {"value", std::to_string(item.value)}});
    }
  }

  void add_experiment(pugi::xml_node root) {
    const SimulationSettings& run = system_.simulation;
    if (!run.start && !run.stop) return;
    pugi::xml_node node = root.append_child("ssd:DefaultExperiment");
    if (run.start) node.append_attribute("startTime") = number_text(*run.start).c_str();
    if (run.stop) node.append_attribute("stopTime") = number_text(*run.stop).c_str();
  }

  void add_settings(pugi::xml_node root) {
    const pugi::xml_node annotation = append(root.append_child("ssd:Annotations"), "ssc:Annotation",
                                             {{"type", "org.tutti.system"}});
    append(annotation, "tutti:Settings", {{"xmlns:tutti", "urn:org.tutti.system"}}).text() =
        toml_settings(system_).c_str();
  }

  const System& system_;
  const Models& models_;
  const Log& log_;
  std::unordered_map<std::string_view, std::vector<const Connection*>>
      connections_;  // by component
  pugi::xml_document document_;
  std::map<std::string, const TypeDefinition*> enumerations_;
};

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

std::string structure_text(const System& system, const Models& models, const Log& log) {
  return Writer(system, models, log).run();
}

std::string address_of(const std::filesystem::path& path) {
  std::string address = path.is_absolute() ? "file://" : "";
  for (const char c : path.generic_string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain)
      address += c;
    else
      address += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return address;
}

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
