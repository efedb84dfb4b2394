// SPDX-License-Identifier: BSD-2-Clause
#include "v2/slave.hpp"

using namespace fmukit;
using namespace fmukit::v2;
using enum Phase;

namespace {

constexpr Phases asking = phases(step, pending, discarded, error, terminated);

Status unsupported(Slave& s, const char* function) {
  s.log(Log::warning, std::string(function) + ": unknown status kind");
  return Status::discard;
}

}  // namespace

FMUKIT_API abi::Status fmi2DoStep(abi::Component c, abi::Real t, abi::Real h, abi::Boolean) {
  return run(c, "fmi2DoStep", phases(step, discarded), [&](Slave& s) {
    const StepReport report = s.step(t, h);
    if (!report.terminate) return report.status;
    s.phase = discarded;  // the standard has no other way to report it
    return Status::discard;
  });
}

FMUKIT_API abi::Status fmi2CancelStep(abi::Component c) {
  return run(c, "fmi2CancelStep", phases(pending), [](Slave& s) {
    s.model->cancel_step();
    s.phase = discarded;
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2SetRealInputDerivatives(abi::Component c,
                                                   const abi::ValueReference* references,
                                                   std::size_t count, const abi::Integer* orders,
                                                   const abi::Real* values) {
  return run(c, "fmi2SetRealInputDerivatives",
             phases(instantiated, initialization, step, discarded), [&](Slave& s) {
               if (!s.capabilities.interpolates_inputs)
                 return s.fail("fmi2SetRealInputDerivatives", "the model accepts values only");
               for (std::size_t k = 0; k < count; ++k)
                 s.set_input_derivative(references[k], orders[k], values[k]);
               return Status::ok;
             });
}

FMUKIT_API abi::Status fmi2GetRealOutputDerivatives(abi::Component c,
                                                    const abi::ValueReference* references,
                                                    std::size_t count, const abi::Integer* orders,
                                                    abi::Real* values) {
  return run(c, "fmi2GetRealOutputDerivatives", phases(step, discarded, terminated), [&](Slave& s) {
    for (std::size_t k = 0; k < count; ++k)
      if (orders[k] < 1 || orders[k] > s.capabilities.output_derivatives)
        return s.fail("fmi2GetRealOutputDerivatives", "the order is too high");
    s.output_derivatives({references, count}, orders, values);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2GetStatus(abi::Component c, abi::StatusKind kind, abi::Status* value) {
  return run(c, "fmi2GetStatus", asking, [&](Slave& s) {
    if (kind != abi::do_step_status) return unsupported(s, "fmi2GetStatus");
    *value = static_cast<abi::Status>(s.status_of_pending_step());
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2GetRealStatus(abi::Component c, abi::StatusKind kind, abi::Real* value) {
  return run(c, "fmi2GetRealStatus", asking, [&](Slave& s) {
    if (kind != abi::last_successful_time) return unsupported(s, "fmi2GetRealStatus");
    s.settle();
    *value = s.model->time;
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2GetIntegerStatus(abi::Component c, abi::StatusKind, abi::Integer*) {
  return run(c, "fmi2GetIntegerStatus", asking,
             [](Slave& s) { return unsupported(s, "fmi2GetIntegerStatus"); });
}

FMUKIT_API abi::Status fmi2GetBooleanStatus(abi::Component c, abi::StatusKind kind,
                                            abi::Boolean* value) {
  return run(c, "fmi2GetBooleanStatus", asking, [&](Slave& s) {
    if (kind != abi::terminated) return unsupported(s, "fmi2GetBooleanStatus");
    *value = s.terminate_requested;
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2GetStringStatus(abi::Component c, abi::StatusKind kind,
                                           abi::String* value) {
  return run(c, "fmi2GetStringStatus", asking, [&](Slave& s) {
    if (kind != abi::pending_status) return unsupported(s, "fmi2GetStringStatus");
    *value = s.phase == pending ? "the step runs in the background" : "";
    return Status::ok;
  });
}
