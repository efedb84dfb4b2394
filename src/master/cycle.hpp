// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <tutti/system.hpp>

#include "base/seconds.hpp"
#include "execution/monitor.hpp"
#include "master/coupling/coupling_method.hpp"
#include "master/cycle_links.hpp"

namespace tutti::master {

/// Records of the calls of components. Each thread has its own.
struct Watch {
  static constexpr std::uint32_t nobody = execution::Monitor::no_component;

  std::atomic<std::uint32_t>* called = nullptr;  ///< the component that is called, for the monitor
  double* seconds = nullptr;                     ///< spent in each component; null: no measurement

  void note(std::uint32_t component) const { called->store(component, std::memory_order_relaxed); }

  /// A component is called while this exists.
  class Call {
   public:
    Call(const Watch& watch, std::uint32_t component)
        : seconds_(watch.seconds == nullptr ? nullptr : watch.seconds + component) {
      watch.note(component);
      if (seconds_ != nullptr) start_ = Clock::now();
    }
    ~Call() {
      if (seconds_ != nullptr) *seconds_ += seconds_since(start_);
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    double* seconds_;
    Clock::time_point start_;
  };
};

/// The components of one cycle as an InterfaceProblem. Its unknowns x are the real outputs that
/// feed inputs inside the cycle; inputs from outside it are the same in every pass.
class Cycle final : public InterfaceProblem {
 public:
  using Member = CycleMember;
  /// In calling sequence. `repeats`: a step may have more than one pass.
  Cycle(std::vector<Member> members, const IterationSettings& tolerance, bool repeats);
  ~Cycle();
  Cycle(const Cycle&) = delete;
  Cycle& operator=(const Cycle&) = delete;

  /// The step [t, t + h] starts: everything is at t, inputs from outside are in place.
  /// `states` are those of all components at t; none: the members save theirs.
  /// The first pass is longer by `excess`.
  void begin(double t, double h, const Watch& watch, std::span<const models::Snapshot> states,
             double excess);
  /// The real coupling variables, from the outputs of the members.
  void read(std::span<double> x) const override;
  bool has_states() const { return repeats_ || !step_.states.empty(); }
  /// Rolls back all members, or all but one component, to the start of the step.
  void roll_back(std::optional<std::uint32_t> but = {});
  bool any_beyond(double limit) const;  ///< of the outputs
  /// Reports of the members that reached t + h: an event is due, or the run is to end.
  models::StepOutcome::Status end() const;
  /// The component that cut the last pass that was cut, and how.
  std::uint32_t who_cut() const { return members_[cut_].component; }
  models::StepOutcome::Status how_cut() const { return ends_[cut_]; }
  /// "a.y" with the largest change in the last test of convergence, for messages.
  std::string worst_variable() const;
  std::string name(std::size_t unknown) const;  ///< "a.y"

  std::size_t size() const override { return links_.sources.size(); }
  double step_size() const override { return step_.h; }
  Pass evaluate(std::span<const double> x, std::span<double> result) override;
  Pass sweep(std::span<double> x) override;
  bool others_settled() const override { return others_settled_; }
  void sensitivities(std::span<const double> x, std::span<const double> result,
                     const Store& store) override;
  double change(std::span<const double> before, std::span<const double> after) const override;
  double time() const override { return step_.t; }
  const stability::InterfaceModel* model() override;
  std::span<const stability::OutsideLine> outside() override;
  Pass evaluate_along(std::span<const stability::InputLine> lines, std::span<const double> x,
                      std::span<double> result) override;
  void write(std::span<const double> x) override;
  double tolerance(std::size_t /*unknown*/, double value) const override {
    return tolerance_.abs + tolerance_.rel * std::abs(value);
  }

 private:
  /// An input from outside that is in the model of its member.
  struct Outside {
    const InputCurves* curves;
    std::size_t curve;
  };

  void prepare_pass();
  void set_inputs(std::size_t member, std::span<const double> x,
                  std::span<const stability::InputLine> lines = {});
  /// Steps all members. @pre their inputs are in place
  Pass step_members(std::span<double> result);
  void make_model();
  std::vector<std::optional<std::size_t>> find_outside(std::size_t member);
  bool follows_lines(std::size_t member) const;
  /// Steps one member from t to t + h. Empty: it reached t + h.
  std::optional<Pass> step_member(std::size_t member);
  void read_member(std::size_t member, std::span<double> x) const;
  void restore_member(std::size_t member);
  /// Records the first output of a step that is not finite: the others follow from it.
  void look_at_outputs(std::size_t member);
  /// Takes over the values of a member that are not real.
  void take_others(std::size_t member);

  const models::Snapshot& state(std::size_t member) const {
    return step_.states.empty() ? own_states_[member] : step_.states[members_[member].component];
  }

  std::vector<Member> members_;
  CycleLinks links_;
  IterationSettings tolerance_;
  bool repeats_;
  /// Of all members, where they have models.
  struct {
    std::optional<stability::InterfaceModel> model;
    std::vector<std::size_t> first_line;  ///< by member
    std::vector<Outside> outside;         ///< of all members
    std::vector<stability::OutsideLine> lines;
  } linear_;
  /// The present step.
  struct Step {
    double t = 0, h = 0, excess = 0;
    Watch watch;
    std::span<const models::Snapshot> states;
    bool is_first_pass = true;
    std::optional<std::size_t> first_not_finite = {};  ///< source
  } step_;
  std::vector<models::Snapshot> own_states_;
  std::vector<models::StepOutcome::Status> ends_;  ///< by member
  std::size_t cut_ = 0;
  bool others_settled_ = true;
  mutable std::size_t worst_ = 0;
};

}  // namespace tutti::master
