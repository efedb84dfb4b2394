// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/co_simulation.hpp"
#include "fmi/instance_core.hpp"

namespace tutti::fmi {

/// The common part of CoSimulation::direct_step in FMI 2.0 and 3.0, without the version.
template <class Instance, class DoStep>
DirectStep prepare_direct_step(const Instance& instance, const DoStep& do_step, const Batch& inputs,
                               const Batch& outputs) {
  DirectStep step;
  step.subject = {instance.component(), static_cast<double*>(inputs.values),
                  static_cast<double*>(outputs.values)};
  step.inputs = inputs.references;
  step.outputs = outputs.references;
  step.input_size = static_cast<std::uint32_t>(inputs.value_count);
  step.output_size = static_cast<std::uint32_t>(outputs.value_count);
  const auto address = [](const auto& function) {
    return reinterpret_cast<DirectStep::Address>(function.address);
  };
  step.set = address(instance.values().set_real());
  step.do_step = address(do_step);
  step.get = address(instance.values().get_real());
  return step;
}

/// CoSimulation::resume for an instance that has step(t, h, may_go_back) and
/// judge_direct_step(end, t, h). The failed step is not counted by DirectSteps.
template <class Instance>
StepOutcome resume_direct_step(Instance& instance, const DirectStep& call,
                               const DirectStep::End& end, const char* do_step, double t,
                               double h) {
  using At = DirectStep::End::At;
  instance.note_time(t);
  CallCounts& counts = instance.counts();
  if (!call.inputs.empty()) ++counts.set;
  if (end.at != At::set) ++counts.do_step;
  if (end.at == At::get) ++counts.get;
  const char* const function = end.at == At::set    ? instance.values().set_real().name
                               : end.at == At::step ? do_step
                                                    : instance.values().get_real().name;
  try {
    if (end.thrown) std::rethrow_exception(end.thrown);
  } catch (...) {
    instance.escaped(function);
  }
  if (end.at != At::step) instance.judge(end.result, function);
  if (end.at == At::get) return {StepOutcome::Status::done, t + h};
  const StepOutcome outcome = end.at == At::step ? instance.judge_direct_step(end, t, h)
                                                 : instance.step(t, h, call.may_go_back);
  // The outputs of a discarded step are those from before it.
  const bool stays = outcome.status == StepOutcome::Status::discarded && outcome.reached <= t;
  if (!call.outputs.empty() && !stays)
    instance.get(Type::float64, call.outputs, call.subject.outputs, call.output_size);
  return outcome;
}

}  // namespace tutti::fmi
