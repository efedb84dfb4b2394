// SPDX-License-Identifier: BSD-2-Clause
#include "models/step_monitor.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::models {
namespace {

/// The component with the largest error; -1: not known.
std::int32_t worst_of(std::span<const double> errors) {
  const auto worst = std::ranges::max_element(
      errors, [](double a, double b) { return std::abs(a) < std::abs(b); });
  return worst == errors.end() ? -1 : static_cast<std::int32_t>(worst - errors.begin());
}

}  // namespace

void StepMonitor::accepted(double t, double h, int order, std::span<const double> errors) {
  SolverDiagnosis::Step step{t, h, order, worst_of(errors), 0};
  if (step.state >= 0) {
    const auto worst = static_cast<std::size_t>(step.state);
    step.error = std::abs(errors[worst]);
    if (worst < diagnosis_.states.size()) ++diagnosis_.states[worst].limited;
  }
  ++diagnosis_.accepted;
  std::vector<SolverDiagnosis::Step>& steps = diagnosis_.steps;
  if (in_last_ < group_ && in_last_ > 0) {
    ++in_last_;
    if (step.h < steps.back().h) steps.back() = step;
    return;
  }
  if (steps.size() == most_steps) halve();
  steps.push_back(step);
  in_last_ = 1;
}

/// The shortest steps show where the problem is difficult, so they are kept.
void StepMonitor::halve() {
  std::vector<SolverDiagnosis::Step>& steps = diagnosis_.steps;
  for (std::size_t i = 0; i < most_steps / 2; ++i)
    steps[i] = std::min(steps[2 * i], steps[2 * i + 1],
                        [](const auto& a, const auto& b) { return a.h < b.h; });
  steps.resize(most_steps / 2);
  group_ *= 2;
}

void StepMonitor::rejected(double /*t*/, double /*h*/, solvers::Rejection why,
                           std::span<const double> errors) {
  switch (why) {
    case solvers::Rejection::error_test: {
      ++diagnosis_.error_failures;
      const std::int32_t worst = worst_of(errors);
      if (worst >= 0 && static_cast<std::size_t>(worst) < diagnosis_.states.size())
        ++diagnosis_.states[static_cast<std::size_t>(worst)].rejected;
      break;
    }
    case solvers::Rejection::convergence:
      ++diagnosis_.convergence_failures;
      break;
    case solvers::Rejection::evaluation:
      ++diagnosis_.evaluation_failures;
      break;
  }
}

}  // namespace tutti::models
