// SPDX-License-Identifier: BSD-2-Clause
#include "v2/slave.hpp"

#include <algorithm>
#include <cstring>

using namespace fmukit;
using namespace fmukit::v2;
using enum Phase;

namespace {

void complain(const abi::Callbacks* callbacks, const char* name, const std::string& message) {
  if (callbacks && callbacks->logger)
    callbacks->logger(callbacks->environment, name ? name : "", abi::error, "logStatusError",
                      escaped(message).c_str());
}

}  // namespace

FMUKIT_API const char* fmi2GetTypesPlatform() { return "default"; }
FMUKIT_API const char* fmi2GetVersion() { return "2.0"; }

FMUKIT_API abi::Component fmi2Instantiate(abi::String name, abi::Kind kind, abi::String guid,
                                          abi::String resources, const abi::Callbacks* callbacks,
                                          abi::Boolean, abi::Boolean logging_on) try {
  static const Layout layout(exported_model(), Version::fmi2);
  const ModelInfo& info = layout.info;
  std::string reason;
  if (!callbacks) return nullptr;
  if (!name || !*name)
    reason = "the instance has no name";
  else if (!info.errors.empty())
    reason = info.errors.front();
  else if (!guid || guid != instantiation_token(info, "2.0"))
    reason = std::string("the GUID is ") + (guid ? guid : "missing") + ", but this binary has " +
             instantiation_token(info, "2.0");
  else if (kind == abi::model_exchange && !capabilities(info).model_exchange)
    reason = "the model has no model exchange";
  else if (!claim_process(info))
    reason = "the model can be instantiated only once per process";
  if (!reason.empty()) {
    complain(callbacks, name, "fmi2Instantiate: " + reason);
    return nullptr;
  }
  auto slave = std::make_unique<Slave>(layout, name, kind, resources, *callbacks);
  slave->logs_debug = logging_on;
  return slave.release();
} catch (const std::exception& e) {
  complain(callbacks, name, std::string("fmi2Instantiate: ") + e.what());
  return nullptr;
}

FMUKIT_API void fmi2FreeInstance(abi::Component c) { free_handle<Slave>(c); }

FMUKIT_API abi::Status fmi2SetDebugLogging(abi::Component c, abi::Boolean on, std::size_t count,
                                           const abi::String* names) {
  return run(c, "fmi2SetDebugLogging", when::any, [&](Slave& s) {
    s.logs_debug = on;
    s.categories.assign(names, names + count);
    if (std::find(s.categories.begin(), s.categories.end(), "logAll") != s.categories.end())
      s.categories.clear();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2SetupExperiment(abi::Component c, abi::Boolean, abi::Real,
                                           abi::Real start, abi::Boolean, abi::Real) {
  return run(c, "fmi2SetupExperiment", phases(instantiated), [&](Slave& s) {
    s.start = start;
    s.set_time(start);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2EnterInitializationMode(abi::Component c) {
  return run(c, "fmi2EnterInitializationMode", phases(instantiated), [](Slave& s) {
    s.enter_initialization(s.start);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2ExitInitializationMode(abi::Component c) {
  return run(c, "fmi2ExitInitializationMode", phases(initialization), [](Slave& s) {
    const bool exchange = s.kind == abi::model_exchange;
    s.exit_initialization(exchange ? event : step, exchange);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2Terminate(abi::Component c) {
  return run(c, "fmi2Terminate", phases(event, continuous, step, discarded), [](Slave& s) {
    s.terminate();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2Reset(abi::Component c) {
  return run(c, "fmi2Reset", when::any, [](Slave& s) {
    s.reset();
    s.start = 0;
    return Status::ok;
  });
}

#define FMUKIT_VALUES(Name, family, type)                                                       \
  FMUKIT_API abi::Status fmi2Get##Name(abi::Component c, const abi::ValueReference* references, \
                                       std::size_t count, type* values) {                       \
    return run(c, "fmi2Get" #Name, when::readable, [&](Slave& s) {                              \
      return get_values<Family::family>(s, "fmi2Get" #Name, references, count, values);         \
    });                                                                                         \
  }                                                                                             \
  FMUKIT_API abi::Status fmi2Set##Name(abi::Component c, const abi::ValueReference* references, \
                                       std::size_t count, const type* values) {                 \
    return run(c, "fmi2Set" #Name, when::settable, [&](Slave& s) {                              \
      return set_values<Family::family>(s, "fmi2Set" #Name, references, count, values);         \
    });                                                                                         \
  }
FMUKIT_VALUES(Real, real, abi::Real)
FMUKIT_VALUES(Integer, integer, abi::Integer)
FMUKIT_VALUES(Boolean, boolean, abi::Boolean)
FMUKIT_VALUES(String, string, abi::String)
#undef FMUKIT_VALUES

FMUKIT_API abi::Status fmi2GetFMUstate(abi::Component c, abi::FmuState* state) {
  return run(c, "fmi2GetFMUstate", when::any, [&](Slave& s) {
    if (*state)
      s.save(*static_cast<SavedState*>(*state));
    else
      *state = s.save().release();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2SetFMUstate(abi::Component c, abi::FmuState state) {
  return run(c, "fmi2SetFMUstate", when::any, [&](Slave& s) {
    if (!state) return s.fail("fmi2SetFMUstate", "there is no state");
    s.restore(*static_cast<SavedState*>(state));
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2FreeFMUstate(abi::Component c, abi::FmuState* state) {
  return run(c, "fmi2FreeFMUstate", when::any, [&](Slave&) {
    if (state) delete static_cast<SavedState*>(*state);
    if (state) *state = nullptr;
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2SerializedFMUstateSize(abi::Component c, abi::FmuState state,
                                                  std::size_t* size) {
  return run(c, "fmi2SerializedFMUstateSize", when::any, [&](Slave& s) {
    *size = s.serialize(*static_cast<SavedState*>(state)).size();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2SerializeFMUstate(abi::Component c, abi::FmuState state, abi::Byte* data,
                                             std::size_t size) {
  return run(c, "fmi2SerializeFMUstate", when::any, [&](Slave& s) {
    const auto bytes = s.serialize(*static_cast<SavedState*>(state));
    if (bytes.size() > size) return s.fail("fmi2SerializeFMUstate", "the buffer is too small");
    std::memcpy(data, bytes.data(), bytes.size());
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2DeSerializeFMUstate(abi::Component c, const abi::Byte* data,
                                               std::size_t size, abi::FmuState* state) {
  return run(c, "fmi2DeSerializeFMUstate", when::any, [&](Slave& s) {
    auto saved = s.deserialize(data, size);
    if (*state)
      *static_cast<SavedState*>(*state) = std::move(*saved);
    else
      *state = saved.release();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi2GetDirectionalDerivative(abi::Component c,
                                                    const abi::ValueReference* unknowns,
                                                    std::size_t unknown_count,
                                                    const abi::ValueReference* knowns,
                                                    std::size_t known_count, const abi::Real* seed,
                                                    abi::Real* sensitivity) {
  return run(c, "fmi2GetDirectionalDerivative", when::running, [&](Slave& s) {
    s.directional({unknowns, unknown_count}, {knowns, known_count}, seed, sensitivity);
    return Status::ok;
  });
}
