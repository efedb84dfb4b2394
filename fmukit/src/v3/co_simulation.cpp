// SPDX-License-Identifier: BSD-2-Clause
#include "v3/slave.hpp"

#include <algorithm>
#include <stdexcept>

namespace fmukit::v3 {

std::optional<double> Slave::call_back(double t, const Offer& offer) {
  const Phase before = phase;
  const double at = model->time;
  model->time = t;
  phase = Phase::intermediate;
  touched();
  bool stop = false;
  double stop_time = t;
  intermediate(environment, t, offer.set, offer.get, offer.finished, offer.stop, &stop, &stop_time);
  if (phase != Phase::intermediate)
    throw std::runtime_error("a call inside the intermediate update failed");
  phase = before;
  model->time = at;
  return stop && offer.stop ? std::optional(stop_time) : std::nullopt;
}

/// Provides the values at t to the simulator, after an internal step; true: the step must end here.
bool Slave::intermediate_update(double t) {
  if (!intermediate || !capabilities.intermediate_updates) return false;
  const std::optional<double> stop_time =
      call_back(t, {.set = info.promises.asks_for_inputs,
                    .get = true,
                    .finished = true,
                    .stop = early_return_allowed && capabilities.early_after_intermediate});
  if (!stop_time) return false;
  end_step_at(std::max(t, *stop_time));
  return *stop_time <= t;
}

// The outputs are those of the tentative states of a stage: only for a simulator that has declared
// outputs beside inputs, because it computes its inputs from them. Times may repeat until the
// internal step is finished (FMI 3.0, 4.2.2).
void Slave::ask_for_inputs(double t) {
  call_back(t, {.set = true, .get = reads_outputs_inside, .finished = false, .stop = false});
}

}  // namespace fmukit::v3

using namespace fmukit;
using namespace fmukit::v3;
using enum Phase;

FMUKIT_API abi::Status fmi3EnterStepMode(abi::Instance c) {
  return run(c, "fmi3EnterStepMode", phases(event), [](Slave& s) {
    if (s.kind != Kind::co_simulation) return s.refuse("fmi3EnterStepMode");
    s.phase = step;
    s.resume_after_events();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3DoStep(abi::Instance c, abi::Float64 t, abi::Float64 h, abi::Boolean,
                                  abi::Boolean* event_needed, abi::Boolean* terminate,
                                  abi::Boolean* early_return, abi::Float64* last_successful_time) {
  return run(c, "fmi3DoStep", phases(step, discarded), [&](Slave& s) {
    *event_needed = *terminate = *early_return = false;
    *last_successful_time = t;
    const StepReport report = s.step(t, h);
    *event_needed = report.event;
    *terminate = report.terminate;
    *early_return = report.early && report.status != Status::discard;
    *last_successful_time = report.reached;
    if (report.status != Status::pending) return report.status;
    return s.fail("fmi3DoStep", "there are no pending steps in FMI 3");
  });
}

FMUKIT_API abi::Status fmi3GetOutputDerivatives(abi::Instance c,
                                                const abi::ValueReference* references,
                                                std::size_t count, const std::int32_t* orders,
                                                abi::Float64* values, std::size_t value_count) {
  return run(c, "fmi3GetOutputDerivatives", phases(step, discarded, intermediate, terminated),
             [&](Slave& s) {
               if (value_count != count)
                 return s.fail("fmi3GetOutputDerivatives", "only scalars have derivatives");
               for (std::size_t k = 0; k < count; ++k)
                 if (orders[k] < 1 || orders[k] > s.capabilities.output_derivatives)
                   return s.fail("fmi3GetOutputDerivatives", "the order is too high");
               s.output_derivatives({references, count}, orders, values);
               return Status::ok;
             });
}

// Unsupported by the kit: clocks, scheduled execution. The functions
// must exist.
#define FMUKIT_ABSENT(Name, ...)                                              \
  FMUKIT_API abi::Status fmi3##Name(abi::Instance c, __VA_ARGS__) {           \
    return run(c, "fmi3" #Name, when::any, [](Slave& s) {                     \
      return s.fail("fmi3" #Name, "the model does not have this capability"); \
    });                                                                       \
  }
FMUKIT_ABSENT(GetClock, const abi::ValueReference*, std::size_t, abi::Clock*)
FMUKIT_ABSENT(SetClock, const abi::ValueReference*, std::size_t, const abi::Clock*)
FMUKIT_ABSENT(GetIntervalDecimal, const abi::ValueReference*, std::size_t, abi::Float64*,
              abi::IntervalQualifier*)
FMUKIT_ABSENT(GetIntervalFraction, const abi::ValueReference*, std::size_t, std::uint64_t*,
              std::uint64_t*, abi::IntervalQualifier*)
FMUKIT_ABSENT(GetShiftDecimal, const abi::ValueReference*, std::size_t, abi::Float64*)
FMUKIT_ABSENT(GetShiftFraction, const abi::ValueReference*, std::size_t, std::uint64_t*,
              std::uint64_t*)
FMUKIT_ABSENT(SetIntervalDecimal, const abi::ValueReference*, std::size_t, const abi::Float64*)
FMUKIT_ABSENT(SetIntervalFraction, const abi::ValueReference*, std::size_t, const std::uint64_t*,
              const std::uint64_t*)
FMUKIT_ABSENT(SetShiftDecimal, const abi::ValueReference*, std::size_t, const abi::Float64*)
FMUKIT_ABSENT(SetShiftFraction, const abi::ValueReference*, std::size_t, const std::uint64_t*,
              const std::uint64_t*)
FMUKIT_ABSENT(ActivateModelPartition, abi::ValueReference, abi::Float64)
#undef FMUKIT_ABSENT
