// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <tutti/error.hpp>
#include <tutti/log.hpp>

#include "master/cycle.hpp"

namespace tutti::master {

/// How the iterations of a cycle went.
struct CycleReport {
  std::vector<std::string> components;
  std::string method;
  std::uint64_t steps = 0, iterations = 0, limit_hits = 0, fallbacks = 0;
  std::uint64_t limit = 0, near_limit = 0;  ///< see CycleStatistics
};

/// A step in which not all components plainly reached t + h.
struct Cut {
  std::uint32_t component = 0;  ///< the component that ended its step...
  models::StepOutcome outcome;  ///< ...and how
  bool not_converged = false;   ///< its cycle did not converge; then no component moved

  /// FMI 3.0, 4.2.1: an FMU may find an event where its step starts, or want another communication
  /// point there. It has not moved and keeps its state; others that have moved roll back.
  bool is_at_start(double t) const {
    return outcome.status != models::StepOutcome::Status::discarded && outcome.reached <= t;
  }
};

/// A cycle that iterates, with its methods: the first one, and its fallbacks.
class CycleRun {
 public:
  /// @param all_roll_back the step of the whole system can be repeated
  CycleRun(std::vector<Cycle::Member> members, std::vector<std::string> methods,
           const SimulationSettings& settings, bool all_roll_back, const Log& log);

  /// Steps all members from t to t + h. @pre inputs from outside the cycle are in place
  /// `states` are those of all components at t, or none; the first pass is longer by `excess`.
  /// Empty: all reached t + h; end() has more.
  /// @throws Error(numeric) if no method converges, and the step is not controlled
  std::optional<Cut> step(double t, double h, const Watch& watch,
                          std::span<const models::Snapshot> states, double excess);
  models::StepOutcome::Status end() const { return cycle_.end(); }
  /// The states of the members at the start of the last step are saved.
  bool can_roll_back() const { return cycle_.has_states(); }
  /// Rolls back all members, or all but one component, to the start of the last step.
  void roll_back(std::optional<std::uint32_t> but = {}) { cycle_.roll_back(but); }
  bool any_beyond(double limit) const { return cycle_.any_beyond(limit); }

  /// After an event the extrapolation restarts.
  void forget();
  void keep(Memory& memory);

  const std::vector<std::uint32_t>& components() const { return components_; }
  const CycleReport& report() const { return report_; }

 private:
  /// Switches to the next method, at the start of the step. False: there is none.
  bool fall_back(double t);
  void predict(double h);
  bool is_near_limit(const CouplingOutcome& outcome) const;
  bool is_robust() const;
  std::optional<Cut> judge(const CouplingOutcome& outcome, double t, double h);
  /// The message about a loop of gain 1.
  Error free_loop(const CouplingOutcome& outcome, double t, double h) const;
  std::string names() const;

  Cycle cycle_;
  IterationSettings tolerance_;
  bool step_is_controlled_;  ///< not converging is a reason for a shorter step, not an error
  double fall_back_;         ///< shorter steps are not iterated
  const Log& log_;
  std::vector<std::uint32_t> components_;
  std::vector<std::string> names_;  ///< of the methods
  std::vector<std::unique_ptr<CouplingMethod>> methods_;
  std::size_t active_ = 0;
  std::uint32_t steps_left_ = 0;  ///< with a fallback
  std::vector<double> x_;
  std::uint32_t order_;  ///< of the extrapolation that the iteration starts from
  History past_;
  CycleReport report_;
};

}  // namespace tutti::master
