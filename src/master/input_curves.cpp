// SPDX-License-Identifier: BSD-2-Clause
#include "master/input_curves.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::master {

std::optional<std::size_t> OutputDerivatives::index_of(std::int32_t variable) const {
  const auto found = std::find(variables_.begin(), variables_.end(), variable);
  if (found == variables_.end()) return {};
  return static_cast<std::size_t>(found - variables_.begin());
}

std::size_t OutputDerivatives::add(std::int32_t variable) {
  if (const auto index = index_of(variable)) return *index;
  variables_.push_back(variable);
  first_.push_back(0);
  second_.push_back(0);
  return variables_.size() - 1;
}

void OutputDerivatives::update() {
  if (variables_.empty()) return;
  instance_->get_output_derivatives(variables_, 1, first_);
  if (has_second()) instance_->get_output_derivatives(variables_, 2, second_);
  known_ = true;
}

void InputCurves::begin(double t) {
  const auto now = values();
  has_joint_ = has_curves_;
  joint_.resize(now.size());
  jumps_ = false;
  if (has_joint_)
    for (std::size_t i = 0; i < now.size(); ++i) {
      joint_[i] = step_.at(i, t);
      jumps_ |= has_jumped(i, now[i]);
    }
  if (origin_.in_parts() && past_.count() == 0) origin_.note_origin(t, now);
  past_.push(t, now);
  given_slopes_.resize(now.size());
  bool knows_slopes = true;  // an unknown slope is not 0
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Input& input = inputs_[i];
    const bool known = input.derivatives != nullptr && input.derivatives->known();
    knows_slopes &= known || input.derivatives == nullptr;
    given_slopes_[i] = known ? input.factor * input.derivatives->first(input.index) : 0;
  }
  if (knows_slopes) past_slopes_.push(t, given_slopes_);
}

/// Errors of an extrapolation are less than the change of the signal in a step; a jump is all of
/// it.
bool InputCurves::has_jumped(std::size_t i, double now) const {
  constexpr double most_of_it = 0.5, hardly = 1e-3;
  const Input& input = inputs_[i];
  if (input.knows_end || input.settings.order == 0 || input.settings.smooth) return false;
  if (past_.count() < 2) return false;  // it was constant: its slope was unknown
  const double missed = std::abs(now - joint_[i]), before = past_.value(0, i);
  // Where a signal reverses, the change of the extrapolation is the measure.
  const double change = std::max(std::abs(now - before), std::abs(joint_[i] - before));
  return missed > most_of_it * change &&
         missed > hardly * std::max(std::abs(now), std::abs(joint_[i]));
}

void InputCurves::end_parts() {
  if (past_.count() > 0) past_slopes_.clear();
  origin_.end_parts(past_);
}

void InputCurves::forget() {
  past_.clear();
  past_slopes_.clear();
  origin_.forget_slopes();
  has_curves_ = false;
}

Derivatives InputCurves::derivatives_of(std::size_t i) const {
  const Input& input = inputs_[i];
  const std::uint32_t order = order_of(i);
  const bool has_past =
      input.derivatives != nullptr ? input.derivatives->known() : past_.count() > 1;
  if (order == 0) return {};
  if (!has_past) return {origin_.slope(i), 0};
  if (input.derivatives == nullptr)
    return input.settings.derivatives == DerivativeSource::backward
               ? past_.of_backward_differences(i, order)
               : past_.of_polynomial(i, order);
  Derivatives result{input.factor * input.derivatives->first(input.index), 0};
  if (order > 1)
    result.second = input.derivatives->has_second()
                        ? input.factor * input.derivatives->second(input.index)
                        : past_slopes_.of_polynomial(i, 1).first;
  return result;
}

Derivatives InputCurves::shown(std::size_t input, double now, double t) const {
  const double newest = (now - past_.value(0, input)) / (t - past_.time(0));
  if (order_of(input) < 2 || past_.count() < 2) return {newest, 0};
  const double second = (newest - past_.of_polynomial(input, 1).first) / (t - past_.time(1));
  return {newest + second * (t - past_.time(0)), 2 * second};
}

Derivatives InputCurves::towards(std::size_t i, double end, double h) const {
  const double slope = (end - past_.value(0, i)) / h;
  if (order_of(i) < 2 || past_.count() < 2) return {slope, 0};
  const double before = past_.of_polynomial(i, 1).first;
  const double bend = (slope - before) / (h + past_.time(0) - past_.time(1));
  return {slope - h * bend, 2 * bend};
}

/// To the value at the end of the step: as one line, or through past points, too.
void InputCurves::lead(std::size_t i, double end, double h) {
  const InputSettings& settings = inputs_[i].settings;
  const bool holds = settings.order == 0 && settings.inside == InsideStep::constant;
  if (holds) {
    if (!inputs_[i].keeps_start) step_.start[i] = end;
    return;
  }
  step_.lead(i, towards(i, end, h));
}

/// A component that receives values only needs no smoothing.
bool InputCurves::is_smoothed(std::size_t i) const {
  const InputSettings& settings = inputs_[i].settings;
  return settings.smooth && settings.order > 0 && has_joint_ && follows();
}

/// Smoothing (C. Andersson, Methods and Tools for Co-Simulation, Lund 2016, Algorithm 7): the curve
/// starts where the previous one ended, and ends where it would have ended without smoothing. So
/// the slope is divided by the new step, not by the previous one.
void InputCurves::extrapolate(std::size_t i, double h) {
  step_.lead(i, derivatives_of(i));
  if (!is_smoothed(i)) return;
  step_.slopes[i] += (step_.start[i] - joint_[i]) / h;
  step_.start[i] = joint_[i];
}

InputCurves::Outlook InputCurves::outlook(std::size_t i, double h) const {
  const InputSettings& settings = inputs_[i].settings;
  const double start = past_.value(0, i);
  const bool holds = settings.order == 0 && settings.inside == InsideStep::constant;
  if (holds) {
    const double end = inputs_[i].knows_end ? end_[i] : start;
    const double constant = inputs_[i].keeps_start ? start : end;
    return {{start, end}, {constant, constant}};
  }
  const Derivatives on = inputs_[i].knows_end ? towards(i, end_[i], h) : derivatives_of(i);
  const auto at = [&](double s) { return start + s * (on.first + s / 2 * on.second); };
  const Ends real{start, at(h)};
  if (!follows()) {
    const double constant = step_.constant(start, on.first, on.second, h);
    return {real, {constant, constant}};
  }
  const bool starts_at_joint = !inputs_[i].knows_end && is_smoothed(i);
  return {real, {starts_at_joint ? joint_[i] : start, real.end}};
}

void InputCurves::go(double h) {
  const auto u = values();
  end_.assign(u.begin(), u.end());
  step_.reset(past_.time(0), h, u.size());
  for (Line& line : lines_) line.was_set = line.is_set;
  for (std::size_t i = 0; i < u.size(); ++i) {
    step_.start[i] = past_.value(0, i);
    if (i < lines_.size() && lines_[i].is_set) {
      step_.start[i] = lines_[i].start;
      step_.slopes[i] = (lines_[i].end - lines_[i].start) / h;
      lines_[i].is_set = false;
    } else if (inputs_[i].knows_end)
      lead(i, u[i], h);
    else
      extrapolate(i, h);
    u[i] = follows() ? step_.start[i] : step_.constant(i);
  }
  if (follows()) {
    const bool bends = std::any_of(inputs_.begin(), inputs_.end(),
                                   [](const Input& input) { return input.settings.order > 1; });
    instance_->set_curves(step_.slopes, bends ? std::span<const double>(step_.curvatures)
                                              : std::span<const double>());
  }
  has_curves_ = true;
}

}  // namespace tutti::master
