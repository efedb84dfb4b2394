// SPDX-License-Identifier: BSD-2-Clause
#include "session/steady/whole_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "fmi/file_cache.hpp"
#include "models/cluster/model_cluster.hpp"
#include "models/cluster/stateless_member.hpp"
#include "models/fmu_model.hpp"
#include "session/external_signals.hpp"
#include "system/component_kind.hpp"
#include "system/make_plan.hpp"

namespace tutti::session {
namespace {

bool lists_states(const ModelDescription& model) {
  return model.continuous_state_count > 0 || !model.structure.derivatives.empty() ||
         std::ranges::any_of(model.variables,
                             [](const Variable& v) { return v.derivative_of >= 0; });
}

}  // namespace

WholeModel::WholeModel(const System& system, const FmuOptions& options, const Log& log)
    : log_(log) {
  const FmuOptions shared = fmi::with_cache(options);
  if (system.is_single_fmu) lone_ = system.components.front().name;
  flatten(system, shared);
  models_ = read_models(system_, shared, problems_, log_);
  problems_.raise();
  for (std::size_t c = 0; c < system_.components.size(); ++c)
    problems_.attempt([&] { check_component(system_.components[c], *models_.descriptions[c]); });
  problems_.raise();
  find_time();
  fmus_ = open_fmus(system_, models_, shared, problems_, log_);
  problems_.raise();
  describe();
}

std::string WholeModel::shown(const std::string& name) const {
  return lone_.empty() ? name : name.substr(lone_.size() + 1);
}

std::vector<std::string> WholeModel::component_names() const {
  std::vector<std::string> names;
  for (const Component& component : system_.components) names.push_back(component.name);
  return names;
}

/// The settings that a steady state has no use for are left out.
void WholeModel::flatten(const System& system, const FmuOptions& options) {
  if (!system.tlm.empty())
    throw Error(ErrorCode::capability,
                "a steady state is not available for systems with [[tlm]]: the waves on "
                "transmission lines are no states of the components",
                {.key = "tlm", .hint = "Connect the components directly for this."});
  system_ = system;
  system_.clusters.clear();
  system_.cycles.clear();
  system_.actions.clear();
  system_.simulation.monolithic = false;
  system_.simulation.methods = SimulationSettings().methods;
  for (const DelayedSignal& delay : system.delays) {
    Connection& connection = system_.connections.emplace_back();
    connection.from = delay.from;
    connection.to = delay.to;
    connection.place = delay.place;
    findings_.push_back(
        fmt::format("the delayed signal \"{} -> {}\" is taken as not delayed: "
                    "a run that starts here must have had these values before",
                    system::text_of(delay.from), system::text_of(delay.to)));
  }
  system_.delays.clear();
  for (Component& component : system_.components) {
    component.ports.clear();
    component.step.reset();
    component.solver = {};
    if (system::kind_of(component).origin != system::Origin::file) continue;
    component.as = FmuKind::automatic;
    component.event_mode = EventMode::automatic;
    component.early_return = false;
    problems_.attempt([&] {
      const auto description =
          system::description_of(component, system_.folder, options, log_.once());
      if (description->model_exchange) component.as = FmuKind::model_exchange;
    });
  }
  problems_.raise();
  is_held_.assign(system_.components.size(), false);
}

void WholeModel::check_component(Component& component, const ModelDescription& description) {
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    throw Error(ErrorCode::capability, fmt::format("component \"{}\" {}", component.name, why),
                system::where(component.place, {.component = component.name, .hint = hint}));
  };
  const system::Origin origin = system::kind_of(component).origin;
  if (origin == system::Origin::object)
    refuse("is a C++ class, whose states are not known: a steady state needs equations",
           "Replace it by an FMU with a model-exchange interface.");
  if (origin != system::Origin::file || description.model_exchange) return;
  if (lists_states(description))
    refuse(fmt::format("has {} and no model-exchange interface: its derivatives cannot be "
                       "evaluated, so that no steady state can be found",
                       counted(std::max<std::size_t>(description.continuous_state_count, 1),
                               "continuous state")),
           "Export the FMU with model exchange, or for both interfaces.");
  if (description.version == FmiVersion::v1)
    refuse("is a co-simulation FMU of FMI 1.0, whose outputs cannot be evaluated without a step",
           "Export the FMU with model exchange, or with a later version of FMI.");
  is_held_[static_cast<std::size_t>(&component - system_.components.data())] = true;
  findings_.push_back(
      fmt::format("component \"{}\" has no model-exchange interface and lists no states: its "
                  "outputs are taken as functions of its inputs",
                  component.name));
}

void WholeModel::find_time() {
  const DefaultExperiment experiment =
      lone_.empty() ? DefaultExperiment() : models_.descriptions.front()->default_experiment;
  const SimulationSettings& simulation = system_.simulation;
  time_ = simulation.start.value_or(experiment.start.value_or(0));
  stop_ = std::max(time_, simulation.stop.value_or(experiment.stop.value_or(time_ + 1)));
}

void WholeModel::describe() {
  cluster_ = std::make_shared<system::Cluster>();
  cluster_->system = system_;
  cluster_->system.is_single_fmu = false;
  cluster_->system.inputs = {};
  cluster_->structures = models_.structures;
  std::vector<models::Assignment> assignments;
  for (std::size_t c = 0; c < system_.components.size(); ++c) {
    const Component& component = system_.components[c];
    const ModelDescription& own = *models_.descriptions[c];
    if (system::kind_of(component).origin == system::Origin::built_in)
      cluster_->descriptions.push_back(models::describe_built_in_member(own));
    else if (is_held_[c])
      cluster_->descriptions.push_back(models::describe_held_member(own));
    else
      cluster_->descriptions.push_back(
          *std::ranges::find(models_.owned, &own, [](const auto& owned) { return owned.get(); }));
    for (const auto& [name, value] : component.set)
      assignments.push_back({fmt::format("{}.{}", component.name, name), value});
  }
  const auto models = cluster_->models();
  plan_ = system::make_plan(system_, models, models_.structures, log_, models_.input_columns);
  cluster_->plan = plan_;
  cluster_->plan.external.clear();
  system::describe_cluster(*cluster_);
  start_ = models::StartValues(cluster_->description, assignments);
  SystemModels with_members = models_;
  with_members.descriptions = models;
  externals_ = make_external_signals(system_, plan_, with_members, TimeGrid(time_, time_ + 1, 1));
}

fmi::Owned<fmi::ModelExchange> WholeModel::make_member(std::size_t m) {
  const Component& component = system_.components[m];
  const fmi::InstanceOptions options{.name = component.name, .logging = component.log};
  if (system::kind_of(component).origin == system::Origin::built_in)
    return models::make_built_in_member(
        component.name, cluster_->descriptions[m],
        models::find_built_in(component.built_in.type)
            .make({component.built_in, models_.component_tables[m].get()}));
  if (!is_held_[m]) return fmus_[m]->instantiate_model_exchange(options);
  fmi::CoSimulationOptions held;
  static_cast<fmi::InstanceOptions&>(held) = options;
  return models::make_held_member(cluster_->descriptions[m],
                                  fmus_[m]->instantiate_co_simulation(held));
}

void WholeModel::set_external(std::span<const fmi::Owned<fmi::ModelExchange>> members) {
  for (master::ExternalSignals& external : externals_) {
    external.table->write(time_, *external.values);
    external.values->set_to(*members[external.component]);
  }
}

fmi::Owned<fmi::ModelExchange> WholeModel::make_instance() {
  std::vector<fmi::Owned<fmi::ModelExchange>> members;
  for (std::size_t m = 0; m < system_.components.size(); ++m) members.push_back(make_member(m));
  fmi::Owned<fmi::ModelExchange> whole(new models::ModelCluster(
      cluster_, system_.name.empty() ? "system" : system_.name, std::move(members)));
  start_.apply_before_initialization(*whole);
  whole->enter_initialization({time_, stop_, std::nullopt});
  start_.apply_in_initialization(*whole);
  set_external(whole->members());
  whole->exit_initialization();
  if (models::settle_discrete_states(*whole, time_).terminate)
    throw Error(ErrorCode::fmu, "a component requests to end the run at its start",
                {.time = time_});
  whole->enter_continuous_time_mode();
  return whole;
}

WholeModel::Source WholeModel::source_of(const system::Point& point) const {
  for (const system::Link& link : plan_.links)
    if (link.to == point) return Source::connection;
  for (const system::ExternalInput& external : plan_.external)
    if (external.to == point) return external.is_constant ? Source::constant : Source::table;
  return Source::none;
}

bool WholeModel::is_driven(std::size_t component, const std::string& name) const {
  const ModelDescription& model = *models_.descriptions[component];
  const auto is_meant = [&](const system::Point& point) {
    if (point.component != component) return false;
    const Variable& variable = model.variables[static_cast<std::size_t>(point.variable)];
    return variable.name == name ||
           (variable.is_array() &&
            name == fmi::element_name(variable.name,
                                      fmi::shape_of(model, variable, models_.structures[component]),
                                      point.element));
  };
  return std::ranges::any_of(plan_.links, is_meant, &system::Link::to) ||
         std::ranges::any_of(plan_.external, [&](const system::ExternalInput& external) {
           return !external.is_constant && is_meant(external.to);
         });
}

/// Where a table may have other values than at the start: at its rows and between two that jump.
std::vector<double> WholeModel::later_times(const models::InputTable& table) const {
  constexpr int samples = 16;
  std::vector<double> times;
  for (int k = 1; k <= samples; ++k) times.push_back(time_ + (stop_ - time_) * scattered_part(k));
  if (table.continuous_count() > 0)
    for (const double t : table.line_of(0).times)
      if (t > time_ && t <= stop_) times.push_back(t);
  for (double t = table.next_jump(time_); t <= stop_; t = table.next_jump(t)) times.push_back(t);
  return times;
}

std::vector<std::string> WholeModel::changing_sources() const {
  std::vector<std::string> names;
  for (const master::ExternalSignals& external : externals_) {
    const auto& scalars = external.values->scalars();
    std::vector<std::string> start(scalars.size());
    std::vector<std::size_t> constant;  // so far
    external.table->write(time_, *external.values);
    for (std::size_t k = 0; k < scalars.size(); ++k) {
      if (!external.table->drives(scalars[k])) continue;
      start[k] = external.values->written(scalars[k]);
      constant.push_back(k);
    }
    const std::size_t count = constant.size();
    for (const double t : later_times(*external.table)) {
      if (constant.empty()) break;
      external.table->write(t, *external.values);
      std::erase_if(constant, [&](std::size_t k) {
        return external.values->written(scalars[k]) != start[k];
      });
    }
    external.table->write(time_, *external.values);
    if (constant.size() == count) continue;
    for (std::size_t k = 0; k < scalars.size(); ++k)
      if (external.table->drives(scalars[k]) && std::ranges::find(constant, k) == constant.end())
        names.push_back(shown(
            fmt::format("{}.{}", system_.components[external.component].name, scalars[k].name)));
  }
  return names;
}

}  // namespace tutti::session
