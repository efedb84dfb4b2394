// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/co_simulation.hpp"
#include "fmi/instance_core.hpp"

namespace tutti::fmi {

/// The half of CoSimulation and ModelExchange that is FmuInstance, answered by the component of one
/// version of FMI. The functions of a component are those of FmuInstance, not virtual.
template <class Face, class Component>
class InstanceAdapter : public Face {
 public:
  const std::string& name() const final { return component_.name(); }
  const ModelDescription& description() const final { return component_.description(); }
  const Capabilities& capabilities() const final { return component_.capabilities(); }
  const CallCounts& counts() const final { return component_.counts(); }
  void count_direct_steps(const std::uint64_t* counter, bool with_set, bool with_get) final {
    component_.count_direct_steps(counter, with_set, with_get);
  }
  void uncount_direct_step() final { component_.uncount_direct_step(); }
  void set_counts(const CallCounts& counts) final { component_.counts() = counts; }
  void keep_float_control(double t) final {
    component_.set_time(t);
    component_.keep_float_control_exactly("a step");
  }
  void note_direct_steps() final {
    if (component_.mode() == mode::step_inputs_set) component_.set_mode(mode::step);
  }
  bool can_get_in_initialization() const final { return Component::can_get_in_initialization; }
  void enter_configuration_mode() override { component_.enter_configuration_mode(); }
  void exit_configuration_mode() override { component_.exit_configuration_mode(); }
  void enter_initialization(const Experiment& experiment) final {
    component_.enter_initialization(experiment);
  }
  void terminate() final { component_.terminate(); }
  void reset() override { component_.reset(); }

  void get(Type type, std::span<const ValueReference> references, void* values,
           std::size_t value_count) final {
    component_.get(type, references, values, value_count);
  }
  void set(Type type, std::span<const ValueReference> references, const void* values,
           std::size_t value_count) final {
    component_.set(type, references, values, value_count);
  }
  void get_strings(std::span<const ValueReference> references,
                   std::span<std::string> values) final {
    component_.get_strings(references, values);
  }
  void set_strings(std::span<const ValueReference> references,
                   std::span<const std::string> values) final {
    component_.set_strings(references, values);
  }
  void get_binaries(std::span<const ValueReference> references,
                    std::span<std::vector<std::uint8_t>> values) final {
    component_.get_binaries(references, values);
  }
  void set_binaries(std::span<const ValueReference> references,
                    std::span<const std::vector<std::uint8_t>> values) final {
    component_.set_binaries(references, values);
  }
  void directional_derivative(std::span<const ValueReference> unknowns,
                              std::span<const ValueReference> knowns, std::span<const double> seed,
                              std::span<double> sensitivity) final {
    component_.directional_derivative(unknowns, knowns, seed, sensitivity);
  }
  void adjoint_derivative(std::span<const ValueReference> unknowns,
                          std::span<const ValueReference> knowns, std::span<const double> seed,
                          std::span<double> sensitivity) final {
    component_.adjoint_derivative(unknowns, knowns, seed, sensitivity);
  }

 protected:
  template <class... Arguments>
  explicit InstanceAdapter(const Arguments&... arguments) : component_(arguments...) {}
  /// What direct steps of any version have in common.
  DirectStep prepare_direct_step(const Batch& inputs, const Batch& outputs) const {
    DirectStep step;
    step.subject = {component_.component(), static_cast<double*>(inputs.values),
                    static_cast<double*>(outputs.values)};
    step.inputs = inputs.references;
    step.outputs = outputs.references;
    step.input_size = static_cast<std::uint32_t>(inputs.value_count);
    step.output_size = static_cast<std::uint32_t>(outputs.value_count);
    const auto address = [](const auto& function) {
      return reinterpret_cast<DirectStep::Address>(function.address);
    };
    step.set = address(component_.values().set_real());
    step.get = address(component_.values().get_real());
    return step;
  }
  /// CoSimulation::resume for the final class `self`, which has step(t, h, may_go_back) and
  /// judge_direct_step(end, t, h). The failed step is not among those counted by others.
  template <class Self>
  StepOutcome resume_direct_step(Self& self, const DirectStep& call, const DirectStep::End& end,
                                 const char* do_step, double t, double h) {
    using At = DirectStep::End::At;
    component_.set_time(t);
    CallCounts& counts = component_.counts();
    if (!call.inputs.empty()) ++counts.set;
    if (end.at != At::set) ++counts.do_step;
    if (end.at == At::get) ++counts.get;
    const char* const function = end.at == At::set    ? component_.values().set_real().name
                                 : end.at == At::step ? do_step
                                                      : component_.values().get_real().name;
    try {
      if (end.thrown) std::rethrow_exception(end.thrown);
    } catch (...) {
      component_.escaped(function);
    }
    if (end.at != At::step) component_.judge(end.result, function);
    if (end.at == At::get) return {StepOutcome::Status::done, t + h};
    const StepOutcome outcome =
        end.at == At::step ? self.judge_direct_step(end, t, h) : self.step(t, h, call.may_go_back);
    // Outputs of a step that did not take place are those from before it.
    const bool stays = outcome.status == StepOutcome::Status::discarded && outcome.reached <= t;
    if (!call.outputs.empty() && !stays)
      component_.get(Type::float64, call.outputs, call.subject.outputs, call.output_size);
    return outcome;
  }
  Component component_;

 private:
  std::uint32_t mode() const final { return component_.mode(); }
  void get_fmu_state(void** handle) final { component_.get_fmu_state(handle); }
  void set_fmu_state(void* handle, std::uint32_t mode) final {
    component_.set_fmu_state(handle, mode);
  }
  void free_fmu_state(void** handle) noexcept final { component_.free_fmu_state(handle); }
  std::vector<std::uint8_t> serialize(void* handle) final { return component_.serialize(handle); }
  void* deserialize(std::span<const std::uint8_t> bytes) final {
    return component_.deserialize(bytes);
  }
};

}  // namespace tutti::fmi
