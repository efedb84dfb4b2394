// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/v1/component.hpp"

namespace tutti::fmi::v1 {
namespace {

constexpr ScalarValueNames value_names = {"fmiGetReal",    "fmiSetReal",    "fmiGetInteger",
                                          "fmiSetInteger", "fmiGetBoolean", "fmiSetBoolean",
                                          "fmiGetString",  "fmiSetString"};

}  // namespace

Component::Component(const InstanceSetup& setup, const InstanceOptions& options)
    : ComponentBase(setup, options, value_names) {}

// After an error the instance is only freed; terminating is legal while it runs.
Component::~Component() {
  end([this] { terminate(); }, free_function);
  registry::gone(this);
}

void Component::enter_initialization(const Experiment& experiment) {
  expect(mode::instantiated, "enter_initialization");
  note_time(experiment.start);
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

void Component::no_states() const { cannot("FMI 1.0 cannot save and restore the state of an FMU"); }

void Component::directional_derivative(References, References, std::span<const double>,
                                       std::span<double>) {
  cannot("FMI 1.0 has no directional derivatives");
}

}  // namespace tutti::fmi::v1
