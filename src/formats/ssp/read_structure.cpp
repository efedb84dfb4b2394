// SPDX-License-Identifier: BSD-2-Clause
#include "formats/ssp/read_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>
#include <utility>

#include "base/file_error.hpp"
#include "base/text.hpp"
#include "fmi/archive.hpp"
#include "formats/files.hpp"
#include "formats/toml/read.hpp"
#include "system/names.hpp"

namespace tutti::formats::ssp {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view annotation_type = "org.tutti.system";
constexpr int deepest = 16;  // files in files, and systems in systems

/// Adds a place to an exception without one.
template <class Action>
auto at_node(const Document& document, pugi::xml_node node, const Action& action) {
  try {
    return action();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    throw error.as(ErrorCode::usage).within("", system::where(document.place(node)));
  }
}

Connector::Kind kind_of(const Document& document, pugi::xml_node node) {
  const std::vector<std::string_view> kinds = {
      "input", "output", "inout", "parameter", "calculatedParameter", "structuralParameter"};
  const std::string kind = document.required(node, "kind");
  const auto found = std::ranges::find(kinds, kind);
  if (found == kinds.end())
    document.refuse(
        node, fmt::format("unknown kind \"{}\" of a connector.{} Expected one of: {}.",
                          printable(kind), did_you_mean(kind, kinds), fmt::join(kinds, ", ")));
  // SSP 2.0: structural parameters are set like others.
  return static_cast<Connector::Kind>(kind == kinds[5] ? 3 : found - kinds.begin());
}

FmuKind implementation_of(const Document& document, pugi::xml_node node) {
  const std::string text = node.attribute("implementation").as_string("any");
  if (text == "any") return FmuKind::automatic;
  if (text == "CoSimulation") return FmuKind::co_simulation;
  if (text == "ModelExchange") return FmuKind::model_exchange;
  document.refuse(node, fmt::format("unknown implementation=\"{}\". Expected one of: any, "
                                    "CoSimulation, ModelExchange.",
                                    printable(text)));
}

}  // namespace

Structure StructureReader::read(std::string text, const std::string& name, const Base& base) {
  if (++depth_ > deepest)
    throw Error(ErrorCode::usage, fmt::format("more than {} descriptions refer to each other, or "
                                              "one to itself",
                                              deepest));
  const Document document(std::move(text), name, surroundings_.open.limits, surroundings_.log);
  const Context context{document, base};
  const pugi::xml_node root = document.root(Space::ssd, "SystemStructureDescription");
  Structure structure;
  structure.name = root.attribute("name").value();
  const std::string version = document.required(root, "version");
  if (!version.starts_with("1.") && !version.starts_with("2."))
    surroundings_.log.warning("",
                              fmt::format("{}version {} of SSP is unknown; it is read as 2.0",
                                          system::at(document.place(root)), printable(version)));
  warn_of_unknown(context, root,
                  {"System", "Enumerations", "Units", "DefaultExperiment", "Annotations",
                   "MetaData", "Signature"});
  const pugi::xml_node system = child(root, Space::ssd, "System");
  if (!system) document.refuse(root, "there is no <System>");
  structure.system = read_system(context, system);
  if (const pugi::xml_node experiment = child(root, Space::ssd, "DefaultExperiment")) {
    structure.start = document.number(experiment, "startTime");
    structure.stop = document.number(experiment, "stopTime");
    if (structure.stop && *structure.stop <= structure.start.value_or(0)) structure.stop.reset();
  }
  read_settings(context, root, structure);
  if (depth_ == 1) structure.step = read_step(document, root, surroundings_.log);
  --depth_;
  return structure;
}

void StructureReader::warn_of_unknown(const Context& context, pugi::xml_node node,
                                      std::initializer_list<std::string_view> known) {
  for (const pugi::xml_node part : fmi::children_of(node)) {
    if (part.type() != pugi::node_element || space_of(part) != Space::ssd) continue;
    const std::string_view name = local_name(part);
    if (std::ranges::find(known, name) == known.end())
      surroundings_.log.warning("",
                                fmt::format("{}<{}> has no element <{}>; ignored.{}",
                                            system::at(context.document.place(part)), node.name(),
                                            printable(part.name()), did_you_mean(name, {known})));
  }
}

void StructureReader::read_settings(const Context& context, pugi::xml_node root,
                                    Structure& structure) {
  // Annotations are in ssd, each of them in ssc; those of other tools are ignored.
  for_each_child(child(root, Space::ssd, "Annotations"), Space::ssc, "Annotation",
                 [&](pugi::xml_node annotation) {
                   if (annotation.attribute("type").value() != annotation_type) return;
                   structure.settings = annotation.first_child().text().get();
                   structure.settings_place = context.document.place(annotation);
                 });
}

void StructureReader::read_common(const Context& context, pugi::xml_node node, Element& element) {
  element.name = context.document.required(node, "name");
  element.place = context.document.place(node);
  if (element.name.empty()) context.document.refuse(node, "an element must have a name");
  for_each_child(child(node, Space::ssd, "Connectors"), Space::ssd, "Connector",
                 [&](pugi::xml_node connector) {
                   element.connectors.push_back({context.document.required(connector, "name"),
                                                 kind_of(context.document, connector)});
                 });
}

Element StructureReader::read_system(const Context& context, pugi::xml_node node) {
  if (++depth_ > 4 * deepest) context.document.refuse(node, "systems are nested too deeply");
  Element system;
  system.kind = Element::Kind::system;
  read_common(context, node, system);
  warn_of_unknown(context, node,
                  {"Connectors", "ElementGeometry", "ParameterBindings", "Elements", "Connections",
                   "SignalDictionaries", "SystemGeometry", "GraphicalElements", "Annotations",
                   "MetaData", "Signature"});
  for_each_child(child(node, Space::ssd, "SignalDictionaries"), Space::ssd, "SignalDictionary",
                 [&](pugi::xml_node dictionary) {
                   system.dictionaries.push_back(context.document.required(dictionary, "name"));
                 });
  read_elements(context, node, system);
  read_connections(context, node, system);
  read_bindings(context, node, system);
  --depth_;
  return system;
}

void StructureReader::read_elements(const Context& context, pugi::xml_node node, Element& system) {
  for (const pugi::xml_node part : fmi::children_of(child(node, Space::ssd, "Elements"))) {
    if (part.type() != pugi::node_element || space_of(part) != Space::ssd) continue;
    const std::string_view name = local_name(part);
    const std::vector<std::string_view> known = {"Component", "System",
                                                 "SignalDictionaryReference"};
    if (name == known[0]) {
      system.elements.push_back(read_component(context, part));
    } else if (name == known[1]) {
      system.elements.push_back(read_system(context, part));
    } else if (name == known[2]) {
      Element& reference = system.elements.emplace_back();
      reference.kind = Element::Kind::dictionary;
      read_common(context, part, reference);
      reference.dictionary = context.document.required(part, "dictionary");
    } else {
      context.document.refuse(part, fmt::format("unknown element <{}>.{}", printable(part.name()),
                                                did_you_mean(name, known)));
    }
  }
}

Element StructureReader::read_component(const Context& context, pugi::xml_node node) {
  const std::string type = node.attribute("type").as_string("application/x-fmu-sharedlibrary");
  if (type == "application/x-ssp-definition" || type == "application/x-ssp-package")
    return read_other_file(context, node, type);
  Element component;
  read_common(context, node, component);
  const bool is_table = type == "text/csv" || type == "application/table";
  const bool is_built_in = type == built_in_type;
  if (!is_table && !is_built_in && !type.starts_with("application/x-fmu"))
    context.document.refuse(node, fmt::format("a component of type \"{}\" cannot be used; "
                                              "expected FMUs, .ssd, .ssp or tables (text/csv)",
                                              printable(type)));
  const std::string source = node.attribute("source").value();
  if (source.empty())
    context.document.refuse(node, fmt::format("component \"{}\" has no source", component.name));
  const bool has_file = !source.starts_with(built_in_source);
  if (has_file) {
    component.fmu = at_node(context.document, node, [&] { return resolve(source, context.base); });
    component.fmu_is_absolute = !context.base.root.empty() || resolve(source, {}).is_absolute();
  }
  if (is_built_in) {
    read_built_in(context, node, component);
    component.built_in.file = std::exchange(component.fmu, {});
    read_bindings(context, node, component);
    return component;
  }
  if (is_table) {
    component.kind = Element::Kind::table;
    surroundings_.log.info("", fmt::format("{}\"{}\" is a table of inputs",
                                           system::at(component.place), component.name));
    return component;
  }
  component.as = implementation_of(context.document, node);
  read_bindings(context, node, component);
  return component;
}

/// From the annotation in which the component was written.
void StructureReader::read_built_in(const Context& context, pugi::xml_node node,
                                    Element& component) {
  std::string settings;
  for_each_child(child(node, Space::ssd, "Annotations"), Space::ssc, "Annotation",
                 [&](pugi::xml_node annotation) {
                   if (annotation.attribute("type").value() == built_in_annotation)
                     settings = annotation.first_child().text().get();
                 });
  System scratch;
  scratch.components.push_back({.name = "component"});
  read_toml_settings(scratch, "[components.component]\n" + settings,
                     system::at(component.place) + "component of Tutti", surroundings_.words,
                     surroundings_.log);
  component.built_in = std::move(scratch.components.front().built_in);
  if (component.built_in.empty())
    context.document.refuse(node, fmt::format("component \"{}\" has no annotation {} with a type",
                                              component.name, built_in_annotation));
}

/// Section 5.2.3: as if the top-level system stood here, with the bindings of the component last.
Element StructureReader::read_other_file(const Context& context, pugi::xml_node node,
                                         const std::string& type) {
  Element here;
  read_common(context, node, here);
  std::string source = context.document.required(node, "source");
  std::string variant = "SystemStructure.ssd";
  if (const std::size_t fragment = source.find('#'); fragment != source.npos) {
    variant = source.substr(fragment + 1);
    source.resize(fragment);
  }
  if (source.empty())
    context.document.refuse(node, "a system of the same file as a component is not supported");
  Structure other = at_node(context.document, node, [&] {
    fs::path file = resolve(source, context.base);
    std::string name = file.string();
    Base base{file.parent_path(), context.base.root};
    if (type == "application/x-ssp-package") {
      base.folder = base.root = unpack_(file);
      file = resolve(variant, base);
      name += "/" + variant;
    }
    return read(referred_file(file), name, base);
  });
  other.system.name = here.name;
  if (other.system.connectors.empty()) other.system.connectors = std::move(here.connectors);
  read_bindings(context, node, other.system);
  return std::move(other.system);
}

void StructureReader::read_connections(const Context& context, pugi::xml_node node,
                                       Element& system) {
  const auto element = [](pugi::xml_node connection, const char* attribute) {
    return std::string(connection.attribute(attribute).value());
  };
  for_each_child(child(node, Space::ssd, "Connections"), Space::ssd, "Connection",
                 [&](pugi::xml_node connection) {
                   SspConnection& c = system.connections.emplace_back();
                   c.start_element = element(connection, "startElement");
                   c.end_element = element(connection, "endElement");
                   c.start_connector = context.document.required(connection, "startConnector");
                   c.end_connector = context.document.required(connection, "endConnector");
                   c.transformation = read_transformation(context.document, connection);
                   c.place = context.document.place(connection);
                 });
}

/// Only the user may name something that is no file, such as a pipe or a device.
std::string StructureReader::referred_file(const fs::path& file) {
  std::error_code failed;
  if (fs::exists(file, failed) && !fs::is_regular_file(file, failed))
    throw file_error(file, ErrorCode::file, fmt::format("\"{}\" is no file", file.string()));
  return file_content(file);
}

/// The file of a `source`; empty and without a name if there is no such attribute.
std::string StructureReader::content_of(const Context& context, pugi::xml_node node,
                                        const Element& element, std::string& name) {
  const std::string source = node.attribute("source").value();
  if (source.empty()) return {};
  return at_node(context.document, node, [&] {
    if (node.attribute("sourceBase").as_string("SSD") != std::string_view("component")) {
      const fs::path file = resolve(source, context.base);
      name = file.string();
      return referred_file(file);
    }
    const fmi::Archive fmu(element.fmu, surroundings_.open, surroundings_.log);
    const std::string inside = resolve(source, {}).generic_string();
    name = fmt::format("{}/{}", element.fmu.string(), inside);
    return fmu.read(inside, surroundings_.open.limits.description_bytes);
  });
}

void StructureReader::read_bindings(const Context& context, pugi::xml_node node, Element& element) {
  for_each_child(child(node, Space::ssd, "ParameterBindings"), Space::ssd, "ParameterBinding",
                 [&](pugi::xml_node binding) {
                   element.bindings.push_back(read_binding(context, binding, element));
                 });
}

Binding StructureReader::read_binding(const Context& context, pugi::xml_node node,
                                      const Element& element) {
  Binding binding;
  binding.prefix = node.attribute("prefix").value();
  binding.place = context.document.place(node);
  const std::string type = node.attribute("type").as_string("application/x-ssp-parameter-set");
  if (type != "application/x-ssp-parameter-set")
    context.document.refuse(
        node, fmt::format("parameters of type \"{}\" cannot be read", printable(type)));
  std::string name;
  if (std::string text = content_of(context, node, element, name); !name.empty()) {
    const Document file(std::move(text), name, surroundings_.open.limits, surroundings_.log);
    read_parameter_set(file, file.root(Space::ssv, "ParameterSet"), binding);
  } else {
    const pugi::xml_node values = child(node, Space::ssd, "ParameterValues");
    const pugi::xml_node set = child(values, Space::ssv, "ParameterSet");
    if (!set) context.document.refuse(node, "the binding has neither a source nor a parameter set");
    read_parameter_set(context.document, set, binding);
  }
  if (const pugi::xml_node mapping = child(node, Space::ssd, "ParameterMapping"))
    binding.mapping = read_mapping(context, mapping, element);
  return binding;
}

std::vector<MappingEntry> StructureReader::read_mapping(const Context& context, pugi::xml_node node,
                                                        const Element& element) {
  std::string name;
  if (std::string text = content_of(context, node, element, name); !name.empty()) {
    const Document file(std::move(text), name, surroundings_.open.limits, surroundings_.log);
    return read_parameter_mapping(file, file.root(Space::ssm, "ParameterMapping"));
  }
  return read_parameter_mapping(context.document, child(node, Space::ssm, "ParameterMapping"));
}

}  // namespace tutti::formats::ssp
