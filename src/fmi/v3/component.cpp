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

}  // namespace

abi::LogMessage Component::logger() { return log_message_v3; }

Component::Component(const InstanceSetup& setup, const InstanceOptions& options)
    : InstanceCore(setup, options),
      values_(*setup.library, *setup.description),
      resources_(resource_path(setup.folder)) {
  const Library& library = *setup.library;
  library.require(free_instance_, "fmi3FreeInstance");
  library.require(enter_initialization_mode_, "fmi3EnterInitializationMode");
  library.require(exit_initialization_mode_, "fmi3ExitInitializationMode");
  library.find(enter_event_mode_, "fmi3EnterEventMode", "hasEventMode");
  library.find(update_discrete_states_, "fmi3UpdateDiscreteStates", "hasEventMode");
  library.find(enter_configuration_mode_, "fmi3EnterConfigurationMode");
  library.find(exit_configuration_mode_, "fmi3ExitConfigurationMode");
  library.require(terminate_, "fmi3Terminate");
  library.find(reset_, "fmi3Reset");
  library.find(get_fmu_state_, "fmi3GetFMUState", "canGetAndSetFMUState");
  library.find(set_fmu_state_, "fmi3SetFMUState", "canGetAndSetFMUState");
  library.find(free_fmu_state_, "fmi3FreeFMUState", "canGetAndSetFMUState");
  library.find(serialized_fmu_state_size_, "fmi3SerializedFMUStateSize", "canSerializeFMUState");
  library.find(serialize_fmu_state_, "fmi3SerializeFMUState", "canSerializeFMUState");
  library.find(deserialize_fmu_state_, "fmi3DeserializeFMUState", "canSerializeFMUState");
  library.find(get_directional_derivative_, "fmi3GetDirectionalDerivative",
               "providesDirectionalDerivatives");
  library.find(get_adjoint_derivative_, "fmi3GetAdjointDerivative", "providesAdjointDerivatives");
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
  set_time(experiment.start);
  guarded("initialization", [&] {
    call(enter_initialization_mode_, experiment.tolerance.has_value(),
         experiment.tolerance.value_or(0), experiment.start, experiment.stop.has_value(),
         experiment.stop.value_or(0));
  });
  set_mode(mode::initialization);
}

void Component::exit_initialization(std::uint32_t next) {
  expect(mode::initialization, "exit_initialization");
  guarded("initialization", [&] { call(exit_initialization_mode_); });
  set_mode(next);
}

void Component::terminate() {
  expect(mode::running, "terminate");
  call(terminate_);
  set_mode(mode::terminated);
}

void Component::reset() {
  expect(mode::settable, "reset");
  call(reset_);
  set_mode(mode::instantiated);
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
  if (mode() & (mode::step | mode::intermediate_get)) no_get_after_set();
}

void Component::get_binaries(std::span<const ValueReference> references,
                             std::span<std::vector<std::uint8_t>> values) {
  expect(readable, "get_binaries");
  ++counts().get;
  values_.get_binaries(*this, references, values);
}

void Component::set_binaries(std::span<const ValueReference> references,
                             std::span<const std::vector<std::uint8_t>> values) {
  expect(writable, "set_binaries");
  ++counts().set;
  values_.set_binaries(*this, references, values);
  if (mode() & (mode::step | mode::intermediate_get)) no_get_after_set();
}

void Component::need_saved_states() const {
  if (capabilities().can_save_state) return;
  cannot("the FMU cannot save and restore its state (canGetAndSetFMUState=\"false\")");
}

void Component::need_serialization() const {
  if (capabilities().can_serialize_state) return;
  cannot("the FMU cannot serialize its state (canSerializeFMUState=\"false\")");
}

void Component::get_fmu_state(void** handle) {
  need_saved_states();
  expect(mode::settable & ~mode::failed, "save_state");
  ++counts().get_state;
  call(get_fmu_state_, handle);
}

// Also the way back from an error (section 2.2.4).
void Component::set_fmu_state(void* handle, std::uint32_t mode) {
  need_saved_states();
  expect(mode::settable, "restore_state");
  ++counts().set_state;
  call(set_fmu_state_, handle);
  set_mode(mode);
}

void Component::free_fmu_state(void** handle) noexcept {
  if (can_be_freed() && free_fmu_state_.address) {
    free_fmu_state_.address(component(), handle);
    keep_float_control(free_fmu_state_.name);
  }
  *handle = nullptr;
}

std::vector<std::uint8_t> Component::serialize(void* handle) {
  need_serialization();
  expect(mode::settable, "serialize_state");
  std::size_t size = 0;
  call(serialized_fmu_state_size_, handle, &size);
  std::vector<std::uint8_t> bytes(size);
  call(serialize_fmu_state_, handle, bytes.data(), size);
  return bytes;
}

void* Component::deserialize(std::span<const std::uint8_t> bytes) {
  need_serialization();
  expect(mode::settable, "deserialize_state");
  void* handle = nullptr;
  call(deserialize_fmu_state_, bytes.data(), bytes.size(), &handle);
  return handle;
}

void Component::directional_derivative(std::span<const ValueReference> unknowns,
                                       std::span<const ValueReference> knowns,
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

void Component::adjoint_derivative(std::span<const ValueReference> unknowns,
                                   std::span<const ValueReference> knowns,
                                   std::span<const double> seed, std::span<double> sensitivity) {
  if (!capabilities().provides_adjoint_derivatives) {
    cannot("the FMU has no adjoint derivatives (providesAdjointDerivatives=\"false\")");
  }
  expect((readable & ~mode::instantiated) | mode::step_inputs_set, "adjoint_derivative");
  ++counts().directional_derivatives;
  call(get_adjoint_derivative_, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
       seed.data(), seed.size(), sensitivity.data(), sensitivity.size());
}

}  // namespace tutti::fmi::v3
