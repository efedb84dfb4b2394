// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tutti/advice.hpp>

#include "analysis/advise_cycle.hpp"
#include "base/text.hpp"
#include "fmi/file_cache.hpp"
#include "session/advise/linear_models.hpp"
#include "session/advise/probe.hpp"
#include "session/first_point.hpp"
#include "session/join_clusters.hpp"
#include "session/messages.hpp"
#include "session/system_setup.hpp"
#include "session/worker_call.hpp"
#include "stability/error_propagation.hpp"
#include "stability/step_limit.hpp"
#include "system/component_kind.hpp"
#include "system/dependencies.hpp"
#include "system/make_plan.hpp"
#include "system/package_paths.hpp"

namespace tutti {
namespace {

/// The clusters of the system as components. Those that method = "auto" would make are cycles here:
/// they are to be compared with couplings.
System with_clusters(const System& written, const FmuOptions& options, const Log& log) {
  System system = written;
  system.simulation.methods = SimulationSettings().methods;
  system = session::join_clusters(std::move(system), options, log);
  system.simulation.methods = written.simulation.methods;
  return system;
}

std::optional<CouplingChoice> present_choice(const System& system, const system::Stage& stage) {
  const auto is_member = [&](const std::string& name) {
    return std::any_of(stage.components.begin(), stage.components.end(),
                       [&](std::uint32_t c) { return system.components[c].name == name; });
  };
  for (const Connection& connection : system.connections)
    if (connection.inputs != ConnectionInputs{} && is_member(connection.from.component) &&
        is_member(connection.to.component))
      return {};
  CouplingChoice choice;
  choice.methods = system.simulation.methods;
  if (stage.settings >= 0)
    if (const auto& own = system.cycles[static_cast<std::size_t>(stage.settings)].methods;
        !own.empty())
      choice.methods = own;
  const InputSettings& inputs = system.simulation.inputs;
  choice.inside = to_string(inputs.inside);
  choice.order = static_cast<int>(inputs.order);
  choice.derivatives = to_string(inputs.derivatives);
  choice.smooth = inputs.smooth;
  choice.correct = to_string(inputs.correct);
  return choice;
}

/// The driven inputs of each component.
std::vector<std::vector<std::int32_t>> find_inputs(const system::Plan& plan, std::size_t count) {
  std::vector<std::vector<std::int32_t>> inputs(count);
  for (const system::Link& link : plan.links) inputs[link.to.component].push_back(link.to.variable);
  for (const system::ExternalInput& external : plan.external)
    inputs[external.to.component].push_back(external.to.variable);
  return inputs;
}

LinearizedComponent describe(const System& system, const session::SystemModels& models,
                             std::uint32_t c, std::span<const std::int32_t> inputs,
                             const analysis::Linearization& linearization) {
  const ModelDescription& description = *models.descriptions[c];
  const Capabilities& used = system::interface_of(system.components[c], description);
  const bool model_exchange = system::is_model_exchange(system.components[c], description);
  LinearizedComponent result;
  result.name = system.components[c].name;
  result.source = to_string(linearization.source);
  result.linearized = linearization.has_states;
  result.states = linearization.system.states();
  result.fastest_rate = linearization.fastest_rate();
  result.can_roll_back = used.can_save_state || used.can_redo_step;
  result.has_directional_derivatives = used.provides_directional_derivatives;
  result.is_model_exchange = model_exchange;
  result.follows_inputs = system::follows_inputs(system.components[c], description, inputs);
  result.provides_output_derivatives = model_exchange || used.max_output_derivative_order > 0;
  result.notes = linearization.notes;
  return result;
}

/// A run that samples the loops should not be affected by them.
bool all_roll_back(const System& system, const session::SystemModels& models) {
  for (std::size_t c = 0; c < system.components.size(); ++c)
    if (!system::interface_of(system.components[c], *models.descriptions[c]).can_save_state)
      return false;
  return true;
}

/// The part of an advice that does not need FMUs.
class Adviser {
 public:
  Adviser(const System& system, const session::PreparedSystem& prepared, double step)
      : system_(system),
        prepared_(prepared),
        inputs_(find_inputs(prepared.plan(), system.components.size())),
        driven_(analysis::find_driven(prepared.plan(), prepared.models().descriptions)) {
    advice_.system = system.name;
    advice_.step = step;
    const session::SystemModels& models = prepared.models();
    for (const system::Stage& stage : prepared.plan().stages) {
      if (!stage.is_cycle) continue;
      stages_.push_back(&stage);
      cycles_.push_back(analysis::find_interface(system, prepared.plan(), models.descriptions,
                                                 models.structures, driven_, stage));
    }
  }
  std::span<const analysis::CycleInterface> cycles() const { return cycles_; }
  /// Components that accept values only: in no cycle, or with uncoupled outputs whose derivatives
  /// are not available during the run.
  void add_alone(std::vector<analysis::CycleInterface>& to) const {
    const session::SystemModels& models = prepared_.models();
    std::vector<std::size_t> known(system_.components.size());  // outputs in cycles
    for (const analysis::CycleInterface& cycle : cycles_)
      for (std::size_t i = 0; i < cycle.components.size(); ++i)
        known[cycle.components[i]] = cycle.y[i].size();
    for (const system::Stage& stage : prepared_.plan().stages)
      for (const std::uint32_t c : stage.components) {
        const ModelDescription& description = *models.descriptions[c];
        const Capabilities& used = system::interface_of(system_.components[c], description);
        if (system::follows_inputs(system_.components[c], description, inputs_[c]) ||
            (stage.is_cycle && (used.can_save_state || used.provides_directional_derivatives)))
          continue;
        analysis::CycleInterface alone =
            analysis::find_interface_alone(system_, models.descriptions, driven_, c);
        if (!alone.u[0].empty() && alone.y[0].size() > known[c]) to.push_back(std::move(alone));
      }
  }

  /// Components with a model-exchange interface whose other models are incomplete, if errors can be
  /// estimated with them: the system is small.
  void add_whole(std::vector<analysis::CycleInterface>& to) const {
    using Estimate = stability::ErrorPropagation;
    const auto& descriptions = prepared_.models().descriptions;
    std::size_t states = 0, outputs = 0;
    for (const ModelDescription* description : descriptions)
      states += description->structure.derivatives.size();
    if (descriptions.size() > Estimate::most_states || states > Estimate::most_states ||
        prepared_.plan().links.size() > Estimate::most_connections)
      return;
    std::vector<std::set<std::int32_t>> read(descriptions.size());
    for (const system::Link& link : prepared_.plan().links)
      read[link.from.component].insert(link.from.variable);
    const auto recorded =
        session::recorded_variables(system_, prepared_.models(), prepared_.plan());
    std::vector<analysis::CycleInterface> added;
    for (std::uint32_t c = 0; c < descriptions.size(); ++c) {
      if (!descriptions[c]->model_exchange) continue;
      read[c].insert(recorded[c].begin(), recorded[c].end());
      analysis::CycleInterface whole =
          analysis::find_interface_alone(system_, descriptions, driven_, c);
      std::erase_if(whole.y[0], [&](const auto& y) { return !read[c].contains(y.variable); });
      const bool has_all = std::any_of(to.begin(), to.end(), [&](const auto& interface) {
        return analysis::covers(interface, whole);
      });
      if (whole.u[0].empty()) continue;
      outputs += whole.y[0].size();
      if (outputs > Estimate::most_outputs) return;
      if (!whole.y[0].empty() && !has_all) added.push_back(std::move(whole));
    }
    std::move(added.begin(), added.end(), std::back_inserter(to));
  }

  Advice without_cycle() {
    advice_.findings.push_back(
        fmt::format("no cycle among {}: each steps after those that feed it, so the coupling "
                    "cannot be unstable, and every method gives the same results",
                    counted(system_.components.size(), "component")));
    return std::move(advice_);
  }

  Advice advise(const session::ProbeResult& probed, double time, std::size_t wanted) {
    advice_.time = time;
    std::vector<analysis::LinearCycle> linear;
    std::size_t count = wanted;
    for (std::size_t k = 0; k < cycles_.size(); ++k) {
      linear.push_back(analysis::couple(cycles_[k], probed.start[k]));
      const std::size_t affordable = analysis::affordable_steps(linear.back(), wanted);
      if (linear.back().has_states && affordable > 0) count = std::min(count, affordable);
    }
    advice_.steps = stability::logarithmic(advice_.step / 100, 100 * advice_.step, count);
    for (std::size_t k = 0; k < cycles_.size(); ++k) {
      std::vector<LinearizedComponent> components;
      for (std::size_t i = 0; i < cycles_[k].components.size(); ++i)
        components.push_back(describe(system_, prepared_.models(), cycles_[k].components[i],
                                      inputs_[cycles_[k].components[i]], probed.start[k][i]));
      analysis::CycleQuestion question{
          components, advice_.step, {}, present_choice(system_, *stages_[k]), nullptr, {}};
      if (analysis::affordable_steps(linear[k], wanted) > 0) question.steps = advice_.steps;
      const std::optional<analysis::LinearCycle> worst = follow(probed, k, linear[k], question);
      if (worst) question.worst = &*worst;
      advice_.cycles.push_back(analysis::advise_cycle(linear[k], question));
      compare_cluster(cycles_[k].components, advice_.cycles.back());
    }
    if (!probed.end.empty())
      advice_.findings.push_back("the run that samples later points ended early: " + probed.end);
    return std::move(advice_);
  }

 private:
  /// Whether the components of the cycle could be solved together instead.
  void compare_cluster(std::span<const std::uint32_t> components, CycleAdvice& cycle) const {
    for (const std::uint32_t c : components) {
      const Component& component = system_.components[c];
      if (component.cluster != nullptr || component.as == FmuKind::co_simulation ||
          system::kind_of(component).origin != system::Origin::file ||
          !prepared_.models().descriptions[c]->model_exchange)
        return;
    }
    cycle.can_be_cluster = true;
    std::string limit;
    const auto is_first = [&](const SchemeAdvice& scheme) {
      return !cycle.choices.empty() && scheme.choice == cycle.choices.front().choice;
    };
    const auto best = std::find_if(cycle.schemes.begin(), cycle.schemes.end(), is_first);
    if (cycle.choices.empty())
      limit = "no coupling method is known to be stable here";
    else if (best != cycle.schemes.end() && best->largest_step && !best->beyond_range)
      limit = fmt::format("the best coupling below is stable up to steps of {:.3g} s",
                          *best->largest_step);
    else
      limit = "the best coupling below has an error that depends on the step";
    cycle.findings.push_back(
        fmt::format("all of its components have a model-exchange interface: solved together, as "
                    "one system of equations, they need no coupling, and the communication step "
                    "limits neither stability nor accuracy; {}",
                    limit));
  }

  /// The loops of a cycle over time; returns the worst point, unless it is the start.
  std::optional<analysis::LinearCycle> follow(const session::ProbeResult& probed, std::size_t k,
                                              const analysis::LinearCycle& start,
                                              analysis::CycleQuestion& question) const {
    std::optional<analysis::LinearCycle> worst;
    if (probed.later.empty()) return worst;
    double most = analysis::loop_radius(start);
    question.history.push_back({advice_.time, most});
    for (const session::LaterPoint& point : probed.later) {
      std::vector<analysis::Linearization> there = probed.start[k];
      for (std::size_t i = 0; i < there.size(); ++i)
        if (point.d[k][i].rows > 0) there[i].system.d = point.d[k][i];
      analysis::LinearCycle cycle = analysis::couple(cycles_[k], there);
      const double radius = analysis::loop_radius(cycle);
      question.history.push_back({point.time, radius});
      if (radius <= most * (1 + 1e-9)) continue;  // rounding
      most = radius;
      worst.emplace(std::move(cycle));
    }
    return worst;
  }

  const System& system_;
  const session::PreparedSystem& prepared_;
  std::vector<std::vector<std::int32_t>> inputs_;  ///< by component
  analysis::DrivenInputs driven_;
  std::vector<const system::Stage*> stages_;
  std::vector<analysis::CycleInterface> cycles_;
  Advice advice_;
};

session::ModelledAdvice advise_here(const System& written, const AdviseOptions& options,
                                    const Log& log, bool also_alone) {
  session::RoutedLog routed(log);
  const Log quiet;
  SystemRunOptions run_options;
  static_cast<RunControl&>(run_options) = options;
  run_options.open = fmi::with_cache(options.open);
  const System system = with_clusters(written, run_options.open, routed.log());
  System bare = session::only_start(system);
  auto prepared = session::prepare_system(bare, run_options, routed.log());
  if (options.points > 0 && all_roll_back(bare, prepared->models())) {
    prepared.reset();
    bare.simulation.methods = {"newton"};
    prepared = session::prepare_system(bare, run_options, quiet);  // already logged
  }
  session::RunSetup setup = prepared->setup();
  Adviser adviser(system, *prepared, setup.step);
  const std::size_t cycles = adviser.cycles().size();
  std::vector<analysis::CycleInterface> all(adviser.cycles().begin(), adviser.cycles().end());
  if (also_alone) adviser.add_alone(all);
  const std::size_t separate = all.size();
  if (also_alone) adviser.add_whole(all);
  if (all.empty()) return {adviser.without_cycle(), {}, {}, {}};
  session::ProbeResult probed;
  try {
    probed = session::probe({bare, *prepared, setup, all, options.points}, options, log, routed);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted || separate == all.size()) throw;
    // Models that only estimates need are no reason to fail.
    all.resize(separate);
    if (all.empty()) return {adviser.without_cycle(), {}, {}, {}};
    probed = session::probe({bare, *prepared, setup, all, options.points}, options, log, routed);
  }
  // The cycle itself contains only its coupling variables.
  const session::Linearizations with_outside = probed.start;
  for (std::size_t k = 0; k < cycles; ++k)
    for (std::size_t i = 0; i < probed.start[k].size(); ++i)
      probed.start[k][i] = probed.start[k][i].first_inputs(all[k].u[i].size());
  session::ModelledAdvice result;
  result.advice = cycles == 0 ? adviser.without_cycle()
                              : adviser.advise(probed, setup.time.grid.start(), options.step_count);
  for (std::size_t k = 0; k < all.size(); ++k)
    (k < cycles     ? result.models
     : k < separate ? result.alone
                    : result.whole)
        .push_back({std::move(all[k]), with_outside[k]});
  return result;
}

}  // namespace

Advice advise(const System& system, const AdviseOptions& given, const Log& log) {
  if (!system.tlm.empty() || !system.delays.empty())
    throw Error(
        ErrorCode::capability,
        "there is no advice for systems with [[tlm]] or [[delays]]: lines couple their components, "
        "not methods",
        {.hint = "`tutti check` shows the lines and the input methods of their ports, and a "
                 "run reports lines whose coupling is unstable."});
  AdviseOptions options = given;
  options.own_process &= system::find_object(system) == nullptr;
  if (!options.own_process) return session::advise_with_models(system, options, log).advice;
  const system::PackagePaths paths(system);
  return paths.during([&] {
    const Log shown = paths.shown(log.once());
    session::WorkerCaller caller(options.worker.host(), options, shown);
    const session::Opening opening =
        session::opening_for(system, options, options.open, shown, caller);
    const std::string answer = caller.call(session::Request::advise,
                                           Packer()(opening, options.points, options.step_count));
    return Unpacker(answer).take<Advice>();
  });
}

session::ModelledAdvice session::advise_with_models(const System& system,
                                                    const AdviseOptions& options, const Log& log,
                                                    bool also_alone) {
  const system::PackagePaths paths(system);
  return paths.during(
      [&] { return advise_here(system, options, paths.shown(log.once()), also_alone); });
}

}  // namespace tutti
