// SPDX-License-Identifier: BSD-2-Clause
#include "v1/functions.hpp"
#include "v1/slave.hpp"

#include <dlfcn.h>

namespace fmukit::v1 {
namespace {

using enum Phase;
constexpr Phases any = phases(instantiated, event, step, discarded, terminated, error);
constexpr Phases settable = phases(instantiated, event, step, discarded);

/// <root>/resources, from the path of this binary, <root>/binaries/<platform>/<name>: in model
/// exchange, there is no location argument, and in co-simulation simulators pass different ones.
std::string resources_beside_binary() {
  Dl_info found{};
  if (!dladdr(reinterpret_cast<const void*>(&resources_beside_binary), &found)) return {};
  std::string path = found.dli_fname ? found.dli_fname : "";
  for (int n = 0; n < 3; ++n)
    path.erase(path.find_last_of('/') == std::string::npos ? 0 : path.find_last_of('/'));
  return path + "/resources";
}

}  // namespace

Slave::Slave(const Layout& table, const char* instance_name,
             const abi::CoSimulationCallbacks& functions, bool exchange)
    : Instance(table, instance_name, resources_beside_binary()),
      model_exchange(exchange),
      callbacks(functions) {}

void Slave::request_termination() {
  if (model_exchange) return Instance::request_termination();
  if (!reported_end_)
    log(Log::warning, "the model requests the end of the run, which FMI 1.0 does not support");
  reported_end_ = true;
}

abi::Component instantiate(const char* function, abi::String name, abi::String guid,
                           const abi::CoSimulationCallbacks& callbacks, abi::Boolean logging_on,
                           bool model_exchange) {
  std::string reason;
  try {
    static const Layout layout(exported_model(), Version::fmi1);
    const ModelInfo& info = layout.info;
    if (!name || !*name)
      reason = "the instance has no name";
    else if (!info.errors.empty())
      reason = info.errors.front();
    else if (!guid || guid != instantiation_token(info, "1.0"))
      reason = std::string("the GUID is ") + (guid ? guid : "missing") + ", but this binary has " +
               instantiation_token(info, "1.0");
    else if (model_exchange && !capabilities(info).model_exchange)
      reason = "the model has no model exchange";
    else if (!claim_process(info))
      reason = "the model can be instantiated only once per process";
    if (reason.empty()) {
      auto slave = std::make_unique<Slave>(layout, name, callbacks, model_exchange);
      slave->logs_debug = logging_on;
      return slave.release();
    }
  } catch (const std::exception& e) {
    reason = e.what();
  }
  if (callbacks.logger)
    callbacks.logger(nullptr, name ? name : "", abi::error, "logStatusError",
                     escaped(std::string(function) + ": " + reason).c_str());
  return nullptr;
}

const char* get_types_platform() { return "standard32"; }
const char* get_version() { return "1.0"; }

void free_instance(abi::Component c) { free_handle<Slave>(c); }

abi::Status set_debug_logging(abi::Component c, abi::Boolean on) {
  return run(c, "fmiSetDebugLogging", any, [&](Slave& s) {
    s.logs_debug = on;
    return Status::ok;
  });
}

abi::Status terminate(abi::Component c) {
  return run(c, "fmiTerminate", phases(event, step, discarded), [](Slave& s) {
    s.terminate();
    return Status::ok;
  });
}

template <Family family, class X>
static abi::Status get(abi::Component c, const char* function,
                       const abi::ValueReference* references, std::size_t count, X* values) {
  return run(c, function, any,
             [&](Slave& s) { return get_values<family>(s, function, references, count, values); });
}
template <Family family, class X>
static abi::Status set(abi::Component c, const char* function,
                       const abi::ValueReference* references, std::size_t count, const X* values) {
  return run(c, function, settable,
             [&](Slave& s) { return set_values<family>(s, function, references, count, values); });
}

abi::Status get_real(abi::Component c, const abi::ValueReference* r, std::size_t n, abi::Real* v) {
  return get<Family::real>(c, "fmiGetReal", r, n, v);
}
abi::Status get_integer(abi::Component c, const abi::ValueReference* r, std::size_t n,
                        abi::Integer* v) {
  return get<Family::integer>(c, "fmiGetInteger", r, n, v);
}
abi::Status get_boolean(abi::Component c, const abi::ValueReference* r, std::size_t n,
                        abi::Boolean* v) {
  return get<Family::boolean>(c, "fmiGetBoolean", r, n, v);
}
abi::Status get_string(abi::Component c, const abi::ValueReference* r, std::size_t n,
                       abi::String* v) {
  return get<Family::string>(c, "fmiGetString", r, n, v);
}
abi::Status set_real(abi::Component c, const abi::ValueReference* r, std::size_t n,
                     const abi::Real* v) {
  return set<Family::real>(c, "fmiSetReal", r, n, v);
}
abi::Status set_integer(abi::Component c, const abi::ValueReference* r, std::size_t n,
                        const abi::Integer* v) {
  return set<Family::integer>(c, "fmiSetInteger", r, n, v);
}
abi::Status set_boolean(abi::Component c, const abi::ValueReference* r, std::size_t n,
                        const abi::Boolean* v) {
  return set<Family::boolean>(c, "fmiSetBoolean", r, n, v);
}
abi::Status set_string(abi::Component c, const abi::ValueReference* r, std::size_t n,
                       const abi::String* v) {
  return set<Family::string>(c, "fmiSetString", r, n, v);
}

}  // namespace fmukit::v1
