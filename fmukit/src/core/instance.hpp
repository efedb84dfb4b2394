// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/capabilities.hpp"
#include "core/integrator.hpp"
#include "core/layout.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fmukit {

/// The numbers are those of all FMI versions.
enum class Status : int { ok, warning, discard, error, fatal, pending };

/// The result of an event update, in the terms of FMI 3.
struct EventReport {
  bool repeat = false, states_changed = false;
};

/// All data of a saved state.
struct SavedState {
  std::unique_ptr<Model> model;
  Phase phase{};
  double next_event_time{};
  std::vector<double> indicators;
};

/// What the search for partial derivatives needs: addresses with their numbers, sorted, and
/// entries.
struct PartialsMemory {
  using Place = std::pair<const double*, std::size_t>;
  std::vector<Place> unknowns, knowns;
  Partials partials;
};

/// One running model, for all FMI versions; v1, v2 and v3 derive from it to add their callbacks.
/// The functions of the C interface check the phase.
class Instance : public Host {
 public:
  Instance(const Layout& layout, std::string name, std::string resources);
  virtual ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  // Lifetime.
  // --------------------------------------------------------------------------------------
  bool in(Phases allowed) const { return contains(allowed, phase); }
  void enter_initialization(double start);
  /// With `events` the first event update is left to the simulator.
  void exit_initialization(Phase next, bool events);
  void terminate();
  void reset();

  // Values. ------------------------------------------------------------------------------------
  /// Updates all values after setting. Call before reading.
  void ready() {
    if (stale) refresh();
  }
  void touched() { stale = has_equations; }
  /// A structural parameter was set.
  void structure_changed();

  // Model exchange. ----------------------------------------------------------------------------
  void set_time(double t);
  void set_states(const double* x);
  void get_states(double* x) const;
  void get_derivatives(double* dx);
  void get_indicators(double* z);
  EventReport update_events();
  /// Event updates until nothing changes any more.
  EventReport run_events();
  bool completed_integrator_step();

  // Co-simulation. -----------------------------------------------------------------------------
  /// From t over h; sets phase and time by the outcome.
  StepReport step(double t, double h) {
    const double end = t + h;
    // Simulators compute t as t0 + n h or by adding step sizes; both differ from the time here by
    // rounding only.
    if (!(std::abs(t - model->time) <= 1e-9 * std::max(1.0, std::abs(t))) || !(h >= 0)) [[unlikely]]
      reject_step(t, h);
    model->time = t;
    if (!has_step) return integrate(end);
    const StepResult result = model->do_step(h);
    if (result.status == StepResult::Status::ok && result.reached >= end && !result.event &&
        !terminate_requested) [[likely]] {
      model->time = end;
      phase = Phase::step;
      touched();
      return {.reached = end};
    }
    return finish(result, t, end);
  }
  /// In phase pending: true if the step has ended; applies its result.
  bool settle();
  Status status_of_pending_step();
  /// The simulator requests the end of the current step at t.
  void end_step_at(double t) { integrator_.stop_at(t); }
  /// The simulator has handled the events.
  void resume_after_events() { integrator_.remember_indicators(); }
  void set_input_derivative(std::uint32_t reference, int order, double value);
  /// d^order y/dt^order, of order 1 or 2, along the solution with the inputs of the last step.
  void output_derivatives(std::span<const std::uint32_t> references, const int* orders,
                          double* values);
  /// The integrator is about to evaluate the model at t: the simulator may set inputs for it.
  virtual void ask_for_inputs(double /*t*/) {}

  // State and derivatives. -----------------------------------------------------------------------
  std::unique_ptr<SavedState> save() const;
  /// Overwrites an earlier one; simulators do so in each step, so memory is reused.
  void save(SavedState& into) const;
  void restore(const SavedState&);
  /// The same, without the inputs and their derivatives, which keep their present values.
  void go_back(const SavedState&);
  std::vector<unsigned char> serialize(const SavedState&) const;
  std::unique_ptr<SavedState> deserialize(const void* data, std::size_t size) const;
  /// sensitivity = J * seed, where J is d unknowns / d knowns and both may be arrays.
  void directional(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                   const double* seed, double* sensitivity);
  /// sensitivity = seed * J.
  void adjoint(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
               const double* seed, double* sensitivity);
  /// What element `element` of a variable depends on; element numbers count from 1.
  struct Dependence {
    std::size_t element;
    std::uint32_t known;
    std::size_t known_element;
    DependencyKind kind;
  };
  std::vector<Dependence> dependencies(std::uint32_t reference) const;
  /// Number of doubles behind these references.
  std::size_t size_of(std::span<const std::uint32_t> references) const;

  // Errors. ------------------------------------------------------------------------------------
  Status refuse(const char* function);                           ///< called in the wrong phase
  Status fail(const char* function, const std::string& reason);  ///< logs, enters phase error
  Status caught(const char* function);                           ///< inside a catch block

  // Host. --------------------------------------------------------------------------------------
  void log(Log kind, const std::string& message) override;
  void request_termination() override { terminate_requested = true; }
  const std::string& instance_name() const override { return name; }
  const std::string& resource_path() const override { return resources; }
  bool intermediate_update(double) override { return false; }
  void finish_step(StepResult result, bool notify) override;
  void inputs_at(double t) override { integrator_.apply_inputs(t); }
  double step_start() const override {
    using enum Phase;
    return in(phases(step, discarded, intermediate)) ? integrator_.begin() : model->time;
  }

  // Plain data, in the order of use. -------------------------------------------------------------
  Phase phase = Phase::instantiated;
  bool stale = false;  ///< values do not yet reflect the set ones
  bool terminate_requested = false;
  const bool has_equations;  ///< else set values have no effect on others
  const bool has_step;       ///< the model overrides do_step
  std::unique_ptr<Model> model;
  const std::span<const Slot> slots;  ///< those of the layout
  const Layout& layout;
  const ModelInfo& info;
  const Capabilities capabilities;
  const std::string name, resources;
  double next_event_time = std::numeric_limits<double>::infinity();
  bool event_mode_used = false, early_return_allowed = false;
  /// FMI 3: the simulator has declared it (requiredIntermediateVariables).
  bool sets_inputs_inside = false;
  /// The same for outputs, beside inputs: the simulator computes inputs from them.
  bool reads_outputs_inside = false;
  /// Addresses of the elements of continuous states and so on inside the model.
  std::vector<double*> states, derivatives, indicators, inputs;
  std::vector<double> nominals;
  bool logs_debug = false;
  std::vector<std::string> categories;  ///< requested by the simulator; empty: all

 protected:
  virtual void deliver(Status, const char* category, const std::string& message) = 0;
  virtual void notify_step_finished(Status) {}

 private:
  friend class Integrator;
  void refresh();
  void bind();
  [[noreturn]] void reject_step(double t, double h) const;
  StepReport integrate(double end);
  StepReport finish(StepResult result, double t, double end);
  void difference(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                  const double* seed, double* sensitivity);
  Model& scratch();
  Model& moved_along(double s, const std::vector<double>& second);

  Integrator integrator_;
  std::unique_ptr<Model> scratch_;  ///< for differences
  PartialsMemory partials_memory_;
  std::mutex pending_mutex_;
  std::atomic<bool> pending_done_{false};
  StepResult pending_result_;
  double pending_begin_ = 0, pending_end_ = 0;
  Status pending_status_ = Status::ok;
};

}  // namespace fmukit
