// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <tutti/error.hpp>

/// The interface values that all kinds of models share: outcomes of steps, call counts.
namespace tutti {

/// How one step ended, the same few values for all kinds of models and all versions of FMI.
struct StepOutcome {
  enum class Status : std::uint64_t {  // a whole register: one comparison detects a plain step
    done,                              ///< reached == t + h
    event,       ///< FMI 3.0 with event mode: at `reached`, enter_event_mode() is next
    early,       ///< FMI 3.0 early return: the instance is at `reached`
    discarded,   ///< 1.0, 2.0: the instance is at `reached`, perhaps still t; 3.0: still at t
    terminated,  ///< the model asks to end the run; its values belong to `reached`
  };
  Status status{};
  double reached = 0;

  /// Reached t + h without an event.
  bool is_plain() const { return status == Status::done; }
  /// Whether the model is at the end of a step from t to t + h, also with an event or a request to
  /// end the run there.
  bool is_at_end_of(double t, double h) const {
    return is_plain() || (status != Status::discarded && reached >= t + h * (1 - 1e-12));
  }
};

/// The more urgent of two: terminated, event, done.
inline StepOutcome::Status more_urgent(StepOutcome::Status a, StepOutcome::Status b) {
  using Status = StepOutcome::Status;
  if (a == Status::terminated || b == Status::terminated) return Status::terminated;
  return a == Status::event || b == Status::event ? Status::event : Status::done;
}

struct Experiment {
  double start = 0;
  std::optional<double> stop;
  std::optional<double> tolerance;
};

/// How often a model was called, for the statistics.
struct CallCounts {
  std::uint64_t do_step = 0, get = 0, set = 0, get_state = 0, set_state = 0, derivatives = 0,
                directional_derivatives = 0, adjoint_derivatives = 0, variable_dependencies = 0,
                event_updates = 0, warnings = 0;
};

/// The model could not compute with these values (status discard, outside a step) and is unchanged:
/// an integrator may try a smaller step. Other callers treat it as an error.
class Discarded : public Error {
 public:
  explicit Discarded(const Error& error) : Error(error) {}
};

}  // namespace tutti
