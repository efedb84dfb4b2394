// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <tutti/system_run.hpp>

#include "fmi/file_cache.hpp"
#include "master/coupling/coupling_method.hpp"
#include "master/stepping/controllers.hpp"
#include "models/component_kinds.hpp"
#include "models/me_model.hpp"
#include "session/automatic.hpp"
#include "session/external_signals.hpp"
#include "session/join_clusters.hpp"
#include "session/planned_actions.hpp"
#include "session/port_results.hpp"
#include "session/port_setup.hpp"
#include "session/prepared_system.hpp"
#include "session/recorded.hpp"
#include "session/run_choices.hpp"
#include "session/run_outline.hpp"
#include "session/supported.hpp"
#include "session/system_models.hpp"
#include "session/system_setup.hpp"
#include "system/cluster.hpp"
#include "system/make_plan.hpp"

namespace tutti::session {
namespace {

using Variables = std::vector<std::int32_t>;

/// The setup of one component before its FMU is loaded.
struct ComponentSetup : models::InstanceTask {  // all variables in the order of the description
  std::vector<models::Assignment> assignments;
  Variables recorded;
};

/// The input of a preparation.
struct Sources {
  System system;
  std::optional<AutomaticCoupling> chosen;  ///< method = "auto" chose the coupling
  KnownModels models;
  const System& used() const { return chosen ? chosen->system : system; }
};

/// A coupled system before its FMUs are loaded.
class Preparation final : public PreparedSystem {
 public:
  Preparation(Sources sources, const SystemRunOptions& options, const Log& log)
      : sources_(std::move(sources)),
        system_(sources_.used()),
        log_(log),
        has_curves_(system_.has_varying_inputs()),
        profile_(options.profile) {
    system::Problems problems;
    check_supported(system_, problems);
    models_ = read_models(system_, options.open, problems, log);
    problems.raise();
    if (system_.is_single_fmu) refuse_missing_interface(system_, description(0));
    plan_ = system::make_plan(system_, models_.descriptions, models_.structures, log,
                              models_.input_columns);
    system::check_rollback(system_, plan_, models_.descriptions, master::needs_rollback);
    check_abilities(system_, models_, plan_);
    note_idle_settings(system_, log);
    note_idle_solvers(system_, models_, log);
    components_.resize(system_.components.size());
    open_archives(options);
    choose_inputs_and_outputs();
    choose_recorded();
    find_who_goes_back();
    check_solvers(system_, models_);
    for (std::size_t c = 0; c < components_.size(); ++c) can_save_states_ &= used(c).can_save_state;
  }

  const System& system() const override { return system_; }
  const SystemModels& models() const override { return models_; }
  const system::Plan& plan() const override { return plan_; }
  fmi::Fmu* fmu(std::size_t c) const override { return components_[c].fmu.get(); }
  const models::StartValues& start_values(std::size_t c) const override {
    return components_[c].start;
  }
  void fetch(std::size_t c, std::int32_t variable) override {
    ComponentSetup& component = components_[c];
    const auto add_once = [variable](Variables& to) {
      const auto place = std::lower_bound(to.begin(), to.end(), variable);
      if (place == to.end() || *place != variable) to.insert(place, variable);
    };
    if (!std::binary_search(component.inputs.begin(), component.inputs.end(), variable) ||
        is_driven_inside(c, variable))
      add_once(component.outputs);
  }
  void assign(std::size_t c, const std::vector<models::Assignment>& more) override {
    std::vector<models::Assignment> assignments = components_[c].assignments;
    assignments.insert(assignments.end(), more.begin(), more.end());
    components_[c].start = models::StartValues(description(c), assignments);
    components_[c].assignments = std::move(assignments);
  }

  void start_with(std::size_t c, std::span<const models::Assignment> values) override {
    std::vector<models::Assignment> assignments = own_assignments(c);
    for (const models::Assignment& value : values) {
      const auto known = std::ranges::find(assignments, value.name, &models::Assignment::name);
      if (known == assignments.end())
        assignments.push_back(value);
      else
        known->value = value.value;
    }
    set_start(c, std::move(assignments));
  }

  RunSetup setup() override {
    RunSetup setup;
    setup.is_single_fmu = system_.is_single_fmu;
    if (system_.is_single_fmu) setup.time.tolerance = given_tolerance(0);
    resolve_time(system_, models_, setup, log_);
    setup.time.profile = profile_;
    step_ = setup.step;
    is_uniform_ = setup.time.grid.is_uniform();
    actions_ = plan_actions(system_, models_, plan_, setup.time.grid, log_);
    find_events(setup.time.grid);
    if (plan_.lines.empty()) {  // otherwise islands have their own steps
      const std::vector<double> substeps = find_substeps(system_, setup.step);
      for (std::size_t c = 0; c < components_.size(); ++c) components_[c].substep = substeps[c];
    }
    setup.needs.saves_states = saves_states();
    std::vector<Variables> inputs;
    for (const ComponentSetup& component : components_) inputs.push_back(component.inputs);
    note_components_without_curves(system_, models_, inputs, log_);
    note_components_without_rollback(system_, models_, log_);
    setup.outline = outline(setup);
    setup.ports = choose_ports(system_, plan_.lines, setup.time.grid, setup.outline.port_columns);
    if (system_.is_single_fmu && setup.outline.report.columns.empty())
      log_.info(system_.components.front().name,
                "the model has no outputs to record; choose variables with --variables");
    setup.make_islands = [this, grid = setup.time.grid](master::Monitor& monitor,
                                                        std::size_t threads,
                                                        const models::RunNeeds& needs) {
      return make_islands(grid, monitor, threads, needs);
    };
    setup.choose = [this](const master::Ensemble& running) {
      return recorded_places(system_, recorded_sets(), running);
    };
    return setup;
  }

 private:
  const ModelDescription& description(std::size_t c) const { return *models_.descriptions[c]; }
  std::vector<master::Coupling> safer() const {
    return sources_.chosen ? sources_.chosen->fallbacks : std::vector<master::Coupling>();
  }
  const Capabilities& used(std::size_t c) const {
    return system::interface_of(system_.components[c], description(c));
  }

  void open_archives(const SystemRunOptions& options) {
    system::Problems problems;
    std::vector<std::shared_ptr<fmi::Fmu>> fmus =
        open_fmus(system_, models_, options.open, problems, log_);
    problems.raise();
    for (std::size_t c = 0; c < components_.size(); ++c) {
      components_[c].fmu = std::move(fmus[c]);
      set_start(c, own_assignments(c));
    }
  }

  std::vector<models::Assignment> own_assignments(std::size_t c) const {
    std::vector<models::Assignment> assignments;
    for (const auto& [name, value] : system_.components[c].set)
      assignments.push_back({name, value});
    return assignments;
  }

  void set_start(std::size_t c, std::vector<models::Assignment> assignments) {
    add_port_values(system_, models_, plan_.lines, c, assignments);
    components_[c].start = models::StartValues(description(c), assignments);
    components_[c].assignments = std::move(assignments);
  }

  void choose_inputs_and_outputs() {
    VariableSets inputs(components_.size()), outputs(components_.size());
    for (const system::Link& link : plan_.links) {
      outputs[link.from.component].insert(link.from.variable);
      inputs[link.to.component].insert(link.to.variable);
    }
    for (const system::ExternalInput& external : plan_.external)
      inputs[external.to.component].insert(external.to.variable);
    add_port_variables(models_, plan_.lines, inputs, outputs);
    for (std::size_t c = 0; c < components_.size(); ++c) {
      components_[c].inputs.assign(inputs[c].begin(), inputs[c].end());
      components_[c].outputs.assign(outputs[c].begin(), outputs[c].end());
    }
  }

  /// Recorded variables that are no driven inputs are read with the outputs.
  /// Some of its elements are driven by members of a cluster, and perhaps others from outside.
  bool is_driven_inside(std::size_t c, std::int32_t variable) const {
    const auto& cluster = system_.components[c].cluster;
    return cluster != nullptr &&
           std::ranges::any_of(cluster->plan.links, [&](const system::Link& link) {
             return cluster->whole(link.to.component, link.to.variable) == variable;
           });
  }

  void choose_recorded() {
    auto recorded = recorded_variables(system_, models_, plan_);
    for (std::size_t c = 0; c < components_.size(); ++c) {
      ComponentSetup& component = components_[c];
      component.recorded = std::move(recorded[c]);
      for (const std::int32_t index : component.recorded)
        if (!std::binary_search(component.inputs.begin(), component.inputs.end(), index) ||
            is_driven_inside(c, index))
          component.outputs.push_back(index);
      std::sort(component.outputs.begin(), component.outputs.end());
      component.outputs.erase(std::unique(component.outputs.begin(), component.outputs.end()),
                              component.outputs.end());
    }
  }

  void find_who_goes_back() {
    for (const system::Stage& stage : plan_.stages) {
      if (!stage.is_cycle) continue;
      const auto& methods = methods_of(system_, stage);
      if (std::any_of(methods.begin(), methods.end(), master::needs_rollback))
        for (const std::uint32_t c : stage.components) components_[c].goes_back = true;
    }
  }

  /// The components whose inputs from outside jump during the run.
  std::vector<bool> find_jumps(const TimeGrid& grid) {
    std::vector<bool> jumps(components_.size());
    externals_ = make_external_signals(system_, plan_, models_, grid);
    for (const master::ExternalSignals& external : externals_)
      if (external.table->next_jump(grid.start()) <= grid.stop()) jumps[external.component] = true;
    return jumps;
  }

  /// The components in which actions set values.
  std::vector<bool> find_set_components() const {
    std::vector<bool> set(components_.size());
    for (const master::Action& action : actions_)
      for (const master::Change& change : action.changes) set[change.component] = true;
    return set;
  }

  /// FMI 3.0, 4.2: discrete inputs, inputs that jump and events of the FMU go through event mode.
  /// It is used only where it is needed.
  void find_events(const TimeGrid& grid) {
    const std::vector<bool> jumps = find_jumps(grid), is_set = find_set_components();
    const auto is_discrete = [&](std::size_t c, std::int32_t index) {
      const Variable& v = description(c).variables[static_cast<std::size_t>(index)];
      return v.causality == Causality::input && v.variability != Variability::continuous;
    };
    // Adaptive steps can end at every event.
    const bool controlled = master::step_control_of(system_.simulation.control).chooses_steps;
    bool all_go_back = true, all_vary = true;
    for (std::size_t c = 0; c < components_.size(); ++c) {
      all_go_back &= used(c).can_save_state;
      all_vary &= system::can_vary_step(system_.components[c], description(c));
    }
    for (std::size_t c = 0; c < components_.size(); ++c) {
      ComponentSetup& component = components_[c];
      const Component& given = system_.components[c];
      refuse_missing_events(given, used(c));
      if (jumps[c] && !system::can_vary_step(given, description(c)))
        log_.warning(given.name,
                     "inputs jump, but the FMU cannot vary its step: jumps between communication "
                     "points take effect at the next one");
      if (!used(c).has_event_mode || is_model_exchange(c)) continue;
      const bool needs_it = controlled || jumps[c] || is_set[c] ||
                            system_.simulation.inputs.correct == Correction::consistent ||
                            (!system_.is_single_fmu &&
                             std::any_of(component.inputs.begin(), component.inputs.end(),
                                         [&](std::int32_t i) { return is_discrete(c, i); }));
      component.event_mode = given.event_mode == EventMode::on ||
                             (given.event_mode == EventMode::automatic && needs_it);
      component.early_return =
          given.early_return || (!system_.is_single_fmu && component.event_mode &&
                                 used(c).might_return_early && all_go_back && all_vary);
    }
  }

  /// Its steps may be repeated: a correction may probe, too.
  bool may_go_back(std::size_t c, bool saves_states) const {
    return components_[c].goes_back || saves_states ||
           master::may_roll_back(system_.simulation.control, can_save_states_) ||
           !safer().empty() || system_.simulation.inputs.correct != Correction::none;
  }

  bool saves_states() const {
    if (master::is_free(system_.simulation.control)) return false;  // its controller does
    switch (system_.simulation.save_states) {
      case SaveStates::always:
        return true;
      case SaveStates::never:
        return false;
      default:
        return !system_.is_single_fmu &&
               std::any_of(components_.begin(), components_.end(),
                           [](const ComponentSetup& c) { return c.early_return; });
    }
  }

  RunOutline outline(const RunSetup& setup) const {
    RunOutline outline;
    for (const auto& island : plan_.lines.islands)
      for (const std::uint32_t c : island)
        outline.members.push_back({system_.components[c].name, needs_tool(description(c)),
                                   system_.components[c].timeout});
    const std::size_t parts = plan_.lines.empty() ? components_.size() : plan_.lines.islands.size();
    outline.threads =
        std::min({std::size_t{system_.simulation.threads}, parts, master::Monitor::most_threads});
    outline.report.columns = recorded_columns(system_, recorded_sets());
    check_groups(system_, outline.report.columns);
    outline.report.end.time = setup.time.grid.start();
    outline.report.end.started = false;
    RunStatistics& statistics = outline.report.statistics;
    statistics.model = system_.is_single_fmu ? description(0).model_name : system_.name;
    if (system_.is_single_fmu) {
      statistics.version = description(0).version;
      statistics.model_exchange = is_model_exchange(0);
    }
    if (sources_.chosen) statistics.automatic = sources_.chosen->text;
    statistics.control = system_.simulation.control.name;
    statistics.couplings =
        couplings_of(system_, models_, plan_,
                     sources_.chosen ? std::span<const CycleCoupling>(sources_.chosen->choices)
                                     : std::span<const CycleCoupling>());
    statistics.open_inputs = inputs_without_value(system_, models_, plan_);
    statistics.component_count = components_.size();
    for (const Component& component : system_.components)
      if (component.cluster != nullptr) statistics.component_count += component.cluster->size() - 1;
    statistics.tolerance = setup.time.tolerance;
    statistics.controlled = master::step_control_of(setup.time.control).chooses_steps;
    statistics.start = setup.time.grid.start();
    statistics.stop = setup.time.grid.stop();
    statistics.step = setup.time.grid.is_uniform() ? setup.step : 0;
    statistics.initial_evaluations =
        system::evaluation_count(plan_.evaluations, plan_.variables, plan_.dependencies);
    return outline;
  }

  std::vector<RecordedSet> recorded_sets() const {
    std::vector<RecordedSet> sets;
    for (std::size_t c = 0; c < components_.size(); ++c)
      sets.push_back({{description(c), components_[c].recorded, components_[c].start.structure()},
                      &description(c)});
    return sets;
  }

  /// Called where the system runs, perhaps in another process.
  master::MadeIslands make_islands(const TimeGrid& grid, master::Monitor& monitor,
                                   std::size_t threads, const models::RunNeeds& needs) {
    // Instances that fail to start leave a part of them: the next run makes all of them.
    struct Cleared {
      std::vector<master::ExternalSignals>& signals;
      ~Cleared() { signals.clear(); }
    };
    const Cleared cleared{externals_};
    master::MadeIslands made;
    made.threads = threads;
    made.actions = actions_;
    monitor.note_only_thread(0, 0);
    const system::LinePlan& lines = plan_.lines;
    made.components = lines.islands;
    if (!lines.empty()) {
      std::vector<bool> exchanges;
      for (std::size_t c = 0; c < components_.size(); ++c)
        exchanges.push_back(is_model_exchange(c));
      make_network(system_, lines, step_, std::move(exchanges), log_, made);
    }
    if (externals_.empty())  // they are missing if a run has already taken them
      externals_ = make_external_signals(system_, plan_, models_, grid);
    std::uint32_t called = 0;
    for (std::size_t i = 0; i < made.components.size(); ++i) {
      master::CoupledParts parts;
      for (const std::uint32_t c : made.components[i]) {
        monitor.called.front() = called++;
        models::InstanceTask task = task_of(c, needs);
        if (made.network) {
          task.boundary = made.network->ports(c);
          task.step = made.steps[i];
          task.curves |= task.boundary != nullptr;
        }
        parts.may_stop_early.push_back(components_[c].early_return);
        parts.descriptions.push_back(models_.descriptions[c]);
        parts.instances.push_back(models::make_instance(task));
        parts.ports.push_back(made.network ? made.network->ports(c) : nullptr);
      }
      // The parts are moved below, so objects that depend on them are made first.
      const system::Plan own =
          made.network ? part_of(plan_, made.components[i], parts.descriptions) : system::Plan{};
      made.islands.push_back(
          made.network
              ? make_island(own, made.components[i], std::move(parts), monitor,
                            master::tlm::thread_of(i, made.components.size(), threads), 1, needs)
              : make_island(plan_, made.components[i], std::move(parts), monitor, 0, threads,
                            needs));
      if (!made.network) break;
      for (std::size_t k = 0; k < made.components[i].size(); ++k)
        if (master::tlm::ComponentPorts* const ports = made.network->ports(made.components[i][k]))
          ports->bind(made.islands.back()->instance(k));
    }
    return made;
  }

  std::unique_ptr<master::Island> make_island(const system::Plan& plan,
                                              std::span<const std::uint32_t> components,
                                              master::CoupledParts parts, master::Monitor& monitor,
                                              std::size_t thread, std::size_t threads,
                                              const models::RunNeeds& needs) {
    parts.saves_states = needs.saves_states;
    parts.constant_start = needs.constant_start;
    parts.can_save_states = can_save_states_;
    parts.profile = profile_;
    parts.thread = thread;
    parts.plan = plan;
    parts.settings = system_.simulation;
    parts.cycles = system_.cycles;
    if (std::none_of(parts.ports.begin(), parts.ports.end(), [](auto* p) { return p != nullptr; }))
      parts.ports.clear();
    for (const Connection& connection : system_.connections)
      parts.inputs.push_back(connection.inputs.over(system_.simulation.inputs));
    parts.fallbacks = safer();
    if (needs.coupling > 0) master::take_coupling(parts, needs.coupling);
    if (sources_.chosen) {
      parts.is_automatic = true;
      parts.rates = sources_.chosen->rates;
      parts.are_static = sources_.chosen->are_static;
    }
    parts.models = sources_.models.coupling;
    parts.error_models = sources_.models.errors;
    take_externals(components, parts.externals);
    return std::make_unique<master::Island>(std::move(parts), monitor, threads, log_);
  }

  /// The signals from outside that lead to these components, which are renumbered.
  void take_externals(std::span<const std::uint32_t> components,
                      std::vector<master::ExternalSignals>& taken) {
    for (master::ExternalSignals& external : externals_) {
      const auto found = std::lower_bound(components.begin(), components.end(), external.component);
      if (found == components.end() || *found != external.component || !external.table) continue;
      taken.push_back(std::move(external));
      taken.back().component = static_cast<std::uint32_t>(found - components.begin());
    }
    for (std::size_t k = 0; k < components.size(); ++k)
      if (follows_tables(components[k])) follow_table(taken, k);
  }

  bool is_model_exchange(std::size_t c) const {
    return system::is_model_exchange(system_.components[c], description(c));
  }

  /// Its integrator steps beyond communication points, along inputs that are known in advance.
  bool follows_tables(std::size_t c) const {
    const auto leads_here = [&](const auto& link) { return link.to.component == c; };
    const auto is_here = [&](const system::PlannedPort& port) { return port.component == c; };
    return system_.inputs.exact && is_model_exchange(c) &&
           std::none_of(plan_.links.begin(), plan_.links.end(), leads_here) &&
           std::none_of(plan_.lines.delays.begin(), plan_.lines.delays.end(), leads_here) &&
           std::none_of(plan_.lines.ports.begin(), plan_.lines.ports.end(), is_here);
  }

  /// Of a lone FMU, also its own default.
  std::optional<double> given_tolerance(std::size_t c) const {
    const Component& component = system_.components[c];
    const std::optional<double> tolerance = system_.is_single_fmu && !component.tolerance
                                                ? description(c).default_experiment.tolerance
                                                : component.tolerance;
    if (tolerance && !(*tolerance > 0))
      throw Error(ErrorCode::usage, fmt::format("the tolerance {} is not positive", *tolerance));
    if (!system_.is_single_fmu || !is_model_exchange(c)) return tolerance;
    // FMI 2.0, 2.1.6: with a tolerance the FMU knows that the integration around it is
    // error-controlled.
    const bool is_controlled = !solvers::find_ode_integrator(component.solver.name)->fixed_step;
    return is_controlled ? tolerance.value_or(models::MeModel::Options{}.rtol) : tolerance;
  }

  /// The relative tolerance of error-controlled steps.
  std::optional<double> controlled_error() const {
    const ControlSettings& control = system_.simulation.control;
    const bool tests = master::step_control_of(control).tests_errors;
    return tests && control.rtol > 0 ? std::optional(control.rtol) : std::nullopt;
  }

  models::InstanceTask task_of(std::size_t c, const models::RunNeeds& needs) const {
    models::InstanceTask task = components_[c];
    task.component = &system_.components[c];
    task.description = &description(c);
    task.table = models_.component_tables[c];
    task.log = &log_;
    task.tolerance = given_tolerance(c);
    task.controlled_error = controlled_error();
    task.goes_back = may_go_back(c, needs.saves_states);
    task.curves = has_curves_ || !safer().empty();
    task.follows_tables = follows_tables(c);
    task.may_save_states = system_.simulation.save_states != SaveStates::never;
    task.is_single_fmu = system_.is_single_fmu;
    task.step = step_;
    task.is_uniform = is_uniform_;
    task.needs = needs.of(description(c));
    return task;
  }

  Sources sources_;
  const System& system_;
  const Log& log_;
  SystemModels models_;
  system::Plan plan_;
  std::vector<ComponentSetup> components_;
  std::vector<master::Action> actions_;
  std::vector<master::ExternalSignals> externals_;  ///< of the next run, if they already exist
  bool can_save_states_ = true;
  bool has_curves_ = false;  ///< cached, because it depends on every connection
  bool profile_ = false;
  double step_ = 0;  ///< of the system
  bool is_uniform_ = true;
};

}  // namespace

std::unique_ptr<PreparedSystem> prepare_system(const System& system,
                                               const SystemRunOptions& options, const Log& log) {
  return std::make_unique<Preparation>(Sources{join_clusters(system, options.open, log), {}, {}},
                                       options, log);
}

namespace {

/// Linear models belong to the system as a whole, which lines split into islands.
void refuse_models_with_lines(const System& system) {
  if (system.tlm.empty() && system.delays.empty()) return;
  if (!is_automatic(system) && !needs_models(system)) return;
  throw Error(
      ErrorCode::capability,
      fmt::format("%key% = \"{}\" is not available in systems with [[tlm]] or [[delays]]",
                  system.simulation.methods.front()),
      {.key = "simulation.method",
       .hint = "Use \"gauss-seidel\", \"jacobi\", \"iterated\" or \"newton\" within islands."});
}

}  // namespace

std::unique_ptr<PreparedSystem> prepare_run(System system, SystemRunOptions options,
                                            const Log& log) {
  options.open = fmi::with_cache(options.open);  // several phases read the same files
  Sources sources{join_clusters(std::move(system), options.open, log), {}, {}};
  refuse_models_with_lines(sources.system);
  if (is_automatic(sources.system)) {
    sources.chosen = choose_coupling(sources.system, options, log);
    sources.models = sources.chosen->models;
  } else if (needs_models(sources.system)) {
    sources.models = find_component_models(sources.system, options);
  }
  return std::make_unique<Preparation>(std::move(sources), options, log);
}

}  // namespace tutti::session
