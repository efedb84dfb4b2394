// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <tutti/integrate.hpp>

#include "solvers/ode/ode.hpp"

namespace tutti::solvers {

/// Collects what limits the steps of an integrator.
class StepDiagnosis final : public OdeMonitor {
 public:
  /// @param sign of time: -1 where time decreases
  StepDiagnosis(std::size_t size, double sign) : sign_(sign) { found_.components.resize(size); }

  void accepted(double t, double h, int order, std::span<const double> errors) override {
    OdeDiagnosis::Step step{.t = sign_ * t, .h = sign_ * h, .order = order};
    if (!errors.empty()) {
      step.worst = worst_of(errors);
      step.error = std::abs(errors[step.worst]);
      ++found_.components[step.worst].limited;
    }
    found_.steps.push_back(step);
  }
  void rejected(double, double, Rejection why, std::span<const double> errors) override {
    if (why == Rejection::convergence) ++found_.convergence_failures;
    if (why == Rejection::evaluation) ++found_.evaluation_failures;
    if (why == Rejection::error_test) ++found_.error_failures;
    if (why == Rejection::error_test && !errors.empty())
      ++found_.components[worst_of(errors)].error_failures;
  }
  const OdeDiagnosis& found() const { return found_; }

 private:
  static std::size_t worst_of(std::span<const double> errors) {
    const auto worst = std::ranges::max_element(
        errors, [](double a, double b) { return std::abs(a) < std::abs(b); });
    return static_cast<std::size_t>(worst - errors.begin());
  }
  double sign_;
  OdeDiagnosis found_;
};

}  // namespace tutti::solvers
