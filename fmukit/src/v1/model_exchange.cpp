// SPDX-License-Identifier: BSD-2-Clause
#include "v1/functions.hpp"
#include "v1/slave.hpp"

#include <algorithm>

namespace fmukit::v1 {
namespace {

using enum Phase;

Status check_size(Slave& s, const char* function, std::size_t got, std::size_t expected) {
  if (got == expected) return Status::ok;
  return s.fail(function, "got " + std::to_string(got) + " values, but the model has " +
                              std::to_string(expected));
}

void report_to(abi::EventInfo& out, const Slave& s, const EventReport& report) {
  out.iteration_converged = !report.repeat;
  out.state_value_references_changed = abi::false_value;
  out.state_values_changed = report.states_changed;
  out.terminate_simulation = s.terminate_requested;
  out.upcoming_time_event = s.next_event_time < std::numeric_limits<double>::infinity();
  out.next_event_time = out.upcoming_time_event ? s.next_event_time : 0;
}

/// Copies one value per state (or indicator) after checking their number.
template <class Fill>
abi::Status fill(abi::Component c, const char* function, std::size_t count, bool indicators,
                 Fill&& fill_in) {
  return run(c, function, phases(instantiated, event, terminated, error), [&](Slave& s) {
    const Status status =
        check_size(s, function, count, indicators ? s.indicators.size() : s.states.size());
    if (status == Status::ok) fill_in(s);
    return status;
  });
}

}  // namespace

abi::Component instantiate_model(abi::String name, abi::String guid,
                                 abi::ModelExchangeCallbacks callbacks, abi::Boolean logging_on) {
  const abi::CoSimulationCallbacks all{callbacks.logger, callbacks.allocate_memory,
                                       callbacks.free_memory, nullptr};
  return instantiate("fmiInstantiateModel", name, guid, all, logging_on, true);
}

abi::Status initialize(abi::Component c, abi::Boolean, abi::Real, abi::EventInfo* out) {
  return run(c, "fmiInitialize", phases(instantiated), [&](Slave& s) {
    s.enter_initialization(s.model->time);
    s.exit_initialization(event, true);
    const EventReport report = s.run_events();
    report_to(*out, s, report);
    return Status::ok;
  });
}

abi::Status event_update(abi::Component c, abi::Boolean intermediate_results, abi::EventInfo* out) {
  return run(c, "fmiEventUpdate", phases(event), [&](Slave& s) {
    const EventReport report = intermediate_results ? s.update_events() : s.run_events();
    report_to(*out, s, report);
    return Status::ok;
  });
}

abi::Status completed_integrator_step(abi::Component c, abi::Boolean* call_event_update) {
  return run(c, "fmiCompletedIntegratorStep", phases(event), [&](Slave& s) {
    *call_event_update = s.completed_integrator_step();
    return Status::ok;
  });
}

abi::Status set_time(abi::Component c, abi::Real t) {
  return run(c, "fmiSetTime", phases(instantiated, event), [&](Slave& s) {
    s.set_time(t);
    return Status::ok;
  });
}

abi::Status set_continuous_states(abi::Component c, const abi::Real* x, std::size_t count) {
  return run(c, "fmiSetContinuousStates", phases(event), [&](Slave& s) {
    const Status status = check_size(s, "fmiSetContinuousStates", count, s.states.size());
    if (status == Status::ok) s.set_states(x);
    return status;
  });
}

abi::Status get_derivatives(abi::Component c, abi::Real* dx, std::size_t count) {
  return fill(c, "fmiGetDerivatives", count, false, [&](Slave& s) { s.get_derivatives(dx); });
}

abi::Status get_event_indicators(abi::Component c, abi::Real* z, std::size_t count) {
  return fill(c, "fmiGetEventIndicators", count, true, [&](Slave& s) { s.get_indicators(z); });
}

abi::Status get_continuous_states(abi::Component c, abi::Real* x, std::size_t count) {
  return fill(c, "fmiGetContinuousStates", count, false, [&](Slave& s) {
    s.ready();
    s.get_states(x);
  });
}

abi::Status get_nominal_continuous_states(abi::Component c, abi::Real* values, std::size_t count) {
  return fill(c, "fmiGetNominalContinuousStates", count, false,
              [&](Slave& s) { std::copy(s.nominals.begin(), s.nominals.end(), values); });
}

abi::Status get_state_value_references(abi::Component c, abi::ValueReference* values,
                                       std::size_t count) {
  return fill(c, "fmiGetStateValueReferences", count, false, [&](Slave& s) {
    for (const std::uint32_t variable : s.layout.states)
      for (std::uint32_t k = 0; k < s.info.variables[variable].count; ++k)
        *values++ = s.layout.reference(variable) + k;
  });
}

}  // namespace fmukit::v1
