// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "solvers/ode/ode.hpp"

namespace tutti::solvers {
namespace {

/// One step leads to the limit. Roots are noticed at the end of the step in which they lie.
class FixedStep : public OdeIntegrator {
 public:
  FixedStep(OdeProblem& problem, const OdeOptions& options)
      : problem_(problem), max_step_(options.max_step) {}

  void start(double t, std::span<const double> y) override {
    t_ = t;
    y_.assign(y.begin(), y.end());
    f_.resize(y.size());
    g_.resize(problem_.root_count());
    g_next_.resize(problem_.root_count());
    evaluate_roots(g_);
    ++statistics_.starts;
  }

  Step step(double limit) override {
    const double end = limit - t_ > max_step_ * (1 + 1e-9) ? t_ + max_step_ : limit;
    advance(end);
    t_ = end;
    ++statistics_.steps;
    evaluate_roots(g_next_);
    // FMI 2.0, 3.1.1: an event is a change between z > 0 and z <= 0.
    const bool root = !std::equal(g_.begin(), g_.end(), g_next_.begin(),
                                  [](double a, double b) { return (a > 0) == (b > 0); });
    g_.swap(g_next_);
    return {t_, root};
  }

  void interpolate(double, std::span<double> y) override { std::ranges::copy(y_, y.begin()); }
  void set_atol(std::span<const double>) override {}
  OdeStatistics statistics() const override { return statistics_; }

 protected:
  /// y_ moves from t_ to `end`; nothing is evaluated behind it, not by a rounding error either.
  virtual void advance(double end) = 0;
  void evaluate(double t, std::span<const double> y, std::span<double> f) {
    ++statistics_.evaluations;
    if (!problem_.evaluate(t, y, f))
      throw OdeFailure(t, "the derivatives cannot be computed or are not finite here",
                       "Try a smaller step, or a solver that varies its own (cvode).");
  }

  double t_ = 0;
  std::vector<double> y_, f_;

 private:
  void evaluate_roots(std::vector<double>& g) {
    if (g.empty()) return;
    ++statistics_.root_evaluations;
    if (!problem_.evaluate_roots(t_, y_, g))
      throw OdeFailure(t_, "the event indicators cannot be computed here");
  }

  OdeProblem& problem_;
  double max_step_;
  std::vector<double> g_, g_next_;
  OdeStatistics statistics_;
};

class Euler final : public FixedStep {
 public:
  using FixedStep::FixedStep;

 private:
  void advance(double end) override {
    const double h = end - t_;
    evaluate(t_, y_, f_);
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += h * f_[i];
  }
};

/// k1 = f(t, y), k2 = f(t + h/2, y + h/2 k1), k3 = f(t + h/2, y + h/2 k2), k4 = f(t + h, y + h k3),
/// y += h/6 (k1 + 2 k2 + 2 k3 + k4).
class RungeKutta4 final : public FixedStep {
 public:
  using FixedStep::FixedStep;

 private:
  void advance(double end) override {
    const double h = end - t_;
    const std::size_t n = y_.size();
    sum_.assign(n, 0);
    stage_ = y_;
    constexpr double node[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    for (int s = 0; s < 4; ++s) {
      if (s > 0)
        for (std::size_t i = 0; i < n; ++i) stage_[i] = y_[i] + node[s] * h * f_[i];
      evaluate(node[s] == 1 ? end : t_ + node[s] * h, stage_, f_);
      for (std::size_t i = 0; i < n; ++i) sum_[i] += weight[s] * f_[i];
    }
    for (std::size_t i = 0; i < n; ++i) y_[i] += h / 6 * sum_[i];
  }
  std::vector<double> stage_, sum_;
};

}  // namespace

std::unique_ptr<OdeIntegrator> make_euler(OdeProblem& problem, const OdeOptions& options) {
  return std::make_unique<Euler>(problem, options);
}

std::unique_ptr<OdeIntegrator> make_rk4(OdeProblem& problem, const OdeOptions& options) {
  return std::make_unique<RungeKutta4>(problem, options);
}

}  // namespace tutti::solvers
