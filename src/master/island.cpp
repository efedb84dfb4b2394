// SPDX-License-Identifier: BSD-2-Clause
#include "master/island.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "master/initialization.hpp"

namespace tutti::master {

const ModelDescription& StepInfo::description() {
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

StepInfo::StepInfo() : values_(description(), std::vector<std::int32_t>{0, 1, 2}, {}) {}

void StepInfo::note(double h, double error, std::span<const CycleReport> cycles) {
  std::uint64_t iterations = 0;
  for (const CycleReport& report : cycles) iterations += report.iterations;
  const auto scalars = values_.scalars();
  values_.write_real(scalars[0], h);
  values_.write_real(scalars[1], static_cast<double>(iterations - noted_iterations_));
  values_.write_real(scalars[2], error);
  noted_iterations_ = iterations;
}

Island::Island(CoupledParts parts, Monitor& monitor, std::size_t threads, const Log& log)
    : assembly_(std::move(parts), monitor, threads, log),
      externals_(assembly_),
      events_(assembly_),
      checks_(assembly_),
      timing_(assembly_.instances.size(), assembly_.parts.profile, threads > 1),
      input_errors_(assembly_) {
  couple();
}

/// Everything that depends on how the components are coupled.
void Island::couple() {
  stepper_ = std::make_unique<Stepper>(
      Stepper::Parts{assembly_, externals_, events_, checks_, timing_, input_errors_});
}

std::optional<std::size_t> Island::next_coupling() const {
  if (assembly_.parts.used == assembly_.parts.fallbacks.size()) return {};
  return assembly_.parts.used + 1;
}

void Island::use_fallback(std::size_t number) {
  ended_cycles_ = cycle_reports();
  stepper_.reset();  // two steppers would both count the same steps
  take_coupling(assembly_.parts, number);
  checks_.watch_cycles();
  timing_.forget_trial();
  couple();
}

void Island::initialize(const models::Experiment& experiment) {
  assembly_.start = experiment.start;
  assembly_.stop = experiment.stop.value_or(std::numeric_limits<double>::infinity());
  externals_.write(experiment.start);
  const bool all_known = initialize_together(assembly_, experiment);
  events_.note_state();
  externals_.show_inputs(experiment.start);
  if ((!all_known || events_.discrete_inputs_changed()) && !handle_event(experiment.start))
    throw Error(ErrorCode::fmu, "a component asks to end the run before it starts");
  input_errors_.start();
}

void Island::finish() {
  for (std::size_t c = 0; c < assembly_.instances.size(); ++c) {
    assembly_.note(c);
    assembly_.instances[c]->finish();
  }
}

void Island::report_progress(const models::Instance::Progress& progress) {
  for (const auto& instance : assembly_.instances) instance->report_progress(progress);
}

void Island::forget_past() {
  stepper_->forget_signals();
  stepper_->inputs().forget_derivatives();
}

bool Island::handle_event(double t) {
  forget_past();
  externals_.write(t);
  return events_.handle(t);
}

double Island::next_discontinuity(double t) const {
  const double jump = externals_.next_jump(t);
  const auto known = events_.next();
  return known && *known > t ? std::min(jump, *known) : jump;
}

void Island::expect_rollback(bool expected) {
  for (const auto& instance : assembly_.instances) instance->expect_rollback(expected);
  stepper_->renew();
}

void Island::report_fault(double t) {
  const std::optional<Error> fault = checks_.find_fault(t);
  if (checks_.allows_infinity()) stepper_->allow_infinity();
  if (fault) throw Error(*fault);
}

double Island::fastest_rate() const {
  const std::vector<double>& rates = assembly_.parts.rates;
  return rates.empty() ? 0 : *std::max_element(rates.begin(), rates.end());
}

std::string Island::who_stops_at(double t) const {
  if (const auto cause = stepper_->cause()) return instance(*cause).name();
  const auto distance = [&](const auto& instance) {
    const auto next = instance->next_event();
    return next ? std::abs(*next - t) : std::numeric_limits<double>::infinity();
  };
  const auto first =
      std::min_element(assembly_.instances.begin(), assembly_.instances.end(),
                       [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  return (*first)->name();
}

std::vector<CycleReport> Island::cycle_reports() const {
  std::vector<CycleReport> reports = ended_cycles_;
  if (!stepper_) return reports;
  for (CycleReport& report : stepper_->cycle_reports()) reports.push_back(std::move(report));
  return reports;
}

}  // namespace tutti::master
