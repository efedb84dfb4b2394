// SPDX-License-Identifier: BSD-2-Clause
#include "models/cluster/model_cluster.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/number_type.hpp"
#include "base/step_outcome.hpp"
#include "base/text.hpp"
#include "fmi/shape.hpp"
#include "system/cluster_structure.hpp"
#include "system/dependencies.hpp"
#include "system/make_plan.hpp"

namespace tutti::models {
namespace {

/// The connections that move values between events, as a plan of their own.
system::Plan continuous_part(const system::Cluster& cluster) {
  system::Plan plan = cluster.plan;
  std::erase_if(plan.links, [&](const system::Link& link) {
    return !ModelCluster::moves_inside(*cluster.descriptions[link.from.component],
                                       link.from.variable) ||
           !ModelCluster::moves_inside(*cluster.descriptions[link.to.component], link.to.variable);
  });
  std::vector<std::uint32_t> all;
  for (std::uint32_t m = 0; m < cluster.size(); ++m) all.push_back(m);
  const auto models = cluster.models();
  return system::part_of(plan, all, models);
}

}  // namespace

bool ModelCluster::moves_inside(const ModelDescription& model, std::int32_t variable) {
  const Variable& v = model.variables[static_cast<std::size_t>(variable)];
  return is_float(v.type) && v.variability == Variability::continuous;
}

ModelCluster::ModelCluster(std::shared_ptr<const system::Cluster> cluster, std::string name,
                           std::vector<fmi::Owned<fmi::ModelExchange>> members)
    : cluster_(std::move(cluster)),
      name_(std::move(name)),
      capabilities_(*cluster_->description.model_exchange),
      members_(std::move(members)),
      has_left_initialization_(members_.size()),
      next_events_(members_.size()) {
  for (std::size_t v = 0; v < cluster_->description.variables.size(); ++v) {
    origins_.push_back(cluster_->origin_of(static_cast<std::int32_t>(v)));
    const auto& [m, index] = origins_.back();
    const ModelDescription& model = *cluster_->descriptions[m];
    const Variable& variable = model.variables[static_cast<std::size_t>(index)];
    member_references_.push_back(variable.value_reference);
    value_counts_.push_back(variable.is_array() ? fmi::element_count(fmi::shape_of(
                                                      model, variable, cluster_->structures[m]))
                                                : 1);
  }
  needs_completed_steps_ = std::ranges::any_of(members_, [](const auto& member) {
    return member->capabilities().needs_completed_integrator_step;
  });
  count_states();
}

ModelCluster::~ModelCluster() = default;

void ModelCluster::count_states() {
  first_state_.assign(1, 0);
  first_indicator_.assign(1, 0);
  for (const auto& member : members_) {
    first_state_.push_back(first_state_.back() + member->continuous_state_count());
    first_indicator_.push_back(first_indicator_.back() + member->event_indicator_count());
  }
}

const CallCounts& ModelCluster::counts() const {
  counts_ = {};
  for (const auto& member : members_) {
    const CallCounts& own = member->counts();
    counts_.get += own.get;
    counts_.set += own.set;
    counts_.get_state += own.get_state;
    counts_.set_state += own.set_state;
    counts_.derivatives += own.derivatives;
    counts_.directional_derivatives += own.directional_derivatives;
    counts_.event_updates += own.event_updates;
    counts_.warnings += own.warnings;
  }
  return counts_;
}

bool ModelCluster::can_get_in_initialization() const {
  return std::ranges::all_of(
      members_, [](const auto& member) { return member->can_get_in_initialization(); });
}

// Members without structural parameters that are set have nothing to do there, and may refuse.
void ModelCluster::enter_configuration_mode() {
  for (std::size_t m = 0; m < members_.size(); ++m)
    if (!cluster_->structures[m].empty()) members_[m]->enter_configuration_mode();
}

void ModelCluster::exit_configuration_mode() {
  for (std::size_t m = 0; m < members_.size(); ++m)
    if (!cluster_->structures[m].empty()) members_[m]->exit_configuration_mode();
  count_states();
}

void ModelCluster::enter_initialization(const Experiment& experiment) {
  time_ = experiment.start;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    Experiment own = experiment;
    if (const auto& tolerance = cluster_->system.components[m].tolerance) own.tolerance = tolerance;
    members_[m]->enter_initialization(own);
  }
  mode_ = Mode::initialization;
  is_stale_ = true;
}

void ModelCluster::leave_initialization(std::size_t member) {
  if (has_left_initialization_[member]) return;
  has_left_initialization_[member] = true;
  members_[member]->exit_initialization();
}

// A member of FMI 1.0 cannot be read before it is initialized, with the inputs that are known by
// then. What comes later takes effect in the event iteration that follows.
void ModelCluster::propagate_first() {
  if (!first_)
    first_ = std::make_unique<ClusterExchange>(
        ClusterExchange::Setup{*cluster_, cluster_->plan, cluster_->plan.dependencies, members_});
  const auto is_first_version = [&](std::size_t m) {
    return !members_[m]->can_get_in_initialization();
  };
  first_->run_first(
      [&](std::size_t m) {
        if (is_first_version(m)) leave_initialization(m);
      },
      is_first_version);
  first_->accept();
}

void ModelCluster::exit_initialization() {
  propagate();
  for (std::size_t m = 0; m < members_.size(); ++m) leave_initialization(m);
  mode_ = Mode::event;
  is_stale_ = true;
  event().start_from(*first_);
}

void ModelCluster::terminate() {
  if (mode_ == Mode::continuous_time) settled([&] { propagate(); });  // final values may be read
  for (const auto& member : members_) member->terminate();
  mode_ = Mode::ended;
}

void ModelCluster::reset() {
  for (const auto& member : members_) member->reset();
  has_left_initialization_.assign(members_.size(), false);
  is_first_update_ = true;
  unknown_count_ = 0;
  direct_.reset();
  first_.reset();
  event_.reset();
  continuous_.reset();
  mode_ = Mode::instantiated;
  is_stale_ = true;
  forget_point();
  count_states();
}

void ModelCluster::forget_point() {
  has_time_ = time_is_new_ = states_are_new_ = false;
  x_.clear();
}

ClusterExchange& ModelCluster::event() {
  if (!event_) {
    const auto models = cluster_->models();
    const auto dependencies = system::running_dependencies(cluster_->plan, models);
    event_ = std::make_unique<ClusterExchange>(
        ClusterExchange::Setup{*cluster_, cluster_->plan, dependencies, members_});
  }
  return *event_;
}

ClusterExchange& ModelCluster::continuous() {
  if (!continuous_) {
    continuous_plan_ = continuous_part(*cluster_);
    const auto models = cluster_->models();
    const auto dependencies = system::running_dependencies(continuous_plan_, models);
    continuous_ = std::make_unique<ClusterExchange>(
        ClusterExchange::Setup{*cluster_, continuous_plan_, dependencies, members_, true});
    if (cluster_->loops == ClusterLoops::dae) {
      continuous_->require_doubles();
      unknown_count_ = continuous_->unknown_count();
    }
    make_structure();
    const bool is_possible = std::ranges::all_of(members_, [](const auto& member) {
      return member->direct_functions().version != fmi::DirectFunctions::Version::none;
    });
    if (is_possible && !must_watch_)
      direct_ = std::make_unique<DirectEvaluation>(*continuous_, members_, first_state_, time_);
  }
  return *continuous_;
}

ClusterExchange& ModelCluster::present() {
  switch (mode_) {
    case Mode::initialization:
      return *first_;
    case Mode::event:
      return event();
    default:
      return continuous();
  }
}

void ModelCluster::refuse_point(const Discarded& discarded) const {
  throw discarded.as(ErrorCode::numeric)
      .within(fmt::format("cluster \"{}\"", name_), {.component = name_, .time = time_});
}

void ModelCluster::propagate() {
  if (!is_stale_ || mode_ == Mode::instantiated || mode_ == Mode::ended) return;
  switch (mode_) {
    case Mode::initialization:
      settled([&] { propagate_first(); });
      break;
    case Mode::event:
      settled([&] { event().run(); });
      break;
    default:
      evaluate({});
      break;
  }
  is_stale_ = false;
}

void ModelCluster::touch() {
  is_stale_ = true;
  if (mode_ == Mode::continuous_time) continuous().forget_derivatives();
}

// Continuous-time mode

// Event mode

void ModelCluster::enter_event_mode() {
  if (mode_ == Mode::continuous_time) {
    settled([&] { propagate(); });
    event().start_from(continuous());
  }
  for (const auto& member : members_) member->enter_event_mode();
  mode_ = Mode::event;
  is_stale_ = true;
  forget_point();
}

// All members update together, so that each sees what an event of another has changed, until
// nothing changes any more.
fmi::DiscreteUpdate ModelCluster::update_discrete_states() {
  constexpr int maximum_rounds = 100;
  fmi::DiscreteUpdate all;
  std::vector<std::size_t> asking;
  // The first update of FMI 1.0 is part of its initialization, and does not see inputs set since.
  const bool has_waited = std::exchange(is_first_update_, false) && !can_get_in_initialization();
  for (int round = 0; round < maximum_rounds; ++round) {
    const bool changed = settled([&] { return event().run_and_compare(); });
    event().accept();
    const bool must_go_on = round == 0 || (round == 1 && has_waited);
    if (!must_go_on && !changed && asking.empty()) {
      is_stale_ = false;
      for (const auto& next : next_events_)
        if (next && !(all.next_event_time && *all.next_event_time <= *next))
          all.next_event_time = next;
      return all;
    }
    asking.clear();
    for (std::size_t m = 0; m < members_.size(); ++m) {
      const fmi::DiscreteUpdate own = members_[m]->update_discrete_states();
      all.nominals_changed |= own.nominals_changed;
      all.terminate |= own.terminate;
      next_events_[m] = own.next_event_time;
      if (own.needs_another) asking.push_back(m);
    }
    if (all.terminate) return all;
  }
  refuse_endless(asking);
}

void ModelCluster::refuse_endless(const std::vector<std::size_t>& asking) const {
  std::vector<std::string> names;
  for (const std::size_t m : asking) names.push_back(fmt::format("\"{}\"", members_[m]->name()));
  const auto& changed = event_->changed();
  const std::string why =
      names.empty()
          ? fmt::format("{} still change{}", list_some(changed), changed.size() == 1 ? "s" : "")
          : fmt::format("{} still ask{} for another one", list_some(names),
                        names.size() == 1 ? "s" : "");
  throw Error(
      ErrorCode::numeric,
      fmt::format("cluster \"{}\": its event iteration does not end: after 100 discrete "
                  "updates of all members, {}",
                  name_, why),
      {.component = asking.empty() ? name_ : members_[asking.front()]->name(), .time = time_});
}

void ModelCluster::enter_continuous_time_mode() {
  for (const auto& member : members_) member->enter_continuous_time_mode();
  mode_ = Mode::continuous_time;
  forget_point();
  ClusterExchange& exchange = continuous();
  exchange.start_from(event());
  {
    const SolvedLoops solved(*this);
    settled([&] { exchange.run(); });
  }
  exchange.accept();
  is_stale_ = true;
}

}  // namespace tutti::models
