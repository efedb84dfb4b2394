// SPDX-License-Identifier: BSD-2-Clause
#include "master/start_slopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "models/run_needs.hpp"

namespace tutti::master {
namespace {

constexpr int maximum_passes = 8;
// Below this change, slopes are more accurate than a line fits the input.
constexpr double settled = 0.002;
// Relative to the value of an output: uncertainty of changes over the step.
constexpr double uncertain = 1e-8;

bool moves(const InputSettings& settings) {
  return settings.order > 0 || settings.inside == InsideStep::linear;
}

/// With order 1, a constant start errs by h^2 u'(0)/2, which compensates a part of the errors of
/// the other steps: with differences, these add up to 5/12 h^2 (u'(T) - u'(0)), with backward
/// differences of order 2, to h^2/4 instead of 5/12 h^2. So a better start is no improvement there.
bool is_needed(const InputCurves::Input& input) {
  return !input.knows_end && input.settings.order > 1 &&
         input.settings.derivatives != DerivativeSource::backward;
}

/// With theta = change/before, the remaining change is theta/(1 - theta) change.
bool is_settled(double change, double before) {
  return change == 0 || change * change <= settled * (before - change);
}

models::RunAgain without_slopes(double t, const std::string& why) {
  return {
      {ErrorCode::fmu, "the slopes of inputs in the first step are unknown: " + why, {.time = t}},
      {"The run is repeated from its start, with constant inputs in the first step",
       "Set simulation.inputs.start = \"constant\".", true},
      [](models::RunNeeds& needs) { needs.constant_start = true; }};
}

/// A second look-ahead differs by more than the error of a solver that starts differently.
bool differs(double first, double second, double now) {
  constexpr double of_change = 1e-6, of_value = 1e-12;
  if (std::bit_cast<std::uint64_t>(first) == std::bit_cast<std::uint64_t>(second)) return false;
  return !(std::abs(second - first) <=
           of_change * std::abs(first - now) + of_value * std::abs(first));
}

}  // namespace

StartSlopes::StartSlopes(const Assembly& assembly, std::span<InputCurves> curves,
                         std::function<bool()> proceeds)
    : assembly_(assembly),
      curves_(curves),
      proceeds_(std::move(proceeds)),
      links_(curves.size()),
      slopes_(curves.size()),
      seen_(curves.size()) {
  for (std::uint32_t c = 0; c < assembly_.instances.size(); ++c)
    slopes_[c].resize(assembly_.instances[c]->continuous_inputs().size());
  for (std::uint32_t c = 0; c < assembly_.instances.size(); ++c) add_links(c);
}

void StartSlopes::add_links(std::uint32_t to) {
  for (const Wiring::Wire& wire : assembly_.wires[to]) {
    const auto index = wire.continuous_input();
    if (!wire.is_real() || !index) continue;
    const InputCurves::Input& input = curves_[to].input(*index);
    if (!moves(input.settings)) continue;
    const std::uint32_t from = wire.from_component;
    const auto* const doubles = reinterpret_cast<const std::byte*>(wire.from_set->doubles().data());
    links_[from].push_back(
        {static_cast<std::size_t>(wire.from_set->address(*wire.from) - doubles) / sizeof(double),
         to, *index, wire.factor, is_needed(input)});
    if (!is_needed(input)) continue;
    are_needed_ = true;
    are_possible_ &= assembly_.instances[from]->can_look_ahead();
  }
}

void StartSlopes::note_start() {
  start_.clear();
  for (const auto& instance : assembly_.instances) {
    const auto inputs = instance->continuous_inputs();
    start_.emplace_back(inputs.begin(), inputs.end());
  }
}

void StartSlopes::note_ends(double h) {
  for (std::size_t c = 0; c < slopes_.size(); ++c) {
    const auto inputs = assembly_.instances[c]->continuous_inputs();
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (moves(curves_[c].input(i).settings)) slopes_[c][i] = (inputs[i] - start_[c][i]) / h;
  }
}

bool StartSlopes::find(double t, double h) {
  double before = 0;
  for (int pass = 0; pass < maximum_passes; ++pass) {
    switch (look_around(pass == 0, t, h)) {
      case Pass::shows_nothing:
        return false;
      case Pass::interrupted:
        return true;  // no step follows
      case Pass::complete:
        break;
    }
    if (is_settled(change_, before)) {
      start_curves();
      return true;
    }
    before = change_;
  }
  return false;
}

StartSlopes::Pass StartSlopes::look_around(bool is_first, double t, double h) {
  change_ = 0;
  for (const system::Stage& stage : assembly_.parts.plan.stages)
    for (const std::uint32_t c : stage.components) {
      if (links_[c].empty() || (!is_first && seen_[c] == slopes_[c])) continue;
      if (!proceeds_()) return Pass::interrupted;
      if (look_ahead(c, t, h, is_first))
        change_ = std::max(change_, take_slopes(c, h));
      else if (feeds_needed(c))
        return Pass::shows_nothing;
    }
  return Pass::complete;
}

bool StartSlopes::feeds_needed(std::uint32_t component) const {
  return std::any_of(links_[component].begin(), links_[component].end(),
                     [](const Link& link) { return link.is_needed; });
}

void StartSlopes::start_curves() {
  for (std::size_t c = 0; c < slopes_.size(); ++c) {
    for (std::size_t i = 0; i < slopes_[c].size(); ++i)
      if (!is_needed(curves_[c].input(i))) slopes_[c][i] = 0;
    curves_[c].start_with(slopes_[c]);
  }
}

bool StartSlopes::look_ahead(std::uint32_t component, double t, double h, bool is_first) {
  const auto reached = ask(component, t, h);
  if (is_first && proceeds_()) check_second_look(component, t, h, reached);
  if (!reached) return false;
  const auto now = assembly_.instances[component]->outputs().doubles();
  for (std::size_t k = 0; k < ahead_.size(); ++k)
    ahead_[k] = (ahead_[k] - std::bit_cast<double>(now[k])) / (*reached - t);
  return true;
}

void StartSlopes::check_second_look(std::uint32_t component, double t, double h,
                                    std::optional<double> reached) {
  at_first_ = ahead_;
  bool is_same = ask(component, t, h) == reached;
  const auto now = assembly_.instances[component]->outputs().doubles();
  for (std::size_t k = 0; reached && is_same && k < ahead_.size(); ++k)
    is_same = !differs(at_first_[k], ahead_[k], std::bit_cast<double>(now[k]));
  if (!is_same)
    throw without_slopes(
        t, fmt::format(
               "component \"{}\": a step that was rolled back and repeated gives different outputs",
               assembly_.instances[component]->name()));
}

std::optional<double> StartSlopes::ask(std::uint32_t component, double t, double h) {
  models::Instance& instance = *assembly_.instances[component];
  const std::vector<double>& start = start_[component];
  const std::vector<double>& slopes = slopes_[component];
  const auto inputs = instance.continuous_inputs();
  seen_[component] = slopes;
  // A component that accepts values only gets those in the middle of the step, as always.
  const double s = instance.follows_curves() ? 0 : h / 2;
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = start[i] + s * slopes[i];
  if (instance.follows_curves()) instance.set_curves(slopes, {});
  assembly_.note(component);
  std::optional<double> reached;
  try {
    reached = instance.look_ahead(t, h, ahead_);
  } catch (const models::RunAgain&) {
    throw;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    throw without_slopes(t, error.what());
  }
  if (instance.follows_curves()) instance.set_curves({}, {});
  std::copy(start.begin(), start.end(), inputs.begin());
  return reached;
}

double StartSlopes::take_slopes(std::uint32_t component, double h) {
  const auto now = assembly_.instances[component]->outputs().doubles();
  double change = 0;
  for (Link& link : links_[component]) {
    const double slope = ahead_[link.output];
    if (!std::isfinite(slope)) continue;
    const double difference = std::abs(slope - link.slope);
    if (difference * h > uncertain * std::abs(std::bit_cast<double>(now[link.output])))
      change = std::max(change, difference / std::max(std::abs(slope), std::abs(link.slope)));
    link.slope = slope;
    slopes_[link.to][link.input] = link.factor * slope;
  }
  return change;
}

}  // namespace tutti::master
