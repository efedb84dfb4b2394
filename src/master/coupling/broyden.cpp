// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "master/coupling/iteration.hpp"

namespace tutti::master {
namespace {

/// Broyden's method on F(x) = x - S(x) (C. G. Broyden, Math. Comp. 19, 1965, the "good" update): no
/// Jacobian is computed; every pass updates an estimate H of (I - J)^-1, initially I:
///   d = H (S(x) - x),   H += (d - H q) d^T H / (d^T H q),   q = change of x - S(x) over d
/// The estimate is kept from step to step.
class Broyden final : public CouplingMethod {
 public:
  explicit Broyden(const CouplingOptions& options) : options_(options), iteration_(options_) {}

  CouplingOutcome step(InterfaceProblem& problem, std::span<double> x) override {
    iteration_.begin(problem);
    const std::size_t n = x.size();
    const double h = problem.step_size();
    const bool is_new = !inverse_.has_size(n);
    if (is_new) inverse_.set_identity(n);
    // In directions that H was never tried in, a small residual may be a large error.
    bool is_outdated =
        n > 0 && (is_new ? options_.judges_error : !Iteration::is_comparable(h, valid_at_));
    result_.resize(n);
    residual_.resize(n);
    direction_.clear();
    for (;;) {
      if (const auto ended = iteration_.ended_by(problem.evaluate(x, result_))) return *ended;
      old_residual_ = residual_;
      for (std::size_t i = 0; i < n; ++i) residual_[i] = result_[i] - x[i];
      const bool are_at_x = !is_outdated;
      if (is_outdated) {
        free_direction_ = inverse_.take(problem, x, result_);
        if (!free_direction_.empty()) return singular();
        valid_at_ = h;
        is_outdated = false;
      } else if (!direction_.empty()) {
        learn();
      }
      inverse_.multiply(residual_, direction_);
      next_.resize(n);
      for (std::size_t i = 0; i < n; ++i) next_[i] = x[i] + direction_[i];
      const auto ended = iteration_.ended_by_change(problem, x, next_);
      const bool converged = ended && ended->status == CouplingOutcome::Status::converged;
      if (converged && are_at_x) {
        if (is_new) valid_at_ = h;
        // The components have made their step with x, and these are their outputs.
        std::copy(result_.begin(), result_.end(), x.begin());
        return *ended;
      }
      std::copy(next_.begin(), next_.end(), x.begin());
      if (ended && !converged) {
        valid_at_ = 0;
        return *ended;
      }
    }
  }

  void keep(Memory& memory) override { memory(valid_at_, iteration_, inverse_); }

 private:
  CouplingOutcome singular() {
    valid_at_ = 0;
    CouplingOutcome outcome = iteration_.end(CouplingOutcome::Status::singular);
    outcome.free_direction = free_direction_;
    return outcome;
  }
  /// From the last direction d, and the change q of x - S(x) = -residual over it.
  void learn() {
    change_.resize(residual_.size());
    for (std::size_t i = 0; i < change_.size(); ++i) change_[i] = old_residual_[i] - residual_[i];
    inverse_.update(direction_, change_);
  }

  CouplingOptions options_;
  Iteration iteration_;
  SensitivityInverse inverse_;  ///< H
  /// Step size that all of H belongs to; 0: none. An update changes H in one direction only: in a
  /// stiff system, growing steps may never try the direction in which residuals hide the error.
  double valid_at_ = 0;
  std::vector<double> free_direction_;
  std::vector<double> result_, residual_, old_residual_, direction_, next_, change_;
};

}  // namespace

std::unique_ptr<CouplingMethod> make_broyden(const CouplingOptions& options) {
  return std::make_unique<Broyden>(options);
}

}  // namespace tutti::master
