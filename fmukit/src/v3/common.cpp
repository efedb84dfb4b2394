// SPDX-License-Identifier: BSD-2-Clause
#include "v3/slave.hpp"

#include <algorithm>
#include <cstring>

using namespace fmukit;
using namespace fmukit::v3;
using enum Phase;

namespace {

std::unique_ptr<Slave> instantiate(const char* function, const char* name, const char* token,
                                   const char* resources, Kind kind, abi::Boolean logging_on,
                                   abi::InstanceEnvironment environment, abi::LogMessage logger,
                                   abi::IntermediateUpdate update) {
  std::string reason;
  try {
    static const Layout layout(exported_model(), Version::fmi3);
    const ModelInfo& info = layout.info;
    if (!name || !*name)
      reason = "the instance has no name";
    else if (!info.errors.empty())
      reason = info.errors.front();
    else if (!token || token != instantiation_token(info, "3.0"))
      reason = std::string("the instantiation token is ") + (token ? token : "missing") +
               ", but this binary has " + instantiation_token(info, "3.0");
    else if (kind == Kind::model_exchange && !capabilities(info).model_exchange)
      reason = "the model has no model exchange";
    else if (!claim_process(info))
      reason = "the model can be instantiated only once per process";
    if (reason.empty()) {
      auto slave =
          std::make_unique<Slave>(layout, name, resources, kind, environment, logger, update);
      slave->logs_debug = logging_on;
      return slave;
    }
  } catch (const std::exception& e) {
    reason = e.what();
  }
  if (logger)
    logger(environment, abi::error, "logStatusError",
           (std::string(function) + ": " + reason).c_str());
  return nullptr;
}

}  // namespace

FMUKIT_API const char* fmi3GetVersion() { return "3.0"; }

FMUKIT_API abi::Instance fmi3InstantiateModelExchange(abi::String name, abi::String token,
                                                      abi::String resources, abi::Boolean,
                                                      abi::Boolean logging_on,
                                                      abi::InstanceEnvironment environment,
                                                      abi::LogMessage logger) {
  return instantiate("fmi3InstantiateModelExchange", name, token, resources, Kind::model_exchange,
                     logging_on, environment, logger, nullptr)
      .release();
}

FMUKIT_API abi::Instance fmi3InstantiateCoSimulation(
    abi::String name, abi::String token, abi::String resources, abi::Boolean,
    abi::Boolean logging_on, abi::Boolean event_mode_used, abi::Boolean early_return_allowed,
    const abi::ValueReference* intermediate, std::size_t intermediate_count,
    abi::InstanceEnvironment environment, abi::LogMessage logger, abi::IntermediateUpdate update) {
  auto slave = instantiate("fmi3InstantiateCoSimulation", name, token, resources,
                           Kind::co_simulation, logging_on, environment, logger, update);
  if (slave) {
    slave->event_mode_used = event_mode_used && slave->capabilities.has_event_mode;
    slave->early_return_allowed = early_return_allowed;
    const auto declares = [&](Causality causality) {
      return std::any_of(
          intermediate, intermediate + intermediate_count, [&](abi::ValueReference reference) {
            return reference < slave->slots.size() &&
                   slave->info.variables[slave->slots[reference].variable].causality == causality;
          });
    };
    slave->sets_inputs_inside = update && declares(Causality::input);
    slave->reads_outputs_inside = slave->sets_inputs_inside && declares(Causality::output);
  }
  return slave.release();
}

FMUKIT_API abi::Instance fmi3InstantiateScheduledExecution(abi::String, abi::String, abi::String,
                                                           abi::Boolean, abi::Boolean,
                                                           abi::InstanceEnvironment environment,
                                                           abi::LogMessage logger, abi::ClockUpdate,
                                                           abi::LockPreemption,
                                                           abi::UnlockPreemption) {
  if (logger)
    logger(environment, abi::error, "logStatusError",
           "fmi3InstantiateScheduledExecution: the model has no scheduled execution");
  return nullptr;
}

FMUKIT_API void fmi3FreeInstance(abi::Instance c) { free_handle<Slave>(c); }

FMUKIT_API abi::Status fmi3SetDebugLogging(abi::Instance c, abi::Boolean on, std::size_t count,
                                           const abi::String* names) {
  return run(c, "fmi3SetDebugLogging", when::any, [&](Slave& s) {
    s.logs_debug = on;
    s.categories.assign(names, names + count);
    if (std::find(s.categories.begin(), s.categories.end(), "logAll") != s.categories.end())
      s.categories.clear();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3EnterInitializationMode(abi::Instance c, abi::Boolean, abi::Float64,
                                                   abi::Float64 start, abi::Boolean, abi::Float64) {
  return run(c, "fmi3EnterInitializationMode", phases(instantiated), [&](Slave& s) {
    s.enter_initialization(start);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3ExitInitializationMode(abi::Instance c) {
  return run(c, "fmi3ExitInitializationMode", phases(initialization), [](Slave& s) {
    const bool events = s.kind == Kind::model_exchange || s.event_mode_used;
    s.exit_initialization(events ? event : step, events);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3Terminate(abi::Instance c) {
  return run(c, "fmi3Terminate", phases(event, continuous, step, discarded, reconfiguration),
             [](Slave& s) {
               s.terminate();
               return Status::ok;
             });
}

FMUKIT_API abi::Status fmi3Reset(abi::Instance c) {
  return run(c, "fmi3Reset", when::any, [](Slave& s) {
    s.reset();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3EnterConfigurationMode(abi::Instance c) {
  return run(c, "fmi3EnterConfigurationMode", phases(instantiated, step, event), [](Slave& s) {
    const auto structural = [&](const VariableInfo& v) {
      return v.causality == Causality::structural_parameter &&
             (s.phase == instantiated || v.variability == Variability::tunable);
    };
    if (std::none_of(s.info.variables.begin(), s.info.variables.end(), structural))
      return s.fail("fmi3EnterConfigurationMode", "there is no structural parameter to set");
    s.before_configuration = s.phase;
    s.phase = s.phase == instantiated ? configuration : reconfiguration;
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3ExitConfigurationMode(abi::Instance c) {
  return run(c, "fmi3ExitConfigurationMode", phases(configuration, reconfiguration), [](Slave& s) {
    s.phase = s.before_configuration;
    s.touched();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3GetFMUState(abi::Instance c, abi::FmuState* state) {
  return run(c, "fmi3GetFMUState", when::any, [&](Slave& s) {
    if (*state)
      s.save(*static_cast<SavedState*>(*state));
    else
      *state = s.save().release();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3SetFMUState(abi::Instance c, abi::FmuState state) {
  return run(c, "fmi3SetFMUState", when::any, [&](Slave& s) {
    if (!state) return s.fail("fmi3SetFMUState", "there is no state");
    s.restore(*static_cast<SavedState*>(state));
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3FreeFMUState(abi::Instance c, abi::FmuState* state) {
  return run(c, "fmi3FreeFMUState", when::any, [&](Slave&) {
    if (state) delete static_cast<SavedState*>(*state);
    if (state) *state = nullptr;
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3SerializedFMUStateSize(abi::Instance c, abi::FmuState state,
                                                  std::size_t* size) {
  return run(c, "fmi3SerializedFMUStateSize", when::any, [&](Slave& s) {
    *size = s.serialize(*static_cast<SavedState*>(state)).size();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3SerializeFMUState(abi::Instance c, abi::FmuState state, abi::Byte* data,
                                             std::size_t size) {
  return run(c, "fmi3SerializeFMUState", when::any, [&](Slave& s) {
    const auto bytes = s.serialize(*static_cast<SavedState*>(state));
    if (bytes.size() > size) return s.fail("fmi3SerializeFMUState", "the buffer is too small");
    std::memcpy(data, bytes.data(), bytes.size());
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3DeserializeFMUState(abi::Instance c, const abi::Byte* data,
                                               std::size_t size, abi::FmuState* state) {
  return run(c, "fmi3DeserializeFMUState", when::any, [&](Slave& s) {
    auto saved = s.deserialize(data, size);
    if (*state)
      *static_cast<SavedState*>(*state) = std::move(*saved);
    else
      *state = saved.release();
    return Status::ok;
  });
}
