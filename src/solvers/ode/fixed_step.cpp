// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "solvers/ode/runge_kutta.hpp"

namespace tutti::solvers {
namespace {

/// One step to the limit. Roots are detected at the end of the step in which they occur.
class FixedStep : public OdeIntegrator {
 public:
  FixedStep(OdeProblem& problem, const OdeOptions& options)
      : problem_(problem), max_step_(options.max_step) {}

  void start(double t, std::span<const double> y, std::span<const double>) override {
    t_ = t;
    y_.assign(y.begin(), y.end());
    f_.resize(y.size());
    g_.resize(problem_.root_count());
    g_next_.resize(problem_.root_count());
    roots_.resize(problem_.root_count());
    evaluate_roots(g_);
    // As in RootLocator: a function that starts at zero triggers no event before it has been
    // nonzero.
    is_active_.assign(g_.size(), 0);
    activate();
    ++statistics_.starts;
  }

  Step step(double limit) override {
    const double end = limit - t_ > max_step_ * (1 + 1e-9) ? t_ + max_step_ : limit;
    advance(end);
    t_ = end;
    ++statistics_.steps;
    evaluate_roots(g_next_);
    // FMI 2.0, 3.1.1: an event is a change between z > 0 and z <= 0.
    bool root = false;
    for (std::size_t i = 0; i < g_.size(); ++i) {
      const bool before = g_[i] > 0, after = g_next_[i] > 0;
      const int direction = after ? 1 : -1, wanted = problem_.root_direction(i);
      const bool triggers = before != after && is_active_[i] != 0;
      roots_[i] = triggers && (wanted == 0 || wanted == direction) ? direction : 0;
      root |= roots_[i] != 0;
    }
    g_.swap(g_next_);
    activate();
    return {t_, root};
  }

  void interpolate(double, std::span<double> y) override { std::ranges::copy(y_, y.begin()); }
  std::span<const int> roots() const override { return roots_; }
  int interpolation_degree() const override { return 0; }
  void set_atol(std::span<const double>) override {}
  OdeStatistics statistics() const override { return statistics_; }

 protected:
  /// Advances y_ from t_ to `end`; nothing is evaluated after `end`, not even by a rounding error.
  virtual void advance(double end) = 0;
  void evaluate(double t, std::span<const double> y, std::span<double> f) {
    ++statistics_.evaluations;
    if (!problem_.evaluate(t, y, f))
      throw OdeFailure(t, "the derivatives cannot be computed or are not finite here",
                       "Try a smaller step, or a solver with variable steps (cvode).");
  }

  double t_ = 0;
  std::vector<double> y_, f_;

 private:
  void activate() {
    for (std::size_t i = 0; i < g_.size(); ++i)
      if (g_[i] != 0) is_active_[i] = 1;
  }
  void evaluate_roots(std::vector<double>& g) {
    if (g.empty()) return;
    ++statistics_.root_evaluations;
    if (!problem_.evaluate_roots(t_, y_, {}, g))
      throw OdeFailure(t_, "the event indicators cannot be computed here");
  }

  OdeProblem& problem_;
  double max_step_;
  std::vector<double> g_, g_next_;
  std::vector<std::uint8_t> is_active_;  ///< by event function: has been nonzero since the start
  std::vector<int> roots_;
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

constexpr double euler_c[] = {0, 1};
constexpr double euler_a[] = {1};
constexpr double rk4_c[] = {0, 0.5, 0.5, 1, 1};
constexpr double rk4_a[] = {0.5, 0, 0.5, 0, 0, 1, 1. / 6, 1. / 3, 1. / 3, 1. / 6};

/// Steps of h, the last one up to the limit. Roots are located on a cubic Hermite interpolant.
class OwnSteps final : public ExplicitRungeKutta {
 public:
  OwnSteps(OdeProblem& problem, const OdeOptions& options, const Tableau& tableau, double h)
      : ExplicitRungeKutta(problem, options, tableau, {}), h_(h) {}

 private:
  double first_size(double) override { return h_; }
  Attempt attempt(double end) override {
    Attempt result = ExplicitRungeKutta::attempt(end);
    // A smaller step is not allowed where this one cannot be computed.
    result.next_size = result.rejected ? std::numeric_limits<double>::infinity() : h_;
    return result;
  }

  double h_;
};

template <class Plain>
std::unique_ptr<OdeIntegrator> make_fixed(std::string_view name, OdeProblem& problem,
                                          const OdeOptions& options, const Tableau& tableau) {
  const double h = OptionValues(name, fixed_step_options, options.own).number("h");
  refuse_first_step(name, options.first_step);
  if (h > 0) return std::make_unique<OwnSteps>(problem, options, tableau, h);
  return std::make_unique<Plain>(problem, options);
}

}  // namespace

const Tableau euler_tableau{.order = 1, .stages = 2, .c = euler_c, .a = euler_a};
const Tableau rk4_tableau{.order = 4, .stages = 5, .c = rk4_c, .a = rk4_a};

const OptionRow fixed_step_options[1] = {
    {"h", 0.0, "Step size, with events located inside steps; 0: one step to the next point", 0,
     1e300},
};

std::unique_ptr<OdeIntegrator> make_euler(OdeProblem& problem, const OdeOptions& options) {
  return make_fixed<Euler>("euler", problem, options, euler_tableau);
}

std::unique_ptr<OdeIntegrator> make_rk4(OdeProblem& problem, const OdeOptions& options) {
  return make_fixed<RungeKutta4>("rk4", problem, options, rk4_tableau);
}

}  // namespace tutti::solvers
