// SPDX-License-Identifier: BSD-2-Clause
#include "system/make_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <tutti/error.hpp>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "system/cluster.hpp"
#include "system/component_kind.hpp"
#include "system/dependencies.hpp"
#include "system/endpoint.hpp"
#include "system/input_sources.hpp"
#include "system/lines.hpp"
#include "system/names.hpp"
#include "system/plan.hpp"

namespace tutti::system {
namespace {

using Node = Graph::Node;

std::uint64_t pair_key(Node a, Node b) { return (std::uint64_t{a} << 32) | b; }

std::string braces(const System& system, std::span<const Node> members) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(members.size(), most); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", system.components[members[i]].name);
  if (members.size() > most) text += fmt::format(" and {} more", members.size() - most);
  return "{" + text + "}";
}

/// Assigns the settings of the user to the cycles.
class Overrides {
 public:
  Overrides(const System& system, std::vector<Stage>& stages, Problems& problems)
      : system_(system),
        names_(system),
        stages_(stages),
        problems_(problems),
        stage_of_(system.components.size()) {
    for (std::size_t s = 0; s < stages.size(); ++s)
      for (const Node c : stages[s].components) stage_of_[c] = s;
  }

  void apply() {
    for (std::size_t i = 0; i < system_.cycles.size(); ++i) {
      const CycleSettings& cycle = system_.cycles[i];
      problems_.attempt([&] {
        Stage& stage = find(cycle);
        if (stage.settings >= 0) refuse(cycle, "this cycle already has settings");
        stage.settings = static_cast<std::int32_t>(i);
        if (cycle.order.empty()) return;
        std::vector<Node> order = indices(cycle, cycle.order);
        if (sorted(order) != sorted(stage.components))
          refuse(cycle, fmt::format("order must name each component of {} once",
                                    braces(system_, sorted(stage.components))));
        stage.components = std::move(order);
      });
    }
  }

 private:
  [[noreturn]] static void refuse(const CycleSettings& cycle, const std::string& text) {
    throw Error(ErrorCode::usage, text)
        .within(fmt::format("cycles, of = [{}]", fmt::join(cycle.of, ", ")),
                where(cycle.place, {.key = "cycles"}));
  }
  static std::vector<Node> sorted(std::vector<Node> nodes) {
    std::ranges::sort(nodes);
    return nodes;
  }
  std::vector<Node> indices(const CycleSettings& cycle, const std::vector<std::string>& names) {
    std::vector<Node> nodes;
    for (const std::string& name : names) {
      const std::int32_t index = names_.find(name);
      if (index < 0) refuse(cycle, fmt::format("there is no component \"{}\"", name));
      nodes.push_back(static_cast<Node>(index));
    }
    return nodes;
  }
  Stage& find(const CycleSettings& cycle) {
    const std::vector<Node> named = sorted(indices(cycle, cycle.of));
    if (named.empty()) refuse(cycle, "no component is named");
    Stage& stage = stages_[stage_of_[named.front()]];
    const std::vector<Node> members = sorted(stage.components);
    if (stage.is_cycle && members == named) return stage;
    if (stage.is_cycle && std::ranges::includes(members, named))
      refuse(cycle, fmt::format("this is only a part of the cycle {}; name all of it",
                                braces(system_, members)));
    std::string all;
    for (const Stage& other : stages_)
      if (other.is_cycle)
        all += (all.empty() ? "" : ", ") + braces(system_, sorted(other.components));
    refuse(cycle, all.empty() ? "this is not a cycle, and the system has none"
                              : fmt::format("this is not a cycle. The cycles are {}", all));
  }

  const System& system_;
  ComponentNames names_;
  std::vector<Stage>& stages_;
  Problems& problems_;
  std::vector<std::size_t> stage_of_;
};

/// The graph of components: an edge for every pair that a link joins.
Graph component_graph(std::size_t component_count, std::span<const Link> links) {
  std::vector<Graph::Edge> edges;
  edges.reserve(links.size());
  for (const Link& link : links) edges.push_back({link.from.component, link.to.component});
  return Graph(component_count, edges);
}

/// The stages in ascending priority, cycles with their calling sequence and settings.
std::vector<Stage> make_stages(const System& system, const Graph& graph,
                               std::span<const Link> links, Problems& problems) {
  std::unordered_map<std::uint64_t, double> fed;
  for (const Link& link : links) fed[pair_key(link.from.component, link.to.component)] += 1;
  const auto weight = [&](Node a, Node b) {
    const auto found = fed.find(pair_key(a, b));
    return found == fed.end() ? 0 : found->second;
  };
  Components components = strong_components(graph);
  const std::vector<std::uint32_t> priority = priorities(graph, components);
  std::vector<Stage> stages(components.members.size());
  for (std::size_t s = 0; s < stages.size(); ++s) {
    std::vector<Node>& members = components.members[s];
    stages[s].priority = priority[s];
    stages[s].is_cycle = members.size() > 1 || graph.has_edge(members.front(), members.front());
    stages[s].components =
        members.size() > 1 ? calling_sequence(graph, members, weight) : std::move(members);
  }
  std::ranges::stable_sort(stages, [](const Stage& a, const Stage& b) {
    return std::pair(a.priority, *std::ranges::min_element(a.components)) <
           std::pair(b.priority, *std::ranges::min_element(b.components));
  });
  Overrides(system, stages, problems).apply();
  return stages;
}

/// Checks that the readers of files have done already, for systems made by other means.
void check_settings(const System& system, Problems& problems) {
  std::unordered_set<std::string_view> names;
  for (const Component& component : system.components) {
    if (component.name.empty()) problems.add(component.place, "a component has no name");
    if (!names.insert(component.name).second)
      problems.add(component.place, fmt::format("there are two components \"{}\"", component.name),
                   {.component = component.name});
  }
  if (system.components.empty()) problems.add("the system has no components");
  if (system.is_single_fmu) return;  // the times follow from its FMU
  const SimulationSettings& run = system.simulation;
  if (run.step && !(*run.step > 0))
    problems.add(fmt::format("%key% = {} must be positive", *run.step), {.key = "simulation.step"});
  if (const double start = run.start.value_or(0); run.stop && !(*run.stop > start))
    problems.add(fmt::format("%key% = {} is not after simulation.start = {}{}", *run.stop, start,
                             run.start ? "" : ", the default"),
                 {.key = "simulation.stop"});
}

/// The graph of coupled scalars at initialization.
class VariableGraph {
 public:
  VariableGraph(Plan& plan, std::span<const ModelDescription* const> descriptions)
      : plan_(plan), descriptions_(descriptions) {}

  void build() {
    std::vector<std::pair<Point, bool>> points;  // is it an output?
    for (const Link& link : plan_.links) {
      points.emplace_back(link.from, true);
      points.emplace_back(link.to, false);
    }
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    for (const auto& [point, is_output] : points) {
      plan_.coupled.push_back(point);
      plan_.variables.push_back({point.component, is_output});
    }
    std::vector<Graph::Edge>& edges = plan_.dependencies;
    for (const Link& link : plan_.links) edges.push_back({node(link.from), node(link.to)});
    add_feed_through<InitialDependencies>(plan_, descriptions_, edges);
    plan_.evaluations = evaluation_order(plan_.variables, edges);
  }

 private:
  Node node(const Point& point) const {
    return static_cast<Node>(std::ranges::lower_bound(plan_.coupled, point) -
                             plan_.coupled.begin());
  }

  Plan& plan_;
  std::span<const ModelDescription* const> descriptions_;
};

bool is_set_by_action(const System& system, const Variable& variable, const Point& input,
                      const std::string& name) {
  const std::string& component = system.components[input.component].name;
  return std::ranges::any_of(system.actions, [&](const TimedAction& action) {
    return std::ranges::any_of(action.set, [&](const auto& pair) {
      const Endpoint& to = pair.first;
      return to.component == component && (to.variable == variable.name ||
                                           system.qualified(input.component, to.variable) == name);
    });
  });
}

}  // namespace

Plan make_plan(const System& system, std::span<const ModelDescription* const> descriptions,
               std::span<const fmi::StructuralValues> structures, const Log& log,
               std::span<const std::string> input_columns) {
  Problems problems;
  check_settings(system, problems);
  problems.raise();
  InputSources sources(system, descriptions, structures, problems, log);
  sources.add_connections();
  sources.add_constants();
  sources.add_columns(input_columns);
  sources.add_tables();

  Plan plan;
  plan.lines = plan_lines(system, descriptions, structures, sources.links, problems, log);
  sources.add_lines(plan.lines);
  plan.unconnected_inputs = sources.unconnected();
  plan.maps = std::move(sources.maps);
  plan.checks = std::move(sources.checks);
  plan.links = std::move(sources.links);
  plan.expanded = std::move(sources.expanded);
  plan.external = std::move(sources.external);
  plan.graph = component_graph(system.components.size(), plan.links);
  if (problems.empty()) plan.stages = make_stages(system, plan.graph, plan.links, problems);
  problems.raise();
  VariableGraph(plan, descriptions).build();
  return plan;
}

std::vector<std::string> open_inputs(const System& system,
                                     std::span<const ModelDescription* const> descriptions,
                                     std::span<const fmi::StructuralValues> structures,
                                     const Plan& plan) {
  std::vector<Point> inputs;
  std::ranges::set_difference(plan.unconnected_inputs, plan.lines.open_inputs,
                              std::back_inserter(inputs));
  std::erase_if(inputs, [&](const Point& input) {
    const auto& variables = descriptions[input.component]->variables;
    return is_set_by_action(system, variables[static_cast<std::size_t>(input.variable)], input,
                            point_name(system, descriptions, structures, input));
  });
  std::vector<std::string> names;
  for (const Point& input : inputs)
    names.push_back(point_name(system, descriptions, structures, input));
  return names;
}

Plan part_of(const Plan& plan, std::span<const std::uint32_t> components,
             std::span<const ModelDescription* const> descriptions) {
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  for (std::uint32_t k = 0; k < components.size(); ++k) numbers.emplace(components[k], k);
  const auto take = [&](Point& point) {
    const auto found = numbers.find(point.component);
    if (found == numbers.end()) return false;
    point.component = found->second;
    return true;
  };
  Plan part;
  part.maps = plan.maps;
  part.checks = plan.checks;
  part.expanded = plan.expanded;
  for (Link link : plan.links)
    if (take(link.from) && take(link.to)) part.links.push_back(link);
  for (ExternalInput external : plan.external)
    if (take(external.to)) part.external.push_back(external);
  for (Point input : plan.unconnected_inputs)
    if (take(input)) part.unconnected_inputs.push_back(input);
  for (Stage stage : plan.stages) {
    if (!numbers.contains(stage.components.front())) continue;
    for (std::uint32_t& c : stage.components) c = numbers.at(c);
    part.stages.push_back(std::move(stage));
  }
  part.graph = component_graph(components.size(), part.links);
  VariableGraph(part, descriptions).build();
  return part;
}

bool is_model_exchange(const Component& component, const ModelDescription& description) {
  return component.as == FmuKind::model_exchange ||
         (component.as == FmuKind::automatic && !description.co_simulation);
}

bool can_vary_step(const Component& component, const ModelDescription& description) {
  return is_model_exchange(component, description) ||
         interface_of(component, description).can_vary_step;
}

const Capabilities& interface_of(const Component& component, const ModelDescription& description) {
  const bool wants_me = is_model_exchange(component, description);
  const std::optional<Capabilities>& face =
      wants_me ? description.model_exchange : description.co_simulation;
  if (!face)
    throw Error(
        ErrorCode::capability,
        fmt::format("component \"{}\" ({}) has no {} interface", component.name,
                    source_of(component), wants_me ? "model-exchange" : "co-simulation"),
        where(component.place, {.component = component.name, .key = key_of(component, "as")}));
  return *face;
}

namespace {

/// It takes several steps within one step of the system.
bool takes_own_steps(const System& system, const Component& component) {
  return component.step &&
         !(system.simulation.step && *component.step > *system.simulation.step * (1 - 1e-9));
}

}  // namespace

std::string missing_ability(const Component& component, const ModelDescription& description,
                            WayBack way) {
  if (const auto& cluster = component.cluster) {
    for (std::size_t m = 0; m < cluster->size(); ++m)
      if (const Component& member = cluster->system.components[m];
          !interface_of(member, *cluster->descriptions[m]).can_save_state)
        return fmt::format("{} because of member \"{}\"",
                           missing_ability(member, *cluster->descriptions[m], way), member.name);
  }
  std::string_view because = kind_of(component).without_rollback;
  if (because.empty()) because = "canGetAndSetFMUState=\"false\"";
  if (description.version == FmiVersion::v2) because = "canGetAndSetFMUstate=\"false\"";
  if (description.version == FmiVersion::v1) {
    const bool is_exchanged = is_model_exchange(component, description);
    if (way == WayBack::last_step && !is_exchanged)
      return "repeat a step (canRejectSteps=\"false\")";
    // fmiDoStep with newStep = fmiFalse is all that FMI 1.0 has.
    because = is_exchanged ? "FMI 1.0 model exchange has no such function"
                           : "FMI 1.0 can only repeat the last step, with canRejectSteps";
  }
  return fmt::format("save and restore its state ({})", because);
}

void check_rollback(const System& system, const Plan& plan,
                    std::span<const ModelDescription* const> descriptions,
                    const std::function<bool(std::string_view)>& needs_rollback) {
  for (const Stage& stage : plan.stages) {
    if (!stage.is_cycle) continue;
    const std::vector<std::string>* methods = &system.simulation.methods;
    if (stage.settings >= 0)
      if (const auto& own = system.cycles[static_cast<std::size_t>(stage.settings)].methods;
          !own.empty())
        methods = &own;
    const auto method = std::find_if(methods->begin(), methods->end(), needs_rollback);
    if (method == methods->end()) continue;
    for (const std::uint32_t c : stage.components) {
      const Component& component = system.components[c];
      const ModelDescription& description = *descriptions[c];
      const Capabilities& face = interface_of(component, description);
      // Iterations return to the start of the last step only, which FMI 1.0's repeated step
      // (canRejectSteps) can do, too.
      const bool repeats = description.version == FmiVersion::v1 && description.co_simulation &&
                           &face == &*description.co_simulation && face.can_redo_step;
      if (face.can_save_state || (repeats && !takes_own_steps(system, component))) continue;
      if (repeats)
        throw Error(
            ErrorCode::capability,
            fmt::format("component \"{}\" ({}): method \"{}\" repeats steps, but the FMU can "
                        "repeat only its last step (canRejectSteps), not the several steps that "
                        "%key% = {:.13g} s requires",
                        component.name, source_of(component, description), *method,
                        *component.step),
            where(component.place,
                  {.component = component.name,
                   .key = key_of(component, "step"),
                   .hint = "Leave this key out, use method = \"jacobi\" or \"gauss-seidel\", or "
                           "export the FMU with FMI 2.0 or 3.0 and state support."}));
      const ComponentKind& kind = kind_of(component);
      throw Error(
          ErrorCode::capability,
          fmt::format("component \"{}\" ({}): method \"{}\" repeats steps, but the {} cannot {}",
                      component.name, source_of(component, description), *method, kind.noun,
                      missing_ability(component, description, WayBack::last_step)),
          where(component.place,
                {.component = component.name,
                 .key = "simulation.method",
                 .hint = fmt::format("Use method = \"jacobi\" or \"gauss-seidel\", or {}.",
                                     !kind.to_roll_back.empty() ? kind.to_roll_back
                                     : description.version == FmiVersion::v1
                                         ? "export the FMU with FMI 2.0 or 3.0 and state support"
                                         : "export the FMU with state support")}));
    }
  }
}

}  // namespace tutti::system
