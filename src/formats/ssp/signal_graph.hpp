// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/registry.hpp"
#include "formats/ssp/structure.hpp"
#include "system/names.hpp"

namespace tutti::formats::ssp {

/// An element of the flattened tree.
struct FlatElement {
  const Element* element = nullptr;
  std::string name;                       ///< with the names of the systems around it, and dots
  std::int32_t component = -1;            ///< index among the components; -1: none
  std::vector<std::uint32_t> children{};  ///< of a system
};

/// The connections between connectors, in the direction of the data.
class SignalGraph {
 public:
  /// @param problems gets the errors of connections
  SignalGraph(const Element& root, system::Problems& problems);

  const std::vector<FlatElement>& elements() const { return elements_; }
  bool is_table(std::uint32_t element) const {
    return element < elements_.size() && elements_[element].element->kind == Element::Kind::table;
  }

  /// The connectors of components that receive their values, possibly through systems, from a
  /// connector of this element.
  struct Reached {
    std::uint32_t element = 0;  ///< a component
    std::string connector;
    Transformation transformation;
    Place place;            ///< of the last connection of the path
    std::size_t order = 0;  ///< of the first one, in the order of the file
  };
  std::vector<Reached> reached_from(std::uint32_t element, const std::string& connector,
                                    system::Problems& problems) const;
  /// Connectors of components and tables with connections from them: element and connector.
  std::vector<std::pair<std::uint32_t, std::string>> sources() const;

 private:
  using Node = std::pair<std::uint32_t, std::string>;
  struct Edge {
    Node to;
    Transformation transformation;
    Place place;
    std::size_t order = 0;
  };
  std::uint32_t add(const Element& element, const std::string& name);
  void connect(std::uint32_t system, system::Problems& problems);
  using Names = std::unordered_map<std::string_view, std::uint32_t>;  // of the parts of a system
  Node node(std::uint32_t system, const Names& parts, const std::string& element,
            const std::string& connector) const;
  std::uint32_t dictionary(std::uint32_t system, const std::string& name) const;

  std::vector<FlatElement> elements_;
  std::vector<std::int32_t> parents_;
  std::int32_t component_count_ = 0;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> dictionaries_;
  std::map<Node, std::vector<Edge>> edges_;
  std::vector<Node> order_;  // of the nodes that have edges, as in the file
  std::size_t edge_count_ = 0;
};

/// Applies the parameter bindings to the components (SSP 1.0, section 5.2.3): those of higher
/// levels and later ones take precedence; a value without a variable is ignored.
void apply_parameters(const SignalGraph& graph, System& system, const Surroundings& surroundings,
                      system::Problems& problems);

}  // namespace tutti::formats::ssp
