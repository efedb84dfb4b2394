// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "models/me_problem.hpp"
#include "models/step_monitor.hpp"

namespace tutti::models {

/// Integrates the equations of a model-exchange FMU: the integrator takes its own steps, and may be
/// ahead of the instance.
class MeIntegration {
 public:
  /// `diagnose`: the steps are collected.
  void make(std::unique_ptr<MeProblem> problem, const solvers::OdeEntry& solver,
            solvers::OdeOptions options, bool diagnose);
  /// The pattern of the Jacobian has changed: a new integrator, which knows what the old one chose
  /// and goes on counting. @pre make() was called; start() follows
  void make_again(std::vector<double> atol);
  /// Null: before make().
  MeProblem* problem() const { return problem_.get(); }
  solvers::OdeIntegrator* integrator() const { return integrator_.get(); }
  /// Of all integrators that were made.
  OdeStatistics statistics() const;

  /// Time and states of the instance.
  double time() const { return time_; }
  const std::vector<double>& states() const { return x_; }
  void take_states(fmi::ModelExchange& instance);
  void set_time(double t) { time_ = t; }
  /// Brings the instance to t, which the integrator has passed.
  void go_to(double t);

  /// Starts from the states at t, where the problem has been started.
  void start(double t);
  /// @throws OdeFailure
  void step(double limit);
  /// Sets the states to those of the integrator, for a restart. False: there was one already.
  bool go_back_to_step();
  double reached() const { return reached_; }
  /// An event indicator changed its sign at the end of the step; the FMU was notified of the step.
  bool has_root() const { return root_; }
  void set_root() { root_ = true; }
  bool is_completed() const { return completed_; }
  void complete() { completed_ = true; }
  /// What limited the steps; nothing: they were not collected.
  std::optional<SolverDiagnosis> diagnosis() const;

 private:
  std::unique_ptr<MeProblem> problem_;
  std::unique_ptr<StepMonitor> monitor_;  ///< null: not requested
  const solvers::OdeEntry* solver_ = nullptr;
  solvers::OdeOptions options_;
  std::unique_ptr<solvers::OdeIntegrator> integrator_;
  OdeStatistics earlier_;  ///< of integrators before this one
  std::vector<double> x_;
  double time_ = 0, reached_ = 0;
  double restarted_at_ = std::numeric_limits<double>::quiet_NaN();
  bool root_ = false, completed_ = true;
};

}  // namespace tutti::models
