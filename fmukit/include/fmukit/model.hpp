// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace fmukit {

/// How a step of one's own ended. `return {};` means: all went well, up to the end.
struct StepResult {
  enum class Status { ok, warning, discard, error, fatal, pending };
  static constexpr double to_the_end = std::numeric_limits<double>::infinity();

  // In this order the struct is returned in registers.
  double reached = to_the_end;  ///< the time the model is at now
  Status status = Status::ok;
  bool event = false;  ///< FMI 3: wants event mode at the time reached

  static StepResult warning() { return {to_the_end, Status::warning}; }
  static StepResult error() { return {to_the_end, Status::error}; }
  static StepResult fatal() { return {to_the_end, Status::fatal}; }
  /// The step was possible only up to `t` (FMI 3 has no partial discard: nothing happened).
  static StepResult discard(double t) { return {t, Status::discard}; }
  /// The result comes later, through finish_step (FMI 1.0 and 2.0).
  static StepResult pending() { return {to_the_end, Status::pending}; }
  /// Stopped early without a fault. If the simulator does not allow that, the kit calls do_step
  /// again for the rest.
  static StepResult early_return(double t) { return {t}; }
  /// The same because of an event; if there is no event mode, the kit updates the discrete states.
  static StepResult event_at(double t) { return {t, Status::ok, true}; }
};

/// Thrown where the model cannot be computed with the present values, for example the root of a
/// negative number that only a too long step has reached: the simulator may try a shorter one.
struct Discard : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What an event update tells the simulator.
struct EventInfo {
  bool repeat = false;                                         ///< the update must run once more
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

enum class Log { info, event, warning, error };

/// The simulator's side, as far as a model may use it.
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

/// Base of every model. Overrides must be public; the kit finds out which there are, and states the
/// capabilities of the FMU accordingly. Any exception becomes a log message and an error status,
/// Discard a status of that name.
///
/// Order of calls: (parameters and start values are set) initialize, update_discrete_states, then
/// either do_step over and over, or derivatives and outputs wherever the integrator asks for them,
/// update_discrete_states at every event; terminate at the end.
class Model {
 public:
  virtual ~Model() = default;

  /// The current time; the kit sets it.
  double time = 0;

  /// Calculates what follows from parameters and exact start values. May run several times.
  virtual void initialize() {}
  /// Right-hand side: the derivatives at `time`, from states, inputs, parameters.
  virtual void derivatives() {}
  /// All other continuous variables; called after derivatives() when somebody wants values.
  virtual void outputs() {}
  /// An event: may change discrete variables and states. Also called once at the start.
  virtual void update_discrete_states(EventInfo&) {}
  /// After each accepted integrator step; true asks for an event.
  virtual bool completed_integrator_step() { return false; }
  /// A solver of one's own for the equations, in place of the kit's Runge-Kutta steps: brings the
  /// states from `time` to `end`. Inputs, input derivatives and events stay with the kit.
  virtual void integrate(double end);
  /// One's own co-simulation step from `time` to `time + h`; replaces the kit's integrator.
  virtual StepResult do_step(double h);
  /// Analytic derivatives of derivatives() and outputs(). What is not given is zero.
  virtual void partials(Partials&) {}
  /// A structural parameter was set; the described vectors have their new sizes.
  virtual void structure_changed() {}
  virtual void terminate() {}
  /// A pending step is no longer wanted.
  virtual void cancel_step() {}

 protected:
  Model() = default;
  Model(const Model&) = default;
  Model& operator=(const Model&) = default;

  /// A message to the simulator, printf style.
  void log(Log kind, const char* format, ...) const __attribute__((format(printf, 3, 4)));
  /// Asks the simulator to end the run at the next occasion.
  void request_termination() const;
  std::string instance_name() const;
  /// The folder of the files given as RESOURCES, without a slash at the end.
  std::string resource_path() const;
  /// Inside integrate: gives the inputs the values that they have at t.
  void inputs_at(double t) const {
    if (host_) host_->inputs_at(t);
  }
  /// Co-simulation: the communication point at which the current step started, or the last one
  /// between steps. Model exchange: `time`.
  double step_start() const { return host_ ? host_->step_start() : time; }
  /// Inside do_step, FMI 3: shows the outputs at t and may receive inputs. True: stop here.
  bool intermediate_update(double t) const;
  /// Ends a step that was pending, from any thread. Without notify the simulator has to ask.
  void finish_step(StepResult result, bool notify = true) const;

 private:
  friend class Instance;
  Host* host_ = nullptr;
};

}  // namespace fmukit

#include <fmukit/description.hpp>  // the author's other half: describe() and FMUKIT_EXPORT
