// SPDX-License-Identifier: BSD-2-Clause
#include "models/fmu_model.hpp"

namespace tutti::models {
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
  if (initialized_early_) {  // FMI 1.0: what comes now is set with the first step
    missed_inputs_ = true;
    return;
  }
  inputs_.part(fmu().description(), variables, start_.structure()).set_to(fmu());
}

// FMI 1.0 has no mode in which both inputs can be set and outputs be read: there, an instance is
// initialized when its outputs are first asked for, with the inputs that are known by then.
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
  initialized_early_ = false;  // or, if it was, that is over now
  return !missed_inputs_;
}

}  // namespace tutti::models
