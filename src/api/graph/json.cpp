// SPDX-License-Identifier: BSD-2-Clause
#include <nlohmann/json.hpp>
#include <tutti/system_graph.hpp>

namespace tutti {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const SystemGraph::Line& line) {
  ordered_json json = {{"domain", to_string(line.domain)},
                       {"delay", line.delay},
                       {"damping", line.damping},
                       {"between", ordered_json::array()},
                       {"directions", ordered_json::array()}};
  for (const SystemGraph::LineEnd& end : line.ends)
    json["between"].push_back({{"port", end.port},
                               {"input", to_string(end.input)},
                               {"feedThrough", end.has_feed_through}});
  for (const SystemGraph::LineDirection& d : line.directions)
    json["directions"].push_back(
        {{"impedance", d.impedance}, {"stiffness", d.stiffness}, {"mass", d.mass}});
  return json;
}

void add_line_keys(const SystemGraph& graph, ordered_json& json) {
  if (graph.lines.empty() && graph.delays.empty()) return;
  json["lines"] = ordered_json::array();
  for (const SystemGraph::Line& line : graph.lines) json["lines"].push_back(json_of(line));
  json["delays"] = ordered_json::array();
  for (const SystemGraph::Delay& delay : graph.delays)
    json["delays"].push_back({{"from", delay.output}, {"to", delay.input}, {"delay", delay.delay}});
  json["islands"] = ordered_json::array();
  for (const std::vector<std::uint32_t>& island : graph.islands) {
    ordered_json names = ordered_json::array();
    for (const std::uint32_t c : island) names.push_back(graph.components[c].name);
    json["islands"].push_back(std::move(names));
  }
}

}  // namespace

std::string graph_json(const SystemGraph& graph) {
  ordered_json json = {{"name", graph.name}};
  json["components"] = ordered_json::array();
  for (const SystemGraph::Node& node : graph.components)
    json["components"].push_back({{"name", node.name},
                                  {"fmu", node.fmu},
                                  {"fmiVersion", to_string(node.version)},
                                  {"as", interface_word(node.model_exchange)},
                                  {"priority", graph.stages[node.stage].priority},
                                  {"stage", node.stage}});
  for (std::size_t c = 0; c < graph.components.size(); ++c)
    for (const SystemGraph::Node& member : graph.components[c].members)
      json["components"][c]["members"].push_back(
          {{"name", member.name}, {"fmu", member.fmu}, {"fmiVersion", to_string(member.version)}});
  for (const SystemGraph::Edge& edge : graph.inside)
    json["inside"].push_back({{"cluster", graph.components[edge.from].name},
                              {"from", edge.output},
                              {"to", edge.input},
                              {"factor", edge.factor},
                              {"offset", edge.offset}});
  json["connections"] = ordered_json::array();
  for (const SystemGraph::Edge& edge : graph.connections)
    json["connections"].push_back({{"from", edge.output},
                                   {"to", edge.input},
                                   {"factor", edge.factor},
                                   {"offset", edge.offset},
                                   {"readBeforeProduced", edge.read_before_produced}});
  add_line_keys(graph, json);
  json["stages"] = ordered_json::array();
  for (const SystemGraph::Stage& stage : graph.stages) {
    ordered_json names = ordered_json::array();
    for (const std::uint32_t c : stage.components) names.push_back(graph.components[c].name);
    json["stages"].push_back({{"priority", stage.priority},
                              {"cycle", stage.is_cycle},
                              {"methods", stage.methods},
                              {"components", std::move(names)}});
  }
  json["externalInputs"] = graph.external_inputs;
  json["unconnectedInputs"] = graph.unconnected_inputs;
  for (const SystemGraph::Action& action : graph.actions) {
    ordered_json item = {{"at", action.at}};
    for (const auto& [variable, value] : action.set) item["set"][variable] = value;
    json["actions"].push_back(std::move(item));
  }
  json["variables"] = ordered_json::array();
  for (const SystemGraph::Variable& variable : graph.variables)
    json["variables"].push_back({{"name", variable.name}, {"output", variable.is_output}});
  json["dependencies"] = ordered_json::array();
  for (const SystemGraph::Dependency& edge : graph.dependencies)
    json["dependencies"].push_back(
        {{"from", edge.from}, {"to", edge.to}, {"connection", edge.is_connection}});
  json["initialization"] = ordered_json::array();
  constexpr const char* kinds[] = {"set", "get", "solve"};
  for (const SystemGraph::Evaluation& block : graph.initialization)
    json["initialization"].push_back(
        {{"kind", kinds[static_cast<std::size_t>(block.kind)]}, {"variables", block.variables}});
  json["evaluations"] = graph.evaluations;
  json["evaluationsAlone"] = graph.evaluations_alone;
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace tutti
