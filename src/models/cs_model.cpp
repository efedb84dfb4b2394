// SPDX-License-Identifier: BSD-2-Clause
#include "models/cs_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>

#include "models/event_iteration.hpp"
#include "system/moving_inputs.hpp"

namespace tutti::models {

CsModel::CsModel(fmi::Fmu& fmu, Options options)
    : FmuModel(fmu.description(), options),
      goes_back_(options.goes_back),
      log_(options.log),
      substep_(options.substep) {
  if (options.curves) prepare_curves(fmu.description(), options.fmu);
  instance_ = fmu.instantiate_co_simulation(options.fmu);
  event_mode_ = instance_->event_mode_used();
}

// FMI 1.0 and 2.0 are told the derivatives before the step; FMI 3.0 asks inside the step, for
// inputs that allow it.
void CsModel::prepare_curves(const ModelDescription& description,
                             fmi::CoSimulationOptions& options) {
  const auto moving = continuous_inputs();
  follows_curves_ = !moving.empty() && system::follows_inputs(description, inputs_.variables());
  if (!follows_curves_) return;
  const auto references = inputs_.continuous_references();
  if (description.version != FmiVersion::v3) {
    for (const std::int32_t order : {1, 2}) {
      derivatives_.references.insert(derivatives_.references.end(), references.begin(),
                                     references.end());
      derivatives_.orders.insert(derivatives_.orders.end(), moving.size(), order);
    }
    find_negated();
    return;
  }
  by_intermediate_update_ = true;
  options.intermediate_variables.assign(references.begin(), references.end());
  options.intermediate_update = [this](fmi::CoSimulation& instance,
                                       const fmi::IntermediateMoment& moment) {
    asked_ |= moment.set_requested;
    if (moment.set_requested && !slopes_.empty()) set_inside(instance, moment.time);
    return std::optional<double>();
  };
}

void CsModel::find_negated() {
  const auto moving = continuous_inputs();
  for (const Scalar& scalar : inputs_.scalars()) {
    if (!scalar.negated || scalar.type != Type::float64) continue;
    const auto index = static_cast<std::size_t>(
        reinterpret_cast<const double*>(inputs_.address(scalar)) - moving.data());
    if (index < moving.size()) derivatives_.negated.push_back(index);
  }
}

void CsModel::set_curves(std::span<const double> slopes, std::span<const double> curvatures) {
  slopes_.assign(slopes.begin(), slopes.end());
  curvatures_.assign(curvatures.begin(), curvatures.end());
}

// One that did not ask saw the begin of the lines for a whole step: once, and no more.
void CsModel::note_whether_asked() {
  using enum Snapshot::AsksForInputs;
  if (asked_) {
    asks_ = yes;
  } else if (asks_ == unknown && !slopes_.empty()) {
    asks_ = no;
    if (!told_)
      log_.info(name(),
                "the FMU does not ask for inputs inside a step although it could "
                "(providesIntermediateUpdate): from its second step on it gets their values in the "
                "middle of each step");
    told_ = true;
  }
  asked_ = false;
}

void CsModel::set_inside(fmi::CoSimulation& instance, double t) {
  const auto start = continuous_inputs();
  inside_.resize(start.size());
  const double s = t - curves_from_;
  for (std::size_t i = 0; i < start.size(); ++i)
    inside_[i] = start[i] + s * (slopes_[i] + (curvatures_.empty() ? 0 : s / 2 * curvatures_[i]));
  instance.set(Type::float64, inputs_.continuous_references(), inside_.data(), inside_.size());
}

// The short way tells the FMU what belongs to doubles only, and knows nothing inside a step.
fmi::DirectStep CsModel::direct_step() {
  if (!(inputs_.is_plain() || event_mode_) || !outputs_.is_plain() || substep_ > 0 ||
      follows_curves_)
    return {};
  const std::vector<fmi::Batch> inputs = inputs_.batches(event_mode_);
  const std::vector<fmi::Batch> outputs = outputs_.batches();
  const auto fits = [](const std::vector<fmi::Batch>& batches) {
    return batches.empty() || (batches.size() == 1 && batches[0].type == Type::float64);
  };
  if (!fits(inputs) || !fits(outputs)) return {};
  fmi::DirectStep step = instance_->direct_step(inputs.empty() ? fmi::Batch{} : inputs[0],
                                                outputs.empty() ? fmi::Batch{} : outputs[0]);
  step.may_go_back = goes_back_;
  return step;
}

void CsModel::end_initialization(const Experiment& experiment) {
  exit_initialization();
  // FMI 3.0, 4.2.1: an FMU whose event mode is used leaves initialization in event mode.
  if (event_mode_ && !update_until_stable(experiment.start))
    throw Error(ErrorCode::fmu,
                fmt::format("component \"{}\" asks to end the run before it starts", name()));
  outputs_.get_from(*instance_);
}

StepOutcome CsModel::step(double t, double h) {
  curves_from_ = t;
  if (!follows_curves()) {
    slopes_.clear();
    curvatures_.clear();
  }
  const StepOutcome outcome = substep_ > 0 ? step_in_parts(t, h) : step_once(t, h);
  if (by_intermediate_update_) note_whether_asked();
  return outcome;
}

// A component with shorter steps of its own takes several for one of the system.
StepOutcome CsModel::step_in_parts(double t, double h) {
  const double count = std::max(1.0, std::ceil(h / substep_ - 1e-9));
  const auto start = continuous_inputs();
  moved_.assign(start.begin(), start.end());
  start_slopes_ = slopes_;
  StepOutcome outcome;
  for (double n = 0; n < count && outcome.is_plain(); ++n) {
    const double from = t + h * n / count;
    const double s = from - t;
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const double curvature = curvatures_.empty() ? 0 : curvatures_[i];
      start[i] = moved_[i] + s * (start_slopes_[i] + s / 2 * curvature);
      slopes_[i] = start_slopes_[i] + s * curvature;
    }
    curves_from_ = from;
    outcome = step_once(from, h / count);
  }
  if (outcome.is_plain()) outcome.reached = t + h;
  return outcome;
}

StepOutcome CsModel::step_once(double t, double h) {
  if (event_mode_)
    inputs_.set_continuous_to(*instance_);
  else
    inputs_.set_to(*instance_);
  if (follows_curves_ && !by_intermediate_update_) tell_derivatives();
  const StepOutcome outcome =
      repeats_ ? instance_->redo_step(t, h) : instance_->do_step(t, h, goes_back_);
  repeats_ = false;
  outputs_.get_from(*instance_);
  return outcome;
}

// What the FMU was told holds until it is told something else: what is gone is told to be zero.
void CsModel::tell_derivatives() {
  const std::size_t count = slopes_.size() + curvatures_.size();
  const std::size_t told = std::max(count, derivatives_.count);
  if (told == 0) return;
  derivatives_.values = slopes_;
  derivatives_.values.insert(derivatives_.values.end(), curvatures_.begin(), curvatures_.end());
  for (const std::size_t i : derivatives_.negated)
    for (std::size_t k = i; k < count; k += slopes_.size())
      derivatives_.values[k] = -derivatives_.values[k];
  derivatives_.values.resize(told);
  derivatives_.count = count;
  instance_->set_input_derivatives(std::span(derivatives_.references).first(told),
                                   std::span(derivatives_.orders).first(told), derivatives_.values);
}

void CsModel::get_output_derivatives(std::span<const std::int32_t> variables, std::uint32_t order,
                                     std::span<double> values) {
  orders_.assign(variables.size(), static_cast<std::int32_t>(order));
  find_references(variables, references_);
  instance_->get_output_derivatives(references_, orders_, values);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (is_negated(variables[k])) values[k] = -values[k];
}

void CsModel::save(Snapshot& into) {
  if (can_go_back()) instance_->save_state(into.fmu);
  outputs_.save(into.outputs);
  into.next_event = next_event_;
  into.asks = asks_;
}

void CsModel::restore(const Snapshot& from) {
  if (from.fmu)
    instance_->restore_state(from.fmu);
  else
    repeats_ = true;
  outputs_.restore(from.outputs);
  next_event_ = from.next_event;
  asks_ = from.asks;
}

bool CsModel::handle_event(double t) {
  begin_event();
  inputs_.set_to(*instance_);
  return end_event(t);
}

bool CsModel::end_event(double t) {
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
