// SPDX-License-Identifier: BSD-2-Clause
#include "v3/slave.hpp"

#include <algorithm>

using namespace fmukit;
using namespace fmukit::v3;
using enum Phase;

namespace {

/// Fills one value per state or indicator after checking their number.
template <class Fill>
abi::Status fill(abi::Instance c, const char* function, Phases allowed, std::size_t count,
                 bool indicators, Fill&& fill_in) {
  return run(c, function, allowed, [&](Slave& s) {
    const std::size_t expected = indicators ? s.indicators.size() : s.states.size();
    if (count != expected)
      return s.fail(function, "got " + std::to_string(count) + " values, but the model has " +
                                  std::to_string(expected));
    fill_in(s);
    return Status::ok;
  });
}

}  // namespace

// Events, in both interfaces.

FMUKIT_API abi::Status fmi3EnterEventMode(abi::Instance c) {
  return run(c, "fmi3EnterEventMode", phases(continuous, step), [](Slave& s) {
    if (s.phase == step && !s.event_mode_used)
      return s.fail("fmi3EnterEventMode", "the instance was made without event mode");
    s.phase = event;
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3EvaluateDiscreteStates(abi::Instance c) {
  return run(c, "fmi3EvaluateDiscreteStates", phases(initialization, event), [](Slave& s) {
    s.ready();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3UpdateDiscreteStates(
    abi::Instance c, abi::Boolean* repeat, abi::Boolean* terminate, abi::Boolean* nominals_changed,
    abi::Boolean* states_changed, abi::Boolean* next_time_defined, abi::Float64* next_time) {
  return run(c, "fmi3UpdateDiscreteStates", phases(event), [&](Slave& s) {
    const EventReport report = s.update_events();
    *repeat = report.repeat;
    *terminate = s.terminate_requested;
    *nominals_changed = false;
    *states_changed = report.states_changed;
    *next_time_defined = s.next_event_time < std::numeric_limits<double>::infinity();
    *next_time = *next_time_defined ? s.next_event_time : 0;
    return Status::ok;
  });
}

// Model exchange.

FMUKIT_API abi::Status fmi3EnterContinuousTimeMode(abi::Instance c) {
  return run(c, "fmi3EnterContinuousTimeMode", phases(event), [](Slave& s) {
    if (s.kind != Kind::model_exchange) return s.refuse("fmi3EnterContinuousTimeMode");
    s.phase = continuous;
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3CompletedIntegratorStep(abi::Instance c, abi::Boolean,
                                                   abi::Boolean* enter_event_mode,
                                                   abi::Boolean* terminate) {
  return run(c, "fmi3CompletedIntegratorStep", phases(continuous), [&](Slave& s) {
    *enter_event_mode = s.completed_integrator_step();
    *terminate = s.terminate_requested;
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3SetTime(abi::Instance c, abi::Float64 t) {
  return run(c, "fmi3SetTime", phases(event, continuous), [&](Slave& s) {
    s.set_time(t);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3SetContinuousStates(abi::Instance c, const abi::Float64* x,
                                               std::size_t count) {
  return fill(c, "fmi3SetContinuousStates", phases(continuous), count, false,
              [&](Slave& s) { s.set_states(x); });
}

FMUKIT_API abi::Status fmi3GetContinuousStateDerivatives(abi::Instance c, abi::Float64* dx,
                                                         std::size_t count) {
  return fill(c, "fmi3GetContinuousStateDerivatives", when::running, count, false,
              [&](Slave& s) { s.get_derivatives(dx); });
}

FMUKIT_API abi::Status fmi3GetEventIndicators(abi::Instance c, abi::Float64* z, std::size_t count) {
  return fill(c, "fmi3GetEventIndicators", when::running, count, true,
              [&](Slave& s) { s.get_indicators(z); });
}

FMUKIT_API abi::Status fmi3GetContinuousStates(abi::Instance c, abi::Float64* x,
                                               std::size_t count) {
  return fill(c, "fmi3GetContinuousStates", when::running, count, false, [&](Slave& s) {
    s.ready();
    s.get_states(x);
  });
}

FMUKIT_API abi::Status fmi3GetNominalsOfContinuousStates(abi::Instance c, abi::Float64* values,
                                                         std::size_t count) {
  return fill(c, "fmi3GetNominalsOfContinuousStates", when::any, count, false,
              [&](Slave& s) { std::copy(s.nominals.begin(), s.nominals.end(), values); });
}

FMUKIT_API abi::Status fmi3GetNumberOfEventIndicators(abi::Instance c, std::size_t* count) {
  return run(c, "fmi3GetNumberOfEventIndicators", when::any, [&](Slave& s) {
    *count = s.indicators.size();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3GetNumberOfContinuousStates(abi::Instance c, std::size_t* count) {
  return run(c, "fmi3GetNumberOfContinuousStates", when::any, [&](Slave& s) {
    *count = s.states.size();
    return Status::ok;
  });
}
