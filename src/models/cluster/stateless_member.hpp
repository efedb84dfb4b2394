// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "fmi/fmu.hpp"
#include "models/built_in/built_in.hpp"

namespace tutti::models {

/// What an instance without states needs besides its values to be a member of a ModelCluster: its
/// outputs are functions of its inputs and of time.
class StatelessMember : public fmi::ModelExchange {
 public:
  StatelessMember(std::string name, std::shared_ptr<const ModelDescription> description)
      : name_(std::move(name)), description_(std::move(description)) {}

  const std::string& name() const override { return name_; }
  const ModelDescription& description() const override { return *description_; }
  const Capabilities& capabilities() const override { return *description_->model_exchange; }
  const CallCounts& counts() const override { return counts_; }
  void set_counts(const CallCounts&) override {}
  void count_direct_steps(const std::uint64_t*, bool, bool) override {}
  void uncount_direct_step() override {}
  void keep_float_control(double) override {}
  void note_direct_steps() override {}
  bool can_get_in_initialization() const override { return true; }

  void enter_configuration_mode() override {}
  void exit_configuration_mode() override {}
  void enter_initialization(const Experiment&) override {}
  void exit_initialization() override {}
  void terminate() override {}
  void reset() override {}

  std::size_t continuous_state_count() const override { return 0; }
  std::size_t event_indicator_count() const override { return 0; }
  void enter_event_mode() override {}
  fmi::DiscreteUpdate update_discrete_states() override { return {}; }
  void enter_continuous_time_mode() override {}
  void set_time(double) override {}
  void set_continuous_states(std::span<const double>) override {}
  void get_continuous_states(std::span<double>) override {}
  void get_derivatives(std::span<double>) override {}
  void get_event_indicators(std::span<double>) override {}
  void get_nominals(std::span<double>) override {}
  fmi::IntegratorStep completed_integrator_step(bool) override { return {}; }

 private:
  // Such a cluster does not save its state.
  std::uint32_t mode() const override { return 0; }
  void get_fmu_state(void**) override {}
  void set_fmu_state(void*, std::uint32_t) override {}
  void free_fmu_state(void**) noexcept override {}
  std::vector<std::uint8_t> serialize(void*) override { return {}; }
  void* deserialize(std::span<const std::uint8_t>) override { return nullptr; }

  std::string name_;
  std::shared_ptr<const ModelDescription> description_;
  CallCounts counts_;
};

/// A built-in component as a member of a cluster that stays at one time. A delay passes its input
/// on, as it does when its input has been constant for long.
fmi::Owned<fmi::ModelExchange> make_built_in_member(
    std::string name, std::shared_ptr<const ModelDescription> description,
    std::unique_ptr<BuiltInModel> model);
/// Its description for that: outputs of a delay depend on the input.
std::shared_ptr<const ModelDescription> describe_built_in_member(const ModelDescription& built_in);

/// A co-simulation FMU without states: it stays in initialization mode, in which its outputs follow
/// its inputs.
fmi::Owned<fmi::ModelExchange> make_held_member(std::shared_ptr<const ModelDescription> description,
                                                fmi::Owned<fmi::CoSimulation> instance);
std::shared_ptr<const ModelDescription> describe_held_member(const ModelDescription& fmu);

}  // namespace tutti::models
