// SPDX-License-Identifier: BSD-2-Clause
#include "core/integrator.hpp"

#include "core/instance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fmukit {

void Integrator::restart() {
  polynomials_.clear();
  last_polynomials_.clear();
  last_internal_ = 0;
  last_indicators.clear();
}

void Integrator::set_input_derivative(double* input, int order, double value) {
  auto p = std::find_if(polynomials_.begin(), polynomials_.end(),
                        [&](const Polynomial& q) { return q.input == input; });
  if (p == polynomials_.end()) p = polynomials_.insert(p, Polynomial{input, {}});
  p->c[static_cast<std::size_t>(order)] = value;
}

double Integrator::input_change(const double* input, double s) const {
  const auto value = [](const Polynomial& p, double at) {
    double u = 0;  // Horner, with the factorials folded in
    for (int k = max_input_order; k >= 1; --k) u = (u + p.c[static_cast<std::size_t>(k)]) * at / k;
    return u;
  };
  for (const Polynomial& p : last_polynomials_)
    if (p.input == input) return value(p, last_length_ + s) - value(p, last_length_);
  return 0;
}

double Integrator::internal_step() const {
  if (instance_.info.internal_step > 0) return instance_.info.internal_step;
  if (last_internal_ > 0) return last_internal_;
  return instance_.info.experiment.step.value_or(1e-3) / instance_.info.substeps;
}

std::vector<double> Integrator::input_values() const {
  std::vector<double> values;
  for (const double* u : instance_.inputs) values.push_back(*u);
  return values;
}

/// Stores the course of the inputs. If the simulator sets them inside the step, only values are
/// known: the parabola through the first, one near the middle and the last.
void Integrator::remember_polynomials() {
  last_length_ = instance_.model->time - begin_;
  last_polynomials_ = polynomials_;
  if (!instance_.sets_inputs_inside || last_length_ <= 0) return;
  const double a = last_length_, b = middle_ - begin_;
  const bool curved = !middle_inputs_.empty() && a != b;
  for (std::size_t k = 0; k < instance_.inputs.size(); ++k) {
    const double first = first_inputs_[k];
    const double to_last = (*instance_.inputs[k] - first) / a;
    const double to_middle = curved ? (middle_inputs_[k] - first) / b : to_last;
    const double curvature = curved ? (to_last - to_middle) / (a - b) : 0;
    last_polynomials_.push_back(
        {instance_.inputs[k], {first, to_last - curvature * a, 2 * curvature}});
  }
}

int Integrator::substeps(double h) const {
  const double longest = instance_.info.internal_step;
  // A custom solver chooses its own steps; these serve to find events.
  if (instance_.info.abilities.solver && instance_.indicators.empty()) return 1;
  if (longest <= 0) return instance_.info.substeps;
  return std::max(1, static_cast<int>(std::ceil(h / longest * (1 - 1e-9))));
}

StepReport Integrator::advance(double end) {
  Instance& i = instance_;
  Model& m = *i.model;
  StepReport report;
  begin_ = m.time;
  stop_ = end_ = end;
  inputs_at_ = begin_;
  const double h = end - begin_;
  const double tiny = 1e-12 * h;  // grid points closer than this are one
  for (Polynomial& p : polynomials_) p.c[0] = *p.input;
  if (i.sets_inputs_inside) first_inputs_ = input_values();
  middle_inputs_.clear();
  x_.resize(i.states.size());
  sum_.resize(i.states.size());
  indicators_.resize(i.indicators.size());

  // The simulator may have made an indicator change sign, or have ignored a time event.
  bool at_event = false;
  if (!i.indicators.empty()) {
    evaluate(m.time);
    at_event = read_indicators_and_compare();
  }
  if (at_event || i.next_event_time <= m.time) i.run_events();

  const int n = substeps(h);
  last_internal_ = h / n;
  for (int k = 1; m.time < end && !i.terminate_requested && !report.early && !report.event;) {
    const double grid = k < n ? begin_ + h * k / n : end;
    if (grid <= m.time + tiny && k < n) {
      ++k;
      continue;
    }
    const bool crossed = step_to(std::min({grid, i.next_event_time, stop_}));
    i.touched();
    const bool step_event = i.completed_integrator_step();
    if (crossed || step_event || m.time >= i.next_event_time) event(report, end);
    if (!report.event && m.time < end) {
      if (i.sets_inputs_inside) remember_polynomials();
      if (i.intermediate_update(m.time)) report.early = true;
    }
    if (m.time >= stop_ && m.time < end) report.early = true;
  }
  remember_polynomials();
  polynomials_.clear();
  report.reached = m.time;
  report.terminate = i.terminate_requested;
  return report;
}

/// An event at the current time: the simulator handles it if it can, else it is handled here.
bool Integrator::event(StepReport& report, double end) {
  const bool at_end = instance_.model->time >= end;
  if (instance_.event_mode_used && (at_end || instance_.early_return_allowed)) {
    report.event = true;
    report.early = !at_end;
    return true;
  }
  instance_.run_events();
  return false;
}

void Integrator::remember_indicators() {
  last_indicators.resize(instance_.indicators.size());
  if (last_indicators.empty()) return;
  instance_.ready();
  for (std::size_t k = 0; k < last_indicators.size(); ++k)
    last_indicators[k] = *instance_.indicators[k];
}

/// Reads the indicators; true if a sign differs from the last accepted point.
bool Integrator::read_indicators_and_compare() {
  bool crossed = false;
  for (std::size_t k = 0; k < indicators_.size(); ++k) {
    indicators_[k] = *instance_.indicators[k];
    if (k < last_indicators.size())
      crossed = crossed || (last_indicators[k] > 0) != (indicators_[k] > 0);
  }
  return crossed;
}

/// One internal step; true if it ended at a state event, just after the crossing.
bool Integrator::step_to(double target) {
  const double from = instance_.model->time;
  for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = *instance_.states[k];
  solve(from, target);
  if (indicators_.empty()) return false;

  evaluate(target);
  const bool crossed = read_indicators_and_compare();
  if (crossed) {
    double before = from, behind = target;
    const double resolution = 4 * std::numeric_limits<double>::epsilon() * std::abs(target);
    for (int n = 0; n < 64 && behind - before > resolution; ++n) {
      const double middle = before + (behind - before) / 2;
      solve(from, middle);
      evaluate(middle);
      (read_indicators_and_compare() ? behind : before) = middle;
    }
    solve(from, behind);
    evaluate(behind);
    read_indicators_and_compare();
  }
  last_indicators = indicators_;
  return crossed;
}

void Integrator::apply_inputs(double t) {
  const double s = t - begin_;
  for (const Polynomial& p : polynomials_) {
    double u = 0;  // Horner, with the factorials folded in
    for (int k = max_input_order; k >= 1; --k) u = (u + p.c[static_cast<std::size_t>(k)]) * s / k;
    *p.input = p.c[0] + u;
  }
  // Inputs that follow from outputs depend on the states, which differ from stage to stage.
  if (t == inputs_at_ && !instance_.reads_outputs_inside) return;
  inputs_at_ = t;
  if (!instance_.sets_inputs_inside) return;
  instance_.ask_for_inputs(t);
  const double middle = begin_ + (end_ - begin_) / 2;
  if (middle_inputs_.empty() || std::abs(t - middle) < std::abs(middle_ - middle)) {
    middle_ = t;
    middle_inputs_ = input_values();
  }
}

void Integrator::evaluate(double t) {
  instance_.model->time = t;
  apply_inputs(t);
  instance_.model->derivatives();
  instance_.model->outputs();
}

/// From the states x_ at `from`.
void Integrator::solve(double from, double to) {
  if (!instance_.info.abilities.solver) return runge_kutta(from, to);
  Model& m = *instance_.model;
  for (std::size_t k = 0; k < x_.size(); ++k) *instance_.states[k] = x_[k];
  m.time = from;
  apply_inputs(from);
  m.integrate(to);
  m.time = to;
  apply_inputs(to);
}

/// From the states x_ at `from`, with
///   k1 = f(t, x), k2 = f(t + h/2, x + h/2 k1), k3 = f(t + h/2, x + h/2 k2), k4 = f(t + h, x + h
///   k3), x(t + h) = x + h/6 (k1 + 2 k2 + 2 k3 + k4)
/// (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table 1.2).
void Integrator::runge_kutta(double from, double to) {
  static constexpr std::array<double, 4> weight{1, 2, 2, 1}, node{0, 0.5, 0.5, 1};
  const std::size_t n = x_.size();
  const double h = to - from;
  Model& m = *instance_.model;
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (std::size_t k = 0; k < n; ++k) *instance_.states[k] = x_[k];
  if (n == 0) apply_inputs(from + h / 2);  // so that the curvature of an input is included
  for (std::size_t stage = 0; n > 0 && stage < 4; ++stage) {
    m.time = from + node[stage] * h;
    apply_inputs(m.time);
    m.derivatives();
    const double next = stage < 3 ? node[stage + 1] * h : 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double slope = *instance_.derivatives[k];
      sum_[k] += weight[stage] * slope;
      *instance_.states[k] = x_[k] + next * slope;
    }
  }
  for (std::size_t k = 0; k < n; ++k) *instance_.states[k] = x_[k] + h / 6 * sum_[k];
  m.time = to;
  apply_inputs(to);
}

}  // namespace fmukit
