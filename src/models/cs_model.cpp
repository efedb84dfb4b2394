// SPDX-License-Identifier: BSD-2-Clause
#include "models/cs_model.hpp"

#include <fmt/format.h>

#include <tutti/error.hpp>

#include "models/event_iteration.hpp"

namespace tutti::models {

namespace {

void add(const fmi::Batch& batch, fmi::Batch& reals, std::vector<fmi::Batch>& others) {
  if (batch.type == Type::float64 && reals.value_count == 0)
    reals = batch;
  else
    others.push_back(batch);
}

}  // namespace

CsModel::CsModel(fmi::Fmu& fmu, Options options) : start_(std::move(options.start)) {
  const ModelDescription& description = fmu.description();
  inputs_ = ValueSet(description, options.inputs, start_.structure());
  outputs_ = ValueSet(description, options.outputs, start_.structure());
  start_.copy_inputs_to(inputs_);
  instance_ = fmu.instantiate_co_simulation(options.fmu);
  event_mode_ = instance_->event_mode_used();
  if ((inputs_.is_plain() || event_mode_) && outputs_.is_plain()) {
    direct_ = instance_.get();
    direct_v2_ = dynamic_cast<fmi::v2::CoSimulationV2*>(direct_);
  }
  for (const fmi::Batch& batch : inputs_.batches(event_mode_))
    add(batch, exchange_.real_inputs, exchange_.other_inputs);
  for (const fmi::Batch& batch : outputs_.batches())
    add(batch, exchange_.real_outputs, exchange_.other_outputs);
  exchange_.only_reals = exchange_.real_inputs.value_count != 0 &&
                         exchange_.real_outputs.value_count != 0 &&
                         exchange_.other_inputs.empty() && exchange_.other_outputs.empty();
}

void CsModel::initialize(const Experiment& experiment) {
  start_.apply_before_initialization(*instance_);
  instance_->enter_initialization(experiment);
  start_.apply_in_initialization(*instance_);
  inputs_.set_to(*instance_);
  instance_->exit_initialization();
  // FMI 3.0, 4.2.1: an FMU whose event mode is used leaves initialization in event mode.
  if (event_mode_ && !update_until_stable(experiment.start))
    throw Error(ErrorCode::fmu,
                fmt::format("component \"{}\" asks to end the run before it starts", name()));
  outputs_.get_from(*instance_);
}

StepOutcome CsModel::step_generally(double t, double h) {
  if (event_mode_)
    inputs_.set_continuous_to(*instance_);
  else
    inputs_.set_to(*instance_);
  const StepOutcome outcome = instance_->do_step(t, h);
  outputs_.get_from(*instance_);
  return outcome;
}

bool CsModel::handle_event(double t) {
  instance_->enter_event_mode();
  inputs_.set_to(*instance_);
  const bool goes_on = update_until_stable(t);
  outputs_.get_from(*instance_);
  return goes_on;
}

bool CsModel::update_until_stable(double t) {
  const fmi::DiscreteUpdate update = settle_discrete_states(*instance_, t);
  if (update.terminate) return false;
  next_event_ = update.next_event_time;
  instance_->enter_step_mode();
  return true;
}

void CsModel::finish() { instance_->terminate(); }

}  // namespace tutti::models
