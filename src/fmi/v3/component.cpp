// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/v3/component.hpp"

#include <stdexcept>

#include "fmi/callback_targets.hpp"
#include "fmi/resource_location.hpp"
#include "fmi/scalar_values.hpp"

namespace tutti::fmi::v3 {
namespace {

CallbackTargets<Component>& targets() {
  static CallbackTargets<Component> instance;
  return instance;
}

extern "C" {

static void log_message_v3(abi::InstanceEnvironment environment, abi::Status status,
                           abi::String category, abi::String message) {
  try {
    targets().call(environment, nullptr, [&](Component& component) {
      component.log_fmu_message(status, category, message ? message : "");
    });
  } catch (...) {  // out of memory: see InstanceCore::log_fmu_message
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

Values::Values(const Library& library, const ModelDescription& description) {
  const std::uint32_t types = types_present(description);
  const auto has = [&](Type type) { return (types >> static_cast<unsigned>(type) & 1u) != 0; };
  const auto find = [&](bool needed, const char* name) {
    return needed ? library.require(name) : library.find(name);
  };
  const auto bind = [&](auto& access, Type type, const char* get, const char* set) {
    const bool needed = has(type) || (type == Type::int64 && has(Type::enumeration));
    access = {type, find(needed, get), find(needed, set)};
  };
  bind(access<double>(), Type::float64, "fmi3GetFloat64", "fmi3SetFloat64");
  bind(access<float>(), Type::float32, "fmi3GetFloat32", "fmi3SetFloat32");
  bind(access<std::int8_t>(), Type::int8, "fmi3GetInt8", "fmi3SetInt8");
  bind(access<std::uint8_t>(), Type::uint8, "fmi3GetUInt8", "fmi3SetUInt8");
  bind(access<std::int16_t>(), Type::int16, "fmi3GetInt16", "fmi3SetInt16");
  bind(access<std::uint16_t>(), Type::uint16, "fmi3GetUInt16", "fmi3SetUInt16");
  bind(access<std::int32_t>(), Type::int32, "fmi3GetInt32", "fmi3SetInt32");
  bind(access<std::uint32_t>(), Type::uint32, "fmi3GetUInt32", "fmi3SetUInt32");
  bind(access<std::int64_t>(), Type::int64, "fmi3GetInt64", "fmi3SetInt64");
  bind(access<std::uint64_t>(), Type::uint64, "fmi3GetUInt64", "fmi3SetUInt64");
  bind(access<bool>(), Type::boolean, "fmi3GetBoolean", "fmi3SetBoolean");
  bind(string_, Type::string, "fmi3GetString", "fmi3SetString");
  get_binary_ = find(has(Type::binary), "fmi3GetBinary");
  set_binary_ = find(has(Type::binary), "fmi3SetBinary");
}

template <class Visitor>
void Values::visit(const InstanceCore& core, Type type, Visitor&& visitor) const {
  if (type == Type::enumeration) type = Type::int64;
  const auto visit_if = [&](const auto& access) {
    if (access.type != type) return false;
    visitor(access);
    return true;
  };
  const auto visit_one = [&](const auto&... access) { return (visit_if(access) || ...); };
  if (!std::apply(visit_one, access_))
    throw std::logic_error(core.with_name(std::string(to_string(type)) +
                                          " variables are not read or written as numbers"));
}

void Values::get_other(InstanceCore& core, Type type, References references, void* values,
                       std::size_t count) const {
  visit(core, type, [&]<class T>(const Access<T>& access) {
    core.call(access.get, references.data(), references.size(), static_cast<T*>(values), count);
  });
}

void Values::set_other(InstanceCore& core, Type type, References references, const void* values,
                       std::size_t count) const {
  visit(core, type, [&]<class T>(const Access<T>& access) {
    core.call(access.set, references.data(), references.size(), static_cast<const T*>(values),
              count);
  });
}

void Values::get_strings(InstanceCore& core, References references, std::span<std::string> values) {
  strings_.assign(values.size(), nullptr);
  core.call(string_.get, references.data(), references.size(), strings_.data(), strings_.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = strings_[i] ? strings_[i] : "";
}

void Values::set_strings(InstanceCore& core, References references,
                         std::span<const std::string> values) {
  strings_.clear();
  for (const std::string& value : values) strings_.push_back(value.c_str());
  core.call(string_.set, references.data(), references.size(),
            static_cast<const abi::String*>(strings_.data()), strings_.size());
}

void Values::get_binaries(InstanceCore& core, References references,
                          std::span<std::vector<std::uint8_t>> values) {
  sizes_.assign(values.size(), 0);
  binaries_.assign(values.size(), nullptr);
  core.call(get_binary_, references.data(), references.size(), sizes_.data(), binaries_.data(),
            values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (binaries_[i]) {
      values[i].assign(binaries_[i], binaries_[i] + sizes_[i]);
    } else {
      values[i].clear();
    }
  }
}

void Values::set_binaries(InstanceCore& core, References references,
                          std::span<const std::vector<std::uint8_t>> values) {
  sizes_.clear();
  binaries_.clear();
  for (const std::vector<std::uint8_t>& value : values) {
    sizes_.push_back(value.size());
    binaries_.push_back(value.data());
  }
  core.call(set_binary_, references.data(), references.size(),
            static_cast<const std::size_t*>(sizes_.data()),
            static_cast<const abi::Binary*>(binaries_.data()), values.size());
}

abi::LogMessage Component::logger() { return log_message_v3; }

Component::Component(const InstanceSetup& setup, const InstanceOptions& options)
    : RestorableComponent(setup, options),
      values_(*setup.library, *setup.description),
      resources_(resource_path(setup.folder)) {
  bind(state_names);
  targets().add(this);
}

// fmi3Terminate is legal in the super state Initialized only, fmi3FreeInstance everywhere
// (section 2.3).
Component::~Component() {
  end([this] { terminate(); }, free_instance_);
  targets().remove(this);
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

// Legal where directional derivatives are (sections 2.3, 3.2.1, 4.2.1).
void Component::adjoint_derivative(References unknowns, References knowns,
                                   std::span<const double> seed, std::span<double> sensitivity) {
  if (!capabilities().provides_adjoint_derivatives)
    cannot("the FMU has no adjoint derivatives (providesAdjointDerivatives=\"false\")");
  expect((readable & ~mode::instantiated) | mode::step_inputs_set, "adjoint_derivative");
  ++counts().adjoint_derivatives;
  call(get_adjoint_derivative_, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
       seed.data(), seed.size(), sensitivity.data(), sensitivity.size());
}

}  // namespace tutti::fmi::v3
