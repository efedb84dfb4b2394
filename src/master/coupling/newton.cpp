// SPDX-License-Identifier: BSD-2-Clause
#include "master/coupling/newton.hpp"

#include "master/coupling/iteration.hpp"
#include "solvers/linear/linear_system.hpp"

namespace tutti::master {
namespace {

// A kept Jacobian that contracts worse than this is taken anew: another evaluation of it costs
// about as much as the iterations that it saves.
constexpr double slow_contraction = 0.3;
// A correction so far below the tolerance need not be followed by another pass.
constexpr double negligible = 1e-3;

class Newton final : public CouplingMethod {
 public:
  explicit Newton(const CouplingOptions& options) : options_(options), iteration_(options_) {}

  CouplingOutcome step(InterfaceProblem& problem, std::span<double> x) override {
    iteration_.begin();
    result_.resize(x.size());
    bool fresh = false;
    for (;;) {
      if (const auto ended = iteration_.ended_by(problem.evaluate(x, result_))) return *ended;
      if (x.empty()) {
        if (const auto ended = iteration_.ended_by_change(problem, x, x)) return *ended;
        continue;
      }
      if (!system_ || (!fresh && iteration_.contraction() > slow_contraction)) {
        take_jacobian(problem, x);
        // The components are somewhere else now.
        if (const auto ended = iteration_.ended_by(problem.evaluate(x, result_))) return *ended;
        fresh = true;
      }
      correct(x);
      const auto ended = iteration_.ended_by_change(problem, x, corrected_);
      if (ended && ended->status != CouplingOutcome::Status::converged) {
        std::copy(corrected_.begin(), corrected_.end(), x.begin());
        forget();
        return *ended;
      }
      if (ended && ended->norm <= negligible) {
        std::copy(result_.begin(), result_.end(), x.begin());
        return *ended;
      }
      std::copy(corrected_.begin(), corrected_.end(), x.begin());
      if (ended) {
        // The states shall belong to the accepted values.
        if (const auto cut = iteration_.ended_by(problem.evaluate(x, result_))) return *cut;
        std::copy(result_.begin(), result_.end(), x.begin());
        return *ended;
      }
      fresh = false;
    }
  }

  void save(std::vector<double>& memory) const override { memory = matrix_; }
  void restore(std::span<const double> memory) override {
    matrix_.assign(memory.begin(), memory.end());
    rebuild();
  }

 private:
  void take_jacobian(InterfaceProblem& problem, std::span<const double> x) {
    // Row, column, value of I - J, one after the other.
    matrix_.clear();
    for (std::size_t i = 0; i < x.size(); ++i) append(i, i, 1);
    problem.sensitivities(x, result_, [&](std::size_t row, std::size_t column, double value) {
      if (value != 0) append(row, column, -value);
    });
    size_ = x.size();
    rebuild();
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
    system_->solve(residual_, corrected_);
    for (std::size_t i = 0; i < x.size(); ++i) corrected_[i] += x[i];
  }

  CouplingOptions options_;
  Iteration iteration_;
  std::size_t size_ = 0;
  std::vector<double> matrix_;
  std::unique_ptr<solvers::LinearSystem> system_;
  std::vector<double> result_, residual_, corrected_;
};

}  // namespace

std::unique_ptr<CouplingMethod> make_newton(const CouplingOptions& options) {
  return std::make_unique<Newton>(options);
}

}  // namespace tutti::master
