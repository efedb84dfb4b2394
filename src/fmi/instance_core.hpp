// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tutti/log.hpp>
#include <type_traits>
#include <vector>

#include "base/float_control.hpp"
#include "fmi/instance_setup.hpp"
#include "fmi/library.hpp"
#include "fmi/log_text.hpp"

namespace tutti::fmi {

/// The common part of instances of all versions: identity, call order, status handling, log. The
/// classes v1::Component, v2::Component and v3::Component add the functions of their version.
class InstanceCore : public virtual FmuInstance {
 public:
  InstanceCore(const InstanceSetup& setup, const InstanceOptions& options);
  ~InstanceCore() override;

  const std::string& name() const final { return name_; }
  const ModelDescription& description() const final { return *setup_.description; }
  const Capabilities& capabilities() const final { return *setup_.capabilities; }
  const CallCounts& counts() const final { return calls_.read(); }
  CallCounts& counts() { return calls_.counts(); }
  void count_direct_steps(const std::uint64_t* counter, bool with_set, bool with_get) final {
    calls_.follow(counter, with_set, with_get);
  }
  void uncount_direct_step() final { calls_.skip_one(); }
  void follow_direct_evaluations(const DirectUse& use) {
    time_ = now();
    clock_ = use.time;
    calls_.follow(use);
  }
  void set_counts(const CallCounts& counts) final { calls_.counts() = counts; }
  void keep_float_control(double t) final {
    note_time(t);
    keep_float_control_exactly("a step");
  }
  void note_direct_steps() final {
    if (mode_ == mode::step_inputs_set) mode_ = mode::step;
  }
  /// A function of the FMU. @throws Error (binary) if the FMU lacks it
  Library::Symbol require(const char* name) const { return setup_.library->require(name); }
  /// The same; a missing function is an error only when it is called.
  Library::Symbol find(const char* name, const char* capability = "") const {
    return setup_.library->find(name, capability);
  }
  std::uint32_t mode() const final { return mode_; }
  bool is_terminated() const final { return mode_ == mode::terminated; }
  void set_mode(std::uint32_t mode) { mode_ = mode; }
  const std::atomic<bool>& corrupted() const { return *corrupted_; }
  /// The simulated time, for messages.
  void note_time(double t) { time_ = t; }

  /// At the start of a call: throws std::logic_error unless the instance is in one of the modes.
  void expect(std::uint32_t allowed, const char* what) {
    expect_counted(allowed, what);
    calls_.count_other();
  }
  /// The same for get, set and do_step, which have their own counters.
  void expect_counted(std::uint32_t allowed, const char* what) {
    if (corrupted_->load(std::memory_order_relaxed) || !(mode_ & allowed)) [[unlikely]]
      refuse(what);
  }
  /// Calls a function of the FMU and throws unless its status is ok or warning.
  template <class F, class... Arguments>
  void call(const Function<F>& function, Arguments... arguments) {
    if (!function.address) [[unlikely]]
      missing(function.name, function.capability);
    const int result = invoke(function, component_, arguments...);
    if (result != status::ok) [[unlikely]]
      judge(result, function.name);
  }
  /// The same for a function that ends the instance: an FMU that lacks it has run successfully
  /// anyway.
  template <class F>
  void call_last(const Function<F>& function) {
    if (function.address)
      call(function);
    else
      breach_missing(function.name);
  }
  /// The bare call. FMUs written in C++ may let an exception escape, which FMI does not allow.
  template <class F, class... Arguments>
  auto invoke(const Function<F>& function, Arguments... arguments) {
    const auto call = [&] {
      try {
        return function.address(arguments...);
      } catch (...) {
        escaped(function.name);
      }
    };
    if constexpr (std::is_void_v<decltype(call())>) {
      call();
      keep_float_control(function.name);
    } else {
      const auto result = call();
      keep_float_control(function.name);
      return result;
    }
  }
  /// Call when the FMU returns: restores the floating-point control if the FMU changed it.
  void keep_float_control(const char* function) {
    if (!float_control_.holds()) [[unlikely]]
      restore_float_control(function);
  }
  /// The same after doStep, with an exact check now and then.
  void keep_float_control_after_step(const char* do_step) {
    constexpr std::uint64_t often = 64;
    if (counts().do_step > often && counts().do_step % often != 0) return;
    keep_float_control_exactly(do_step);
  }
  void keep_float_control_exactly(const char* function) {
    if (!float_control_.holds_exactly()) [[unlikely]]
      restore_float_control(function);
  }
  /// Warning: logged and counted. Everything else throws; after an error the instance is `failed`.
  void judge(int result, const char* function, double h = std::numeric_limits<double>::quiet_NaN());
  /// Runs a phase in which FMUs often change settings of the process, and restores these.
  template <class Phase>
  void guarded(const char* name, Phase&& phase) {
    ProcessGuard guard;
    phase();
    report_changes(guard.restore(), name);
  }
  /// Logs a warning once per FMU, because all its instances behave alike.
  void warn_once(const std::string& text) const;
  /// Logs that a rule of the standard was broken, once per FMU and `rule`.
  void breach(const char* rule);
  /// "component "x" (FMI 2.0): " + text
  std::string with_name(std::string_view text) const;
  /// The same as an error, with component and time.
  Error error(ErrorCode code, const std::string& text, ErrorDetails details = {}) const;
  [[noreturn]] void cannot(const std::string& text) const;  ///< throws Error(capability)
  [[noreturn]] void missing(const char* function, const char* capability) const;

  /// A message from the FMU's logger. May come from any thread; never throws.
  void log_fmu_message(int status, const char* category, const std::string& message) noexcept;

  /// Stores the result of the FMU's instantiation. @throws Error(fmu) if it is null.
  void set_component(void* component);
  void* component() const { return component_; }
  /// Ends the instance: terminates it where that is legal (not after an error), frees it (not after
  /// a fatal one).
  template <class Terminate>
  void end(const Terminate& terminate, const Function<void(void*)>& free) noexcept {
    try {
      if (can_be_freed() && (mode_ & mode::running)) terminate();
    } catch (const std::exception& thrown) {
      warn_of(thrown);
    }
    try {
      if (can_be_freed() && !free.address) breach_missing(free.name);
      if (can_be_freed() && free.address) invoke(free, component_);
    } catch (const std::exception& thrown) {
      warn_of(thrown);
    }
  }
  /// Whether the FMU's function that frees the instance may (still) be called.
  bool can_be_freed() const { return component_ && mode_ != mode::dead && !*corrupted_; }

  /// The exception being handled was thrown by a function of the FMU.
  [[noreturn]] void escaped(const char* function);

 private:
  [[noreturn]] void refuse(const char* what) const;
  void breach_missing(const char* function);
  void warn_of(const std::exception& thrown) const noexcept;
  std::string who() const;
  std::string when() const;  ///< " at t = 1.5 s", if that is known
  double now() const { return clock_ != nullptr ? *clock_ : time_; }
  void report_changes(const std::string& changed, const char* phase) const;
  void restore_float_control(const char* function);
  Error failure(int result, const char* function, double h);
  void warn(const char* function);

  struct Warnings {
    const char* function;
    std::uint64_t count;
  };

  FloatControl float_control_ = FloatControl::now();
  bool reported_float_control_ = false;
  InstanceSetup setup_;
  std::string name_;
  OncePerProcess place_;
  std::atomic<bool>* corrupted_;
  void* component_ = nullptr;
  std::uint32_t mode_ = mode::dead;
  CallCounter calls_;
  double time_ = std::numeric_limits<double>::quiet_NaN();
  const double* clock_ = nullptr;  ///< of the caller of direct evaluations, instead of time_
  std::vector<Warnings> warnings_;
  std::vector<const char*> breaches_;
  CallMessages messages_;
};

}  // namespace tutti::fmi
