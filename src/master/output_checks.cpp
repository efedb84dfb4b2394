// SPDX-License-Identifier: BSD-2-Clause
#include "master/output_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "master/coupling/coupling_method.hpp"
#include "master/step_timing.hpp"

namespace tutti::master {
namespace {

constexpr double minimum_factor = 1.2;  // per step, between any two of the samples
constexpr double minimum_growth = 1e8;  // over all of them
constexpr std::size_t sample_count = 3;
constexpr std::uint64_t minimum_steps = 16;  // from the first to the last

}  // namespace

double GrowthWatch::Place::value() const {
  return *reinterpret_cast<const double*>(member->outputs().address(*output));
}

std::optional<double> GrowthWatch::look(std::uint64_t step) {
  double magnitude = 0;
  for (const Place& place : exchanged_) magnitude = std::max(magnitude, std::abs(place.value()));
  if (!samples_.empty() && samples_.back().step == step) return {};
  samples_.push_back({step, magnitude});
  if (samples_.size() > sample_count) samples_.erase(samples_.begin());
  if (samples_.size() < sample_count) return {};
  const auto factor = [](const Sample& from, const Sample& to) {
    return from.magnitude > 0 ? std::pow(to.magnitude / from.magnitude,
                                         1 / static_cast<double>(to.step - from.step))
                              : 0;
  };
  if (samples_.back().step - samples_.front().step < minimum_steps) return {};
  for (std::size_t i = 1; i < samples_.size(); ++i)
    if (!(factor(samples_[i - 1], samples_[i]) >= minimum_factor)) return {};
  if (samples_.back().magnitude < minimum_growth * samples_.front().magnitude) return {};
  return factor(samples_.front(), samples_.back());
}

bool GrowthWatch::contains(const models::Instance& instance) const {
  return std::any_of(exchanged_.begin(), exchanged_.end(),
                     [&](const Place& place) { return place.member == &instance; });
}

std::string GrowthWatch::names() const {
  std::vector<std::string> names;
  const models::Instance* last = nullptr;
  for (const Place& place : exchanged_)
    if (std::exchange(last, place.member) != place.member) names.push_back(place.member->name());
  return list_some(names);
}

void OutputChecks::watch_cycles() {
  growth_.clear();
  // Where errors are tested, growing values are resolved, and many steps are only attempts.
  if (assembly_.control().tests_errors && assembly_.abilities.can_roll_back) return;
  for (const system::Stage& stage : assembly_.parts.plan.stages) {
    const std::string& method = assembly_.methods_of(stage).front();
    if (stage.is_cycle && !needs_rollback(method)) watch_cycle(stage, method);
  }
}

void OutputChecks::watch_cycle(const system::Stage& stage, const std::string& method) {
  const auto is_coupled = [&](const models::ValueSet& set, const models::Scalar& scalar) {
    return scalar.type == Type::float64 &&
           std::binary_search(assembly_.couplings.begin(), assembly_.couplings.end(),
                              reinterpret_cast<const double*>(set.address(scalar)));
  };
  std::vector<GrowthWatch::Place> exchanged;
  for (const std::uint32_t c : stage.components) {
    const models::ValueSet& outputs = assembly_.instances[c]->outputs();
    for (const models::Scalar& output : outputs.scalars())
      if (is_coupled(outputs, output)) exchanged.push_back({assembly_.instances[c].get(), &output});
  }
  growth_.emplace_back(std::move(exchanged), method);
}

std::string OutputChecks::what_to_try() const {
  return fmt::format(
      "try simulation.inputs.correct = \"linear\"{}, or, if there is no algebraic loop, a smaller "
      "step; `tutti advise` shows what fits",
      assembly_.abilities.can_roll_back ? ", an iterative method (newton)" : "");
}

std::optional<Error> OutputChecks::find_growth(double t, std::uint64_t steps) {
  next_look_ = steps + StepTiming::distance(steps);
  // Where steps are tested and rolled back, errors do not grow.
  if (may_roll_back(assembly_.settings().control, assembly_.abilities.can_roll_back)) return {};
  for (GrowthWatch& watch : growth_) {
    const auto factor = watch.look(steps);
    if (!factor) continue;
    const Error error(
        ErrorCode::numeric,
        fmt::format("the values of cycle {{{}}} grow by a factor of {:.3g} per step: {} diverges",
                    watch.names(), *factor, watch.method()),
        {.time = t, .key = "simulation.method", .hint = "To fix that, " + what_to_try()});
    if (assembly_.settings().tolerance.on_limit == OnLimit::stop) return error;
    assembly_.log.warning("", error.what());
    growth_.clear();
    break;
  }
  return {};
}

std::optional<Error> OutputChecks::find_fault(double t) {
  for (const auto& instance : assembly_.instances) {
    const models::ValueSet& outputs = instance->outputs();
    for (const models::Scalar& scalar : outputs.scalars()) {
      if (scalar.type != Type::float64 && scalar.type != Type::float32) continue;
      const double value = outputs.read(scalar).real;
      if (std::isfinite(value)) continue;
      const std::string who =
          fmt::format("\"{}\" of component \"{}\"", scalar.name, instance->name());
      if (std::isnan(value))
        return Error(ErrorCode::numeric, who + " is NaN",
                     {.component = instance->name(), .variable = scalar.name, .time = t});
      if (is_connected(outputs, scalar)) return infinite(*instance, scalar, t);
      if (allows_infinity_) continue;
      allow_infinity();
      // The report of the run contains a warning.
      assembly_.log.write(
          {Severity::debug, "", "",
           fmt::format("t = {:.13g} s: {} is infinite. Nothing is connected to it, so the run "
                       "continues; further infinite outputs are not reported.",
                       t, who)});
    }
  }
  return {};
}

bool OutputChecks::is_connected(const models::ValueSet& outputs,
                                const models::Scalar& scalar) const {
  for (const std::vector<Wiring::Wire>& wires : assembly_.wires)
    for (const Wiring::Wire& wire : wires)
      if (wire.from_set == &outputs && wire.from == &scalar) return true;
  return false;
}

bool OutputChecks::is_connection_infinite() const {
  bool found = false;
  for (const double* value : connected_)
    found |= models::ValueSet::is_beyond(*value, models::ValueSet::largest);
  return found;
}

void OutputChecks::allow_infinity() {
  allows_infinity_ = true;
  for (const std::vector<Wiring::Wire>& wires : assembly_.wires)
    for (const Wiring::Wire& wire : wires)
      if (wire.is_real()) connected_.push_back(wire.from_double());
}

Error OutputChecks::infinite(const models::Instance& instance, const models::Scalar& scalar,
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
           .hint = cycles ? "If the system itself is stable, " + what_to_try()
                          : "Check the inputs and parameters of the component."}};
}

}  // namespace tutti::master
