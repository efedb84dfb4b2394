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
  bool can_get_in_initialization() const final { return Component::can_get_in_initialization; }
  void enter_configuration_mode() override { component_.enter_configuration_mode(); }
  void exit_configuration_mode() override { component_.exit_configuration_mode(); }
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
  /// CoSimulation::exchange_step for the final class `self`, which has try_step(t, h): doStep, true
  /// if it simply reached t + h, and judge_step(t, h): what else it means. This is the innermost of
  /// every run, so what is rare stands apart.
  template <class Self>
  [[gnu::always_inline]] StepOutcome exchange_and_step(Self& self, const Exchange& exchange,
                                                       double t, double h) {
    component_.expect_mode(mode::step | mode::step_inputs_set, "exchange_step");
    if (!exchange.only_reals) [[unlikely]]
      return exchange_all(self, exchange, t, h);
    component_.count_exchange();
    component_.set_reals_in_step(exchange.real_inputs);
    if (!self.try_step(t, h)) [[unlikely]]
      return judge_exchange(self, exchange, t, h);
    component_.get_reals_in_step(exchange.real_outputs);
    return {StepOutcome::Status::done, t + h};
  }
  Component component_;

 private:
  template <class Self>
  [[gnu::noinline]] StepOutcome exchange_all(Self& self, const Exchange& exchange, double t,
                                             double h) {
    if (exchange.real_inputs.value_count != 0) component_.set_in_step(exchange.real_inputs);
    for (const Batch& batch : exchange.other_inputs) component_.set_in_step(batch);
    const StepOutcome outcome = self.step(t, h);
    if (exchange.real_outputs.value_count != 0) component_.get_in_step(exchange.real_outputs);
    for (const Batch& batch : exchange.other_outputs) component_.get_in_step(batch);
    return outcome;
  }
  template <class Self>
  [[gnu::noinline]] StepOutcome judge_exchange(Self& self, const Exchange& exchange, double t,
                                               double h) {
    const StepOutcome outcome = self.judge_step(t, h);
    component_.get_reals_in_step(exchange.real_outputs);
    return outcome;
  }
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
