// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tutti/system_run.hpp>

#include "api/automatic.hpp"
#include "api/execute.hpp"
#include "api/external_signals.hpp"
#include "api/prepared_system.hpp"
#include "api/run_time.hpp"
#include "api/supported.hpp"
#include "api/system_fmus.hpp"
#include "api/system_models.hpp"
#include "api/system_setup.hpp"
#include "api/verify.hpp"
#include "base/infinity.hpp"
#include "base/text.hpp"
#include "fmi/file_cache.hpp"
#include "master/coupling/coupling_method.hpp"
#include "models/cs_model.hpp"
#include "models/me_model.hpp"
#include "system/make_plan.hpp"
#include "system/package_paths.hpp"

namespace tutti {
namespace {

using Variables = std::vector<std::int32_t>;

/// What is decided of one component before its FMU is loaded.
struct ComponentSetup {
  std::shared_ptr<fmi::Fmu> fmu;
  std::vector<models::Assignment> assignments;
  models::StartValues start;
  Variables inputs, outputs;  ///< in the order of the description, once each
  Variables recorded;         ///< in the order of the description
  bool goes_back = false;
  double substep = 0;  ///< of a component that takes shorter steps than the system; 0: it does not
  bool event_mode = false, early_return = false;  ///< FMI 3.0
};

/// A coupled system before its FMUs are loaded.
class Preparation final : public api::PreparedSystem {
 public:
  Preparation(const System& system, const SystemRunOptions& options, const Log& log,
              const api::AutomaticCoupling* automatic = nullptr, api::KnownModels known_models = {})
      : system_(system),
        log_(log),
        safer_(automatic != nullptr ? automatic->safer : std::vector<master::Coupling>()),
        rates_(automatic != nullptr ? automatic->rates : std::vector<double>()),
        known_models_(std::move(known_models)),
        is_automatic_(automatic != nullptr),
        has_curves_(system.has_input_curves()),
        profile_(options.profile) {
    system::Problems problems;
    api::check_supported(system, problems);
    models_ = api::read_models(system, options.open, problems, log);
    problems.raise();
    if (system.is_lone) refuse_missing_interface();
    plan_ = system::make_plan(system, models_.descriptions, models_.structures, log,
                              models_.input_columns);
    system::check_rollback(system, plan_, models_.descriptions, master::needs_rollback);
    api::check_abilities(system, models_, plan_);
    api::note_idle_settings(system, log);
    api::note_idle_solvers(system, models_, log);
    components_.resize(system.components.size());
    open_fmus(options);
    choose_inputs_and_outputs();
    choose_recorded();
    find_who_goes_back();
    check_solvers();
    for (std::size_t c = 0; c < components_.size(); ++c) can_save_states_ &= used(c).can_save_state;
  }

  const System& system() const override { return system_; }
  const api::SystemModels& models() const override { return models_; }
  const system::Plan& plan() const override { return plan_; }
  fmi::Fmu& fmu(std::size_t c) const override { return *components_[c].fmu; }
  const models::StartValues& start_values(std::size_t c) const override {
    return components_[c].start;
  }
  void fetch(std::size_t c, std::int32_t variable) override {
    ComponentSetup& component = components_[c];
    const auto add_once = [variable](Variables& to) {
      const auto place = std::lower_bound(to.begin(), to.end(), variable);
      if (place == to.end() || *place != variable) to.insert(place, variable);
    };
    if (!std::binary_search(component.inputs.begin(), component.inputs.end(), variable))
      add_once(component.outputs);
  }
  void assign(std::size_t c, const std::vector<models::Assignment>& more) override {
    std::vector<models::Assignment> assignments = components_[c].assignments;
    assignments.insert(assignments.end(), more.begin(), more.end());
    components_[c].start = models::StartValues(description(c), assignments);
    components_[c].assignments = std::move(assignments);
  }

  api::RunSetup setup() override {
    api::RunSetup setup;
    setup.model = system_.is_lone ? description(0).model_name : system_.name;
    setup.is_lone = system_.is_lone;
    if (system_.is_lone) {
      setup.version = description(0).version;
      setup.model_exchange = is_model_exchange(0);
      setup.time.tolerance = given_tolerance(0);
    }
    setup.initial_evaluations =
        system::evaluation_count(plan_.evaluations, plan_.variables, plan_.dependencies);
    for (std::size_t c = 0; c < components_.size(); ++c)
      setup.members.push_back({system_.components[c].name, api::needs_tool(description(c)),
                               system_.components[c].timeout});
    api::resolve_time(system_, models_, setup, log_);
    setup.time.profile = profile_;
    step_ = setup.step;
    is_uniform_ = setup.time.grid.is_uniform();
    find_events(setup.time.grid);
    const std::vector<double> substeps = api::find_substeps(system_, setup.step);
    for (std::size_t c = 0; c < components_.size(); ++c) components_[c].substep = substeps[c];
    setup.threads = std::min({std::size_t{system_.simulation.threads}, components_.size(),
                              master::Monitor::most_threads});
    setup.needs.saves_states = saves_states();
    std::vector<Variables> inputs;
    for (const ComponentSetup& component : components_) inputs.push_back(component.inputs);
    api::note_who_takes_values_only(system_, models_, inputs, log_);
    api::note_who_cannot_go_back(system_, models_, log_);
    for (std::size_t c = 0; c < components_.size(); ++c)
      for (Column& column : results::columns_of(recorded_set(c), description(c))) {
        column.name = system_.qualified(c, column.name);
        setup.columns.push_back(std::move(column));
      }
    if (system_.results.steps)
      for (const Variable& variable : master::Island::step_info_description().variables)
        setup.columns.push_back({variable.name, Type::float64, "", true});
    if (system_.is_lone && setup.columns.empty())
      log_.info(system_.components.front().name,
                "the model has no outputs to record; choose variables with --variables");
    setup.make_island = [this, grid = setup.time.grid](master::Monitor& monitor,
                                                       std::size_t threads,
                                                       const models::RunNeeds& needs) {
      return make_island(grid, monitor, threads, needs);
    };
    setup.choose = [this](const master::Island& island) { return choose(island); };
    return setup;
  }

 private:
  const ModelDescription& description(std::size_t c) const { return *models_.descriptions[c]; }
  const Capabilities& used(std::size_t c) const {
    return system::interface_of(system_.components[c], description(c));
  }

  /// Of a lone FMU, in the words of its options.
  void refuse_missing_interface() const {
    const ModelDescription& fmu = description(0);
    const FmuKind kind = system_.components.front().as;
    if (kind == FmuKind::model_exchange && !fmu.model_exchange)
      throw Error(ErrorCode::capability,
                  "the FMU has no model-exchange interface; leave %key% me out", {.key = "type"});
    if (kind == FmuKind::co_simulation && !fmu.co_simulation)
      throw Error(ErrorCode::capability,
                  fmt::format("model \"{}\" has no co-simulation interface{}", fmu.model_name,
                              fmu.model_exchange ? "; try %key% me" : ""),
                  {.key = "type"});
    if (!fmu.co_simulation && !fmu.model_exchange)
      throw Error(
          ErrorCode::capability,
          fmt::format("model \"{}\" has neither co-simulation nor model exchange{}", fmu.model_name,
                      fmu.scheduled_execution
                          ? ", only scheduled execution, which cannot be simulated yet"
                          : ""));
  }

  void open_fmus(const SystemRunOptions& options) {
    system::Problems problems;
    std::vector<std::shared_ptr<fmi::Fmu>> fmus =
        api::open_fmus(system_, models_, options.open, problems, log_);
    problems.raise();
    for (std::size_t c = 0; c < components_.size(); ++c) {
      const Component& component = system_.components[c];
      components_[c].fmu = std::move(fmus[c]);
      for (const auto& [name, value] : component.set)
        components_[c].assignments.push_back({name, value});
      components_[c].start = models::StartValues(description(c), components_[c].assignments);
    }
  }

  void choose_inputs_and_outputs() {
    std::vector<std::set<std::int32_t>> inputs(components_.size()), outputs(components_.size());
    for (const system::Link& link : plan_.links) {
      outputs[link.from.component].insert(link.from.variable);
      inputs[link.to.component].insert(link.to.variable);
    }
    for (const system::ExternalInput& external : plan_.external)
      inputs[external.to.component].insert(external.to.variable);
    for (std::size_t c = 0; c < components_.size(); ++c) {
      components_[c].inputs.assign(inputs[c].begin(), inputs[c].end());
      components_[c].outputs.assign(outputs[c].begin(), outputs[c].end());
    }
  }

  /// What is recorded and is no driven input is read with the outputs.
  void choose_recorded() {
    auto recorded = api::recorded_variables(system_, models_, plan_);
    for (std::size_t c = 0; c < components_.size(); ++c) {
      ComponentSetup& component = components_[c];
      component.recorded = std::move(recorded[c]);
      for (const std::int32_t index : component.recorded)
        if (!std::binary_search(component.inputs.begin(), component.inputs.end(), index))
          component.outputs.push_back(index);
      std::sort(component.outputs.begin(), component.outputs.end());
      component.outputs.erase(std::unique(component.outputs.begin(), component.outputs.end()),
                              component.outputs.end());
    }
  }

  void find_who_goes_back() {
    for (const system::Stage& stage : plan_.stages) {
      if (!stage.is_cycle) continue;
      const auto& own = stage.settings >= 0
                            ? system_.cycles[static_cast<std::size_t>(stage.settings)].methods
                            : system_.simulation.methods;
      const auto& methods = own.empty() ? system_.simulation.methods : own;
      if (std::any_of(methods.begin(), methods.end(), master::needs_rollback))
        for (const std::uint32_t c : stage.components) components_[c].goes_back = true;
    }
  }

  void check_solvers() const {
    for (std::size_t c = 0; c < components_.size(); ++c) {
      const SolverSettings& solver = system_.components[c].solver;
      if (!is_model_exchange(c)) continue;
      if (solvers::find_ode_integrator(solver.name) == nullptr) {
        std::vector<std::string_view> names;
        for (const solvers::OdeEntry& entry : solvers::ode_integrators())
          names.push_back(entry.name);
        throw Error(ErrorCode::usage,
                    fmt::format("there is no solver \"{}\"; there are {}.", solver.name,
                                fmt::join(names, ", ")),
                    {.component = system_.components[c].name,
                     .key = "solver",
                     .hint = did_you_mean(solver.name, names)});
      }
      if (!(solver.atol.value_or(1) > 0) || !(solver.max_step.value_or(1) > 0))
        throw Error(ErrorCode::usage, "absolute tolerance and largest step must be positive");
    }
  }

  /// The components whose inputs from outside jump while time runs.
  std::vector<bool> find_jumps(const TimeGrid& grid) {
    std::vector<bool> jumps(components_.size());
    externals_ = api::make_external_signals(system_, plan_, models_, grid);
    for (const master::ExternalSignals& external : externals_)
      if (external.table->next_jump(grid.start()) <= grid.stop()) jumps[external.component] = true;
    return jumps;
  }

  /// FMI 3.0, 4.2: discrete inputs, inputs that jump and events of the FMU go through event mode.
  /// Where it is not needed, it is not asked for.
  void find_events(const TimeGrid& grid) {
    const std::vector<bool> jumps = find_jumps(grid);
    const auto is_discrete = [&](std::size_t c, std::int32_t index) {
      const Variable& v = description(c).variables[static_cast<std::size_t>(index)];
      return v.causality == Causality::input && v.variability != Variability::continuous;
    };
    // Steps that are chosen on the way can end at every event.
    const bool controlled = system_.simulation.control.name != StepControl::fixed;
    bool all_go_back = true, all_vary = true;
    for (std::size_t c = 0; c < components_.size(); ++c) {
      all_go_back &= used(c).can_save_state;
      all_vary &= system::can_vary_step(system_.components[c], description(c));
    }
    for (std::size_t c = 0; c < components_.size(); ++c) {
      ComponentSetup& component = components_[c];
      const Component& given = system_.components[c];
      refuse_missing_events(c);
      if (jumps[c] && !system::can_vary_step(given, description(c)))
        log_.warning(given.name,
                     "inputs jump, but the FMU cannot vary its step: jumps between communication "
                     "points take effect at the next one");
      if (!used(c).has_event_mode || is_model_exchange(c)) continue;
      const bool needs_it =
          controlled || jumps[c] || system_.simulation.inputs.correct == Correction::consistent ||
          (!system_.is_lone && std::any_of(component.inputs.begin(), component.inputs.end(),
                                           [&](std::int32_t i) { return is_discrete(c, i); }));
      component.event_mode = given.event_mode == EventMode::on ||
                             (given.event_mode == EventMode::automatic && needs_it);
      component.early_return =
          given.early_return || (!system_.is_lone && component.event_mode &&
                                 used(c).might_return_early && all_go_back && all_vary);
    }
  }

  void refuse_missing_events(std::size_t c) const {
    const Component& given = system_.components[c];
    if (given.event_mode == EventMode::on && !used(c).has_event_mode)
      throw Error(ErrorCode::capability, "the FMU has no event mode (hasEventMode, FMI 3.0)",
                  {.component = given.name, .key = "event-mode"});
    if (given.early_return && !used(c).might_return_early)
      throw Error(ErrorCode::capability,
                  "the FMU never returns early from a step (mightReturnEarlyFromDoStep, FMI 3.0)",
                  {.component = given.name, .key = "early-return"});
  }

  /// Only the predictor does without.
  bool takes_steps_back() const {
    const ControlSettings& control = system_.simulation.control;
    return control.is_free() && (control.name != StepControl::predictor || can_save_states_);
  }

  /// Its steps may be repeated: a correction may probe, too.
  bool may_go_back(std::size_t c, bool saves_states) const {
    return components_[c].goes_back || saves_states || takes_steps_back() || !safer_.empty() ||
           system_.simulation.inputs.correct != Correction::none;
  }

  bool saves_states() const {
    if (system_.simulation.control.is_free()) return false;  // its controller does
    switch (system_.simulation.save_states) {
      case SaveStates::always:
        return true;
      case SaveStates::never:
        return false;
      default:
        return !system_.is_lone &&
               std::any_of(components_.begin(), components_.end(),
                           [](const ComponentSetup& c) { return c.early_return; });
    }
  }

  models::ValueSet recorded_set(std::size_t c) const {
    return {description(c), components_[c].recorded, components_[c].start.structure()};
  }

  /// Runs where the system runs, perhaps in the child process.
  std::unique_ptr<master::Island> make_island(const TimeGrid& grid, master::Monitor& monitor,
                                              std::size_t threads, const models::RunNeeds& needs) {
    master::CoupledParts parts;
    parts.saves_states = needs.saves_states;
    parts.constant_start = needs.constant_start;
    parts.can_save_states = can_save_states_;
    parts.profile = profile_;
    for (std::size_t c = 0; c < components_.size(); ++c) {
      monitor.called.front() = static_cast<std::uint32_t>(c);
      parts.may_stop_early.push_back(components_[c].early_return);
      parts.instances.push_back(is_model_exchange(c) ? make_me_model(c, needs.saves_states)
                                                     : make_cs_model(c, needs));
    }
    parts.descriptions = models_.descriptions;
    parts.plan = plan_;
    parts.settings = system_.simulation;
    parts.cycles = system_.cycles;
    for (const Connection& connection : system_.connections)
      parts.inputs.push_back(connection.inputs.over(system_.simulation.inputs));
    parts.safer = safer_;
    if (needs.coupling > 0) master::take_coupling(parts, needs.coupling);
    parts.is_automatic = is_automatic_;
    parts.rates = rates_;
    parts.models = known_models_.coupling;
    parts.error_models = known_models_.errors;
    parts.externals = std::move(externals_);
    externals_.clear();
    if (parts.externals.empty())  // or they are those of another run
      parts.externals = api::make_external_signals(system_, plan_, models_, grid);
    for (std::size_t c = 0; c < components_.size(); ++c)
      if (follows_tables(c)) api::follow_table(parts.externals, c);
    return std::make_unique<master::Island>(std::move(parts), monitor, threads, log_);
  }

  bool is_model_exchange(std::size_t c) const {
    return system::is_model_exchange(system_.components[c], description(c));
  }

  /// Its integrator goes beyond communication points, along inputs that are known beforehand.
  bool follows_tables(std::size_t c) const {
    return system_.inputs.exact && is_model_exchange(c) &&
           std::none_of(plan_.links.begin(), plan_.links.end(),
                        [&](const system::Link& link) { return link.to.component == c; });
  }

  /// Of a lone FMU, also its own default.
  std::optional<double> given_tolerance(std::size_t c) const {
    const Component& component = system_.components[c];
    const std::optional<double> tolerance = system_.is_lone && !component.tolerance
                                                ? description(c).default_experiment.tolerance
                                                : component.tolerance;
    if (tolerance && !(*tolerance > 0))
      throw Error(ErrorCode::usage, fmt::format("the tolerance {} is not positive", *tolerance));
    if (!system_.is_lone || !is_model_exchange(c)) return tolerance;
    // FMI 2.0, 2.1.6: the tolerance tells the FMU that the integration around it is controlled.
    const bool is_controlled = !solvers::find_ode_integrator(component.solver.name)->fixed_step;
    return is_controlled ? tolerance.value_or(models::MeModel::Options{}.rtol) : tolerance;
  }

  /// The relative error of steps that are controlled by it.
  std::optional<double> controlled_error() const {
    const ControlSettings& control = system_.simulation.control;
    const bool tests =
        control.name == StepControl::richardson || control.name == StepControl::predictor;
    return tests && control.rtol > 0 ? std::optional(control.rtol) : std::nullopt;
  }
  /// What a component computes is to be more exact than what the control of steps looks at.
  std::optional<double> tolerance_of(std::size_t c) const {
    constexpr double part = 0.1;
    const std::optional<double> own = given_tolerance(c);
    const std::optional<double> controlled = controlled_error();
    if (own || !controlled) return own;
    return std::min(part * *controlled,
                    description(c).default_experiment.tolerance.value_or(infinity));
  }

  std::unique_ptr<models::Instance> make_cs_model(std::size_t c,
                                                  const models::RunNeeds& needs) const {
    const ComponentSetup& component = components_[c];
    models::CsModel::Options options;
    options.fmu.name = system_.components[c].name;
    options.fmu.logging = system_.components[c].log;
    options.start = component.start;
    options.inputs = component.inputs;
    options.outputs = component.outputs;
    options.tolerance = tolerance_of(c);
    options.needs = needs.of(description(c));
    options.may_save_states = system_.simulation.save_states != SaveStates::never;
    options.goes_back = may_go_back(c, needs.saves_states);
    options.curves = has_curves_ || !safer_.empty();
    options.substep = component.substep;
    options.log = log_;
    options.fmu.event_mode = component.event_mode;
    options.fmu.early_return = component.early_return;
    return std::make_unique<models::CsModel>(*component.fmu, std::move(options));
  }

  std::unique_ptr<models::Instance> make_me_model(std::size_t c, bool saves_states) const {
    const Component& component = system_.components[c];
    models::MeModel::Options options;
    options.fmu.name = component.name;
    options.fmu.logging = component.log;
    options.start = components_[c].start;
    options.inputs = components_[c].inputs;
    options.outputs = components_[c].outputs;
    options.coupled = !follows_tables(c);
    options.goes_back = may_go_back(c, saves_states);
    options.restarts_at_points = component.solver.at_points == AtPoints::restart;
    options.solver = solvers::find_ode_integrator(component.solver.name);
    options.rtol = component.solver.rtol.value_or(
        given_tolerance(c).value_or(std::min(options.rtol, controlled_error().value_or(1))));
    options.atol = component.solver.atol.value_or(0.01 * options.rtol);
    options.max_step =
        component.solver.max_step.value_or(component.step.value_or(is_uniform_ ? 0 : infinity));
    options.usual_step = step_;
    if (!system_.is_lone) options.tolerance = options.rtol;
    return std::make_unique<models::MeModel>(*components_[c].fmu, std::move(options), log_);
  }

  /// The columns of setup(), found again in the instances.
  std::vector<results::Recorder::Choice> choose(const master::Island& island) const {
    std::vector<results::Recorder::Choice> choices;
    for (std::size_t c = 0; c < components_.size(); ++c) {
      std::map<std::pair<std::int32_t, std::uint64_t>,
               std::pair<const models::ValueSet*, const models::Scalar*>>
          known;
      for (const models::ValueSet* set :
           {&island.instance(c).outputs(), &island.instance(c).inputs()})
        for (const models::Scalar& scalar : set->scalars())
          known[{scalar.variable, scalar.element}] = {set, &scalar};
      const models::ValueSet wanted = recorded_set(c);
      for (const models::Scalar& scalar : wanted.scalars()) {
        const auto [set, found] = known.at({scalar.variable, scalar.element});
        if (choices.empty() || choices.back().values != set) choices.push_back({set, {}});
        choices.back().scalars.push_back(found);
      }
    }
    if (system_.results.steps) choices.push_back(results::Recorder::all_of(island.step_info()));
    return choices;
  }

  const System& system_;
  const Log& log_;
  std::vector<master::Coupling> safer_;
  std::vector<double> rates_;
  api::KnownModels known_models_;
  bool is_automatic_ = false;
  api::SystemModels models_;
  system::Plan plan_;
  std::vector<ComponentSetup> components_;
  std::vector<master::ExternalSignals> externals_;  ///< of the next run, if they are made already
  bool can_save_states_ = true;
  bool has_curves_ = false;  ///< asking looks at every connection
  bool profile_ = false;
  double step_ = 0;  ///< of the system
  bool is_uniform_ = true;
};

/// A preparation with what it is made from.
class WholePreparation final : public api::PreparedSystem {
 public:
  WholePreparation(System system, SystemRunOptions options, const Log& log)
      : system_(std::move(system)) {
    options.open = fmi::with_cache(options.open);  // several phases look into the same files
    if (api::is_automatic(system_)) chosen_ = api::choose_coupling(system_, options, log);
    api::KnownModels known_models;
    if (chosen_)
      known_models = chosen_->models;
    else if (api::needs_models(system_))
      known_models = api::find_component_models(system_, options);
    preparation_.emplace(chosen_ ? chosen_->system : system_, options, log,
                         chosen_ ? &*chosen_ : nullptr, std::move(known_models));
  }
  const System& system() const override { return preparation_->system(); }
  const api::SystemModels& models() const override { return preparation_->models(); }
  const system::Plan& plan() const override { return preparation_->plan(); }
  fmi::Fmu& fmu(std::size_t c) const override { return preparation_->fmu(c); }
  const models::StartValues& start_values(std::size_t c) const override {
    return preparation_->start_values(c);
  }
  void fetch(std::size_t c, std::int32_t variable) override { preparation_->fetch(c, variable); }
  void assign(std::size_t c, const std::vector<models::Assignment>& assignments) override {
    preparation_->assign(c, assignments);
  }
  api::RunSetup setup() override {
    api::RunSetup setup = preparation_->setup();
    if (chosen_) setup.automatic = chosen_->text;
    return setup;
  }

 private:
  System system_;
  std::optional<api::AutomaticCoupling> chosen_;
  std::optional<Preparation> preparation_;
};

}  // namespace

RunReport run(const System& system, const SystemRunOptions& options, RecordSink* sink,
              const Log& log) {
  if (options.verify) return api::run_and_verify(system, options, sink, log);
  const system::PackagePaths paths(system);
  RunReport report = paths.during([&] {
    const Log shown = paths.shown(log.once());
    api::RoutedLog routed(shown);
    const auto prepared = api::prepare_run(system, options, routed.log());
    api::RunSetup setup = prepared->setup();
    return api::execute(options, setup, sink, shown, routed);
  });
  if (report.end.error) report.end.error = paths.shown(*report.end.error);
  return report;
}

std::unique_ptr<api::PreparedSystem> api::prepare_system(const System& system,
                                                         const SystemRunOptions& options,
                                                         const Log& log) {
  return std::make_unique<Preparation>(system, options, log);
}

std::unique_ptr<api::PreparedSystem> api::prepare_run(System system,
                                                      const SystemRunOptions& options,
                                                      const Log& log) {
  return std::make_unique<WholePreparation>(std::move(system), options, log);
}

}  // namespace tutti
