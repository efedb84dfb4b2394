// SPDX-License-Identifier: BSD-2-Clause
#include "wegstein.hpp"

#include <cmath>

#include "master/coupling/iteration.hpp"

namespace tutti::master {
namespace {

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
