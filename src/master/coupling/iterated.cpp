// SPDX-License-Identifier: BSD-2-Clause

#include "master/coupling/iteration.hpp"

namespace tutti::master {
namespace {

/// Repeats Gauss-Seidel or Jacobi sweeps until they change nothing beyond the tolerance:
///   x_(k+1) = x_k + w (S(x_k) - x_k)
/// with a fixed relaxation factor w, or with Aitken's (U. Küttler, W. A. Wall, Fixed-point
/// fluid-structure interaction solvers with dynamic relaxation, Comput. Mech. 43, 2008, eq. 44):
///   r_k = S(x_k) - x_k,   w_(k+1) = -w_k (r_k . (r_(k+1) - r_k)) / |r_(k+1) - r_k|^2
/// Converges where the loop's gain is below 1 in magnitude (with relaxation, a little beyond).
class Iterated final : public CouplingMethod {
 public:
  explicit Iterated(const CouplingOptions& options)
      : options_(options), iteration_(options_, Iteration::Changes::of_sweeps) {}

  CouplingOutcome step(InterfaceProblem& problem, std::span<double> x) override {
    iteration_.begin(problem);
    factor_ = options_.relaxation;
    residual_.clear();
    for (;;) {
      before_.assign(x.begin(), x.end());
      if (const auto ended = iteration_.ended_by(pass(problem, x))) return *ended;
      // The change of the full step, not of the relaxed one: a small factor is not convergence.
      if (const auto ended = iteration_.ended_by_change(problem, before_, x, factor_))
        return *ended;
      relax(x);
    }
  }

  void keep(Memory& memory) override { memory(iteration_); }

 private:
  Pass pass(InterfaceProblem& problem, std::span<double> x) {
    if (!options_.jacobi_sweeps) return problem.sweep(x);
    result_.resize(x.size());
    const Pass pass = problem.evaluate(x, result_);
    std::copy(result_.begin(), result_.end(), x.begin());
    return pass;
  }

  void relax(std::span<double> x) {
    if (options_.aitken) adapt_factor(x);
    if (factor_ == 1) return;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = before_[i] + factor_ * (x[i] - before_[i]);
  }

  void adapt_factor(std::span<const double> x) {
    const bool first = residual_.empty();
    residual_.resize(x.size());
    double product = 0, square = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double now = x[i] - before_[i];
      const double difference = now - residual_[i];
      product += residual_[i] * difference;
      square += difference * difference;
      residual_[i] = now;
    }
    if (!first && square > 0) factor_ *= -product / square;
  }

  CouplingOptions options_;
  Iteration iteration_;
  double factor_ = 1;
  std::vector<double> before_, result_, residual_;
};

}  // namespace

std::unique_ptr<CouplingMethod> make_iterated(const CouplingOptions& options) {
  return std::make_unique<Iterated>(options);
}

}  // namespace tutti::master
