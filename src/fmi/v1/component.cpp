// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/v1/component.hpp"

#include <fmt/format.h>

#include <cstring>

namespace tutti::fmi::v1 {
namespace {

constexpr ScalarValueNames value_names = {"fmiGetReal",    "fmiSetReal",    "fmiGetInteger",
                                          "fmiSetInteger", "fmiGetBoolean", "fmiSetBoolean",
                                          "fmiGetString",  "fmiSetString"};

}  // namespace

Component::Component(const InstanceSetup& setup, const InstanceOptions& options)
    : InstanceCore(setup, options), values_(*setup.library, *setup.description, value_names) {}

// After an error the instance is only freed; terminating is legal while it runs.
Component::~Component() {
  end([this] { terminate(); }, free_function);
  registry::gone(this);
}

void Component::check_platform() const {
  if (get_types_platform.address) {
    const char* const platform = get_types_platform.address();
    if (!platform || std::strcmp(platform, "standard32") != 0) {
      warn_once(
          fmt::format("the FMU was compiled for the types platform \"{}\", not "
                      "\"standard32\": its values may be wrong",
                      platform ? platform : ""));
    }
  }
}

void Component::enter_configuration_mode() {
  throw std::logic_error(speak("FMI 1.0 has no configuration mode"));
}

void Component::exit_configuration_mode() { enter_configuration_mode(); }

void Component::enter_initialization(const Experiment& experiment) {
  expect(mode::instantiated, "enter_initialization");
  set_time(experiment.start);
  experiment_ = experiment;
  set_mode(mode::initialization);
}

void Component::terminate() {
  expect(mode::running, "terminate");
  call_last(terminate_function);
  set_mode(mode::terminated);
}

// Only co-simulation has it; after an error the instance may only be freed.
void Component::reset() {
  if (!reset_function.address)
    cannot("the FMU cannot be reset: FMI 1.0 model exchange has no such function");
  expect(mode::settable & ~mode::failed, "reset");
  call(reset_function);
  set_mode(mode::instantiated);
}

void Component::get_strings(std::span<const ValueReference> references,
                            std::span<std::string> values) {
  expect(readable, "get_strings");
  ++counts().get;
  values_.get_strings(*this, references, values);
}

void Component::set_strings(std::span<const ValueReference> references,
                            std::span<const std::string> values) {
  expect(writable, "set_strings");
  ++counts().set;
  values_.set_strings(*this, references, values);
  if (mode() == mode::step) set_mode(mode::step_inputs_set);
}

void Component::get_binaries(std::span<const ValueReference>,
                             std::span<std::vector<std::uint8_t>>) {
  throw std::logic_error(speak("FMI 1.0 has no binary variables"));
}

void Component::set_binaries(std::span<const ValueReference>,
                             std::span<const std::vector<std::uint8_t>>) {
  throw std::logic_error(speak("FMI 1.0 has no binary variables"));
}

void Component::no_states() const { cannot("FMI 1.0 cannot save and restore the state of an FMU"); }

void Component::directional_derivative(std::span<const ValueReference>,
                                       std::span<const ValueReference>, std::span<const double>,
                                       std::span<double>) {
  cannot("FMI 1.0 has no directional derivatives");
}

void Component::adjoint_derivative(std::span<const ValueReference>, std::span<const ValueReference>,
                                   std::span<const double>, std::span<double>) {
  cannot("FMI 1.0 has no adjoint derivatives");
}

}  // namespace tutti::fmi::v1
