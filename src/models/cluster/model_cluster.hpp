// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fmi/fmu.hpp"
#include "models/cluster/direct_evaluation.hpp"
#include "models/cluster/exchange.hpp"
#include "system/cluster.hpp"

namespace tutti::models {

/// Several model-exchange instances as one: their states stand one after the other, and the
/// connections between them are part of the equations. To an integrator, and to all that is built
/// around model exchange, a cluster is an FMU.
///
/// In initialization, event mode and continuous-time mode all members are in the same mode. An
/// event of one is an event of all. In continuous-time mode only continuous connections move
/// values (FMI 2.0, 3.2.1; FMI 3.0, 3.2.3).
class ModelCluster final : public fmi::ModelExchange {
 public:
  ModelCluster(std::shared_ptr<const system::Cluster> cluster, std::string name,
               std::vector<fmi::Owned<fmi::ModelExchange>> members);
  ~ModelCluster() override;

  const std::string& name() const override { return name_; }
  const ModelDescription& description() const override { return cluster_->description; }
  const Capabilities& capabilities() const override { return capabilities_; }
  const CallCounts& counts() const override;
  void set_counts(const CallCounts&) override {}  // of looks ahead of co-simulation
  bool can_get_in_initialization() const override;
  std::span<const fmi::Owned<fmi::ModelExchange>> members() const override { return members_; }

  // A cluster takes no co-simulation steps.
  void count_direct_steps(const std::uint64_t*, bool, bool) override {}
  void uncount_direct_step() override {}
  void keep_float_control(double) override {}
  void note_direct_steps() override {}

  void enter_configuration_mode() override;
  void exit_configuration_mode() override;
  void enter_initialization(const Experiment& experiment) override;
  void exit_initialization() override;
  void terminate() override;
  void reset() override;
  void directional_derivative(References unknowns, References knowns, std::span<const double> seed,
                              std::span<double> sensitivity) override;

  void get(Type type, References references, void* values, std::size_t value_count) override;
  void set(Type type, References references, const void* values, std::size_t value_count) override;
  void get_strings(References references, std::span<std::string> values) override;
  void set_strings(References references, std::span<const std::string> values) override;
  void get_binaries(References references, std::span<std::vector<std::uint8_t>> values) override;
  void set_binaries(References references,
                    std::span<const std::vector<std::uint8_t>> values) override;

  std::size_t continuous_state_count() const override;
  std::size_t event_indicator_count() const override;
  void enter_event_mode() override;
  /// The whole event iteration of the members; it needs no other call.
  fmi::DiscreteUpdate update_discrete_states() override;
  void enter_continuous_time_mode() override;
  void set_time(double t) override;
  void set_continuous_states(std::span<const double> x) override;
  void get_continuous_states(std::span<double> x) override;
  void get_derivatives(std::span<double> dx) override;
  void get_event_indicators(std::span<double> z) override;
  void get_nominals(std::span<double> nominals) override;
  fmi::IntegratorStep completed_integrator_step(bool may_go_back) override;
  void solve_unknowns(bool solve) override;
  const fmi::StateStructure* state_structure() const override { return &structure_; }
  void differentiate_states(std::span<const double> seed, std::span<double> result) override;

  /// Whether connections move values of this variable between events.
  static bool moves_inside(const ModelDescription& model, std::int32_t variable);

 private:
  enum class Mode : std::uint8_t { instantiated, initialization, event, continuous_time, ended };
  struct State;
  /// While it exists, loops are solved, also where they are equations of the integrator.
  class SolvedLoops {
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

  std::uint32_t mode() const override { return static_cast<std::uint32_t>(mode_); }
  void get_fmu_state(void** handle) override;
  void set_fmu_state(void* handle, std::uint32_t mode) override;
  void free_fmu_state(void** handle) noexcept override;
  std::vector<std::uint8_t> serialize(void* handle) override;
  void* deserialize(std::span<const std::uint8_t> bytes) override;

  /// Brings all members up to date, if something has changed: with the inputs, and in
  /// continuous-time mode with the point.
  void propagate();
  /// The same in continuous-time mode. True: the derivatives have been read, too.
  /// @param dx empty: not read
  bool evaluate(std::span<double> dx);
  /// Passes time and states on to the members, which get them when that is needed.
  void pass_point();
  /// A point that a member rejects is an error, with the time: between initialization and
  /// continuous time there is no smaller step that could be tried.
  template <class Action>
  auto settled(const Action& action) {
    try {
      return action();
    } catch (const Discarded& discarded) {
      refuse_point(discarded);
    }
  }
  [[noreturn]] void refuse_point(const Discarded& discarded) const;
  void propagate_first();
  void leave_initialization(std::size_t member);
  ClusterExchange& event();
  ClusterExchange& continuous();
  ClusterExchange& present();  ///< of the mode
  /// The members are at another point, or have other inputs.
  void touch();
  void forget_point();
  void count_states();
  void make_structure();
  void start_tangents(std::span<const double> dx);
  bool are_loops_equations() const {
    return cluster_->loops == ClusterLoops::dae && mode_ == Mode::continuous_time;
  }
  bool may_set(ValueReference reference) const;
  /// Calls action(member, references, first value, number of values) for variables of one member
  /// that follow each other; part_ has their references in the member.
  template <class Action>
  void for_members(References references, const Action& action);
  /// Calls action(member, its states).
  template <class Values, class Action>
  void for_states(Values x, const Action& action);
  [[noreturn]] void refuse_endless(const std::vector<std::size_t>& asking) const;

  std::shared_ptr<const system::Cluster> cluster_;
  std::string name_;
  Capabilities capabilities_;
  std::vector<fmi::Owned<fmi::ModelExchange>> members_;
  std::vector<system::Cluster::Origin> origins_;   ///< by variable
  std::vector<ValueReference> member_references_;  ///< by variable: its reference in the member
  std::vector<std::size_t> value_counts_;          ///< by variable
  Mode mode_ = Mode::instantiated;
  bool is_stale_ = true;  ///< inputs of members are not those of the present point
  bool is_first_update_ = true;
  std::vector<bool> has_left_initialization_;  ///< by member
  system::Plan continuous_plan_;
  std::unique_ptr<ClusterExchange> first_, event_, continuous_;
  std::vector<std::size_t> first_state_, first_indicator_;  ///< by member, and behind the last
  std::size_t unknown_count_ = 0;                           ///< behind the states: of loops
  std::map<ValueReference, std::size_t> state_of_;          ///< by variable: its first state
  double time_ = 0;
  bool has_time_ = false;
  bool time_is_new_ = false, states_are_new_ = false;  ///< the members do not have them yet
  bool needs_completed_steps_ = false;                 ///< a member does
  std::vector<double> x_;  ///< states of the present point, as set; empty: not known
  std::vector<std::optional<double>> next_events_;  ///< by member
  fmi::StateStructure structure_;
  std::vector<MemberTangent> tangents_;  ///< by member
  mutable CallCounts counts_;
  std::vector<ValueReference> part_;          ///< scratch
  std::unique_ptr<DirectEvaluation> direct_;  ///< null: not possible
  bool must_watch_ = false;  ///< after each call, because a member changes what it must not change
};

}  // namespace tutti::models
