// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <limits>

#include "fmi/continuous_time.hpp"
#include "fmi/v3/component.hpp"

namespace tutti::fmi::v3 {
namespace {

// Sections 2.3 (initialization, event mode, terminated) and 3.2.1 (continuous time).
constexpr std::uint32_t evaluable =
    mode::initialization | mode::event | mode::continuous_time | mode::terminated;
constexpr ContinuousTimeRules rules = {.set_time = "fmi3SetTime",
                                       .set_continuous_states = "fmi3SetContinuousStates",
                                       .get_derivatives = "fmi3GetContinuousStateDerivatives",
                                       .get_event_indicators = "fmi3GetEventIndicators",
                                       .get_continuous_states = "fmi3GetContinuousStates",
                                       .get_nominals = "fmi3GetNominalsOfContinuousStates",
                                       .enter_continuous_time_mode = "fmi3EnterContinuousTimeMode",
                                       .states_readable = evaluable,
                                       .evaluable = evaluable,
                                       .nominals_readable = evaluable};

class ModelExchangeV3 final : public ContinuousTime<Component, abi::Status> {
 public:
  ModelExchangeV3(const InstanceSetup& setup, const InstanceOptions& options);

  void exit_configuration_mode() override {
    Component::exit_configuration_mode();
    ask_counts();
  }
  void exit_initialization() override { leave_initialization(mode::event); }
  void reset() override {
    Component::reset();
    ask_counts();
  }

  std::size_t continuous_state_count() const override { return state_count_; }
  std::size_t event_indicator_count() const override { return indicator_count_; }

  void enter_event_mode() override { Component::enter_event_mode(mode::continuous_time); }
  DiscreteUpdate update_discrete_states() override { return Component::update_discrete_states(); }

  IntegratorStep completed_integrator_step(bool may_go_back) override;
  ElementDependencies element_dependencies(ValueReference dependent, std::uint64_t most) override;

 private:
  void ask_counts();

  std::size_t state_count_;
  std::size_t indicator_count_;
  Function<abi::InstantiateModelExchange> instantiate_ = require("fmi3InstantiateModelExchange");
  Function<abi::CompletedIntegratorStep> completed_integrator_step_ =
      find("fmi3CompletedIntegratorStep", "needsCompletedIntegratorStep");
  Function<abi::GetNumberOfEventIndicators> get_number_of_event_indicators_ =
      find("fmi3GetNumberOfEventIndicators");
  Function<abi::GetNumberOfContinuousStates> get_number_of_continuous_states_ =
      find("fmi3GetNumberOfContinuousStates");
  Function<abi::GetNumberOfVariableDependencies> get_number_of_variable_dependencies_ =
      find("fmi3GetNumberOfVariableDependencies", "providesPerElementDependencies");
  Function<abi::GetVariableDependencies> get_variable_dependencies_ =
      find("fmi3GetVariableDependencies", "providesPerElementDependencies");
};

ModelExchangeV3::ModelExchangeV3(const InstanceSetup& setup, const InstanceOptions& options)
    : ContinuousTime(setup, options, rules),
      state_count_(setup.description->continuous_state_count),
      indicator_count_(setup.description->structure.event_indicators.size()) {
  bind();
  guarded("instantiation", [&] {
    set_component(invoke(instantiate_, name().c_str(), description().token.c_str(), resources(),
                         false, options.logging, static_cast<Component*>(this),
                         Component::logger()));
  });
  ask_counts();
}

// Structural parameters change the counts, so they are read from the instance. For an FMU without
// the functions, those of the description apply.
void ModelExchangeV3::ask_counts() {
  if (get_number_of_continuous_states_.address) {
    call(get_number_of_continuous_states_, &state_count_);
  }
  if (get_number_of_event_indicators_.address) {
    call(get_number_of_event_indicators_, &indicator_count_);
  }
}

IntegratorStep ModelExchangeV3::completed_integrator_step(bool may_go_back) {
  expect(mode::continuous_time, "completed_integrator_step");
  IntegratorStep step;
  if (!capabilities().needs_completed_integrator_step) return step;
  call(completed_integrator_step_, !may_go_back, &step.enter_event_mode, &step.terminate);
  return step;
}

// Section 2.2.10. The run can do without the answer, so an error of these functions does not end
// it.
ElementDependencies ModelExchangeV3::element_dependencies(ValueReference dependent,
                                                          std::uint64_t most) {
  expect(evaluable & ~mode::initialization, "element_dependencies");
  ElementDependencies found;
  const auto is_good = [&](const auto& function, const auto&... arguments) {
    if (!function.address) {
      found.complaint = fmt::format("the FMU lacks {}", function.name);
      return false;
    }
    ++counts().variable_dependencies;
    const int result = invoke(function, component(), arguments...);
    if (result == status::fatal) judge(result, function.name);
    if (result == status::ok || result == status::warning) return true;
    found.complaint = fmt::format("{} failed", function.name);
    return false;
  };
  std::size_t count = 0;
  if (!is_good(get_number_of_variable_dependencies_, dependent, &count)) return found;
  if (count > most) {
    found.complaint = fmt::format(
        "fmi3GetNumberOfVariableDependencies returned {}, more than the {} accepted", count, most);
    return found;
  }
  if (count == 0) return found;
  // What the FMU does not write is recognizable.
  constexpr auto none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> elements(count, none), known_elements(count, none);
  std::vector<ValueReference> knowns(count, std::numeric_limits<ValueReference>::max());
  std::vector<abi::DependencyKind> kinds(count, abi::dependent);
  if (!is_good(get_variable_dependencies_, dependent, elements.data(), knowns.data(),
               known_elements.data(), kinds.data(), count))
    return found;
  for (std::size_t k = 0; k < count; ++k)
    if (kinds[k] != abi::independent)
      found.entries.push_back({elements[k], knowns[k], known_elements[k]});
  return found;
}

}  // namespace

std::unique_ptr<ModelExchange> make_model_exchange(const InstanceSetup& setup,
                                                   const InstanceOptions& options) {
  return std::make_unique<ModelExchangeV3>(setup, options);
}

}  // namespace tutti::fmi::v3
