// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/v1/component.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <vector>

namespace tutti::fmi::v1 {
namespace {

// The callbacks are readers, so that no instance is destroyed while a callback uses it.
struct Table {
  std::shared_mutex mutex;
  std::vector<Component*> instances;
};

Table& table() {
  static Table instance;
  return instance;
}

thread_local Component* being_instantiated = nullptr;

// @pre the table is locked
Component* find(abi::Component handle, abi::String name) {
  if (being_instantiated) return being_instantiated;
  const std::vector<Component*>& all = table().instances;
  const auto same_handle = [&](const Component* c) { return handle && c->component() == handle; };
  const auto same_name = [&](const Component* c) { return name && c->name() == name; };
  auto found = std::ranges::find_if(all, same_handle);
  if (found == all.end()) found = std::ranges::find_if(all, same_name);
  return found == all.end() ? nullptr : *found;
}

extern "C" {

static void log_message_v1(abi::Component handle, abi::String name, abi::Status status,
                           abi::String category, abi::String message, ...) {
  std::va_list arguments;
  va_start(arguments, message);
  try {
    const std::shared_lock lock(table().mutex);
    if (Component* const component = find(handle, name)) {
      component->log_fmu_message(status, category, format_message(message, arguments));
    }
  } catch (...) {  // out of memory: see InstanceCore::log_fmu_message
  }
  va_end(arguments);
}

static void report_step_finished(abi::Component handle, abi::Status status) {
  try {
    const std::shared_lock lock(table().mutex);
    if (Component* const component = find(handle, nullptr)) component->finished = status;
  } catch (...) {
  }
}

static void* allocate(std::size_t count, std::size_t size) { return std::calloc(count, size); }
static void release(void* memory) { std::free(memory); }
}

constexpr ScalarValueNames value_names = {"fmiGetReal",    "fmiSetReal",    "fmiGetInteger",
                                          "fmiSetInteger", "fmiGetBoolean", "fmiSetBoolean",
                                          "fmiGetString",  "fmiSetString"};

}  // namespace

namespace registry {

Instantiating::Instantiating(Component* component) { being_instantiated = component; }
Instantiating::~Instantiating() { being_instantiated = nullptr; }

void add(Component* component) {
  const std::lock_guard lock(table().mutex);
  table().instances.push_back(component);
}

void remove(Component* component) {
  const std::lock_guard lock(table().mutex);
  std::erase(table().instances, component);
}

}  // namespace registry

abi::CoSimulationCallbacks callbacks() {
  return {log_message_v1, allocate, release, report_step_finished};
}

Component::Component(const InstanceSetup& setup, const InstanceOptions& options)
    : ComponentBase(setup, options, value_names) {}

// After an error the instance is only freed; terminating is legal while it runs.
Component::~Component() {
  end([this] { terminate(); }, free_function);
  registry::remove(this);
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
