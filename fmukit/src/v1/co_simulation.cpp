// SPDX-License-Identifier: BSD-2-Clause
#include "v1/functions.hpp"
#include "v1/slave.hpp"

namespace fmukit::v1 {
namespace {

using enum Phase;
constexpr Phases asking = phases(step, pending, discarded, error, terminated);

Status unsupported(Slave& s, const char* function) {
  s.log(Log::warning, std::string(function) + ": unknown status kind");
  return Status::discard;
}

}  // namespace

abi::Component instantiate_slave(abi::String name, abi::String guid, abi::String, abi::String,
                                 abi::Real, abi::Boolean, abi::Boolean,
                                 abi::CoSimulationCallbacks callbacks, abi::Boolean logging_on) {
  return instantiate("fmiInstantiateSlave", name, guid, callbacks, logging_on, false);
}

abi::Status initialize_slave(abi::Component c, abi::Real start, abi::Boolean, abi::Real) {
  return run(c, "fmiInitializeSlave", phases(instantiated), [&](Slave& s) {
    s.enter_initialization(start);
    s.exit_initialization(step, false);
    return Status::ok;
  });
}

abi::Status reset_slave(abi::Component c) {
  return run(c, "fmiResetSlave", phases(instantiated, step, discarded, terminated, error),
             [](Slave& s) {
               s.reset();
               return Status::ok;
             });
}

abi::Status do_step(abi::Component c, abi::Real t, abi::Real h, abi::Boolean new_step) {
  return run(c, "fmiDoStep", phases(step, discarded), [&](Slave& s) {
    if (s.info.promises.rejects_steps) {
      if (new_step && s.before_step)
        s.save(*s.before_step);
      else if (new_step)
        s.before_step = s.save();
      else if (s.before_step)
        s.go_back(*s.before_step);
      else
        throw std::runtime_error("there is no step to repeat");
    }
    return s.step(t, h).status;
  });
}

abi::Status cancel_step(abi::Component c) {
  return run(c, "fmiCancelStep", phases(pending), [](Slave& s) {
    s.model->cancel_step();
    s.phase = discarded;
    return Status::ok;
  });
}

abi::Status set_real_input_derivatives(abi::Component c, const abi::ValueReference* references,
                                       std::size_t count, const abi::Integer* orders,
                                       const abi::Real* values) {
  return run(c, "fmiSetRealInputDerivatives", phases(instantiated, step, discarded), [&](Slave& s) {
    if (!s.capabilities.interpolates_inputs)
      return s.fail("fmiSetRealInputDerivatives", "the model accepts values only");
    for (std::size_t k = 0; k < count; ++k)
      s.set_input_derivative(references[k], orders[k], values[k]);
    return Status::ok;
  });
}

abi::Status get_real_output_derivatives(abi::Component c, const abi::ValueReference* references,
                                        std::size_t count, const abi::Integer* orders,
                                        abi::Real* values) {
  return run(c, "fmiGetRealOutputDerivatives", phases(step, discarded, terminated), [&](Slave& s) {
    for (std::size_t k = 0; k < count; ++k)
      if (orders[k] < 1 || orders[k] > s.capabilities.output_derivatives)
        return s.fail("fmiGetRealOutputDerivatives", "the order is too high");
    s.output_derivatives({references, count}, orders, values);
    return Status::ok;
  });
}

abi::Status get_status(abi::Component c, abi::StatusKind kind, abi::Status* value) {
  return run(c, "fmiGetStatus", asking, [&](Slave& s) {
    if (kind != abi::do_step_status) return unsupported(s, "fmiGetStatus");
    *value = static_cast<abi::Status>(s.status_of_pending_step());
    return Status::ok;
  });
}

abi::Status get_real_status(abi::Component c, abi::StatusKind kind, abi::Real* value) {
  return run(c, "fmiGetRealStatus", asking, [&](Slave& s) {
    if (kind != abi::last_successful_time) return unsupported(s, "fmiGetRealStatus");
    s.settle();
    *value = s.model->time;
    return Status::ok;
  });
}

abi::Status get_integer_status(abi::Component c, abi::StatusKind, abi::Integer*) {
  return run(c, "fmiGetIntegerStatus", asking,
             [](Slave& s) { return unsupported(s, "fmiGetIntegerStatus"); });
}

abi::Status get_boolean_status(abi::Component c, abi::StatusKind, abi::Boolean*) {
  return run(c, "fmiGetBooleanStatus", asking,
             [](Slave& s) { return unsupported(s, "fmiGetBooleanStatus"); });
}

abi::Status get_string_status(abi::Component c, abi::StatusKind kind, abi::String* value) {
  return run(c, "fmiGetStringStatus", asking, [&](Slave& s) {
    if (kind != abi::pending_status) return unsupported(s, "fmiGetStringStatus");
    *value = s.phase == pending ? "the step runs in the background" : "";
    return Status::ok;
  });
}

}  // namespace fmukit::v1
