// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "fmi/co_simulation.hpp"
#include "fmi/instance_core.hpp"

namespace tutti::fmi {

/// The common part of co-simulation of FMI 1.0 and 2.0: steps that may be pending, derivatives of
/// inputs and outputs, no event mode.
template <class Component, class Status, class StatusKind, class Boolean>
class ScalarCoSimulation : public CoSimulation, public Component {
 public:
  void set_input_derivatives(References references, std::span<const std::int32_t> orders,
                             std::span<const double> values) final {
    this->expect(mode::instantiated | mode::initialization | mode::step | mode::step_inputs_set,
                 "set_input_derivatives");
    if (!this->capabilities().can_interpolate_inputs) {
      this->cannot("the FMU does not accept input derivatives (canInterpolateInputs=\"false\")");
    }
    ++Component::counts().set;
    this->call(set_input_derivatives_, references.data(), references.size(), orders.data(),
               values.data());
    if (Component::mode() == mode::step) this->set_mode(mode::step_inputs_set);
  }
  void get_output_derivatives(References references, std::span<const std::int32_t> orders,
                              std::span<double> values) final {
    this->expect(mode::step | mode::terminated, "get_output_derivatives");
    if (this->capabilities().max_output_derivative_order == 0) {
      this->cannot("the FMU does not provide output derivatives (maxOutputDerivativeOrder=\"0\")");
    }
    ++Component::counts().get;
    this->call(get_output_derivatives_, references.data(), references.size(), orders.data(),
               values.data());
  }

  bool event_mode_used() const final { return false; }
  void enter_event_mode() final { throw no_event_mode(); }
  DiscreteUpdate update_discrete_states() final { throw no_event_mode(); }
  void enter_step_mode() final { throw no_event_mode(); }

 protected:
  using Component::Component;

  /// `flag`: newStep in 1.0, noSetFMUStatePriorToCurrentPoint in 2.0.
  StepOutcome take_step(double t, double h, Boolean flag) {
    ++Component::counts().do_step;
    this->note_time(t);
    this->finished.store(status::none, std::memory_order_relaxed);
    const int result = this->invoke(do_step_, this->component(), t, h, flag);
    this->keep_float_control_after_step(do_step_.name);
    if (result != status::ok) [[unlikely]]
      return judge_step(result, t, h);
    this->set_mode(mode::step);
    return {StepOutcome::Status::done, t + h};
  }
  /// A step that did not return ok: pending, discarded or failed. `result` is what doStep returned.
  [[gnu::noinline]] StepOutcome judge_step(int result, double t, double h) {
    if (result == status::pending) result = wait();
    this->finished.store(status::none, std::memory_order_relaxed);  // for a direct step
    if (result != status::ok && result != status::discard) this->judge(result, do_step_.name, h);
    this->set_mode(mode::step);
    if (result != status::discard) return {StepOutcome::Status::done, t + h};
    const double reached = time_reached(t, h);
    if (wants_to_terminate()) return {StepOutcome::Status::terminated, reached};
    // A step that reached its end is not discarded.
    constexpr double rounding = 1e-9;  // of a step
    if (reached >= t + h * (1 - rounding)) return {StepOutcome::Status::done, t + h};
    return {StepOutcome::Status::discarded, reached};
  }

  Function<Status(void*, double, double, Boolean)> do_step_;
  Function<Status(void*, const ValueReference*, std::size_t, const int*, const double*)>
      set_input_derivatives_;
  Function<Status(void*, const ValueReference*, std::size_t, const int*, double*)>
      get_output_derivatives_;
  Function<Status(void*, StatusKind, Status*)> get_status_;
  Function<Status(void*, StatusKind, double*)> get_real_status_;
  Function<Status(void*, StatusKind, Boolean*)> get_boolean_status_;
  StatusKind do_step_status_{};
  StatusKind last_successful_time_{};
  std::optional<StatusKind> terminated_;  ///< FMI 2.0 only

 private:
  // The FMU may report the end by the callback stepFinished, by getStatus, or both.
  int wait() {
    constexpr std::chrono::microseconds longest{1000};
    for (auto pause = std::chrono::microseconds(1);; pause = std::min(2 * pause, longest)) {
      if (const int result = this->finished.load(std::memory_order_acquire); result != status::none)
        return result;
      Status state = static_cast<Status>(status::pending);
      // If getStatus has no result, waits for the callback.
      if (ask(get_status_, do_step_status_, &state) && state != status::pending) return state;
      std::this_thread::sleep_for(pause);
    }
  }

  // FMUs without the function, or without a result, are assumed to be at the start of the step.
  double time_reached(double t, double h) {
    double reached = t;
    if (!ask(get_real_status_, last_successful_time_, &reached) || !(reached >= t)) reached = t;
    return std::min(reached, t + h);
  }

  bool wants_to_terminate() {
    Boolean answer = 0;
    return terminated_ && ask(get_boolean_status_, *terminated_, &answer) && answer != 0;
  }

  /// False: the FMU lacks the function, or has no result (discard; FMI 2.0, section 4.2.3).
  template <class Value>
  bool ask(const Function<Status(void*, StatusKind, Value*)>& function, StatusKind kind,
           Value* answer) {
    if (!function.address) return false;
    const int result = this->invoke(function, this->component(), kind, answer);
    if (result == status::discard) return false;
    if (result != status::ok && result != status::warning) this->judge(result, function.name);
    return true;
  }

  std::logic_error no_event_mode() const {
    return std::logic_error(this->with_name(fmt::format("co-simulation of FMI {} has no event mode",
                                                        to_string(this->description().version))));
  }
};

}  // namespace tutti::fmi
