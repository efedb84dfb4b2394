// SPDX-License-Identifier: BSD-2-Clause
#include <deque>
#include <limits>

#include "master/coupling/iteration.hpp"
#include "solvers/linear/linear_system.hpp"

namespace tutti::master {
namespace {

constexpr std::size_t maximum_remembered = 5;  // differences of earlier iterates
// Residuals this far below the tolerance are noise.
constexpr double hardly_residual = 1e-3;

/// Anderson acceleration of the Jacobi iteration (D. G. Anderson, J. ACM 12, 1965; H. F. Walker,
/// P. Ni, SIAM J. Numer. Anal. 49, 2011): the next iterate combines the last few so that the
/// linearised residual is smallest.
class Anderson final : public CouplingMethod {
 public:
  explicit Anderson(const CouplingOptions& options) : options_(options), iteration_(options_) {}

  CouplingOutcome step(InterfaceProblem& problem, std::span<double> x) override {
    iteration_.begin(problem);
    const std::size_t n = x.size();
    const double h = problem.step_size();
    bool is_outdated = options_.judges_error && n > 0 && !Iteration::is_comparable(h, inverse_at_);
    result_.resize(n);
    residual_.clear();
    all_tried_ = false;
    iterate_changes_.clear();
    residual_changes_.clear();
    for (;;) {
      if (const auto ended = iteration_.ended_by(problem.evaluate(x, result_))) return *ended;
      remember(x);
      mix();
      const bool are_at_x = !is_outdated;
      if (is_outdated) {
        const std::vector<double> free_direction = inverse_.take(problem, x, result_);
        if (!free_direction.empty()) return singular(free_direction);
        inverse_at_ = h;
      }
      is_outdated = false;
      iteration_.expect_error(expected_error(problem, x));
      // A first step that is only relaxed does not prove convergence.
      const bool is_mixed = !residual_changes_.empty();
      const auto ended = iteration_.ended_by_change(problem, x, is_mixed ? mixed_ : result_);
      const bool converged = ended && ended->status == CouplingOutcome::Status::converged;
      if (ended && (are_at_x || !converged)) {
        // The components have made their step with x, and these are their outputs.
        std::copy(result_.begin(), result_.end(), x.begin());
        return *ended;
      }
      std::copy(mixed_.begin(), mixed_.end(), x.begin());
    }
  }

  void keep(Memory& memory) override {
    memory(amplification_, amplified_at_, inverse_at_, iteration_, inverse_);
  }

 private:
  using Vector = std::vector<double>;

  CouplingOutcome singular(const std::vector<double>& free_direction) {
    inverse_.clear();
    CouplingOutcome outcome = iteration_.end(CouplingOutcome::Status::singular);
    outcome.free_direction = free_direction;
    return outcome;
  }
  /// A small residual is a large error where I - J is nearly singular. The factor is known once all
  /// directions have been tried, in this step or in an earlier one of this size. The iterates may
  /// never try the direction in which residuals hide the error: there the inverse is needed.
  double expected_error(const InterfaceProblem& problem, std::span<const double> x) {
    const double tried = tried_error(problem, x);
    if (inverse_.rows().empty()) return tried;
    inverse_.multiply(residual_, correction_);
    for (std::size_t i = 0; i < x.size(); ++i) correction_[i] += x[i];
    return std::max(tried, problem.change(x, correction_));
  }
  double tried_error(const InterfaceProblem& problem, std::span<const double> x) {
    const double h = problem.step_size(), residual = problem.change(x, result_);
    if (residual_changes_.size() >= std::min(x.size(), maximum_remembered)) {
      if (!all_tried_) amplification_ = 0;
      all_tried_ = true;
      if (residual > hardly_residual)
        amplification_ = std::max(amplification_, problem.change(x, mixed_) / residual);
      amplified_at_ = h;
    } else if (!Iteration::is_similar(h, amplified_at_)) {
      return std::numeric_limits<double>::infinity();
    }
    return amplification_ * residual;
  }

  void remember(std::span<const double> x) {
    Vector residual(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) residual[i] = result_[i] - x[i];
    if (!residual_.empty()) {
      Vector iterate_change(x.size()), residual_change(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        iterate_change[i] = x[i] - iterate_[i];
        residual_change[i] = residual[i] - residual_[i];
      }
      iterate_changes_.push_back(std::move(iterate_change));
      residual_changes_.push_back(std::move(residual_change));
      if (iterate_changes_.size() > maximum_remembered) {
        iterate_changes_.pop_front();
        residual_changes_.pop_front();
      }
    }
    residual_ = std::move(residual);
    iterate_.assign(x.begin(), x.end());
  }

  // x = x_k + w r_k - sum g_i (dx_i + w dr_i), where |r_k - sum g_i dr_i| is smallest.
  void mix() {
    const Vector weights = solvers::least_squares(residual_changes_, residual_);
    const double factor = options_.relaxation;
    mixed_.resize(iterate_.size());
    for (std::size_t i = 0; i < mixed_.size(); ++i) {
      mixed_[i] = iterate_[i] + factor * residual_[i];
      for (std::size_t k = 0; k < weights.size(); ++k)
        mixed_[i] -= weights[k] * (iterate_changes_[k][i] + factor * residual_changes_[k][i]);
    }
  }

  CouplingOptions options_;
  Iteration iteration_;
  Vector result_, mixed_, iterate_, residual_, correction_;
  std::deque<Vector> iterate_changes_, residual_changes_;
  bool all_tried_ = false;      ///< in this step
  double amplification_ = 0;    ///< largest correction for a residual of 1
  double amplified_at_ = 0;     ///< in a step of this size; 0: not measured
  SensitivityInverse inverse_;  ///< empty: of no step yet
  double inverse_at_ = 0;       ///< in a step of this size
};

}  // namespace

std::unique_ptr<CouplingMethod> make_anderson(const CouplingOptions& options) {
  return std::make_unique<Anderson>(options);
}

}  // namespace tutti::master
