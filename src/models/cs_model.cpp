// SPDX-License-Identifier: BSD-2-Clause
#include "models/cs_model.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <tutti/error.hpp>
#include <utility>

#include "base/codec.hpp"

namespace tutti::models {

CsModel::CsModel(fmi::Fmu& fmu, Options options)
    : FmuModel(fmu.description(), options),
      goes_back_(options.goes_back),
      may_save_states_(options.may_save_states),
      needs_(options.needs),
      boundary_(options.boundary),
      log_(options.log),
      substep_(options.substep) {
  if (options.curves) curves_.prepare(fmu.description(), needs_.input_order, options.fmu);
  if (boundary_ != nullptr) prepare_boundary(fmu.description(), options);
  instance_ = fmu.instantiate_co_simulation(options.fmu);
  event_mode_ = instance_->event_mode_used();
  goes_back_ &= can_go_back();
  always_goes_back_ = goes_back_;
}

// FMI 3.0, 4.2.2: inside a step, flows are read and efforts are set in intermediate update.
void CsModel::prepare_boundary(const ModelDescription& description, Options& options) {
  if (boundary_->read_inside().empty()) return;
  read_inside_ = ValueSet(description, boundary_->read_inside(), options.start.structure());
  boundary_->read_from(read_inside_);
  std::vector<ValueReference>& variables = options.fmu.intermediate_variables;
  const auto inputs = inputs_.continuous_references();
  variables.assign(inputs.begin(), inputs.end());
  for (const fmi::Batch& batch : read_inside_.batches())
    variables.insert(variables.end(), batch.references.begin(), batch.references.end());
  options.fmu.intermediate_update = [this](fmi::CoSimulation& instance,
                                           const fmi::IntermediateMoment& moment) {
    update_boundary(instance, moment);
    return std::optional<double>();
  };
}

void CsModel::update_boundary(fmi::CoSimulation& instance, const fmi::IntermediateMoment& moment) {
  const auto read = [&] {
    if (moment.get_allowed) read_inside_.get_from(instance);
  };
  if (!moment.set_requested && !(moment.step_finished && moment.get_allowed)) return;
  read();
  if (moment.set_requested) {
    boundary_->apply(moment.time, false);
    curves_.set_inside(instance, moment.time);
  }
  if (moment.step_finished && moment.get_allowed) boundary_->accept(moment.time, true);
}

// Direct steps set and get doubles only, without intermediate update.
fmi::DirectStep CsModel::direct_step() {
  const bool acts_inside = boundary_ != nullptr && !boundary_->read_inside().empty();
  if (acts_inside || !(inputs_.is_plain() || event_mode_) || !outputs_.is_plain() || substep_ > 0 ||
      curves_.are_used() || needs_.saves_before_steps)
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
  if (event_mode_ && !update_until_stable(experiment.start)) refuse_early_end(experiment.start);
  outputs_.get_from(*instance_);
}

StepOutcome CsModel::step(double t, double h) {
  curves_.begin_step(t);
  if (boundary_ != nullptr) boundary_->begin(t, h, curves_.slopes());
  const StepOutcome outcome = substep_ > 0 ? step_in_parts(t, h) : step_once(t, h);
  if (curves_.note_whether_asked())
    log_.info(name(),
              "the FMU does not request inputs inside a step although it provides intermediate "
              "update (providesIntermediateUpdate): from its second step on it gets their values "
              "at the middle of each step");
  if (boundary_ != nullptr && outcome.reached > t) boundary_->accept(outcome.reached, false);
  return outcome;
}

// A component with a smaller step takes several steps within one step of the system.
StepOutcome CsModel::step_in_parts(double t, double h) {
  const double count = std::max(1.0, std::ceil(h / substep_ - 1e-9));
  curves_.begin_parts();
  StepOutcome outcome;
  for (double n = 0; n < count && outcome.is_plain(); ++n) {
    const double from = t + h * n / count;
    curves_.begin_part(from);
    outcome = step_once(from, h / count);
  }
  if (outcome.is_plain()) outcome.reached = t + h;
  return outcome;
}

StepOutcome CsModel::step_once(double t, double h) {
  if (needs_.saves_before_steps && !is_saved()) instance_->save_state(before_step_);
  set_inputs();
  const StepOutcome outcome = accept(do_step(t, h), t);
  // The outputs of a discarded step are those from before it.
  const bool stays = outcome.status == StepOutcome::Status::discarded && outcome.reached <= t;
  if (!stays) outputs_.get_from(*instance_);
  return outcome;
}

void CsModel::set_inputs() {
  if (event_mode_)
    inputs_.set_continuous_to(*instance_);
  else
    inputs_.set_to(*instance_);
  if (curves_.has_derivatives()) set_input_derivatives();
}

StepOutcome CsModel::do_step(double t, double h) {
  if (std::exchange(repeats_, false)) return instance_->redo_step(t, h);
  ++steps_;
  return instance_->do_step(t, h, goes_back_);
}

// FMI 2.0, 4.2.2: a discarded step is repeated from the state in which it started. An FMU that
// cannot be restored is assumed to be at the time that it reports. In FMI 3.0 it is still at t.
StepOutcome CsModel::accept(const StepOutcome& outcome, double t) {
  using Status = StepOutcome::Status;
  if (outcome.status != Status::discarded || !can_vary_step()) return outcome;
  if (saved_at_ && *saved_at_ + 1 == fmu().counts().do_step) return outcome;  // the caller restores
  if (!return_to_start_of_step(t, outcome.reached > t)) return outcome;
  if (outcome.reached <= t) return {Status::discarded, t};
  set_inputs();
  const StepOutcome shorter = do_step(t, outcome.reached - t);
  if (shorter.status == Status::done) return {Status::discarded, outcome.reached};
  if (shorter.status == Status::discarded) return_to_start_of_step(t, false);
  return {shorter.status, shorter.status == Status::discarded ? t : shorter.reached};
}

/// False: it cannot, or need not. Where states may not be saved, an FMU that has moved is assumed
/// to be at the time that it reports.
bool CsModel::return_to_start_of_step(double t, bool has_moved) {
  if (instance_->description().version == FmiVersion::v3) return false;
  if (needs_.saves_before_steps) {
    instance_->restore_state(before_step_);
    return true;
  }
  if (can_go_back() && !may_save_states_ && !has_moved)
    throw Error(
        ErrorCode::capability,
        fmt::format("component \"{}\" discarded a step, and its state at the start of the step was "
                    "not saved, so the step cannot be repeated",
                    name()),
        {.component = name(),
         .time = t,
         .key = "simulation.save-states",
         .hint = "Try %key% = \"auto\""});
  if (can_go_back() && may_save_states_)
    throw RunAgain(
        {ErrorCode::fmu,
         fmt::format(
             "component \"{}\" discarded a step, and its state at the start of the step was "
             "not saved",
             name()),
         {.component = name(), .time = t}},
        {"The run is repeated from its start, and this FMU's state is saved before each step",
         "Set simulation.save-states = \"always\"."},
        [fmu = instance_->description().token](RunNeeds& needs) {
          needs.fmus[fmu].saves_before_steps = true;
        });
  repeats_ = instance_->capabilities().can_redo_step;
  return repeats_;
}

void CsModel::set_input_derivatives() {
  const CsCurves::InputDerivatives next = curves_.next_derivatives();
  if (next.values.empty()) return;
  try {
    instance_->set_input_derivatives(next.references, next.orders, next.values);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::fmu) throw;
    const auto order = static_cast<std::uint32_t>(next.orders.back());
    do_without(fmt::format("{}. It does not accept input derivatives of order {}, although "
                           "canInterpolateInputs=\"true\"",
                           error.what(), order),
               error.details(), &FmuNeeds::input_order, order - 1);
  }
}

// FMI 2.0, 2.1.3: after an error, an instance cannot be used any more.
void CsModel::do_without(const std::string& why, const ErrorDetails& details,
                         std::uint32_t FmuNeeds::*order, std::uint32_t highest) const {
  const std::string order_text =
      highest > 0 ? fmt::format("derivatives of order {}", highest) : "no derivatives";
  throw RunAgain(
      Error(ErrorCode::fmu, why).with(details),
      {fmt::format("The run is repeated from its start, with {} for this FMU", order_text),
       fmt::format("Set simulation.inputs.order = {}.", highest)},
      [=, fmu = instance_->description().token](RunNeeds& needs) {
        needs.fmus[fmu].*order = highest;
      });
}

void CsModel::get_output_derivatives(std::span<const std::int32_t> variables, std::uint32_t order,
                                     std::span<double> values) {
  orders_.assign(variables.size(), static_cast<std::int32_t>(order));
  find_references(variables, references_);
  try {
    instance_->get_output_derivatives(references_, orders_, values);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::fmu) throw;
    do_without(error.what(), error.details(), &FmuNeeds::output_order, order - 1);
  }
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(values.begin(), values.end(), is_finite))
    do_without(fmt::format("component \"{}\": the derivatives of order {} of its outputs are NaN",
                           name(), order),
               {.component = name()}, &FmuNeeds::output_order, order - 1);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (is_negated(variables[k])) values[k] = -values[k];
}

std::vector<double> CsModel::real_outputs() const {
  std::vector<double> values;
  for (const std::uint64_t bits : outputs_.doubles()) values.push_back(std::bit_cast<double>(bits));
  return values;
}

std::vector<double> CsModel::try_step(const fmi::FmuState& here, double t, double h,
                                      bool may_go_back) {
  set_inputs();
  std::vector<double> values;
  if (instance_->do_step(t, h, may_go_back).is_plain()) {
    outputs_.get_from(*instance_);
    values = real_outputs();
  }
  instance_->restore_state(here);
  return values;
}

void CsModel::try_rollback_flag(double t, double h) {
  if (!goes_back_ || !saved_at_) return;
  const CallCounts counts = instance_->counts();
  fmi::FmuState here;
  ValueSet::Values outputs;
  instance_->save_state(here);
  outputs_.save(outputs);
  const auto differ = [](std::span<const double> a, std::span<const double> b) {
    return !std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
      constexpr double relative = 1e-5, absolute = 1e-9;
      return !(std::abs(x - y) > relative * std::max(std::abs(x), std::abs(y)) + absolute);
    });
  };
  std::vector<double> first, other, again;
  try {
    if (substep_ > 0) h = substep_;
    first = try_step(here, t, h, true);
    other = try_step(here, t, h, false);
    again = try_step(here, t, h, true);
  } catch (const Error&) {  // the step itself will fail
    instance_->restore_state(here);
  }
  outputs_.restore(outputs);
  here = {};
  instance_->set_counts(counts);
  if (first.size() != other.size() || first.size() != again.size()) return;
  const bool by_flag = differ(first, other);
  if (!by_flag && !differ(first, again)) return;
  log_.warning(
      name(),
      fmt::format(
          "t = {:.13g} s: the FMU computes different values {}, as in this run: its results may be "
          "wrong. Run `tutti check --run` for details, or try a method that repeats no steps",
          t,
          by_flag ? "when it may be rolled back (noSetFMUStatePriorToCurrentPoint = false)"
                  : "when its state is restored and a step repeated"));
}

void CsModel::save(Snapshot& into) { save_to(writable<Saved>(into)); }

void CsModel::restore(const Snapshot& from) { restore_from(static_cast<const Saved&>(*from)); }

std::string CsModel::write_state(const Snapshot& from) {
  const auto& saved = static_cast<const Saved&>(*from);
  return Packer()(instance_->serialize_state(saved.fmu), saved.outputs, saved.next_event,
                  saved.steps, saved.asks)
      .bytes();
}

Snapshot CsModel::read_state(std::string_view bytes) {
  auto saved = std::make_unique<Saved>();
  Unpacker in(bytes);
  saved->fmu = instance_->deserialize_state(in.take<std::vector<std::uint8_t>>());
  in(saved->outputs, saved->next_event, saved->steps, saved->asks);
  return saved;
}

void CsModel::save_to(Saved& saved) {
  if (can_go_back()) instance_->save_state(saved.fmu);
  saved_at_ = fmu().counts().do_step;
  outputs_.save(saved.outputs);
  saved.next_event = next_event_;
  saved.steps = steps_ - (repeats_ ? 1 : 0);  // a step that will be repeated does not count
  saved.asks = curves_.asks();
}

void CsModel::restore_from(const Saved& saved) {
  if (saved.fmu)
    instance_->restore_state(saved.fmu);
  else
    repeats_ = steps_ > saved.steps;  // without a step since then there is nothing to repeat
  saved_at_ = fmu().counts().do_step;
  outputs_.restore(saved.outputs);
  next_event_ = saved.next_event;
  curves_.restore(saved.asks);
}

bool CsModel::handle_event(double t) {
  begin_event();
  inputs_.set_to(*instance_);
  return end_event(t);
}

bool CsModel::end_event(double t) {
  const bool goes_on = update_until_stable(t);
  outputs_.get_from(*instance_);
  if (boundary_ != nullptr) boundary_->accept(t, false);
  return goes_on;
}

bool CsModel::update_until_stable(double t) {
  const fmi::DiscreteUpdate update = settle_discrete_states(*instance_, t);
  if (update.terminate) return false;
  next_event_ = update.next_event_time;
  instance_->enter_step_mode();
  return true;
}

std::optional<double> CsModel::look_ahead(double t, double h, std::vector<double>& ahead) {
  return can_look_ahead() ? step_ahead(t, h, ahead) : extrapolate_ahead(t, h, ahead);
}

// FMI 2.0, 4.2.1 and 3.0, 4.2.1: noSetFMUStatePriorToCurrentPoint must be false here, regardless of
// its value in other steps.
std::optional<double> CsModel::step_ahead(double t, double h, std::vector<double>& ahead) {
  using Status = StepOutcome::Status;
  constexpr double shortest = 1e-3;  // of the step: differences over less are noise
  const bool was_saved = is_saved(), goes_back = std::exchange(goes_back_, true);
  const auto saved_at = saved_at_;
  const std::uint64_t steps = steps_;
  Saved here;
  save_to(here);
  const StepOutcome outcome = step(t, h);
  ahead = real_outputs();
  restore_from(here);
  goes_back_ = goes_back;
  steps_ = steps;
  saved_at_ = was_saved ? fmu().counts().do_step : saved_at;
  outputs_.get_from(*instance_);
  ValueSet::Values now;
  outputs_.save(now);
  if (now.words != here.outputs.words)
    throw Error(
        ErrorCode::fmu,
        fmt::format("component \"{}\": outputs differ after a step that was rolled back", name()));
  const bool has_moved = outcome.status != Status::discarded &&
                         outcome.status != Status::terminated && outcome.reached - t > shortest * h;
  return has_moved ? std::optional(outcome.reached) : std::nullopt;
}

/// With the output derivatives that the FMU reports, for scalar outputs.
std::optional<double> CsModel::extrapolate_ahead(double t, double h, std::vector<double>& ahead) {
  if (output_derivative_order() == 0) return {};
  std::vector<std::int32_t> variables;
  std::vector<std::size_t> places;
  const auto* const first = reinterpret_cast<const std::byte*>(outputs_.doubles().data());
  for (const Scalar& scalar : outputs_.scalars()) {
    const Variable& variable =
        instance_->description().variables[static_cast<std::size_t>(scalar.variable)];
    if (scalar.type != Type::float64 || variable.is_array() ||
        variable.causality != Causality::output || variable.variability != Variability::continuous)
      continue;
    variables.push_back(scalar.variable);
    places.push_back(static_cast<std::size_t>(outputs_.address(scalar) - first) / sizeof(double));
  }
  if (variables.empty()) return {};
  std::vector<double> slopes(variables.size());
  orders_.assign(variables.size(), 1);
  find_references(variables, references_);
  instance_->get_output_derivatives(references_, orders_, slopes);
  ahead = real_outputs();
  for (std::size_t k = 0; k < places.size(); ++k)
    ahead[places[k]] += is_negated(variables[k]) ? -h * slopes[k] : h * slopes[k];
  return t + h;
}

}  // namespace tutti::models
