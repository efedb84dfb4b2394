// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace fmukit {

/// The outcome of do_step. `return {};` means: completed, up to the end.
struct StepResult {
  enum class Status { ok, warning, discard, error, fatal, pending };
  static constexpr double to_the_end = std::numeric_limits<double>::infinity();

  // In this order the struct is returned in registers.
  double reached = to_the_end;  ///< the current time of the model
  Status status = Status::ok;
  bool event = false;  ///< FMI 3: requests event mode at the time reached

  static StepResult warning() { return {to_the_end, Status::warning}; }
  static StepResult error() { return {to_the_end, Status::error}; }
  static StepResult fatal() { return {to_the_end, Status::fatal}; }
  /// The step was possible only up to `t` (FMI 3 has no partial discard: nothing happened).
  static StepResult discard(double t) { return {t, Status::discard}; }
  /// The result comes later, through finish_step (FMI 1.0 and 2.0).
  static StepResult pending() { return {to_the_end, Status::pending}; }
  /// Stopped early without an error. If the simulator does not allow that, the kit calls do_step
  /// again for the rest.
  static StepResult early_return(double t) { return {t}; }
  /// The same because of an event; if there is no event mode, the kit updates the discrete states.
  static StepResult event_at(double t) { return {t, Status::ok, true}; }
};

/// Thrown if the model cannot be evaluated with the present values, for example the root of a
/// negative number after too long a step: the simulator may try a shorter one.
struct Discard : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The result of an event update.
struct EventInfo {
  bool repeat = false;                                         ///< another update is needed
  double next_time = std::numeric_limits<double>::infinity();  ///< of the next time event
};

/// Collects partial derivatives: p(y, x) = value, where y and x are double members (or elements)
/// of the model.
class Partials {
 public:
  struct Entry {
    const double* unknown;
    const double* known;
    double value;
  };
  double& operator()(const double& unknown, const double& known) {
    return entries.emplace_back(Entry{&unknown, &known, 0}).value;
  }
  std::vector<Entry> entries;
};

enum class DependencyKind : std::uint8_t;

/// Collects which elements of arrays depend on which others: depends(y[2], x[1]).
class ElementDependencies {
 public:
  struct Entry {
    const double* unknown;
    const double* known;
    DependencyKind kind;
  };
  void operator()(const double& unknown, const double& known, DependencyKind kind = {}) {
    entries.push_back({&unknown, &known, kind});
  }
  std::vector<Entry> entries;
};

enum class Log { info, event, warning, error };

/// The interface of the simulator for models.
class Host {
 public:
  virtual void log(Log, const std::string& message) = 0;
  virtual void request_termination() = 0;
  virtual const std::string& instance_name() const = 0;
  virtual const std::string& resource_path() const = 0;
  virtual bool intermediate_update(double t) = 0;
  virtual void finish_step(StepResult, bool notify) = 0;
  virtual void inputs_at(double t) = 0;
  virtual double step_start() const = 0;

 protected:
  ~Host() = default;
};

/// Base of every model. Overrides must be public; the kit detects them and declares the
/// capabilities of the FMU accordingly. Any exception becomes a log message and an error status,
/// Discard a status of that name.
///
/// Order of calls: (parameters and start values are set) initialize, update_discrete_states, then
/// either do_step repeatedly, or derivatives and outputs where the integrator evaluates them,
/// update_discrete_states at every event; terminate at the end.
class Model {
 public:
  virtual ~Model() = default;

  /// The current time; the kit sets it.
  double time = 0;

  /// Computes all values that follow from parameters and exact start values. May run several times.
  virtual void initialize() {}
  /// Right-hand side: the derivatives at `time`, from states, inputs, parameters.
  virtual void derivatives() {}
  /// All other continuous variables; called after derivatives() when values are read.
  virtual void outputs() {}
  /// An event: may change discrete variables and states. Also called once at the start.
  virtual void update_discrete_states(EventInfo&) {}
  /// After each accepted integrator step; true requests an event.
  virtual bool completed_integrator_step() { return false; }
  /// A custom solver for the equations, instead of the kit's Runge-Kutta steps: integrates the
  /// states from `time` to `end`. The kit handles inputs, input derivatives and events.
  virtual void integrate(double end);
  /// A custom co-simulation step from `time` to `time + h`; replaces the kit's integrator.
  virtual StepResult do_step(double h);
  /// Analytic derivatives of derivatives() and outputs(). Missing ones are zero.
  virtual void partials(Partials&) {}
  /// FMI 3.0: what the elements of derivatives and outputs depend on, in the present mode of the
  /// model. It may change at events.
  virtual void element_dependencies(ElementDependencies&) const {}
  /// A structural parameter was set; the described vectors have their new sizes.
  virtual void structure_changed() {}
  virtual void terminate() {}
  /// A pending step is cancelled.
  virtual void cancel_step() {}

 protected:
  Model() = default;
  Model(const Model&) = default;
  Model& operator=(const Model&) = default;

  /// A message to the simulator, printf style.
  void log(Log kind, const char* format, ...) const __attribute__((format(printf, 3, 4)));
  /// Requests the simulator to end the run at the next opportunity.
  void request_termination() const;
  std::string instance_name() const;
  /// The folder of the RESOURCES files, without a trailing slash.
  std::string resource_path() const;
  /// Inside integrate: sets the inputs to their values at t.
  void inputs_at(double t) const {
    if (host_) host_->inputs_at(t);
  }
  /// Co-simulation: the communication point at which the current step started, or the last one
  /// between steps. Model exchange: `time`.
  double step_start() const { return host_ ? host_->step_start() : time; }
  /// Inside do_step, FMI 3: provides the outputs at t and may receive inputs. True: stop here.
  bool intermediate_update(double t) const;
  /// Ends a pending step, from any thread. Without notify, the simulator must poll.
  void finish_step(StepResult result, bool notify = true) const;

 private:
  friend class Instance;
  Host* host_ = nullptr;
};

}  // namespace fmukit

#include <fmukit/description.hpp>  // the author's other half: describe() and FMUKIT_EXPORT
