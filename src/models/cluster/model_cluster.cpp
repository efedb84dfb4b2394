// SPDX-License-Identifier: BSD-2-Clause
#include "models/cluster/model_cluster.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/codec.hpp"
#include "base/number_type.hpp"
#include "base/step_outcome.hpp"
#include "base/text.hpp"
#include "fmi/shape.hpp"
#include "system/cluster_structure.hpp"
#include "system/dependencies.hpp"
#include "system/make_plan.hpp"

namespace tutti::models {
namespace {

bool moves_inside(const ModelDescription& model, std::int32_t variable) {
  const Variable& v = model.variables[static_cast<std::size_t>(variable)];
  return is_float(v.type) && v.variability == Variability::continuous;
}

/// The connections that move values between events, as a plan of their own.
system::Plan continuous_part(const system::Cluster& cluster) {
  system::Plan plan = cluster.plan;
  std::erase_if(plan.links, [&](const system::Link& link) {
    return !moves_inside(*cluster.descriptions[link.from.component], link.from.variable) ||
           !moves_inside(*cluster.descriptions[link.to.component], link.to.variable);
  });
  std::vector<std::uint32_t> all;
  for (std::uint32_t m = 0; m < cluster.size(); ++m) all.push_back(m);
  const auto models = cluster.models();
  return system::part_of(plan, all, models);
}

std::size_t storage_of(Type type) {
  if (type == Type::boolean || type == Type::clock) return sizeof(bool);
  if (type == Type::enumeration) return sizeof(std::int64_t);
  return with_number_type(type, []<class Number>(Number) { return sizeof(Number); });
}

}  // namespace

/// While it exists, loops are solved, also where they are equations of the integrator.
class ModelCluster::SolvedLoops {
 public:
  explicit SolvedLoops(ModelCluster& cluster) : cluster_(cluster) {
    if (cluster.continuous_) cluster.continuous_->set_algebraic(false);
  }
  ~SolvedLoops() {
    if (cluster_.continuous_) cluster_.continuous_->set_algebraic(cluster_.are_loops_equations());
  }
  SolvedLoops(const SolvedLoops&) = delete;
  SolvedLoops& operator=(const SolvedLoops&) = delete;

 private:
  ModelCluster& cluster_;
};

/// What a cluster saves: the states of its members, and what its loops remember.
struct ModelCluster::State {
  std::vector<fmi::FmuState> members;
  std::vector<double> event, continuous;
};

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
  for (const auto& member : members_) member->terminate();
  mode_ = Mode::ended;
}

void ModelCluster::reset() {
  for (const auto& member : members_) member->reset();
  has_left_initialization_.assign(members_.size(), false);
  is_first_update_ = true;
  unknown_count_ = 0;
  first_.reset();
  event_.reset();
  continuous_.reset();
  mode_ = Mode::instantiated;
  is_stale_ = true;
  forget_point();
  count_states();
}

void ModelCluster::forget_point() {
  has_time_ = false;
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
        ClusterExchange::Setup{*cluster_, continuous_plan_, dependencies, members_});
    if (cluster_->loops == ClusterLoops::dae) {
      continuous_->require_doubles();
      unknown_count_ = continuous_->unknown_count();
    }
    make_structure();
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

/// Between initialization and continuous time there is no smaller step that could be tried.
template <class Action>
auto ModelCluster::settled(const Action& action) {
  try {
    return action();
  } catch (const Discarded& discarded) {
    throw discarded.as(ErrorCode::numeric)
        .within(fmt::format("cluster \"{}\"", name_), {.component = name_, .time = time_});
  }
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
      continuous().run(x_);
      break;
  }
  is_stale_ = false;
}

void ModelCluster::touch() {
  is_stale_ = true;
  if (mode_ == Mode::continuous_time) continuous().forget_derivatives();
}

// Continuous-time mode

std::size_t ModelCluster::continuous_state_count() const {
  return first_state_.back() + unknown_count_;
}

std::size_t ModelCluster::event_indicator_count() const { return first_indicator_.back(); }

template <class Values, class Action>
void ModelCluster::for_states(Values x, const Action& action) {
  for (std::size_t m = 0; m < members_.size(); ++m)
    if (const std::size_t count = first_state_[m + 1] - first_state_[m]; count > 0)
      action(*members_[m], x.subspan(first_state_[m], count));
}

void ModelCluster::set_time(double t) {
  if (has_time_ && t == time_) return;
  has_time_ = false;  // a member may refuse
  for (const auto& member : members_) member->set_time(t);
  time_ = t;
  has_time_ = true;
  touch();
}

void ModelCluster::set_continuous_states(std::span<const double> x) {
  if (std::ranges::equal(x, x_)) return;
  x_.clear();  // a member may refuse
  for_states(x, [](fmi::ModelExchange& member, std::span<const double> part) {
    member.set_continuous_states(part);
  });
  if (unknown_count_ > 0) continuous().set_unknowns(x.subspan(first_state_.back()));
  x_.assign(x.begin(), x.end());
  touch();
}

void ModelCluster::get_continuous_states(std::span<double> x) {
  for_states(x, [](fmi::ModelExchange& member, std::span<double> part) {
    member.get_continuous_states(part);
  });
  if (unknown_count_ == 0) return;
  if (!continuous().is_algebraic()) propagate();
  continuous().get_unknowns(x.subspan(first_state_.back()));
}

void ModelCluster::get_derivatives(std::span<double> dx) {
  propagate();
  for_states(
      dx, [](fmi::ModelExchange& member, std::span<double> part) { member.get_derivatives(part); });
  if (unknown_count_ > 0) continuous().get_residuals(dx.subspan(first_state_.back()));
}

void ModelCluster::get_event_indicators(std::span<double> z) {
  propagate();
  for (std::size_t m = 0; m < members_.size(); ++m)
    if (const std::size_t count = first_indicator_[m + 1] - first_indicator_[m]; count > 0)
      members_[m]->get_event_indicators(z.subspan(first_indicator_[m], count));
}

void ModelCluster::get_nominals(std::span<double> nominals) {
  for_states(nominals,
             [](fmi::ModelExchange& member, std::span<double> part) { member.get_nominals(part); });
  if (unknown_count_ > 0) continuous().get_unknown_nominals(nominals.subspan(first_state_.back()));
}

fmi::IntegratorStep ModelCluster::completed_integrator_step(bool may_go_back) {
  propagate();
  continuous().accept();
  fmi::IntegratorStep all;
  for (const auto& member : members_) {
    const fmi::IntegratorStep step = member->completed_integrator_step(may_go_back);
    all.enter_event_mode |= step.enter_event_mode;
    all.terminate |= step.terminate;
  }
  return all;
}

void ModelCluster::solve_unknowns(bool solve) {
  if (unknown_count_ == 0) return;
  continuous().set_algebraic(!solve);
  touch();
}

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

// Variables

template <class Action>
void ModelCluster::for_members(References references, const Action& action) {
  std::size_t first_value = 0;
  for (std::size_t i = 0; i < references.size();) {
    const std::uint32_t member = origins_[references[i]].member;
    const std::size_t first = i;
    std::size_t values = 0;
    part_.clear();
    for (; i < references.size() && origins_[references[i]].member == member; ++i) {
      part_.push_back(member_references_[references[i]]);
      values += value_counts_[references[i]];
    }
    action(member, references.subspan(first, i - first), first_value, values);
    first_value += values;
  }
}

void ModelCluster::get(Type type, References references, void* values, std::size_t /*count*/) {
  propagate();
  const std::size_t size = storage_of(type);
  for_members(references, [&](std::size_t m, References, std::size_t first, std::size_t count) {
    members_[m]->get(type, part_, static_cast<std::byte*>(values) + first * size, count);
  });
}

bool ModelCluster::may_set(ValueReference reference) const {
  const auto& [m, variable] = origins_[reference];
  return mode_ != Mode::continuous_time || cluster_->descriptions[m]->version == FmiVersion::v1 ||
         moves_inside(*cluster_->descriptions[m], variable);
}

void ModelCluster::set(Type type, References references, const void* values,
                       std::size_t /*count*/) {
  const std::size_t size = storage_of(type);
  const auto* const bytes = static_cast<const std::byte*>(values);
  for_members(references,
              [&](std::size_t m, References wholes, std::size_t first, std::size_t count) {
                // In continuous-time mode, what is not continuous keeps its value until the next
                // event.
                if (std::ranges::all_of(wholes, [&](ValueReference r) { return may_set(r); })) {
                  members_[m]->set(type, part_, bytes + first * size, count);
                  return;
                }
                std::size_t value = first;
                for (const ValueReference whole : wholes) {
                  if (may_set(whole))
                    members_[m]->set(type, {&member_references_[whole], 1}, bytes + value * size,
                                     value_counts_[whole]);
                  value += value_counts_[whole];
                }
              });
  touch();
}

void ModelCluster::get_strings(References references, std::span<std::string> values) {
  propagate();
  for_members(references, [&](std::size_t m, References, std::size_t first, std::size_t count) {
    members_[m]->get_strings(part_, values.subspan(first, count));
  });
}

void ModelCluster::set_strings(References references, std::span<const std::string> values) {
  if (mode_ == Mode::continuous_time) return;
  for_members(references, [&](std::size_t m, References, std::size_t first, std::size_t count) {
    members_[m]->set_strings(part_, values.subspan(first, count));
  });
  touch();
}

void ModelCluster::get_binaries(References references,
                                std::span<std::vector<std::uint8_t>> values) {
  propagate();
  for_members(references, [&](std::size_t m, References, std::size_t first, std::size_t count) {
    members_[m]->get_binaries(part_, values.subspan(first, count));
  });
}

void ModelCluster::set_binaries(References references,
                                std::span<const std::vector<std::uint8_t>> values) {
  if (mode_ == Mode::continuous_time) return;
  for_members(references, [&](std::size_t m, References, std::size_t first, std::size_t count) {
    members_[m]->set_binaries(part_, values.subspan(first, count));
  });
  touch();
}

// Derivatives

void ModelCluster::start_tangents(std::span<const double> dx) {
  if (tangents_.empty())
    for (const auto& member : members_) tangents_.emplace_back(*member);
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const std::size_t first = first_state_[m], count = first_state_[m + 1] - first;
    tangents_[m].start(dx.subspan(first, count));
  }
}

void ModelCluster::differentiate_states(std::span<const double> seed, std::span<double> result) {
  propagate();
  const std::size_t count = first_state_.back();
  is_stale_ = true;  // differences may end with an input that they have moved
  start_tangents(seed.first(count));
  continuous().differentiate(tangents_, seed.subspan(count));
  for (std::size_t m = 0; m < members_.size(); ++m)
    tangents_[m].derivatives(
        result.subspan(first_state_[m], first_state_[m + 1] - first_state_[m]));
  if (unknown_count_ > 0) continuous().get_residual_tangent(result.subspan(count));
  is_stale_ = false;
}

void ModelCluster::directional_derivative(References unknowns, References knowns,
                                          std::span<const double> seed,
                                          std::span<double> sensitivity) {
  propagate();
  std::vector<double> dx(first_state_.back());
  std::vector<std::size_t> inputs;  // in `knowns`
  std::vector<std::size_t> first_seed;
  std::size_t next = 0;
  for (std::size_t k = 0; k < knowns.size(); ++k) {
    first_seed.push_back(next);
    const std::size_t count = value_counts_[knowns[k]];
    if (const auto state = state_of_.find(knowns[k]); state != state_of_.end())
      std::ranges::copy(seed.subspan(next, count),
                        dx.begin() + static_cast<std::ptrdiff_t>(state->second));
    else
      inputs.push_back(k);
    next += count;
  }
  start_tangents(dx);
  for (const std::size_t k : inputs)
    tangents_[origins_[knowns[k]].member].add(
        {&member_references_[knowns[k]], 1}, seed.subspan(first_seed[k], value_counts_[knowns[k]]));
  {
    const SolvedLoops solved(*this);
    present().differentiate(tangents_, {});
  }
  for_members(unknowns, [&](std::size_t m, References, std::size_t first, std::size_t count) {
    tangents_[m].outputs(part_, sensitivity.subspan(first, count));
  });
}

// The state of a cluster

void ModelCluster::get_fmu_state(void** handle) {
  if (*handle == nullptr) *handle = new State();
  State& state = *static_cast<State*>(*handle);
  state.members.resize(members_.size());
  for (std::size_t m = 0; m < members_.size(); ++m) members_[m]->save_state(state.members[m]);
  state.event.clear();
  state.continuous.clear();
  event().save(state.event);
  continuous().save(state.continuous);
}

void ModelCluster::set_fmu_state(void* handle, std::uint32_t mode) {
  const State& state = *static_cast<const State*>(handle);
  for (std::size_t m = 0; m < members_.size(); ++m) members_[m]->restore_state(state.members[m]);
  event().restore(state.event);
  continuous().restore(state.continuous);
  mode_ = static_cast<Mode>(mode);
  continuous().set_algebraic(are_loops_equations());
  is_stale_ = true;
  forget_point();
}

void ModelCluster::free_fmu_state(void** handle) noexcept {
  delete static_cast<State*>(*handle);
  *handle = nullptr;
}

std::vector<std::uint8_t> ModelCluster::serialize(void* handle) {
  const State& state = *static_cast<const State*>(handle);
  Packer packer;
  for (std::size_t m = 0; m < members_.size(); ++m)
    packer(members_[m]->serialize_state(state.members[m]));
  packer(state.event, state.continuous);
  return {packer.bytes().begin(), packer.bytes().end()};
}

void* ModelCluster::deserialize(std::span<const std::uint8_t> bytes) {
  auto state = std::make_unique<State>();
  Unpacker in(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  for (const auto& member : members_)
    state->members.push_back(member->deserialize_state(in.take<std::vector<std::uint8_t>>()));
  in(state->event, state->continuous);
  return state.release();
}

}  // namespace tutti::models
