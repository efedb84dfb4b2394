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
    if (!factor) continue;
    const std::string what = fmt::format(
        "t = {:.13g} s: the values of cycle {{{}}} grow by a factor of {:.3g} in every step: {} "
        "diverges. To fix that, {}",
        t, watch.names(), *factor, watch.method(), what_to_try());
    if (parts_->settings.tolerance.on_limit == OnLimit::stop) throw Diverged(what);
    log_->warning("", what);
    growth_.clear();
    return;
  }
}

std::string Island::find_fault(double t) {
  for (const auto& instance : instances_) {
    const models::ValueSet& outputs = instance->outputs();
    for (const models::Scalar& scalar : outputs.scalars()) {
      if (scalar.type != Type::float64 && scalar.type != Type::float32) continue;
      const double value = outputs.read(scalar).real;
      if (std::isfinite(value)) continue;
      const std::string who =
          fmt::format("\"{}\" of component \"{}\"", scalar.name, instance->name());
      if (std::isnan(value)) return who + " is not a number";
      if (is_connected(outputs, scalar)) return who + " is infinite" + why_infinite(*instance);
      if (limit_ > models::ValueSet::largest) continue;
      allow_infinity();
      if (log_ != nullptr)
        log_->warning(
            "", fmt::format("t = {:.13g} s: {} is infinite. Nothing is connected to it, so the "
                            "run goes on; further infinite outputs are not reported.",
                            t, who));
    }
  }
  return "";
}

bool Island::is_connected(const models::ValueSet& outputs, const models::Scalar& scalar) const {
  for (const std::vector<Wiring::Wire>& wires : wires_)
    for (const Wiring::Wire& wire : wires)
      if (wire.from_set == &outputs && wire.from == &scalar) return true;
  return false;
}

bool Island::is_connection_infinite() const {
  bool found = false;
  for (const double* value : connected_)
    found |= models::ValueSet::is_beyond(*value, models::ValueSet::largest);
  return found;
}

void Island::allow_infinity() {
  limit_ = std::numeric_limits<double>::infinity();
  if (program_) program_->allow_infinity();
  for (const std::vector<Wiring::Wire>& wires : wires_)
    for (const Wiring::Wire& wire : wires)
      if (wire.connection >= 0 && wire.from->type == Type::float64)
        connected_.push_back(reinterpret_cast<const double*>(wire.from_set->address(*wire.from)));
}

std::string Island::why_infinite(const models::Instance& instance) const {
  const bool cycles = std::any_of(growth_.begin(), growth_.end(), [&](const GrowthWatch& watch) {
    return watch.contains(instance);
  });
  if (!cycles) return ", and it is connected. Look at the inputs and parameters of the component.";
  return fmt::format(": the values of its cycle overflow. Does the system itself grow? Else {}",
                     what_to_try());
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
