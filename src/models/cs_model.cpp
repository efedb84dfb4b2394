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

CsModel::CsModel(fmi::Fmu& fmu, const Options& options) : FmuModel(fmu.description(), options) {
  instance_ = fmu.instantiate_co_simulation(options.fmu);
  event_mode_ = instance_->event_mode_used();
  goes_back_ = options.goes_back;
  // The short way tells the FMU that no step will be repeated.
  if ((inputs_.is_plain() || event_mode_) && outputs_.is_plain() && !goes_back_) {
    direct_ = instance_.get();
    direct_v2_ = dynamic_cast<fmi::v2::CoSimulationV2*>(direct_);
    direct_v3_ = dynamic_cast<fmi::v3::CoSimulationV3*>(direct_);
  }
  for (const fmi::Batch& batch : inputs_.batches(event_mode_))
    add(batch, exchange_.real_inputs, exchange_.other_inputs);
  for (const fmi::Batch& batch : outputs_.batches())
    add(batch, exchange_.real_outputs, exchange_.other_outputs);
  exchange_.only_reals = exchange_.real_inputs.value_count != 0 &&
                         exchange_.real_outputs.value_count != 0 &&
                         exchange_.other_inputs.empty() && exchange_.other_outputs.empty();
}

void CsModel::end_initialization(const Experiment& experiment) {
  exit_initialization();
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
  const StepOutcome outcome =
      repeats_ ? instance_->redo_step(t, h) : instance_->do_step(t, h, goes_back_);
  repeats_ = false;
  outputs_.get_from(*instance_);
  return outcome;
}

void CsModel::save(Snapshot& into) {
  if (can_go_back()) instance_->save_state(into.fmu);
  outputs_.save(into.outputs);
  into.next_event = next_event_;
}

void CsModel::restore(const Snapshot& from) {
  if (from.fmu)
    instance_->restore_state(from.fmu);
  else
    repeats_ = true;
  outputs_.restore(from.outputs);
  next_event_ = from.next_event;
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

}  // namespace tutti::models
