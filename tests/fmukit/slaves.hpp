// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "archive.hpp"
#include "fmi/abi/fmi1.hpp"
#include "fmi/abi/fmi2.hpp"
#include "fmi/abi/fmi3.hpp"

#include <cstdarg>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// One loaded and instantiated FMU per FMI version, with the few calls that most tests need.
namespace fmukit_test {

namespace f1 = fmi_abi::v1;
namespace f2 = fmi_abi::v2;
namespace f3 = fmi_abi::v3;

struct Message {
  int status;
  std::string category, text;
};

/// FMI 1.0 has no pointer for the simulator's own use in its callbacks.
inline std::vector<Message>& fmi1_messages() {
  static std::vector<Message> messages;
  return messages;
}

class Slave1 {
 public:
  explicit Slave1(const std::string& name, bool exchange = false)
      : model(name), fmu(exchange ? "1.0-me" : "1.0-cs", name) {
    const char* guid = fmu.root().attribute("guid").value();
    fmi1_messages().clear();
    c = exchange ? call<f1::InstantiateModel>("InstantiateModel")("instance", guid,
                                                                  {logger, nullptr, nullptr}, 1)
                 : call<f1::InstantiateSlave>("InstantiateSlave")(
                       "instance", guid, "", "", 0, 0, 0, {logger, nullptr, nullptr, nullptr}, 1);
    free_ = call<f1::FreeSlaveInstance>(exchange ? "FreeModelInstance" : "FreeSlaveInstance");
  }
  ~Slave1() { free_(c); }
  Slave1(const Slave1&) = delete;
  Slave1& operator=(const Slave1&) = delete;

  template <class Function>
  Function* call(const std::string& symbol) const {
    return fmu.function<Function>(model + "_fmi" + symbol);
  }
  f1::Status initialize(double start = 0) {
    return call<f1::InitializeSlave>("InitializeSlave")(c, start, 0, 0);
  }
  f1::Status step(double t, double h, bool fresh = true) {
    return call<f1::DoStep>("DoStep")(c, t, h, fresh);
  }
  f1::Status set(const std::string& name, double value) {
    const unsigned reference = fmu.reference(name);
    return call<f1::SetReal>("SetReal")(c, &reference, 1, &value);
  }
  double get(const std::string& name) {
    const unsigned reference = fmu.reference(name);
    double value = -1e300;
    call<f1::GetReal>("GetReal")(c, &reference, 1, &value);
    return value;
  }

  const std::string model;
  const Archive fmu;
  void* c = nullptr;

 private:
  static void logger(void*, f1::String, f1::Status status, f1::String category, f1::String text,
                     ...) {
    fmi1_messages().push_back({status, category ? category : "", text ? text : ""});
  }
  f1::FreeSlaveInstance* free_ = nullptr;
};

class Slave2 {
 public:
  explicit Slave2(const std::string& name, f2::Kind kind = f2::co_simulation, bool logging = true)
      : fmu("2.0", name), callbacks{logger, nullptr, nullptr, finished, this} {
    c = fmu.function<f2::Instantiate>("fmi2Instantiate")(
        "instance", kind, fmu.root().attribute("guid").value(),
        ("file://" + fmu.folder() + "/resources").c_str(), &callbacks, 0, logging);
  }
  ~Slave2() { fmu.function<f2::FreeInstance>("fmi2FreeInstance")(c); }
  Slave2(const Slave2&) = delete;
  Slave2& operator=(const Slave2&) = delete;

  template <class Function>
  Function* call(const std::string& symbol) const {
    return fmu.function<Function>("fmi2" + symbol);
  }
  f2::Status initialize(double start = 0) {
    call<f2::SetupExperiment>("SetupExperiment")(c, 0, 0, start, 0, 0);
    call<f2::EnterInitializationMode>("EnterInitializationMode")(c);
    return call<f2::ExitInitializationMode>("ExitInitializationMode")(c);
  }
  f2::Status step(double t, double h) { return call<f2::DoStep>("DoStep")(c, t, h, 1); }
  f2::Status set(const std::string& name, double value) {
    const unsigned reference = fmu.reference(name);
    return call<f2::SetReal>("SetReal")(c, &reference, 1, &value);
  }
  double get(const std::string& name) {
    const unsigned reference = fmu.reference(name);
    double value = -1e300;
    call<f2::GetReal>("GetReal")(c, &reference, 1, &value);
    return value;
  }
  int get_integer(const std::string& name) {
    const unsigned reference = fmu.reference(name);
    int value = -1;
    call<f2::GetInteger>("GetInteger")(c, &reference, 1, &value);
    return value;
  }

  const Archive fmu;
  const f2::Callbacks callbacks;
  void* c = nullptr;
  std::vector<Message> messages;
  std::function<void(f2::Status)> on_finished;

 private:
  static void logger(void* self, f2::String, f2::Status status, f2::String category,
                     f2::String text, ...) {
    char buffer[4096] = "";
    std::va_list arguments;
    va_start(arguments, text);
    if (text) std::vsnprintf(buffer, sizeof buffer, text, arguments);
    va_end(arguments);
    static_cast<Slave2*>(self)->messages.push_back({status, category ? category : "", buffer});
  }
  static void finished(void* self, f2::Status status) {
    if (static_cast<Slave2*>(self)->on_finished) static_cast<Slave2*>(self)->on_finished(status);
  }
};

class Slave3 {
 public:
  struct Options {
    bool exchange = false, event_mode = false, early_return = false;
    /// (time, set requested, can return early) -> time at which to return, or infinity
    std::function<double(double, bool, bool)> intermediate = {};
    std::string intermediate_input = {};   ///< that will be set inside steps
    std::string intermediate_output = {};  ///< that will be read inside steps
  };
  explicit Slave3(const std::string& name) : Slave3(name, Options{}) {}
  Slave3(const std::string& name, Options chosen) : fmu("3.0", name), options(std::move(chosen)) {
    const char* token = fmu.root().attribute("instantiationToken").value();
    const std::string resources = fmu.folder() + "/resources/";
    std::vector<unsigned> inside;
    for (const std::string& variable : {options.intermediate_input, options.intermediate_output})
      if (!variable.empty()) inside.push_back(fmu.reference(variable));
    c = options.exchange
            ? call<f3::InstantiateModelExchange>("InstantiateModelExchange")(
                  "instance", token, resources.c_str(), false, true, this, logger)
            : call<f3::InstantiateCoSimulation>("InstantiateCoSimulation")(
                  "instance", token, resources.c_str(), false, true, options.event_mode,
                  options.early_return, inside.data(), inside.size(), this, logger,
                  options.intermediate ? update : nullptr);
  }
  ~Slave3() { call<f3::FreeInstance>("FreeInstance")(c); }
  Slave3(const Slave3&) = delete;
  Slave3& operator=(const Slave3&) = delete;

  template <class Function>
  Function* call(const std::string& symbol) const {
    return fmu.function<Function>("fmi3" + symbol);
  }
  f3::Status initialize(double start = 0) {
    call<f3::EnterInitializationMode>("EnterInitializationMode")(c, false, 0, start, false, 0);
    return call<f3::ExitInitializationMode>("ExitInitializationMode")(c);
  }
  struct Step {
    f3::Status status;
    bool event, terminate, early;
    double reached;
  };
  Step step(double t, double h) {
    Step s{};
    s.status =
        call<f3::DoStep>("DoStep")(c, t, h, true, &s.event, &s.terminate, &s.early, &s.reached);
    return s;
  }
  template <class T>
  f3::Status set(const std::string& type, const std::string& name, const std::vector<T>& values) {
    const unsigned reference = fmu.reference(name);
    return call<f3::Set<T>>("Set" + type)(c, &reference, 1, values.data(), values.size());
  }
  template <class T>
  std::vector<T> get(const std::string& type, const std::string& name, std::size_t count) {
    const unsigned reference = fmu.reference(name);
    const auto values = std::make_unique<T[]>(count);  // std::vector<bool> holds no bools
    const f3::Status status = call<f3::Get<T>>("Get" + type)(c, &reference, 1, values.get(), count);
    if (status != f3::ok) return {};
    return std::vector<T>(values.get(), values.get() + count);
  }
  f3::Status set(const std::string& name, double value) {
    return set<double>("Float64", name, {value});
  }
  double get(const std::string& name) { return get<double>("Float64", name, 1).at(0); }

  const Archive fmu;
  const Options options;
  void* c = nullptr;
  std::vector<Message> messages;
  bool get_allowed = false, step_finished = false;  ///< in the present intermediate update

 private:
  static void logger(void* self, f3::Status status, f3::String category, f3::String text) {
    static_cast<Slave3*>(self)->messages.push_back(
        {status, category ? category : "", text ? text : ""});
  }
  static void update(void* self, double time, bool set, bool get, bool finished, bool early,
                     bool* stop, double* stop_time) {
    Slave3& slave = *static_cast<Slave3*>(self);
    slave.get_allowed = get;
    slave.step_finished = finished;
    *stop_time = slave.options.intermediate(time, set, early);
    *stop = *stop_time < 1e300;
  }
};

}  // namespace fmukit_test
