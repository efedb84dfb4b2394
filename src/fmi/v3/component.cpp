// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/v3/component.hpp"

#include "fmi/resource_location.hpp"

namespace tutti::fmi::v3 {
namespace {

extern "C" {

static void log_message_v3(abi::InstanceEnvironment environment, abi::Status status,
                           abi::String category, abi::String message) {
  if (!environment) return;  // the FMU lost it; there is nobody to tell
  try {
    static_cast<Component*>(environment)->fmu_says(status, category, message ? message : "");
  } catch (...) {  // out of memory: see InstanceCore::fmu_says
  }
}
}

constexpr RestorableNames state_names = {.exit_initialization_mode = "fmi3ExitInitializationMode",
                                         .reset = "fmi3Reset",
                                         .get_state = "fmi3GetFMUState",
                                         .set_state = "fmi3SetFMUState",
                                         .free_state = "fmi3FreeFMUState",
                                         .state_size = "fmi3SerializedFMUStateSize",
                                         .serialize_state = "fmi3SerializeFMUState",
                                         .deserialize_state = "fmi3DeserializeFMUState",
                                         .can_save = "canGetAndSetFMUState",
                                         .can_serialize = "canSerializeFMUState"};

}  // namespace

abi::LogMessage Component::logger() { return log_message_v3; }

Component::Component(const InstanceSetup& setup, const InstanceOptions& options)
    : RestorableComponent(setup, options),
      values_(*setup.library, *setup.description),
      resources_(resource_path(setup.folder)) {
  bind(state_names);
}

// fmi3Terminate is legal in the super state Initialized only, fmi3FreeInstance everywhere
// (section 2.3).
Component::~Component() {
  end([this] { terminate(); }, free_instance_);
}

void Component::enter_configuration_mode() {
  expect(mode::instantiated, "enter_configuration_mode");
  call(enter_configuration_mode_);
  set_mode(mode::configuration);
}

void Component::exit_configuration_mode() {
  expect(mode::configuration, "exit_configuration_mode");
  call(exit_configuration_mode_);
  set_mode(mode::instantiated);
}

void Component::enter_initialization(const Experiment& experiment) {
  expect(mode::instantiated, "enter_initialization");
  note_time(experiment.start);
  guarded("initialization", [&] {
    call(enter_initialization_mode_, experiment.tolerance.has_value(),
         experiment.tolerance.value_or(0), experiment.start, experiment.stop.has_value(),
         experiment.stop.value_or(0));
  });
  set_mode(mode::initialization);
}

void Component::terminate() {
  expect(mode::running, "terminate");
  call(terminate_);
  set_mode(mode::terminated);
}

void Component::enter_event_mode(std::uint32_t from) {
  expect(from, "enter_event_mode");
  call(enter_event_mode_);
  set_mode(mode::event);
}

DiscreteUpdate Component::update_discrete_states() {
  expect(mode::event, "update_discrete_states");
  ++counts().event_updates;
  DiscreteUpdate update;
  bool next_event_time_defined = false;
  bool states_changed = false;
  double next_event_time = 0;
  call(update_discrete_states_, &update.needs_another, &update.terminate, &update.nominals_changed,
       &states_changed, &next_event_time_defined, &next_event_time);
  if (next_event_time_defined) update.next_event_time = next_event_time;
  return update;
}

// Step mode: before the next doStep (section 4.2.1); intermediate update: in this call of the
// callback (section 4.2.2).
void Component::no_get_after_set() {
  set_mode(mode() & mode::step ? mode::step_inputs_set : mode() & ~mode::intermediate_get);
}

void Component::get_strings(References references, std::span<std::string> values) {
  expect(readable, "get_strings");
  ++counts().get;
  values_.get_strings(*this, references, values);
}

void Component::set_strings(References references, std::span<const std::string> values) {
  expect(writable, "set_strings");
  ++counts().set;
  values_.set_strings(*this, references, values);
  if (mode() & (mode::step | mode::intermediate_get)) no_get_after_set();
}

void Component::get_binaries(References references, std::span<std::vector<std::uint8_t>> values) {
  expect(readable, "get_binaries");
  ++counts().get;
  values_.get_binaries(*this, references, values);
}

void Component::set_binaries(References references,
                             std::span<const std::vector<std::uint8_t>> values) {
  expect(writable, "set_binaries");
  ++counts().set;
  values_.set_binaries(*this, references, values);
  if (mode() & (mode::step | mode::intermediate_get)) no_get_after_set();
}

void Component::directional_derivative(References unknowns, References knowns,
                                       std::span<const double> seed,
                                       std::span<double> sensitivity) {
  if (!capabilities().provides_directional_derivatives) {
    cannot("the FMU has no directional derivatives (providesDirectionalDerivatives=\"false\")");
  }
  expect((readable & ~mode::instantiated) | mode::step_inputs_set, "directional_derivative");
  ++counts().directional_derivatives;
  call(get_directional_derivative_, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
       seed.data(), seed.size(), sensitivity.data(), sensitivity.size());
}

}  // namespace tutti::fmi::v3
