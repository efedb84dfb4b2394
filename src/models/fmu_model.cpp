// SPDX-License-Identifier: BSD-2-Clause
#include "models/fmu_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti::models {
namespace {

// Increment of a difference quotient relative to value and nominal value: about the root of the
// rounding error.
constexpr double of_doubles = 1e-7, of_singles = 3e-4;

double increment_of(const Variable& variable, double value) {
  const auto& nominal = variable.attributes.nominal;
  const double scale = nominal && *nominal != 0 ? std::abs(*nominal) : 1;
  return (variable.type == Type::float32 ? of_singles : of_doubles) *
         std::max(scale, std::abs(value));
}

}  // namespace

void FeedThrough::differentiate(fmi::FmuInstance& fmu, ValueSet& inputs, ValueSet& outputs,
                                const Question& question, bool discrete_too) {
  const auto& [unknowns, knowns, seed, sensitivity] = question;
  std::ranges::fill(sensitivity, 0.0);
  // Read from the FMU: the inputs of the instance may have been written since.
  inputs.get_from(fmu);
  present_.clear();
  double by = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < knowns.size(); ++j) {
    present_.push_back(inputs.read(inputs.scalars()[j]).real);
    const Variable& known = fmu.description().variables[static_cast<std::size_t>(knowns[j])];
    if (seed[j] != 0) by = std::min(by, increment_of(known, present_[j]) / std::abs(seed[j]));
  }
  if (!std::isfinite(by)) return;  // no finite increment

  const auto read_with = [&](double distance) {
    for (std::size_t j = 0; j < knowns.size(); ++j)
      inputs.write_real(inputs.scalars()[j], present_[j] + distance * seed[j]);
    if (discrete_too)
      inputs.set_to(fmu);
    else
      inputs.set_continuous_to(fmu);
    outputs.get_from(fmu);
  };
  const auto attempt = [&](double distance) {
    try {
      read_with(distance);
      return true;
    } catch (const Discarded&) {
      return false;
    }
  };
  // At the edge of the FMU's domain, the other direction may work. If neither does, the derivative
  // is unknown and treated as zero.
  const bool possible = attempt(by) || attempt(by = -by);
  if (possible)
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      sensitivity[i] = outputs.read(outputs.scalars()[i]).real;
  read_with(0);
  if (possible)
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      sensitivity[i] = (sensitivity[i] - outputs.read(outputs.scalars()[i]).real) / by;
}

FmuModel::FmuModel(const ModelDescription& description, const Options& options)
    : start_(options.start), tolerance_(options.tolerance) {
  inputs_ = ValueSet(description, options.inputs, start_.structure());
  outputs_ = ValueSet(description, options.outputs, start_.structure());
  start_.copy_inputs_to(inputs_, description);
}

void FmuModel::begin_initialization(const Experiment& experiment) {
  start_.apply_before_initialization(fmu());
  Experiment own = experiment;
  if (tolerance_) own.tolerance = tolerance_;
  fmu().enter_initialization(own);
  start_.apply_in_initialization(fmu());
}

void FmuModel::set_some(std::span<const std::int32_t> variables) {
  if (initialized_early_) {  // FMI 1.0: later inputs are set with the first step
    missed_inputs_ = true;
    return;
  }
  inputs_.part(fmu().description(), variables, start_.structure()).set_to(fmu());
}

// FMI 1.0 has no mode in which both inputs can be set and outputs be read: there, an instance is
// initialized when its outputs are first read, with the inputs known by then.
void FmuModel::get_some(std::span<const std::int32_t> variables) {
  if (!initialized_ && !fmu().can_get_in_initialization()) {
    exit_initialization();
    initialized_early_ = true;
  }
  ValueSet some = make_set(variables);
  some.get_from(fmu());
  outputs_.copy_from(some);
}

bool FmuModel::differentiate(std::span<const std::int32_t> unknowns,
                             std::span<const std::int32_t> knowns, std::span<const double> seed,
                             std::span<double> sensitivity) {
  if (!fmu().capabilities().provides_directional_derivatives) return false;
  if (unknowns.empty()) return true;
  find_references(unknowns, unknowns_);
  find_references(knowns, knowns_);
  fmu().directional_derivative(unknowns_, knowns_, seed, sensitivity);
  return true;
}

void FmuModel::refuse_early_end(double t) const {
  throw Error(ErrorCode::fmu,
              fmt::format("component \"{}\" requests to end the run before its start", name()),
              {.component = name()})
      .with({.time = t});
}

void FmuModel::find_references(std::span<const std::int32_t> variables,
                               std::vector<ValueReference>& references) const {
  references.clear();
  for (const std::int32_t index : variables)
    references.push_back(
        fmu().description().variables[static_cast<std::size_t>(index)].value_reference);
}

bool FmuModel::is_negated(std::int32_t variable) const {
  return fmu().description().variables[static_cast<std::size_t>(variable)].alias ==
         AliasKind::negated;
}

ValueSet FmuModel::make_set(std::span<const std::int32_t> variables) const {
  return {fmu().description(), variables, start_.structure()};
}

bool FmuModel::exit_initialization() {
  if (!initialized_) fmu().exit_initialization();
  initialized_ = true;
  initialized_early_ = false;  // from now on inputs are set normally
  return !missed_inputs_;
}

}  // namespace tutti::models
