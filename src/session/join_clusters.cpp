// SPDX-License-Identifier: BSD-2-Clause
#include "session/join_clusters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "models/start_values.hpp"
#include "session/automatic.hpp"
#include "solvers/ode/ode.hpp"
#include "system/cluster.hpp"
#include "system/component_kind.hpp"
#include "system/endpoint.hpp"
#include "system/graph.hpp"
#include "system/make_plan.hpp"
#include "system/names.hpp"
#include "system/patterns.hpp"

namespace tutti::session {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr double usual_timeout = 600;  // s, as Component::timeout

bool is_default(const SolverSettings& solver) {
  const SolverSettings usual;
  return solver.name == usual.name && !solver.rtol && !solver.atol && !solver.max_step &&
         !solver.first_step && solver.options.empty() && solver.at_points == usual.at_points &&
         !solver.diagnose;
}

/// The groups that connections join, of the components for which `group` is equal.
class Groups {
 public:
  explicit Groups(std::size_t count) : leader_(count) {
    std::iota(leader_.begin(), leader_.end(), std::size_t{0});
  }
  std::size_t leader(std::size_t c) {
    while (leader_[c] != c) c = leader_[c] = leader_[leader_[c]];
    return c;
  }
  void join(std::size_t a, std::size_t b) { leader_[leader(a)] = leader(b); }

 private:
  std::vector<std::size_t> leader_;
};

class Joiner {
 public:
  Joiner(System& system, const FmuOptions& options, const Log& log)
      : system_(system),
        options_(options),
        log_(log),
        names_(system),
        cluster_of_(system.components.size(), none) {}

  /// False: there is no cluster, or the descriptions cannot be read.
  bool find() {
    for (const ClusterSettings& settings : system_.clusters) add_written(settings);
    problems_.raise();
    if (!read_descriptions()) return false;
    try {
      connections_ = system::expanded_connections(system_, models_);
    } catch (const Error&) {
      return false;  // the plan reports it, with its place
    }
    check_members();
    problems_.raise();
    check_connected();
    problems_.raise();
    if (system_.simulation.monolithic) add_groups();
    if (is_automatic(system_)) add_cycles();
    return !clusters_.empty();
  }

  System joined() {
    System result = system_;
    result.clusters.clear();
    result.simulation.monolithic = false;
    result.connections.clear();
    result.components.clear();
    std::vector<bool> is_done(clusters_.size());
    for (std::size_t c = 0; c < system_.components.size(); ++c) {
      const std::size_t k = cluster_of_[c];
      if (k == none) {
        result.components.push_back(system_.components[c]);
      } else if (!is_done[k]) {
        is_done[k] = true;
        problems_.attempt([&] { result.components.push_back(make(k)); });
      }
    }
    problems_.raise();
    for (Connection connection : connections_) {
      const std::size_t from = cluster_of(connection.from), to = cluster_of(connection.to);
      if (from != none && from == to) continue;
      connection.from = in_whole(connection.from);
      connection.to = in_whole(connection.to);
      result.connections.push_back(std::move(connection));
    }
    for (auto& [to, value] : result.inputs.constants) to = in_whole(to);
    for (InputFile& table : result.inputs.tables)
      for (InputColumn& column : table.columns) column.to = in_whole(column.to);
    for (TimedAction& action : result.actions)
      for (auto& [to, value] : action.set) to = in_whole(to);
    for (DelayedSignal& delay : result.delays) {
      if (const std::size_t k = cluster_of(delay.from); k != none && k == cluster_of(delay.to))
        problems_.add(delay.place,
                      fmt::format("{}: the delayed signal \"{} -> {}\" connects two members",
                                  title(clusters_[k]), system::text_of(delay.from),
                                  system::text_of(delay.to)),
                      {.key = "clusters", .hint = "One of its ends must be outside."});
      delay.from = in_whole(delay.from);
      delay.to = in_whole(delay.to);
    }
    rename_cycles(result);
    problems_.raise();
    return result;
  }

 private:
  struct Group {
    ClusterSettings settings;
    std::vector<std::size_t> members;  ///< components, ascending
    bool is_written = false;
    std::string name;
  };

  const Component& component(std::size_t c) const { return system_.components[c]; }
  std::string title(const Group& group) const {
    return fmt::format("clusters, of = [{}]", fmt::join(group.settings.of, ", "));
  }
  void refuse(const Group& group, const std::string& text, ErrorDetails details = {}) {
    problems_.add(group.settings.place, title(group) + ": " + text, std::move(details));
  }

  void add_written(const ClusterSettings& settings) {
    Group group{settings, {}, true, {}};
    std::vector<std::string_view> known;
    for (const Component& other : system_.components) known.push_back(other.name);
    for (const std::string& name : settings.of) {
      const std::int32_t index = names_.find(name);
      if (index < 0) {
        refuse(group, fmt::format("there is no component \"{}\".", printable(name)),
               {.key = "clusters", .hint = did_you_mean(name, known)});
        continue;
      }
      const auto c = static_cast<std::size_t>(index);
      if (cluster_of_[c] == clusters_.size())
        refuse(group, fmt::format("\"{}\" is named twice", name), {.key = "clusters"});
      else if (cluster_of_[c] != none)
        refuse(group,
               fmt::format("\"{}\" is a member of another cluster, [{}]; a component can be in "
                           "one only",
                           name, fmt::join(clusters_[cluster_of_[c]].settings.of, ", ")),
               {.component = name, .key = "clusters"});
      else
        group.members.push_back(c);
      if (cluster_of_[c] == none) cluster_of_[c] = clusters_.size();
    }
    if (settings.of.size() < 2)
      refuse(group, "a cluster has at least two members", {.key = "clusters"});
    std::ranges::sort(group.members);
    clusters_.push_back(std::move(group));
  }

  bool read_descriptions() {
    for (const Component& one : system_.components) {
      try {
        owned_.push_back(system::description_of(one, system_.folder, options_, log_.once()));
      } catch (const Error& error) {
        if (error.code() == ErrorCode::interrupted) throw;
        return false;
      }
      models_.push_back(owned_.back().get());
    }
    return true;
  }

  bool has_exchange(std::size_t c) const { return models_[c]->model_exchange.has_value(); }
  /// It can be solved together with others, and no setting excludes it.
  bool is_exchange(std::size_t c) const {
    return has_exchange(c) && component(c).as != FmuKind::co_simulation &&
           system::kind_of(component(c)).origin == system::Origin::file;
  }

  void check_members() {
    for (const Group& group : clusters_)
      for (const std::size_t c : group.members) check_member(group, c);
  }

  void check_member(const Group& group, std::size_t c) {
    const Component& member = component(c);
    const auto refuse_member = [&](const std::string& why, const std::string& hint,
                                   ErrorCode code = ErrorCode::usage) {
      problems_.add(
          Error(code, fmt::format("{}: {} {}", title(group), system::called(member), why),
                system::where(group.settings.place,
                              {.component = member.name, .key = "clusters", .hint = hint})));
    };
    if (system::kind_of(member).origin != system::Origin::file)
      return refuse_member("is no FMU", "Members are model-exchange FMUs.");
    if (!has_exchange(c))
      return refuse_member("has no model-exchange interface",
                           "Export the FMU for model exchange, or leave it out: co-simulation "
                           "components are coupled with the cluster.",
                           ErrorCode::capability);
    if (member.as == FmuKind::co_simulation)
      refuse_member("has as = \"cs\"", "Members are solved as model exchange: use as = \"me\".");
    if (!is_default(member.solver))
      refuse_member("has a solver of its own", "Give the cluster the solver: [[clusters]] solver.");
    if (member.step)
      refuse_member("has a step of its own", "Give the cluster the step: [[clusters]] step.");
    if (!member.ports.empty())
      refuse_member("has ports of transmission lines",
                    "Lines end at components outside of clusters.");
  }

  void check_connected() {
    Groups joined = connected([&](std::size_t from, std::size_t to) {
      return cluster_of_[from] != none && cluster_of_[from] == cluster_of_[to];
    });
    for (const Group& group : clusters_) {
      std::map<std::size_t, std::vector<std::string>> parts;
      for (const std::size_t c : group.members)
        parts[joined.leader(c)].push_back(component(c).name);
      if (parts.size() < 2) continue;
      std::vector<std::string> texts;
      for (const auto& [leader, members] : parts)
        texts.push_back(fmt::format("{{{}}}", list_some(members)));
      refuse(group, fmt::format("no connection joins {}", fmt::join(texts, " and ")),
             {.key = "clusters", .hint = "Make a cluster of each of them."});
    }
  }

  template <class Joins>
  Groups connected(const Joins& joins) {
    Groups groups(system_.components.size());
    for (const Connection& connection : connections_) {
      const std::int32_t from = names_.find(connection.from.component);
      const std::int32_t to = names_.find(connection.to.component);
      if (from < 0 || to < 0) continue;
      const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
      if (joins(a, b)) groups.join(a, b);
    }
    return groups;
  }

  /// Members that are not written may have solvers, if it is the same one.
  void add_group(std::vector<std::size_t> members, std::string_view why) {
    Group group;
    const auto with_solver = std::ranges::find_if(
        members, [&](std::size_t c) { return !is_default(component(c).solver); });
    if (with_solver != members.end()) group.settings.solver = component(*with_solver).solver;
    for (const std::size_t c : members) {
      cluster_of_[c] = clusters_.size();
      group.settings.of.push_back(component(c).name);
      if (const auto& step = component(c).step)
        group.settings.step = std::min(group.settings.step.value_or(*step), *step);
    }
    log_.info("", fmt::format("{}: {} are solved together", why, list_some(group.settings.of)));
    group.members = std::move(members);
    clusters_.push_back(std::move(group));
  }

  bool can_be_grouped(std::size_t c) const {
    return cluster_of_[c] == none && is_exchange(c) && component(c).ports.empty();
  }

  void add_groups() {
    Groups joined = connected([&](std::size_t from, std::size_t to) {
      return can_be_grouped(from) && can_be_grouped(to);
    });
    std::map<std::size_t, std::vector<std::size_t>> parts;
    for (std::size_t c = 0; c < system_.components.size(); ++c)
      if (can_be_grouped(c)) parts[joined.leader(c)].push_back(c);
    const std::size_t written = clusters_.size();
    for (auto& [leader, members] : parts)
      if (members.size() > 1) add_group(std::move(members), "simulation.monolithic");
    if (clusters_.empty())
      throw Error(ErrorCode::capability,
                  "%key%: no two components with a model-exchange interface are connected",
                  {.key = "simulation.monolithic",
                   .hint = "Members are FMUs for model exchange without as = \"cs\"."});
    if (clusters_.size() == written)
      log_.info("", "simulation.monolithic has no effect beside the [[clusters]] of the system");
  }

  /// What auto would have to couple although it can be solved.
  void add_cycles() {
    std::vector<system::Graph::Edge> edges;
    for (const Connection& connection : connections_) {
      const std::int32_t from = names_.find(connection.from.component);
      const std::int32_t to = names_.find(connection.to.component);
      if (from >= 0 && to >= 0)
        edges.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
    }
    const system::Graph graph(system_.components.size(), edges);
    for (const auto& cycle : system::strong_components(graph).members) {
      if (cycle.size() < 2) continue;
      const bool fits = std::ranges::all_of(cycle, [&](std::uint32_t c) {
        return can_be_grouped(c) && component(c).as == FmuKind::model_exchange &&
               is_default(component(c).solver) && !component(c).step;
      });
      if (!fits) continue;
      add_group({cycle.begin(), cycle.end()}, "auto");
      // The tolerance of the system is all that a user of auto states: the solver has to keep it.
      constexpr double usual = 1e-6, part = 0.1;
      clusters_.back().settings.solver.rtol =
          std::min(usual, part * system_.simulation.tolerance.rel);
    }
  }

  std::size_t cluster_of(const Endpoint& end) const {
    const std::int32_t c = names_.find(end.component);
    return c < 0 ? none : cluster_of_[static_cast<std::size_t>(c)];
  }
  Endpoint in_whole(Endpoint end) const {
    const std::size_t k = cluster_of(end);
    if (k == none) return end;
    return {clusters_[k].name, fmt::format("{}.{}", end.component, end.variable)};
  }

  static std::string name_of(const std::vector<std::string>& members) {
    constexpr std::size_t most = 4;
    if (members.size() <= most) return fmt::format("{}", fmt::join(members, "+"));
    return fmt::format("{}+...+{}", members.front(), members.back());
  }

  Component make(std::size_t k) {
    Group& group = clusters_[k];
    auto cluster = std::make_shared<system::Cluster>();
    Component whole;
    cluster->loops = group.settings.loops;
    cluster->system.folder = system_.folder;
    std::vector<std::string> names;
    std::vector<double> waits;
    for (const std::size_t c : group.members) {
      Component member = component(c);
      names.push_back(member.name);
      member.as = FmuKind::model_exchange;
      member.solver = {};
      std::vector<models::Assignment> assignments;
      for (const auto& [name, value] : member.set) {
        assignments.push_back({name, value});
        whole.set.emplace_back(fmt::format("{}.{}", member.name, name), value);
      }
      for (const std::string& name : member.assigned)
        whole.assigned.push_back(fmt::format("{}.{}", member.name, name));
      try {
        cluster->structures.push_back(models::StartValues(*models_[c], assignments).structure());
      } catch (const Error& error) {
        throw error.within(fmt::format("component \"{}\"", member.name),
                           system::where(member.place, {.component = member.name}));
      }
      cluster->descriptions.push_back(owned_[c]);
      waits.push_back(member.timeout.value_or(usual_timeout));
      whole.log |= member.log;
      cluster->system.components.push_back(std::move(member));
    }
    for (const Connection& connection : connections_) {
      if (cluster_of(connection.from) != k || cluster_of(connection.to) != k) continue;
      cluster->system.connections.push_back(connection);
      if (connection.inputs == ConnectionInputs()) continue;
      log_.info("", fmt::format("connection \"{}\": inside, order, derivatives and smooth have no "
                                "effect between components that are solved together",
                                system::text_of(connection)));
    }
    group.name = name_of(names);
    while (names_.find(group.name) >= 0) group.name += "+";  // a component has this name
    const auto models = cluster->models();
    cluster->plan = system::make_plan(cluster->system, models, cluster->structures, log_);
    system::describe_cluster(*cluster);
    check_solver(group, *cluster);
    whole.name = group.name;
    whole.as = FmuKind::model_exchange;
    whole.solver = group.settings.solver;
    whole.step = group.settings.step;
    whole.timeout = group.settings.timeout;
    const bool is_given = std::ranges::any_of(
        group.members, [&](std::size_t c) { return component(c).timeout.has_value(); });
    if (!whole.timeout && is_given)  // 0: no limit
      whole.timeout = std::ranges::find(waits, 0.0) != waits.end()
                          ? 0
                          : std::accumulate(waits.begin(), waits.end(), 0.0);
    whole.place = group.is_written ? group.settings.place : component(group.members.front()).place;
    whole.cluster = std::move(cluster);
    return whole;
  }

  void check_solver(const Group& group, const system::Cluster& cluster) {
    if (cluster.loops != ClusterLoops::dae) return;
    const solvers::OdeEntry* const solver =
        solvers::find_ode_integrator(group.settings.solver.name);
    if (solver == nullptr || solver->solves(OdeForm::mass_matrix)) return;
    std::vector<std::string_view> able;
    for (const solvers::OdeEntry& entry : solvers::ode_integrators())
      if (entry.solves(OdeForm::mass_matrix)) able.emplace_back(entry.name);
    throw Error(ErrorCode::capability,
                fmt::format("{}: loops = \"dae\" makes a differential-algebraic equation, which "
                            "solver \"{}\" does not solve",
                            title(group), solver->name),
                system::where(group.settings.place,
                              {.key = "clusters.solver.name",
                               .hint = fmt::format("Expected one of: {}; or loops = \"newton\".",
                                                   fmt::join(able, ", "))}));
  }

  /// A cycle through a cluster is one through its component.
  void rename_cycles(System& result) {
    const auto rename = [&](std::vector<std::string>& names) {
      std::vector<std::string> renamed;
      for (const std::string& name : names) {
        const std::size_t k = cluster_of({name, ""});
        const std::string& now = k == none ? name : clusters_[k].name;
        if (std::ranges::find(renamed, now) == renamed.end()) renamed.push_back(now);
      }
      names = std::move(renamed);
    };
    std::erase_if(result.cycles, [&](CycleSettings& cycle) {
      const auto written = cycle.of;
      rename(cycle.of);
      rename(cycle.order);
      const bool is_inside = cycle.of.size() == 1 && written.size() > 1;
      if (is_inside)
        log_.info("", fmt::format("the settings of the cycle [{}] have no effect: its components "
                                  "are solved together",
                                  fmt::join(written, ", ")));
      return is_inside;
    });
  }

  System& system_;
  const FmuOptions& options_;
  const Log& log_;
  system::ComponentNames names_;
  system::Problems problems_;
  std::vector<Group> clusters_;
  std::vector<std::size_t> cluster_of_;  ///< by component
  std::vector<std::shared_ptr<const ModelDescription>> owned_;
  std::vector<const ModelDescription*> models_;
  std::vector<Connection> connections_;  ///< without patterns
};

}  // namespace

System join_clusters(System system, const FmuOptions& options, const Log& log) {
  if (system.is_single_fmu ||
      (system.clusters.empty() && !system.simulation.monolithic && !is_automatic(system)))
    return system;
  Joiner joiner(system, options, log);
  if (!joiner.find()) {
    // Nothing was found that would have to be solved together, or the reader of all descriptions
    // will report why.
    return system;
  }
  return joiner.joined();
}

}  // namespace tutti::session
