// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include "master/coupling/coupling_method.hpp"
#include "master/coupling/iteration.hpp"

namespace tutti::master {
namespace {

/// Gauss-Seidel sweeps, accelerated variable by variable with the secant through the last two
/// (J. H. Wegstein, Accelerating convergence of iterative processes, Comm. ACM 1, 1958).
/// Notation: G(x) is what a sweep makes of x.
///   s = (G(x_k) - G(x_(k-1))) / (x_k - x_(k-1)),   x_(k+1) = x_k + (G(x_k) - x_k) / (1 - s)
/// For a linear loop with one variable read before it is produced, the third sweep is exact.
class Wegstein final : public CouplingMethod {
 public:
  explicit Wegstein(const CouplingOptions& options) : options_(options), iteration_(options_) {}

  CouplingOutcome step(InterfaceProblem& problem, std::span<double> x) override {
    iteration_.begin(problem);
    last_iterate_.clear();
    for (;;) {
      iterate_.assign(x.begin(), x.end());
      if (const auto ended = iteration_.ended_by(problem.sweep(x))) return *ended;
      if (const auto ended = iteration_.ended_by_change(problem, iterate_, x)) return *ended;
      swept_.assign(x.begin(), x.end());
      if (!last_iterate_.empty()) accelerate(x);
      last_iterate_ = iterate_;
      last_swept_ = swept_;
    }
  }

 private:
  void accelerate(std::span<double> x) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double slope = (swept_[i] - last_swept_[i]) / (iterate_[i] - last_iterate_[i]);
      const double next = iterate_[i] + (swept_[i] - iterate_[i]) / (1 - slope);
      // Where the last two iterates are the same, or the slope is 1, there is no secant.
      if (std::isfinite(next)) x[i] = next;
    }
  }

  CouplingOptions options_;
  Iteration iteration_;  // counts, and judges every change
  std::vector<double> iterate_, swept_, last_iterate_, last_swept_;
};

}  // namespace

std::unique_ptr<CouplingMethod> make_wegstein(const CouplingOptions& options) {
  return std::make_unique<Wegstein>(options);
}

}  // namespace tutti::master
