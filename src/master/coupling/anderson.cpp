// SPDX-License-Identifier: BSD-2-Clause
#include <deque>

#include "master/coupling/iteration.hpp"
#include "master/coupling/quasi_newton.hpp"
#include "solvers/linear/least_squares.hpp"

namespace tutti::master {
namespace {

constexpr std::size_t most_remembered = 5;  // differences of earlier iterates

class Anderson final : public CouplingMethod {
 public:
  explicit Anderson(const CouplingOptions& options) : options_(options), iteration_(options_) {}

  CouplingOutcome step(InterfaceProblem& problem, std::span<double> x) override {
    iteration_.begin();
    const std::size_t n = x.size();
    result_.resize(n);
    residual_.clear();
    iterate_changes_.clear();
    residual_changes_.clear();
    for (;;) {
      if (const auto ended = iteration_.ended_by(problem.evaluate(x, result_))) return *ended;
      remember(x);
      const auto ended = iteration_.ended_by_change(problem, x, result_);
      if (ended) {
        std::copy(result_.begin(), result_.end(), x.begin());
        return *ended;
      }
      mix(x);
    }
  }

 private:
  using Vector = std::vector<double>;

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
      if (iterate_changes_.size() > most_remembered) {
        iterate_changes_.pop_front();
        residual_changes_.pop_front();
      }
    }
    residual_ = std::move(residual);
    iterate_.assign(x.begin(), x.end());
  }

  // x = x_k + w r_k - sum g_i (dx_i + w dr_i), where |r_k - sum g_i dr_i| is smallest.
  void mix(std::span<double> x) const {
    const Vector weights = solvers::least_squares(residual_changes_, residual_);
    const double factor = options_.relaxation;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = iterate_[i] + factor * residual_[i];
      for (std::size_t k = 0; k < weights.size(); ++k)
        x[i] -= weights[k] * (iterate_changes_[k][i] + factor * residual_changes_[k][i]);
    }
  }

  CouplingOptions options_;
  Iteration iteration_;
  Vector result_, iterate_, residual_;
  std::deque<Vector> iterate_changes_, residual_changes_;
};

}  // namespace

std::unique_ptr<CouplingMethod> make_anderson(const CouplingOptions& options) {
  return std::make_unique<Anderson>(options);
}

}  // namespace tutti::master
