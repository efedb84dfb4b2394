// SPDX-License-Identifier: BSD-2-Clause
#include "zoo/reference.hpp"

#include <limits>
#include <stdexcept>

#include "zoo/whole.hpp"

namespace zoo {
namespace {

constexpr std::size_t max_states = Whole::max_states;
using States = std::array<double, max_states>;

/// Lagrange's weights of the nodes 0, c_1, ..., c_5 at `place` in [0, 1].
std::array<double, stages + 1> weights(double place) {
  std::array<double, stages + 1> node{}, result{};
  for (std::size_t i = 0; i < stages; ++i) node[i + 1] = tableau().c[i];
  for (std::size_t i = 0; i <= stages; ++i) {
    result[i] = 1;
    for (std::size_t k = 0; k <= stages; ++k)
      if (k != i) result[i] *= (place - node[k]) / (node[i] - node[k]);
  }
  return result;
}

}  // namespace

/// Goes from event to event.
class Solver {
 public:
  using Step = Reference::Step;
  Solver(const System& system, double tolerance, std::vector<Step>& steps)
      : system_(system), whole_(system), steps_(steps) {
    // Forces are differences of states times a large number, which magnifies their rounding.
    double magnified = 0;
    for (const Part& part : system.parts)
      for (const auto& [variable, value] : part.set)
        magnified = std::max(magnified, 2e-16 * std::abs(value));
    state_tolerance_ = std::max(tolerance / 10, magnified);
    output_tolerance_ = std::max(10 * tolerance, 20 * magnified);
    max_step_ = system.span / (whole_.has_indicators() ? 200 : 20);
    h_ = max_step_ / 100;
  }
  void run() {
    whole_.states(x_.data());
    double t = 0;
    whole_.update(t, x_.data());
    while (t < system_.span) {
      const double stop = std::min(system_.span, whole_.next_time(t));
      while (t < stop && !step(t, stop)) {
      }
      whole_.update(t, x_.data());
    }
  }
  const std::vector<std::string>& names() const { return whole_.names; }

 private:
  struct Attempt {
    bool good = false;
    Stages<max_states> whole, first, second;
  };
  void attempt(double t, double h, Attempt& a) {
    const auto f = [this](double at, const double* x, double* dx) { whole_.evaluate(at, x, dx); };
    Collocation<max_states, decltype(f)> method(f, whole_.size());
    method.prepare(t, x_.data(), h);
    a.good = method.step(t, x_.data(), h, a.whole);
    if (!a.good) return;
    method.prepare(t, x_.data(), h / 2);
    a.good = method.step(t, x_.data(), h / 2, a.first) &&
             method.step(t + h / 2, a.first.back().data(), h / 2, a.second);
  }
  Step values(double t, double h, const double* start, const Stages<max_states>& stage) {
    const std::size_t count = whole_.names.size();
    Step result{t, h, std::vector<double>(count * Reference::nodes)};
    std::vector<double> y(count);
    for (std::size_t i = 0; i < Reference::nodes; ++i) {
      const double* x = i == 0 ? start : stage[i - 1].data();
      whole_.evaluate(t + (i == 0 ? 0 : tableau().c[i - 1]) * h, x, nullptr);
      whole_.outputs(y.data());
      for (std::size_t k = 0; k < count; ++k) result.values[k * Reference::nodes + i] = y[k];
    }
    return result;
  }
  /// How much the whole step and its halves differ, in tolerances: states at the end, and outputs
  /// wherever the halves have them.
  double error(const Attempt& a, const Step& whole, const Step& first, const Step& second) const {
    double worst = 0;
    for (std::size_t p = 0; p < whole_.size(); ++p)
      worst = std::max(worst, std::abs(a.whole.back()[p] - a.second.back()[p]) /
                                  (1 + std::abs(a.second.back()[p])) / state_tolerance_);
    for (const Step* half : {&first, &second})
      for (std::size_t i = 1; i < Reference::nodes; ++i) {
        const auto w = weights((half->t + tableau().c[i - 1] * half->h - whole.t) / whole.h);
        for (std::size_t k = 0; k < whole_.names.size(); ++k) {
          const double here = half->values[k * Reference::nodes + i];
          double there = 0;
          for (std::size_t j = 0; j < w.size(); ++j)
            there += w[j] * whole.values[k * Reference::nodes + j];
          worst =
              std::max(worst, std::abs(there - here) / (1 + std::abs(here)) / output_tolerance_);
        }
      }
    return worst;
  }
  /// True: ended at a state event.
  bool step(double& t, double stop) {
    const bool is_rest = stop - t <= h_ * 1.01;
    const double h = is_rest ? stop - t : h_;
    Attempt a;
    attempt(t, h, a);
    double worst = INFINITY;
    Step first, second;
    if (a.good) {
      const Step whole = values(t, h, x_.data(), a.whole);
      first = values(t, h / 2, x_.data(), a.first);
      second = values(t + h / 2, h / 2, a.first.back().data(), a.second);
      worst = error(a, whole, first, second);
    }
    if (worst > 1) {
      if (h < 1e-13 * system_.span) throw std::runtime_error(system_.name + " has no reference");
      h_ = h * (a.good ? std::max(0.1, 0.8 * std::pow(worst, -1.0 / 6)) : 0.25);
      return false;
    }
    if (crosses(t, h, a)) return step_to_event(t, h);
    steps_.push_back(std::move(first));
    steps_.push_back(std::move(second));
    x_ = a.second.back();
    t = is_rest ? stop : t + h;
    const double next = h * std::min(4.0, 0.8 * std::pow(std::max(worst, 1e-9), -1.0 / 6));
    h_ = std::min(max_step_, is_rest ? std::max(h_, next) : next);
    return false;
  }
  bool crosses(double t, double h, const Attempt& a) {
    if (!whole_.has_indicators()) return false;
    whole_.evaluate(t, x_.data(), nullptr);
    const std::vector<bool> before = whole_.signs();
    whole_.evaluate(t + h, a.second.back().data(), nullptr);
    return whole_.signs() != before;
  }
  /// The step ends just behind the crossing.
  bool step_to_event(double& t, double h) {
    double low = 0, high = h;
    Attempt a;
    for (int n = 0; n < 60; ++n) {
      const double middle = (low + high) / 2;
      if (middle <= low || middle >= high) break;
      attempt(t, middle, a);
      (crosses(t, middle, a) ? high : low) = middle;
    }
    attempt(t, high, a);
    steps_.push_back(values(t, high / 2, x_.data(), a.first));
    steps_.push_back(values(t + high / 2, high / 2, a.first.back().data(), a.second));
    x_ = a.second.back();
    t += high;
    return true;
  }

  const System& system_;
  double state_tolerance_, output_tolerance_;
  Whole whole_;
  std::vector<Step>& steps_;
  States x_{};
  double max_step_ = 0, h_ = 0;
};

Reference::Reference(const System& system, double tolerance) {
  Solver solver(system, tolerance, steps_);
  solver.run();
  rounding_ = 1e-12 * system.span;
  names_ = solver.names();
  largest_.assign(names_.size(), 0);
  for (const Step& step : steps_)
    for (std::size_t k = 0; k < names_.size(); ++k)
      for (std::size_t i = 0; i < nodes; ++i)
        largest_[k] = std::max(largest_[k], std::abs(step.values[k * nodes + i]));
}

std::size_t Reference::step_at(double t) const {
  const auto behind = std::upper_bound(steps_.begin(), steps_.end(), t,
                                       [](double at, const Step& step) { return at < step.t; });
  return behind == steps_.begin() ? 0 : static_cast<std::size_t>(behind - steps_.begin()) - 1;
}

double Reference::value(const Step& step, std::size_t output, double t) const {
  const double place = step.h > 0 ? std::clamp((t - step.t) / step.h, 0.0, 1.0) : 0;
  const auto w = weights(place);
  double sum = 0;
  for (std::size_t i = 0; i < nodes; ++i) sum += w[i] * step.values[output * nodes + i];
  return sum;
}

double Reference::at(std::size_t output, double t) const {
  return value(steps_[step_at(t)], output, t);
}

double Reference::distance(std::size_t output, double t, double shift, double wanted) const {
  double nearest = INFINITY;
  if (shift == 0) {
    const std::size_t s = step_at(t);
    nearest = std::abs(value(steps_[s], output, t) - wanted);
    if (s == 0 || t - steps_[s].t > rounding_) return nearest;
    return std::min(nearest, std::abs(value(steps_[s - 1], output, t) - wanted));
  }
  for (std::size_t s = step_at(t - shift); s < steps_.size() && steps_[s].t <= t + shift; ++s) {
    const Step& step = steps_[s];
    const double from = std::max(t - shift, step.t), to = std::min(t + shift, step.t + step.h);
    if (to < from && s + 1 < steps_.size()) continue;
    double low = INFINITY, high = -INFINITY;
    constexpr int samples = 8;
    for (int i = 0; i <= samples; ++i) {
      const double v = value(step, output, from + (to - from) * i / samples);
      low = std::min(low, v);
      high = std::max(high, v);
    }
    nearest = std::min(nearest, std::max({0.0, low - wanted, wanted - high}));
  }
  return nearest;
}

}  // namespace zoo
