// SPDX-License-Identifier: BSD-2-Clause
#include "master/coupling/iteration.hpp"
#include "master/free_loop.hpp"
#include "solvers/linear/linear_system.hpp"

namespace tutti::master {
namespace {

// A reused Jacobian that contracts worse than this is recomputed: its evaluation costs about as
// much as the iterations that it saves.
constexpr double slow_contraction = 0.3;
// A correction this far below the tolerance needs no further pass.
constexpr double negligible = 1e-3;

/// Newton's method on F(x) = x - S(x):
///   (I - J) d = S(x_k) - x_k,   x_(k+1) = x_k + d,   J = dS/dx
/// J is the sensitivity of whole steps, by differences of repeated steps. It is kept from
/// iteration to iteration and from step to step while the iteration converges well (simplified
/// Newton), and recomputed when it does not. Converges for any loop gain not near 1.
class Newton final : public CouplingMethod {
 public:
  explicit Newton(const CouplingOptions& options) : options_(options), iteration_(options_) {}

  CouplingOutcome step(InterfaceProblem& problem, std::span<double> x) override {
    using Status = CouplingOutcome::Status;
    iteration_.begin(problem);
    result_.resize(x.size());
    if (!Iteration::is_comparable(problem.step_size(), step_of_jacobian_)) forget();
    bool was_within = false;
    for (;;) {
      if (const auto ended = iteration_.ended_by(problem.evaluate(x, result_))) return *ended;
      // Sensitivities leave the components at the end of other steps.
      bool are_at_x = system_ || x.empty();
      if (!are_at_x && !take_jacobian(problem, x)) return singular();
      correct(x);
      auto ended = iteration_.ended_by_change(problem, x, corrected_);
      if (ended && ended->status != Status::converged) {
        std::copy(corrected_.begin(), corrected_.end(), x.begin());
        forget();
        return *ended;
      }
      if (ended && are_at_x && (was_within || ended->norm <= negligible)) {
        std::copy(result_.begin(), result_.end(), x.begin());
        if (was_within) --ended->iterations;  // this pass confirms the one before
        return *ended;
      }
      if (!ended && are_at_x && iteration_.contraction() > slow_contraction) {
        if (!take_jacobian(problem, x)) return singular();
        correct(x);
        iteration_.replace_change(problem, x, corrected_);
      }
      // Corrections within the tolerance get another pass, too: the states must belong to them.
      was_within = iteration_.norm() <= 1;
      std::copy(corrected_.begin(), corrected_.end(), x.begin());
    }
  }

  void keep(Memory& memory) override {
    memory(step_of_jacobian_, iteration_, size_, matrix_);
    if (memory.restores()) rebuild();
  }

 private:
  /// False: I - J is singular.
  bool take_jacobian(InterfaceProblem& problem, std::span<const double> x) {
    // Row, column, value of I - J, one after the other.
    matrix_.clear();
    for (std::size_t i = 0; i < x.size(); ++i) append(i, i, 1);
    problem.sensitivities(x, result_, [&](std::size_t row, std::size_t column, double value) {
      if (value != 0) append(row, column, -value);
    });
    size_ = x.size();
    step_of_jacobian_ = problem.step_size();
    rebuild();
    free_direction_ = system_->free_direction(precision_of_gains);
    return free_direction_.empty();
  }
  CouplingOutcome singular() {
    forget();
    CouplingOutcome outcome = iteration_.end(CouplingOutcome::Status::singular);
    outcome.free_direction = free_direction_;
    return outcome;
  }
  void forget() {
    matrix_.clear();
    system_.reset();
  }
  void append(std::size_t row, std::size_t column, double value) {
    matrix_.insert(matrix_.end(), {static_cast<double>(row), static_cast<double>(column), value});
  }
  void rebuild() {
    system_.reset();
    if (matrix_.empty()) return;
    std::vector<solvers::Entry> entries;
    for (std::size_t k = 0; k < matrix_.size(); k += 3)
      entries.push_back({static_cast<std::size_t>(matrix_[k]),
                         static_cast<std::size_t>(matrix_[k + 1]), matrix_[k + 2]});
    system_ = std::make_unique<solvers::LinearSystem>(size_, entries);
  }
  void correct(std::span<const double> x) {
    residual_.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) residual_[i] = result_[i] - x[i];
    corrected_.resize(x.size());
    if (x.empty()) return;
    system_->solve(residual_, corrected_);
    for (std::size_t i = 0; i < x.size(); ++i) corrected_[i] += x[i];
  }

  CouplingOptions options_;
  Iteration iteration_;
  std::size_t size_ = 0;
  double step_of_jacobian_ = 0;
  std::vector<double> matrix_;
  std::unique_ptr<solvers::LinearSystem> system_;
  std::vector<double> result_, residual_, corrected_, free_direction_;
};

}  // namespace

std::unique_ptr<CouplingMethod> make_newton(const CouplingOptions& options) {
  return std::make_unique<Newton>(options);
}

}  // namespace tutti::master
