// SPDX-License-Identifier: BSD-2-Clause
#include <numeric>

#include "master/coupling/iteration.hpp"
#include "master/coupling/quasi_newton.hpp"

namespace tutti::master {
namespace {

class Broyden final : public CouplingMethod {
 public:
  explicit Broyden(const CouplingOptions& options) : options_(options), iteration_(options_) {}

  CouplingOutcome step(InterfaceProblem& problem, std::span<double> x) override {
    iteration_.begin();
    const std::size_t n = x.size();
    if (inverse_.size() != n * n) reset(n);
    result_.resize(n);
    residual_.resize(n);
    direction_.clear();
    for (;;) {
      if (const auto ended = iteration_.ended_by(problem.evaluate(x, result_))) return *ended;
      old_residual_ = residual_;
      for (std::size_t i = 0; i < n; ++i) residual_[i] = result_[i] - x[i];
      if (!direction_.empty()) learn();
      next_direction();
      next_.resize(n);
      for (std::size_t i = 0; i < n; ++i) next_[i] = x[i] + direction_[i];
      const auto ended = iteration_.ended_by_change(problem, x, next_);
      if (ended && ended->status == CouplingOutcome::Status::converged) {
        // The components have made their step with x, and these are their outputs.
        std::copy(result_.begin(), result_.end(), x.begin());
        return *ended;
      }
      std::copy(next_.begin(), next_.end(), x.begin());
      if (ended) {
        reset(n);
        return *ended;
      }
    }
  }

  void save(std::vector<double>& memory) const override { memory = inverse_; }
  void restore(std::span<const double> memory) override {
    inverse_.assign(memory.begin(), memory.end());
  }

 private:
  void reset(std::size_t n) {
    inverse_.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) inverse_[i * n + i] = 1;
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
  std::vector<double> result_, residual_, old_residual_, direction_, next_, change_, moved_, row_;
};

}  // namespace

std::unique_ptr<CouplingMethod> make_broyden(const CouplingOptions& options) {
  return std::make_unique<Broyden>(options);
}

}  // namespace tutti::master
