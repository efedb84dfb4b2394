// SPDX-License-Identifier: BSD-2-Clause
#include "core/instance.hpp"

#include <stdexcept>

namespace fmukit {

void Instance::reject_step(double t, double h) const {
  if (!(h >= 0)) throw std::runtime_error("the step size " + number(h) + " is negative");
  throw std::runtime_error("the step starts at t = " + number(t) +
                           ", but the model is at t = " + number(model->time));
}

StepReport Instance::integrate(double end) {
  if (end <= model->time) return {.reached = end};
  const StepReport report = integrator_.advance(end);
  phase = Phase::step;
  touched();
  return report;
}

/// Applies the result of do_step for the step from t to end.
StepReport Instance::finish(StepResult result, double t, double end) {
  StepReport report{.status = static_cast<Status>(result.status), .reached = end};
  touched();
  switch (result.status) {
    case StepResult::Status::error:
      phase = Phase::error;
      return report;
    case StepResult::Status::fatal:
      phase = Phase::fatal;
      return report;
    case StepResult::Status::pending:
      pending_begin_ = t;
      pending_end_ = end;
      phase = Phase::pending;
      return report;
    case StepResult::Status::discard:
      report.reached = model->time = std::min(std::max(result.reached, t), end);
      report.early = true;
      phase = Phase::discarded;
      break;
    default:
      report.reached = model->time = std::min(result.reached, end);
      report.early = report.reached < end;
      report.event = result.event;
      phase = Phase::step;
  }
  report.terminate = terminate_requested;
  if (report.status == Status::discard || report.terminate) return report;

  // Events and early returns that the simulator does not support are handled here.
  if (report.event && (!event_mode_used || (report.early && !early_return_allowed))) {
    run_events();
    report.event = false;
  }
  if (report.early && !early_return_allowed) {
    if (report.reached <= t) throw std::runtime_error("do_step made no progress");
    return finish(model->do_step(end - report.reached), report.reached, end);
  }
  return report;
}

void Instance::finish_step(StepResult result, bool notify) {
  {
    const std::lock_guard lock(pending_mutex_);
    pending_result_ = result;
    pending_status_ = static_cast<Status>(result.status);
    pending_done_.store(true);
  }
  // The simulator may ask for the status from inside the callback.
  if (notify) notify_step_finished(static_cast<Status>(result.status));
}

bool Instance::settle() {
  if (phase != Phase::pending || !pending_done_.load()) return false;
  const std::lock_guard lock(pending_mutex_);
  pending_done_.store(false);
  finish(pending_result_, pending_begin_, pending_end_);
  return true;
}

Status Instance::status_of_pending_step() {
  if (phase == Phase::pending && !settle()) return Status::pending;
  return pending_status_;
}

void Instance::set_input_derivative(std::uint32_t reference, int order, double value) {
  if (reference >= layout.slots.size()) throw std::runtime_error("unknown value reference");
  const Slot& slot = layout.slots[reference];
  const VariableInfo& v = info.variables[slot.variable];
  if (v.causality != Causality::input || slot.type != Type::float64)
    throw std::runtime_error("variable \"" + v.name + "\" is not a continuous input");
  if (order < 1 || order > Integrator::max_input_order)
    throw std::runtime_error("the order of an input derivative must be 1 to 4");
  integrator_.set_input_derivative(slot_elements<double>(*model, slot).data(), order, value);
}

}  // namespace fmukit
