// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "master/coupling/coupling_method.hpp"

namespace tutti::master {

/// What the iterating methods have in common: counting, and judging the change of each iteration.
class Iteration {
 public:
  explicit Iteration(const CouplingOptions& options) : options_(options) {}

  void begin() {
    outcome_ = {.iterations = 0};
    contraction_ = 0;
    slow_ = 0;
  }
  /// Of the last two changes, variable by variable against its largest value so far; 0 after the
  /// first.
  double contraction() const { return contraction_; }

  /// A pass that did not reach the end ends the attempt.
  std::optional<CouplingOutcome> ended_by(const Pass& pass) {
    if (pass.status == Pass::Status::done) return {};
    outcome_.status = pass.status == Pass::Status::cut ? CouplingOutcome::Status::cut
                                                       : CouplingOutcome::Status::terminated;
    outcome_.reached = pass.reached;
    return outcome_;
  }
  /// Judges the change of one more iteration. Nothing: go on.
  std::optional<CouplingOutcome> ended_by_change(const InterfaceProblem& problem,
                                                 std::span<const double> before,
                                                 std::span<const double> after) {
    ++outcome_.iterations;
    outcome_.norm = before.empty() ? 0 : problem.change(before, after);
    if (!std::isfinite(outcome_.norm)) return end(CouplingOutcome::Status::not_finite);
    if (outcome_.norm <= 1 && problem.others_settled())
      return end(CouplingOutcome::Status::converged);
    measure_contraction(before, after);
    slow_ = contraction_ > slowest_contraction ? slow_ + 1 : 0;
    if (options_.watch_contraction && slow_ >= 2) return end(CouplingOutcome::Status::diverging);
    if (outcome_.iterations >= options_.most_iterations)
      return end(CouplingOutcome::Status::iteration_limit);
    return {};
  }
  double norm() const { return outcome_.norm; }

 private:
  static constexpr double slowest_contraction = 0.7;

  // The weights of the norm follow the iterates, which would hide a growth behind an oscillation.
  void measure_contraction(std::span<const double> before, std::span<const double> after) {
    if (outcome_.iterations == 1) {
      scale_.assign(before.size(), 0);
      last_change_.assign(before.size(), 0);
    }
    double now = 0, last = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double change = after[i] - before[i];
      scale_[i] = std::max({scale_[i], std::abs(before[i]), std::abs(after[i])});
      if (scale_[i] > 0) {
        now += std::pow(change / scale_[i], 2);
        last += std::pow(last_change_[i] / scale_[i], 2);
      }
      last_change_[i] = change;
    }
    contraction_ = last > 0 ? std::sqrt(now / last) : 0;
  }
  CouplingOutcome end(CouplingOutcome::Status status) {
    outcome_.status = status;
    return outcome_;
  }

  const CouplingOptions& options_;
  CouplingOutcome outcome_{.iterations = 0};
  double contraction_ = 0;
  int slow_ = 0;
  std::vector<double> scale_, last_change_;
};

}  // namespace tutti::master
