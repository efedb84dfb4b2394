// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "master/coupling/iteration.hpp"

namespace tutti::master {
namespace {

bool is_finite(std::span<const double> x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

CouplingOutcome judge(const Pass& pass, std::span<const double> x) {
  static const CouplingOptions options;
  if (const auto ended = Iteration(options).ended_by(pass)) return *ended;
  CouplingOutcome outcome;
  if (!is_finite(x)) outcome.status = CouplingOutcome::Status::not_finite;
  return outcome;
}

/// One pass per step: x(t + h) = S(x(t)), all components with the values of t...
class Jacobi final : public CouplingMethod {
 public:
  CouplingOutcome step(InterfaceProblem& problem, std::span<double> x) override {
    result_.resize(x.size());
    const Pass pass = problem.evaluate(x, result_);
    std::copy(result_.begin(), result_.end(), x.begin());
    return judge(pass, x);
  }

 private:
  std::vector<double> result_;
};

/// ...or each component with the new outputs of those before it in the calling sequence.
class GaussSeidel final : public CouplingMethod {
 public:
  CouplingOutcome step(InterfaceProblem& problem, std::span<double> x) override {
    return judge(problem.sweep(x), x);
  }
};

}  // namespace

std::unique_ptr<CouplingMethod> make_jacobi(const CouplingOptions&) {
  return std::make_unique<Jacobi>();
}

std::unique_ptr<CouplingMethod> make_gauss_seidel(const CouplingOptions&) {
  return std::make_unique<GaussSeidel>();
}

}  // namespace tutti::master
