// SPDX-License-Identifier: BSD-2-Clause
// What an island tells of its steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "master/island.hpp"

namespace tutti::master {

const ModelDescription& Island::step_info_description() {
  static const ModelDescription description = [] {
    ModelDescription info;
    for (const char* name : {"step", "iterations", "error"}) {
      Variable& variable = info.variables.emplace_back();
      variable.name = name;
      variable.type = Type::float64;
      variable.causality = Causality::local;
      variable.variability = Variability::discrete;
    }
    return info;
  }();
  return description;
}

void Island::note_step(double h, double error) {
  std::uint64_t iterations = 0;
  for (const CycleReport& report : cycle_reports()) iterations += report.iterations;
  const auto scalars = step_info_.scalars();
  step_info_.write_real(scalars[0], h);
  step_info_.write_real(scalars[1], static_cast<double>(iterations - noted_iterations_));
  step_info_.write_real(scalars[2], error);
  noted_iterations_ = iterations;
}

std::string Island::what_to_try() const {
  return fmt::format(
      "try simulation.inputs.correct = \"linear\"{}, or, if there is no algebraic loop, a smaller "
      "step; `tutti advise` tells what fits",
      can_go_back_ ? ", an iterating method (newton)" : "");
}

void Island::look_for_growth(double t) {
  if (parts_ == nullptr) return;
  // Where steps are judged and taken back, errors do not grow.
  const ControlSettings& control = parts_->settings.control;
  if (control.is_free() && (control.name != StepControl::predictor || can_go_back())) return;
  for (GrowthWatch& watch : growth_) {
    const auto factor = watch.look(timing_.steps());
    const auto infinite = watch.infinite();
    if (!factor && !infinite) continue;
    const std::string what =
        infinite ? fmt::format(
                       "t = {} s: {} is infinite: the values of its cycle have grown beyond "
                       "all numbers. Does the system itself grow? Else {}",
                       t, *infinite, what_to_try())
                 : fmt::format(
                       "t = {} s: the values of cycle {{{}}} grow by a factor of {:.3g} in "
                       "every step: {} diverges. To mend that, {}",
                       t, watch.names(), *factor, watch.method(), what_to_try());
    if (parts_->settings.tolerance.on_limit == OnLimit::stop) {
      if (infinite) throw Error(ErrorCode::numeric, what);  // no coupling helps any more
      throw Diverged(what);
    }
    log_->warning("", what);
    growth_.clear();
    return;
  }
}

std::string Island::find_nan() const {
  for (const auto& instance : instances_)
    if (const models::Scalar* scalar = instance->outputs().find_nan(); scalar != nullptr)
      return fmt::format("\"{}\" of component \"{}\" is not a number", scalar->name,
                         instance->name());
  return "";
}

std::string Island::name() const {
  return single_ != nullptr ? fmt::format("component \"{}\"", single_->name()) : "the system";
}

std::string Island::who_stops_at(double t) const {
  if (single_ != nullptr) return single_->name();
  if (cause_) return instances_[*cause_]->name();
  const auto first =
      std::min_element(instances_.begin(), instances_.end(), [&](const auto& a, const auto& b) {
        const auto distance = [&](const auto& instance) {
          const auto next = instance->next_event();
          return next ? std::abs(*next - t) : std::numeric_limits<double>::infinity();
        };
        return distance(a) < distance(b);
      });
  return (*first)->name();
}

std::vector<CycleReport> Island::cycle_reports() const {
  std::vector<CycleReport> reports = ended_cycles_;
  for (const auto& cycle : cycles_) reports.push_back(cycle->report());
  return reports;
}

}  // namespace tutti::master
