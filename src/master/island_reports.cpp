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

void Island::make_global_error() {
  const ControlSettings& control = parts_->settings.control;
  auto& models = parts_->error_models;
  if (control.name != StepControl::predictor) return;
  // Predicted inputs differ from the outputs on purpose, and that is no error.
  for (std::size_t c = 0; c < models.size(); ++c)
    if (predicted_[c]) models[c].reset();
  if (std::none_of(models.begin(), models.end(), [](const auto& m) { return m.has_value(); }))
    return;
  global_error_ = GlobalError::make({instances_,
                                     wires_,
                                     models,
                                     parts_->externals,
                                     stop_ - start_,
                                     {control.atol, control.rtol}});
}

std::optional<GlobalError::Worst> Island::worst_error() const {
  return global_error_ ? global_error_->worst() : std::nullopt;
}

std::vector<EstimatedError> Island::estimated_errors() const {
  return global_error_ ? global_error_->outputs() : std::vector<EstimatedError>();
}

std::string Island::what_to_try() const {
  return fmt::format(
      "try simulation.inputs.correct = \"linear\"{}, or, if there is no algebraic loop, a smaller "
      "step; `tutti advise` tells what fits",
      can_go_back_ ? ", an iterating method (newton)" : "");
}

std::optional<Error> Island::find_growth(double t) {
  next_look_ = timing_.steps() + StepTiming::distance(timing_.steps());
  // Where steps are judged and taken back, errors do not grow.
  const ControlSettings& control = parts_->settings.control;
  if (control.is_free() && (control.name != StepControl::predictor || can_go_back())) return {};
  for (GrowthWatch& watch : growth_) {
    const auto factor = watch.look(timing_.steps());
    if (!factor) continue;
    const Error error(
        ErrorCode::numeric,
        fmt::format("the values of cycle {{{}}} grow by a factor of {:.3g} in every step: {} "
                    "diverges",
                    watch.names(), *factor, watch.method()),
        {.time = t, .key = "simulation.method", .hint = "To fix that, " + what_to_try()});
    if (parts_->settings.tolerance.on_limit == OnLimit::stop) return error;
    log_->warning("", error.what());
    growth_.clear();
    break;
  }
  return {};
}

std::optional<Error> Island::find_fault(double t) {
  for (const auto& instance : instances_) {
    const models::ValueSet& outputs = instance->outputs();
    for (const models::Scalar& scalar : outputs.scalars()) {
      if (scalar.type != Type::float64 && scalar.type != Type::float32) continue;
      const double value = outputs.read(scalar).real;
      if (std::isfinite(value)) continue;
      const std::string who =
          fmt::format("\"{}\" of component \"{}\"", scalar.name, instance->name());
      if (std::isnan(value))
        return Error(ErrorCode::numeric, who + " is not a number",
                     {.component = instance->name(), .variable = scalar.name, .time = t});
      if (is_connected(outputs, scalar)) return infinite(*instance, scalar, t);
      if (limit_ > models::ValueSet::largest) continue;
      allow_infinity();
      log_->warning("",
                    fmt::format("t = {:.13g} s: {} is infinite. Nothing is connected to it, so the "
                                "run goes on; further infinite outputs are not reported.",
                                t, who));
    }
  }
  return {};
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

Error Island::infinite(const models::Instance& instance, const models::Scalar& scalar,
                       double t) const {
  const bool cycles = std::any_of(growth_.begin(), growth_.end(), [&](const GrowthWatch& watch) {
    return watch.contains(instance);
  });
  return {ErrorCode::numeric,
          fmt::format("\"{}\" of component \"{}\" is infinite{}", scalar.name, instance.name(),
                      cycles ? ": the values of its cycle overflow" : ", and it is connected"),
          {.component = instance.name(),
           .variable = scalar.name,
           .time = t,
           .hint = cycles ? "Does the system itself grow? Else " + what_to_try()
                          : "Look at the inputs and parameters of the component."}};
}

std::string Island::name() const {
  return instances_.size() == 1 ? fmt::format("component \"{}\"", instances_.front()->name())
                                : "the system";
}

std::string Island::who_stops_at(double t) const {
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
