// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/v2/component.hpp"

#include <cstdlib>

#include "fmi/callback_targets.hpp"
#include "fmi/resource_location.hpp"

namespace tutti::fmi::v2 {
namespace {

CallbackTargets<Component>& targets() {
  static CallbackTargets<Component> instance;
  return instance;
}

extern "C" {

static void log_message_v2(abi::ComponentEnvironment environment, abi::String name,
                           abi::Status status, abi::String category, abi::String message, ...) {
  std::va_list arguments;
  va_start(arguments, message);
  try {
    targets().call(environment, name, [&](Component& component) {
      component.log_fmu_message(status, category, format_message(message, arguments));
    });
  } catch (...) {  // out of memory: see InstanceCore::log_fmu_message
  }
  va_end(arguments);
}

static void step_finished(abi::ComponentEnvironment environment, abi::Status status) {
  try {
    targets().call(environment, nullptr,
                   [&](Component& component) { component.finished = status; });
  } catch (...) {
  }
}

static void* allocate_memory(std::size_t count, std::size_t size) {
  return std::calloc(count, size);
}
static void free_memory(void* memory) { std::free(memory); }
}

constexpr ScalarValueNames value_names = {"fmi2GetReal",    "fmi2SetReal",    "fmi2GetInteger",
                                          "fmi2SetInteger", "fmi2GetBoolean", "fmi2SetBoolean",
                                          "fmi2GetString",  "fmi2SetString"};
constexpr RestorableNames state_names = {.exit_initialization_mode = "fmi2ExitInitializationMode",
                                         .reset = "fmi2Reset",
                                         .get_state = "fmi2GetFMUstate",
                                         .set_state = "fmi2SetFMUstate",
                                         .free_state = "fmi2FreeFMUstate",
                                         .state_size = "fmi2SerializedFMUstateSize",
                                         .serialize_state = "fmi2SerializeFMUstate",
                                         .deserialize_state = "fmi2DeSerializeFMUstate",
                                         .can_save = "canGetAndSetFMUstate",
                                         .can_serialize = "canSerializeFMUstate"};

}  // namespace

Component::Component(const InstanceSetup& setup, const InstanceOptions& options)
    : ComponentBase(setup, options, value_names),
      resources_(resource_uri(setup.folder)),
      // FMI 2.0, 2.1.5: only an FMU that runs asynchronously uses stepFinished, and some warn of
      // one that they do not expect.
      callbacks_{log_message_v2, allocate_memory, free_memory,
                 setup.capabilities->can_run_asynchronously ? step_finished : nullptr, this} {
  bind(state_names);
  targets().add(this);
}

void Component::instantiate(const InstanceOptions& options, abi::Kind kind) {
  guarded("instantiation", [&] {
    check_platform(get_types_platform_, "default");
    set_component(invoke(instantiate_, name().c_str(), kind, description().token.c_str(),
                         resources_.c_str(), &callbacks_, false, options.logging));
  });
}

// fmi2Terminate is legal from the running modes only; after an error the instance is only freed
// (section 2.1.6).
Component::~Component() {
  end([this] { terminate(); }, free_instance_);
  targets().remove(this);
}

void Component::enter_initialization(const Experiment& experiment) {
  expect(mode::instantiated, "enter_initialization");
  note_time(experiment.start);
  guarded("initialization", [&] {
    call(setup_experiment_, abi::Boolean{experiment.tolerance.has_value()},
         experiment.tolerance.value_or(0), experiment.start,
         abi::Boolean{experiment.stop.has_value()}, experiment.stop.value_or(0));
    call(enter_initialization_mode_);
  });
  set_mode(mode::initialization);
}

void Component::terminate() {
  expect(mode::running, "terminate");
  call_last(terminate_);
  set_mode(mode::terminated);
}

void Component::directional_derivative(References unknowns, References knowns,
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

}  // namespace tutti::fmi::v2
