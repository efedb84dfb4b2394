// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <vector>

#include "fmi/temporary_folder.hpp"
#include "formats/address.hpp"
#include "formats/registry.hpp"
#include "formats/ssp/document.hpp"
#include "formats/ssp/structure.hpp"

namespace tutti::formats::ssp {

/// Reads a description, with all files that it refers to but FMUs. Systems that stand in files of
/// their own become part of the tree.
class StructureReader {
 public:
  /// @param unpack makes the folder of a package inside this one
  StructureReader(const Surroundings& surroundings,
                  std::function<std::filesystem::path(const std::filesystem::path&)> unpack)
      : surroundings_(surroundings), unpack_(std::move(unpack)) {}

  /// @param name of the file in messages; @throws Error
  Structure read(std::string text, const std::string& name, const Base& base);

 private:
  struct Context {
    const Document& document;
    const Base& base;
  };
  Element read_system(const Context& context, pugi::xml_node node);
  Element read_component(const Context& context, pugi::xml_node node);
  void read_built_in(const Context& context, pugi::xml_node node, Element& component);
  Element read_other_file(const Context& context, pugi::xml_node node, const std::string& type);
  void read_common(const Context& context, pugi::xml_node node, Element& element);
  void read_elements(const Context& context, pugi::xml_node node, Element& system);
  static void read_connections(const Context& context, pugi::xml_node node, Element& system);
  void read_bindings(const Context& context, pugi::xml_node node, Element& element);
  Binding read_binding(const Context& context, pugi::xml_node node, const Element& element);
  std::vector<MappingEntry> read_mapping(const Context& context, pugi::xml_node node,
                                         const Element& element);
  void read_settings(const Context& context, pugi::xml_node root, Structure& structure);
  static std::string referred_file(const std::filesystem::path& file);
  std::string content_of(const Context& context, pugi::xml_node node, const Element& element,
                         std::string& name);
  void warn_of_unknown(const Context& context, pugi::xml_node node,
                       std::initializer_list<std::string_view> known);

  const Surroundings& surroundings_;
  std::function<std::filesystem::path(const std::filesystem::path&)> unpack_;
  int depth_ = 0;
};

/// Parameter sets and mappings (.ssv, .ssm). @throws Error(usage)
void read_parameter_set(const Document& document, pugi::xml_node set, Binding& binding);
std::vector<MappingEntry> read_parameter_mapping(const Document& document, pugi::xml_node mapping);
/// The communication step that annotations of other tools name; what is not taken goes to the log.
std::optional<double> read_step(const Document& document, pugi::xml_node root, const Log& log);
/// The transformation that is a child of the element; nothing done if there is none.
Transformation read_transformation(const Document& document, pugi::xml_node element);

}  // namespace tutti::formats::ssp
