// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <tutti/system_graph.hpp>

#include "api/graph/lines.hpp"
#include "session/join_clusters.hpp"
#include "session/system_models.hpp"
#include "system/cluster.hpp"
#include "system/component_kind.hpp"
#include "system/endpoint.hpp"
#include "system/input_sources.hpp"
#include "system/make_plan.hpp"
#include "system/names.hpp"
#include "system/package_paths.hpp"

namespace tutti {
namespace {

/// Converts a plan into names.
class Teller {
 public:
  Teller(const System& system, const session::SystemModels& models, const system::Plan& plan)
      : system_(system), models_(models), plan_(plan) {}

  SystemGraph tell() {
    graph_.name = system_.name;
    add_stages();
    add_connections();
    graph_.lines = api::lines_of(system_, plan_.lines);
    graph_.delays = api::delays_of(system_, plan_.lines);
    graph_.islands = plan_.lines.islands;
    for (const system::ExternalInput& input : plan_.external)
      graph_.external_inputs.push_back(name(input.to));
    for (const system::Point& input : plan_.unconnected_inputs)
      graph_.unconnected_inputs.push_back(name(input));
    add_actions();
    add_initialization();
    return std::move(graph_);
  }

 private:
  void add_actions() {
    for (const TimedAction& action : system_.actions) {
      SystemGraph::Action& item = graph_.actions.emplace_back();
      item.at = action.at;
      for (const auto& [to, value] : action.set)
        item.set.emplace_back(to.component + "." + to.variable, value);
    }
    std::ranges::stable_sort(graph_.actions, {}, &SystemGraph::Action::at);
  }

  std::string name(const system::Point& point) const {
    return system::point_name(system_, models_.descriptions, models_.structures, point);
  }

  void add_stages() {
    position_.resize(system_.components.size());
    graph_.components.resize(system_.components.size());
    for (std::uint32_t s = 0; s < plan_.stages.size(); ++s) {
      const system::Stage& stage = plan_.stages[s];
      SystemGraph::Stage& item = graph_.stages.emplace_back();
      item.components = stage.components;
      item.is_cycle = stage.is_cycle;
      item.priority = stage.priority;
      if (stage.is_cycle) {
        item.methods = system_.simulation.methods;
        if (stage.settings >= 0)
          if (const auto& own = system_.cycles[static_cast<std::size_t>(stage.settings)].methods;
              !own.empty())
            item.methods = own;
      }
      for (std::uint32_t i = 0; i < stage.components.size(); ++i) {
        position_[stage.components[i]] = i;
        graph_.components[stage.components[i]].stage = s;
      }
    }
    for (std::size_t i = 0; i < system_.components.size(); ++i) {
      const Component& component = system_.components[i];
      const ModelDescription& description = *models_.descriptions[i];
      SystemGraph::Node& node = graph_.components[i];
      node.name = component.name;
      node.fmu = system::path_of(component);
      node.version = description.version;
      node.model_exchange =
          description.model_exchange &&
          &system::interface_of(component, description) == &*description.model_exchange;
      if (component.cluster != nullptr) add_cluster(static_cast<std::uint32_t>(i), node);
    }
  }

  void add_cluster(std::uint32_t index, SystemGraph::Node& node) {
    const Component& component = system_.components[index];
    const system::Cluster& cluster = *component.cluster;
    node.fmu.clear();
    node.solver = component.solver.name;
    for (std::size_t m = 0; m < cluster.size(); ++m) {
      const Component& member = cluster.system.components[m];
      node.members.push_back({.name = member.name,
                              .fmu = system::path_of(member),
                              .version = cluster.descriptions[m]->version,
                              .model_exchange = true,
                              .stage = node.stage});
    }
    const Connection* last = nullptr;
    for (const system::Link& link : cluster.plan.links) {
      const Connection& connection = cluster.plan.connection_of(cluster.system, link);
      if (&connection == last) continue;
      last = &connection;
      graph_.inside.push_back({.from = index,
                               .to = index,
                               .output = system::text_of(connection.from),
                               .input = system::text_of(connection.to),
                               .factor = link.factor,
                               .offset = link.offset});
    }
  }

  void add_connections() {
    const Connection* last = nullptr;
    for (const system::Link& link : plan_.links) {  // the scalars of a connection are adjacent
      const Connection& connection = plan_.connection_of(system_, link);
      if (&connection == last) continue;
      last = &connection;
      SystemGraph::Edge& edge = graph_.connections.emplace_back();
      edge.from = link.from.component;
      edge.to = link.to.component;
      edge.output = system_.qualified(edge.from, connection.from.variable);
      edge.input = system_.qualified(edge.to, connection.to.variable);
      edge.factor = link.factor;
      edge.offset = link.offset;
      edge.read_before_produced =
          graph_.components[edge.from].stage == graph_.components[edge.to].stage &&
          position_[edge.from] >= position_[edge.to];
    }
  }

  void add_initialization() {
    for (std::size_t i = 0; i < plan_.coupled.size(); ++i)
      graph_.variables.push_back(
          {name(plan_.coupled[i]), plan_.coupled[i].component, plan_.variables[i].is_output});
    for (const system::Graph::Edge& edge : plan_.dependencies)
      graph_.dependencies.push_back({edge.from, edge.to, plan_.variables[edge.from].is_output});
    for (const system::EvaluationBlock& block : plan_.evaluations) {
      using From = system::EvaluationBlock::Kind;
      using To = SystemGraph::Evaluation::Kind;
      graph_.initialization.push_back({block.kind == From::set   ? To::set
                                       : block.kind == From::get ? To::get
                                                                 : To::solve,
                                       block.variables});
    }
    graph_.evaluations =
        system::evaluation_count(plan_.evaluations, plan_.variables, plan_.dependencies);
    graph_.evaluations_alone = system::evaluation_count(
        system::evaluation_order(plan_.variables, plan_.dependencies, false), plan_.variables,
        plan_.dependencies);
  }

  const System& system_;
  const session::SystemModels& models_;
  const system::Plan& plan_;
  std::vector<std::uint32_t> position_;  // in the calling sequence
  SystemGraph graph_;
};

}  // namespace

SystemGraph make_graph(const System& written, const FmuOptions& options, const Log& log) {
  const system::PackagePaths paths(written);
  const System system = session::join_clusters(written, options, paths.shown(log));
  system::Problems problems;
  const session::SystemModels models =
      session::read_models(system, options, problems, paths.shown(log));
  paths.during([&] { problems.raise(); });
  const system::Plan plan =
      system::make_plan(system, models.descriptions, models.structures, {}, models.input_columns);
  return Teller(system, models, plan).tell();
}

ModelDescription describe_component(const System& system, const Component& component,
                                    const FmuOptions& options, const Log& log) {
  return *system::description_of(component, system.folder, options, log);
}

}  // namespace tutti
