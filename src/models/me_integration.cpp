// SPDX-License-Identifier: BSD-2-Clause
#include "models/me_integration.hpp"

#include <algorithm>

namespace tutti::models {

void MeIntegration::make(std::unique_ptr<MeProblem> problem, const solvers::OdeEntry& solver,
                         solvers::OdeOptions options, bool diagnose) {
  problem_ = std::move(problem);
  if (diagnose) monitor_ = std::make_unique<StepMonitor>(problem_->state_count());
  options.monitor = monitor_.get();
  solver_ = &solver;
  options_ = std::move(options);
  integrator_ = solver.make(*problem_, options_);
}

void MeIntegration::make_again(std::vector<double> atol) {
  options_.atol = std::move(atol);
  earlier_ += integrator_->statistics();
  const std::uint64_t choice = integrator_->choice();
  integrator_ = solver_->make(*problem_, options_);
  integrator_->restore_choice(choice);
}

OdeStatistics MeIntegration::statistics() const {
  OdeStatistics all = earlier_;
  if (integrator_) all += integrator_->statistics();
  return all;
}

void MeIntegration::take_states(fmi::ModelExchange& instance) {
  x_.resize(instance.continuous_state_count());
  if (!x_.empty()) instance.get_continuous_states(x_);
}

void MeIntegration::go_to(double t) {
  time_ = t;
  integrator_->interpolate(t, x_);
  problem_->move_to(t, x_);
}

void MeIntegration::start(double t) {
  x_.resize(problem_->size());
  integrator_->start(t, x_);
  reached_ = t;
  root_ = false;
  completed_ = true;
}

void MeIntegration::step(double limit) {
  const std::uint64_t reported = monitor_ ? monitor_->accepted_count() : 0;
  problem_->set_limit(limit);
  const auto step = integrator_->step(limit);
  // Some integrators report only the sizes of their steps.
  if (monitor_ && monitor_->accepted_count() == reported)
    monitor_->accepted(step.t, step.t - reached_, 0, {});
  reached_ = step.t;
  root_ = step.root;
  completed_ = false;
}

std::optional<SolverDiagnosis> MeIntegration::diagnosis() const {
  if (!monitor_) return {};
  SolverDiagnosis diagnosis = monitor_->diagnosis();
  for (std::size_t i = 0; i < diagnosis.states.size(); ++i)
    diagnosis.states[i].name = problem_->state_label(i);
  const OdeStatistics statistics = this->statistics();
  diagnosis.error_failures = std::max(diagnosis.error_failures, statistics.error_test_failures);
  diagnosis.convergence_failures =
      std::max(diagnosis.convergence_failures,
               statistics.convergence_failures -
                   std::min(statistics.convergence_failures, diagnosis.evaluation_failures));
  return diagnosis;
}

bool MeIntegration::go_back_to_step() {
  if (restarted_at_ == reached_) return false;
  restarted_at_ = reached_;
  integrator_->interpolate(reached_, x_);
  return true;
}

}  // namespace tutti::models
