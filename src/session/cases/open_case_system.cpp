// SPDX-License-Identifier: BSD-2-Clause
#include "session/cases/open_case_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "session/automatic.hpp"
#include "session/run_here.hpp"
#include "session/running_system.hpp"
#include "session/supported.hpp"
#include "system/cluster.hpp"
#include "system/component_kind.hpp"
#include "system/make_plan.hpp"
#include "system/names.hpp"

namespace tutti::session {
namespace {

/// As assign() does.
void set_start_value(Component& component, const std::string& name, const std::string& value) {
  component.assigned.push_back(name);
  const auto known =
      std::ranges::find_if(component.set, [&](const auto& pair) { return pair.first == name; });
  if (known == component.set.end())
    component.set.emplace_back(name, value);
  else
    known->second = value;
}

/// Its variables have no component before their names.
bool is_variable_of_lone_fmu(const PreparedSystem& prepared, const std::string& name) {
  if (!prepared.system().is_single_fmu) return false;
  try {
    models::find_start(*prepared.models().descriptions.front(), name);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

OpenCaseSystem::OpenCaseSystem(const CaseSystem& given, const SystemRunOptions& options,
                               const Log& log)
    : given_(given),
      options_(options),
      log_(log),
      words_(known_words()),
      measures_(given.measures) {
  prepare(given_.system);
  find_targets();
}

void OpenCaseSystem::prepare(const System& system) {
  setup_ = {};
  prepared_ = prepare_run(system, options_, log_);
  measures_.find_in(*prepared_);
  setup_ = prepared_->setup();
  ++preparations_;
}

/// Start values that the choice of the coupling does not depend on, and that are no sizes, change
/// nothing else.
void OpenCaseSystem::find_targets() {
  const System& system = prepared_->system();
  const bool depends_on_values = is_automatic(given_.system) || needs_models(given_.system);
  const system::ComponentNames names(system);
  bool has_settings = false;
  for (const std::string& name : given_.names) {
    Target& target = targets_.emplace_back();
    target.name = is_variable_of_lone_fmu(*prepared_, name)
                      ? system.components.front().name + "." + name
                      : name;
    const Endpoint endpoint = names.split(target.name);
    if (!endpoint.component.empty()) {
      target.component = static_cast<std::size_t>(names.find(endpoint.component));
      target.variable = endpoint.variable;
      const ModelDescription& description = *prepared_->models().descriptions[target.component];
      try {
        models::check_start(description, target.variable);
      } catch (const Error& error) {
        throw error.within(fmt::format("component \"{}\"", endpoint.component),
                           {.component = endpoint.component});
      }
      const Variable& variable = models::find_start(description, target.variable);
      target.is_start_value =
          !depends_on_values && variable.causality != Causality::structural_parameter;
    }
    has_settings |= !target.is_start_value;
  }
  settings_.assign(has_settings ? given_.names.size() : 0, std::string());
  if (has_settings) prepared_.reset();  // it has other values
}

void OpenCaseSystem::assign(const std::vector<std::string>& values) {
  if (values.size() != given_.names.size())
    throw Error(ErrorCode::usage, fmt::format("a case has {} values, but its system has {} names",
                                              values.size(), given_.names.size()));
  bool is_same = prepared_ != nullptr;
  for (std::size_t i = 0; i < targets_.size(); ++i)
    if (!targets_[i].is_start_value) is_same &= settings_[i] == values[i];
  if (!is_same) {
    prepared_.reset();
    System system = given_.system;
    for (std::size_t i = 0; i < targets_.size(); ++i)
      if (!targets_[i].is_start_value) set(system, i, values[i]);
    prepare(system);
    settings_ = values;
  }
  assign_start_values(values);
}

void OpenCaseSystem::set(System& system, std::size_t i, const std::string& value) const {
  const system::ComponentNames names(system);
  const Endpoint to = names.split(targets_[i].name);
  if (to.component.empty())
    formats::assign(system, targets_[i].name + "=" + value, words_, log_);
  else
    set_start_value(system.components[static_cast<std::size_t>(names.find(to.component))],
                    to.variable, value);
}

void OpenCaseSystem::assign_start_values(const std::vector<std::string>& values) {
  std::map<std::size_t, std::vector<models::Assignment>> by_component;
  for (std::size_t i = 0; i < targets_.size(); ++i)
    if (targets_[i].is_start_value)
      by_component[targets_[i].component].push_back({targets_[i].variable, values[i]});
  for (const auto& [component, assignments] : by_component) {
    try {
      prepared_->start_with(component, assignments);
    } catch (const Error& error) {
      const std::string& name = prepared_->system().components[component].name;
      throw error.within(fmt::format("component \"{}\"", name), {.component = name});
    }
  }
}

RunReport OpenCaseSystem::run(execution::Monitor& monitor,
                              const std::shared_ptr<fmi::InstancePool>& pool,
                              const Observe& observe) {
  const auto use_pool = [&](const std::weak_ptr<fmi::InstancePool>& used) {
    for (std::size_t c = 0; c < prepared_->system().components.size(); ++c)
      if (fmi::Fmu* const fmu = prepared_->fmu(c)) fmu->reuse_instances(used);
  };
  RunSetup setup = setup_;  // a run may detect needs, which apply to its values only
  monitor.steps = 0;
  use_pool(pool);
  RunReport report = run_attempts(setup, monitor, log_, [&](RunningSystem& running) {
    return running.run(observe(setup, running));
  });
  use_pool({});
  return report;
}

std::vector<OpenCaseSystem::Member> OpenCaseSystem::members() const {
  std::vector<Member> members;
  const auto add = [&](const Component& component, const ModelDescription& description,
                       const std::string& whole) {
    Member member{component.name, whole, component.fmu.filename().string(), {}};
    if (description.version == FmiVersion::v1)
      member.obstacle = "FMI 1.0 cannot reset an instance after a run";
    else if (system::interface_of(component, description).only_once_per_process)
      member.obstacle = "the FMU can be instantiated only once per process";
    members.push_back(std::move(member));
  };
  const System& system = prepared_->system();
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    const Component& component = system.components[c];
    if (const auto& cluster = component.cluster)
      for (std::size_t m = 0; m < cluster->size(); ++m)
        add(cluster->system.components[m], *cluster->descriptions[m], component.name);
    else if (system::kind_of(component).origin == system::Origin::file)
      add(component, *prepared_->models().descriptions[c], component.name);
  }
  return members;
}

}  // namespace tutti::session
