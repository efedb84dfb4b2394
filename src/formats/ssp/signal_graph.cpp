// SPDX-License-Identifier: BSD-2-Clause
#include "formats/ssp/signal_graph.hpp"

#include <fmt/format.h>

#include <set>
#include <tutti/error.hpp>

#include "base/text.hpp"

namespace tutti::formats::ssp {
namespace {

/// Whether data flows out of a connector as seen from inside a system: out of its own inputs, and
/// out of the outputs of its elements (SSP 1.0, section 5.3.2.1).
enum class Flow { out, in, either };

Flow flow_of(const Element& owner, bool own, const std::string& name) {
  const Connector* connector = owner.find_connector(name);
  if (connector == nullptr) return Flow::either;  // the ends decide
  using enum Connector::Kind;
  if (connector->kind == inout) return Flow::either;
  const bool is_input = connector->kind == input || connector->kind == parameter;
  return is_input == own ? Flow::out : Flow::in;
}

}  // namespace

SignalGraph::SignalGraph(const Element& root, system::Problems& problems) {
  parents_.push_back(-1);
  add(root, "");
  for (std::uint32_t i = 0; i < elements_.size(); ++i)
    for (const std::string& name : elements_[i].element->dictionaries)
      // Beyond the numbers of elements.
      dictionaries_.emplace(std::pair(i, name),
                            0x80000000u + static_cast<std::uint32_t>(dictionaries_.size()));
  for (std::uint32_t i = 0; i < elements_.size(); ++i) connect(i, problems);
}

std::uint32_t SignalGraph::add(const Element& element, const std::string& name) {
  const auto index = static_cast<std::uint32_t>(elements_.size());
  elements_.push_back(
      {&element, name, element.kind == Element::Kind::component ? component_count_++ : -1});
  for (const Element& part : element.elements) {
    parents_.resize(elements_.size() + 1);
    parents_[elements_.size()] = static_cast<std::int32_t>(index);
    const std::uint32_t added = add(part, name.empty() ? part.name : name + "." + part.name);
    elements_[index].children.push_back(added);
  }
  return index;
}

std::uint32_t SignalGraph::dictionary(std::uint32_t system, const std::string& name) const {
  for (auto at = static_cast<std::int32_t>(system); at >= 0;
       at = parents_[static_cast<std::size_t>(at)])
    if (const auto found = dictionaries_.find({static_cast<std::uint32_t>(at), name});
        found != dictionaries_.end())
      return found->second;
  throw Error(ErrorCode::usage,
              fmt::format("there is no signal dictionary \"{}\"", printable(name)));
}

SignalGraph::Node SignalGraph::node(std::uint32_t system, const Names& parts,
                                    const std::string& element,
                                    const std::string& connector) const {
  if (element.empty()) return {system, connector};
  const auto found = parts.find(element);
  if (found == parts.end()) {
    std::vector<std::string_view> names;
    for (const std::uint32_t i : elements_[system].children)
      names.push_back(elements_[i].element->name);
    throw Error(ErrorCode::usage, fmt::format("there is no element \"{}\".", printable(element)),
                {.component = element, .hint = did_you_mean(element, names)});
  }
  const Element& part = *elements_[found->second].element;
  if (part.kind == Element::Kind::dictionary)
    return {dictionary(system, part.dictionary), connector};
  return {found->second, connector};
}

void SignalGraph::connect(std::uint32_t system, system::Problems& problems) {
  const Element& owner = *elements_[system].element;
  Names parts;
  for (const std::uint32_t i : elements_[system].children)
    parts.emplace(elements_[i].element->name, i);
  const auto flow = [&](const std::string& element, const std::string& connector) {
    if (element.empty()) return flow_of(owner, true, connector);
    return flow_of(*elements_[parts.at(element)].element, false, connector);
  };
  for (const SspConnection& c : owner.connections) {
    try {
      Node start = node(system, parts, c.start_element, c.start_connector);
      Node end = node(system, parts, c.end_element, c.end_connector);
      const Flow from = flow(c.start_element, c.start_connector);
      const Flow to = flow(c.end_element, c.end_connector);
      if (from == to && from != Flow::either)
        throw Error(ErrorCode::usage,
                    fmt::format("\"{}\" and \"{}\" are both {}", c.start_connector, c.end_connector,
                                from == Flow::out ? "sources" : "targets"));
      if (from == Flow::in || to == Flow::out) std::swap(start, end);
      if (is_table(end.first))
        throw Error(ErrorCode::usage, fmt::format("\"{}\" is a table: it has outputs only",
                                                  printable(elements_[end.first].element->name)));
      std::vector<Edge>& edges = edges_[start];
      if (edges.empty()) order_.push_back(start);
      edges.push_back({end, c.transformation, c.place, edge_count_++});
    } catch (const Error& error) {
      problems.add(c.place, "", error);
    }
  }
}

std::vector<std::pair<std::uint32_t, std::string>> SignalGraph::sources() const {
  std::vector<Node> all;
  for (const Node& node : order_)
    if (is_table(node.first) ||
        (node.first < elements_.size() && elements_[node.first].component >= 0))
      all.push_back(node);
  return all;
}

std::vector<SignalGraph::Reached> SignalGraph::reached_from(std::uint32_t element,
                                                            const std::string& connector,
                                                            system::Problems& problems) const {
  struct Visit {
    Node node;
    Transformation transformation;
    std::size_t order = 0;
    bool is_first = false;
  };
  std::vector<Reached> all;
  std::vector<Visit> open{{{element, connector}, {}, 0, true}};
  std::set<Node> seen{{element, connector}};
  while (!open.empty()) {
    const Visit visit = std::move(open.back());
    open.pop_back();
    const auto edges = edges_.find(visit.node);
    if (edges == edges_.end()) continue;
    std::vector<Visit> next;
    for (const Edge& edge : edges->second) {
      try {
        Transformation way = visit.transformation.then(edge.transformation);
        const std::size_t order = visit.is_first ? edge.order : visit.order;
        const bool is_component =
            edge.to.first < elements_.size() && elements_[edge.to.first].component >= 0;
        if (is_component)
          all.push_back({edge.to.first, edge.to.second, std::move(way), edge.place, order});
        else if (seen.insert(edge.to).second)
          next.push_back({edge.to, std::move(way), order});
      } catch (const Error& error) {
        problems.add(edge.place, "", error);
      }
    }
    open.insert(open.end(), next.rbegin(), next.rend());
  }
  return all;
}

}  // namespace tutti::formats::ssp
