// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/v2/component.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "fmi/resource_location.hpp"

namespace tutti::fmi::v2 {
namespace {

extern "C" {

static void log_message_v2(abi::ComponentEnvironment environment, abi::String, abi::Status status,
                           abi::String category, abi::String message, ...) {
  if (!environment) return;  // the FMU lost it; there is nobody to tell
  std::va_list arguments;
  va_start(arguments, message);
  try {
    static_cast<Component*>(environment)
        ->fmu_says(status, category, format_message(message, arguments));
  } catch (...) {  // out of memory: see InstanceCore::fmu_says
  }
  va_end(arguments);
}

static void step_finished(abi::ComponentEnvironment environment, abi::Status status) {
  if (environment) static_cast<Component*>(environment)->finished = status;
}

static void* allocate_memory(std::size_t count, std::size_t size) {
  return std::calloc(count, size);
}
static void free_memory(void* memory) { std::free(memory); }
}

constexpr ScalarValueNames value_names = {"fmi2GetReal",    "fmi2SetReal",    "fmi2GetInteger",
                                          "fmi2SetInteger", "fmi2GetBoolean", "fmi2SetBoolean",
                                          "fmi2GetString",  "fmi2SetString"};

}  // namespace

Component::Component(const InstanceSetup& setup, const InstanceOptions& options)
    : InstanceCore(setup, options),
      values_(*setup.library, *setup.description, value_names),
      resources_(resource_uri(setup.folder)),
      // FMI 2.0, 2.1.5: only an FMU that runs asynchronously has use for stepFinished, and some
      // warn of one that they do not expect.
      callbacks_{log_message_v2, allocate_memory, free_memory,
                 setup.capabilities->can_run_asynchronously ? step_finished : nullptr, this} {
  const Library& library = *setup.library;
  library.find(get_types_platform_, "fmi2GetTypesPlatform");
  library.require(instantiate_, "fmi2Instantiate");
  library.find(free_instance_, "fmi2FreeInstance");
  library.require(setup_experiment_, "fmi2SetupExperiment");
  library.require(enter_initialization_mode_, "fmi2EnterInitializationMode");
  library.require(exit_initialization_mode_, "fmi2ExitInitializationMode");
  library.find(terminate_, "fmi2Terminate");
  library.find(reset_, "fmi2Reset");
  library.find(get_fmu_state_, "fmi2GetFMUstate", "canGetAndSetFMUstate");
  library.find(set_fmu_state_, "fmi2SetFMUstate", "canGetAndSetFMUstate");
  library.find(free_fmu_state_, "fmi2FreeFMUstate", "canGetAndSetFMUstate");
  library.find(serialized_fmu_state_size_, "fmi2SerializedFMUstateSize", "canSerializeFMUstate");
  library.find(serialize_fmu_state_, "fmi2SerializeFMUstate", "canSerializeFMUstate");
  library.find(deserialize_fmu_state_, "fmi2DeSerializeFMUstate", "canSerializeFMUstate");
  library.find(get_directional_derivative_, "fmi2GetDirectionalDerivative",
               "providesDirectionalDerivative");
}

void Component::instantiate(const InstanceOptions& options, abi::Kind kind) {
  guarded("instantiation", [&] {
    if (get_types_platform_.address) {
      const char* const platform = get_types_platform_.address();
      if (!platform || std::strcmp(platform, "default") != 0) {
        warn_once(
            fmt::format("the FMU was compiled for the types platform \"{}\", not "
                        "\"default\": its values may be wrong",
                        platform ? platform : ""));
      }
    }
    born(invoke(instantiate_, name().c_str(), kind, description().token.c_str(), resources_.c_str(),
                &callbacks_, options.visible, options.logging));
  });
}

// fmi2Terminate is legal from the running modes only; after an error the instance is only freed
// (section 2.1.6).
Component::~Component() {
  end([this] { terminate(); }, free_instance_);
}

void Component::enter_configuration_mode() {
  throw std::logic_error(speak("FMI 2.0 has no configuration mode"));
}

void Component::exit_configuration_mode() { enter_configuration_mode(); }

void Component::enter_initialization(const Experiment& experiment) {
  expect(mode::instantiated, "enter_initialization");
  set_time(experiment.start);
  guarded("initialization", [&] {
    call(setup_experiment_, abi::Boolean{experiment.tolerance.has_value()},
         experiment.tolerance.value_or(0), experiment.start,
         abi::Boolean{experiment.stop.has_value()}, experiment.stop.value_or(0));
    call(enter_initialization_mode_);
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
  call_last(terminate_);
  set_mode(mode::terminated);
}

void Component::reset() {
  expect(mode::settable, "reset");
  call(reset_);
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
  throw std::logic_error(speak("FMI 2.0 has no binary variables"));
}

void Component::set_binaries(std::span<const ValueReference>,
                             std::span<const std::vector<std::uint8_t>>) {
  throw std::logic_error(speak("FMI 2.0 has no binary variables"));
}

void Component::need_saved_states() const {
  if (capabilities().can_save_state) return;
  cannot("the FMU cannot save and restore its state (canGetAndSetFMUstate=\"false\")");
}

void Component::get_fmu_state(void** handle) {
  need_saved_states();
  expect(mode::settable & ~mode::failed, "save_state");
  ++counts().get_state;
  call(get_fmu_state_, handle);
}

// Also the way back from an error (section 2.1.3).
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
  if (!capabilities().can_serialize_state) {
    cannot("the FMU cannot serialize its state (canSerializeFMUstate=\"false\")");
  }
  expect(mode::settable, "serialize_state");
  std::size_t size = 0;
  call(serialized_fmu_state_size_, handle, &size);
  std::vector<std::uint8_t> bytes(size);
  call(serialize_fmu_state_, handle, reinterpret_cast<abi::Byte*>(bytes.data()), size);
  return bytes;
}

void* Component::deserialize(std::span<const std::uint8_t> bytes) {
  if (!capabilities().can_serialize_state) {
    cannot("the FMU cannot serialize its state (canSerializeFMUstate=\"false\")");
  }
  expect(mode::settable, "deserialize_state");
  void* handle = nullptr;
  call(deserialize_fmu_state_, reinterpret_cast<const abi::Byte*>(bytes.data()), bytes.size(),
       &handle);
  return handle;
}

void Component::directional_derivative(std::span<const ValueReference> unknowns,
                                       std::span<const ValueReference> knowns,
                                       std::span<const double> seed,
                                       std::span<double> sensitivity) {
  if (!capabilities().provides_directional_derivatives) {
    cannot("the FMU has no directional derivatives (providesDirectionalDerivative=\"false\")");
  }
  expect(readable | mode::step_inputs_set, "directional_derivative");
  ++counts().directional_derivatives;
  call(get_directional_derivative_, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
       seed.data(), sensitivity.data());
}

void Component::adjoint_derivative(std::span<const ValueReference>, std::span<const ValueReference>,
                                   std::span<const double>, std::span<double>) {
  cannot("FMI 2.0 has no adjoint derivatives");
}

}  // namespace tutti::fmi::v2
