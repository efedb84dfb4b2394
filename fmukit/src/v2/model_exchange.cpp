// SPDX-License-Identifier: BSD-2-Clause
#include "v2/slave.hpp"

#include <algorithm>

using namespace fmukit;
using namespace fmukit::v2;
using enum Phase;

namespace {

Status wrong_size(Slave& s, const char* function, std::size_t got, std::size_t expected) {
  return s.fail(function, "got " + std::to_string(got) + " values, but the model has " +
                              std::to_string(expected));
}

}  // namespace

FMUKIT_API abi::Status fmi2EnterEventMode(abi::Component c) {
  return run(c, "fmi2EnterEventMode", phases(event, continuous), [](Slave& s) {
    s.phase = event;
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2NewDiscreteStates(abi::Component c, abi::EventInfo* out) {
  return run(c, "fmi2NewDiscreteStates", phases(event), [&](Slave& s) {
    const EventReport report = s.update_events();
    const bool timed = s.next_event_time < std::numeric_limits<double>::infinity();
    *out = {report.repeat, s.terminate_requested,        false, report.states_changed,
            timed,         timed ? s.next_event_time : 0};
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2EnterContinuousTimeMode(abi::Component c) {
  return run(c, "fmi2EnterContinuousTimeMode", phases(event), [](Slave& s) {
    s.phase = continuous;
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2CompletedIntegratorStep(abi::Component c, abi::Boolean,
                                                   abi::Boolean* enter_event_mode,
                                                   abi::Boolean* terminate) {
  return run(c, "fmi2CompletedIntegratorStep", phases(continuous), [&](Slave& s) {
    *enter_event_mode = s.completed_integrator_step();
    *terminate = s.terminate_requested;
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2SetTime(abi::Component c, abi::Real t) {
  return run(c, "fmi2SetTime", phases(event, continuous), [&](Slave& s) {
    s.set_time(t);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2SetContinuousStates(abi::Component c, const abi::Real* x,
                                               std::size_t count) {
  return run(c, "fmi2SetContinuousStates", phases(continuous), [&](Slave& s) {
    if (count != s.states.size())
      return wrong_size(s, "fmi2SetContinuousStates", count, s.states.size());
    s.set_states(x);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2GetDerivatives(abi::Component c, abi::Real* dx, std::size_t count) {
  return run(c, "fmi2GetDerivatives", when::running, [&](Slave& s) {
    if (count != s.states.size())
      return wrong_size(s, "fmi2GetDerivatives", count, s.states.size());
    s.get_derivatives(dx);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2GetEventIndicators(abi::Component c, abi::Real* z, std::size_t count) {
  return run(c, "fmi2GetEventIndicators", when::running, [&](Slave& s) {
    if (count != s.indicators.size())
      return wrong_size(s, "fmi2GetEventIndicators", count, s.indicators.size());
    s.get_indicators(z);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2GetContinuousStates(abi::Component c, abi::Real* x, std::size_t count) {
  return run(c, "fmi2GetContinuousStates", when::running, [&](Slave& s) {
    if (count != s.states.size())
      return wrong_size(s, "fmi2GetContinuousStates", count, s.states.size());
    s.ready();
    s.get_states(x);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2GetNominalsOfContinuousStates(abi::Component c, abi::Real* nominals,
                                                         std::size_t count) {
  return run(c, "fmi2GetNominalsOfContinuousStates", when::any, [&](Slave& s) {
    if (count != s.states.size())
      return wrong_size(s, "fmi2GetNominalsOfContinuousStates", count, s.states.size());
    std::copy(s.nominals.begin(), s.nominals.end(), nominals);
    return Status::ok;
  });
}
