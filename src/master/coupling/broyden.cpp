// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <numeric>

#include "master/coupling/iteration.hpp"
#include "master/coupling/quasi_newton.hpp"
#include "master/free_loop.hpp"
#include "solvers/linear/linear_system.hpp"

namespace tutti::master {
namespace {

// Changes below this part of the tolerance may be noise of the components.
constexpr double teaches = 0.1;

class Broyden final : public CouplingMethod {
 public:
  explicit Broyden(const CouplingOptions& options) : options_(options), iteration_(options_) {}

  CouplingOutcome step(InterfaceProblem& problem, std::span<double> x) override {
    iteration_.begin(problem);
    const std::size_t n = x.size();
    const double h = problem.step_size();
    if (inverse_.size() != n * n || learnt_at_ == 0) reset(n, h);
    bool is_outdated = !Iteration::is_comparable(h, learnt_at_) && n > 0;
    result_.resize(n);
    residual_.resize(n);
    direction_.clear();
    for (;;) {
      if (const auto ended = iteration_.ended_by(problem.evaluate(x, result_))) return *ended;
      old_residual_ = residual_;
      for (std::size_t i = 0; i < n; ++i) residual_[i] = result_[i] - x[i];
      // Sensitivities leave the components at the end of other steps.
      const bool are_at_x = !is_outdated;
      if (is_outdated && !take_sensitivities(problem, x)) return singular(h);
      if (!is_outdated && !direction_.empty()) {
        learn();
        if (iteration_.norm() > teaches) learnt_at_ = h;
      }
      is_outdated = false;
      next_direction();
      next_.resize(n);
      for (std::size_t i = 0; i < n; ++i) next_[i] = x[i] + direction_[i];
      const auto ended = iteration_.ended_by_change(problem, x, next_);
      const bool converged = ended && ended->status == CouplingOutcome::Status::converged;
      if (converged && are_at_x) {
        // The components have made their step with x, and these are their outputs.
        std::copy(result_.begin(), result_.end(), x.begin());
        return *ended;
      }
      std::copy(next_.begin(), next_.end(), x.begin());
      if (ended && !converged) {
        reset(n, h);
        return *ended;
      }
    }
  }

  void save(std::vector<double>& memory) const override {
    memory.assign(1, learnt_at_);
    iteration_.save(memory);
    memory.insert(memory.end(), inverse_.begin(), inverse_.end());
  }
  void restore(std::span<const double> memory) override {
    learnt_at_ = memory[0];
    memory = iteration_.restore(memory.subspan(1));
    inverse_.assign(memory.begin(), memory.end());
  }

 private:
  void reset(std::size_t n, double h) {
    inverse_.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) inverse_[i * n + i] = 1;
    learnt_at_ = h;
  }
  /// H = (I - J)^-1: what was learnt in much shorter or longer steps hides how large errors are.
  /// False: I - J is singular.
  bool take_sensitivities(InterfaceProblem& problem, std::span<const double> x) {
    const std::size_t n = x.size();
    std::vector<solvers::Entry> entries;
    for (std::size_t i = 0; i < n; ++i) entries.push_back({i, i, 1});
    problem.sensitivities(x, result_, [&](std::size_t row, std::size_t column, double value) {
      if (value != 0) entries.push_back({row, column, -value});
    });
    const solvers::LinearSystem system(n, entries);
    free_direction_ = system.free_direction(precision_of_gains);
    std::vector<double> unit(n), column(n);
    for (std::size_t j = 0; j < n; ++j) {
      unit[j] = 1;
      system.solve(unit, column);
      unit[j] = 0;
      for (std::size_t i = 0; i < n; ++i) inverse_[i * n + j] = column[i];
    }
    learnt_at_ = problem.step_size();
    return free_direction_.empty();
  }
  CouplingOutcome singular(double h) {
    reset(residual_.size(), h);
    CouplingOutcome outcome = iteration_.end(CouplingOutcome::Status::singular);
    outcome.free_direction = free_direction_;
    return outcome;
  }
  void multiply(std::span<const double> v, std::vector<double>& product) const {
    const std::size_t n = v.size();
    product.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i)
      product[i] = std::inner_product(v.begin(), v.end(), inverse_.begin() + offset(i * n), 0.0);
  }
  static std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }
  void next_direction() { multiply(residual_, direction_); }

  /// d is the last direction, q the change of x - S(x) = -residual over it.
  void learn() {
    const std::size_t n = residual_.size();
    change_.resize(n);
    for (std::size_t i = 0; i < n; ++i) change_[i] = old_residual_[i] - residual_[i];
    multiply(change_, moved_);  // H q
    const double scale =
        std::inner_product(direction_.begin(), direction_.end(), moved_.begin(), 0.0);
    if (!(std::abs(scale) > 0) || !std::isfinite(scale)) return;
    row_.assign(n, 0);  // d^T H
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) row_[j] += direction_[i] * inverse_[i * n + j];
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = (direction_[i] - moved_[i]) / scale;
      for (std::size_t j = 0; j < n; ++j) inverse_[i * n + j] += weight * row_[j];
    }
  }

  CouplingOptions options_;
  Iteration iteration_;
  std::vector<double> inverse_;  ///< H, by rows
  double learnt_at_ = 0;         ///< size of the step that H is of; 0: none yet
  std::vector<double> free_direction_;
  std::vector<double> result_, residual_, old_residual_, direction_, next_, change_, moved_, row_;
};

}  // namespace

std::unique_ptr<CouplingMethod> make_broyden(const CouplingOptions& options) {
  return std::make_unique<Broyden>(options);
}

}  // namespace tutti::master
