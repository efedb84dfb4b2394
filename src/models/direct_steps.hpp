// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/float_control.hpp"
#include "base/time_grid.hpp"
#include "models/boundary.hpp"
#include "models/input_table.hpp"
#include "models/instance.hpp"

namespace tutti::models {

/// A double that is copied without conversion.
struct Copy {
  const double* from;
  double* to;
};

/// Transfers values to the inputs of components.
class InputWires {
 public:
  virtual std::span<const Copy> copies(std::size_t component) const = 0;
  /// There are connections other than copies...
  virtual bool has_others(std::size_t component) const = 0;
  /// ...and this transfers them.
  virtual void gather_others(std::size_t component) const = 0;

 protected:
  ~InputWires() = default;
};

/// Instances that step one after the other, for loops in which nanoseconds count: where an instance
/// allows it, a step is the bare calls of its FMU without any overhead.
class DirectSteps {
 public:
  struct Parts {
    std::span<const std::unique_ptr<Instance>> instances;  ///< of all components
    const InputWires* wires = nullptr;                     ///< null: the inputs are in place
    FloatControl float_control;                            ///< which no component may change
    std::atomic<std::uint32_t>* called = nullptr;          ///< the component that is being called
    double limit = ValueSet::largest;                      ///< of outputs
  };
  /// The FMI calls of a direct step; none: not possible.
  enum class Way : std::uint8_t { none, fmi2, fmi3 };
  static Way way_of(Instance& instance);
  /// `members` are components, in the order of their steps, that all have the same way.
  DirectSteps(const Parts& parts, std::span<const std::uint32_t> members);
  ~DirectSteps();
  DirectSteps(const DirectSteps&) = delete;
  DirectSteps& operator=(const DirectSteps&) = delete;

  std::size_t size() const { return size_; }
  std::uint32_t component(std::size_t member) const;
  /// Outputs may be infinite.
  void allow_infinity();

  /// Steps all members from t to t + h. False: stopped_at() did not return `done`; those before it
  /// did. `nan` becomes true if an output is beyond the limit.
  bool run_all(double t, double h, bool& nan);
  /// The same for several steps. False: stopped in the step from batch.n.
  struct Batch {
    const TimeGrid& grid;
    std::uint64_t& n;  ///< the point of the grid that was reached
    std::uint64_t last;
    double h;
    std::span<const ExternalSignals> externals;  ///< constant over a step
    const std::atomic<bool>& stop_requested;
    std::atomic<double>& time;  ///< reached, for the watchdog
  };
  bool run_batch(const Batch& batch, bool& nan);
  /// size(): all completed the step.
  std::size_t stopped_at() const { return stopped_at_; }
  /// Completes the step of the member at which it stopped. @throws Error
  StepOutcome complete(double t, double h, bool& nan);
  /// Steps the members after it, as in run_all(); some may take no step.
  bool run_rest(double t, double h, bool& nan);
  void leave_out_rest();

 private:
  struct Call;
  struct Kinds;

  Call make_call(std::uint32_t component);
  /// Copies inputs that FMUs read directly from their source, so that others can read them.
  void show_inputs() const;
  template <Way way, bool at_ports>
  std::size_t run_calls(std::size_t first, double t, double h, bool& nan);
  template <class F>
  auto as_they_are(const F& f);
  bool run_from(std::size_t first, double t, double h, bool& nan);
  template <Way way, bool at_ports>
  bool run_steps(const Batch& batch, bool& nan);
  template <Way way, bool at_ports>
  bool run_steps_alone(const Batch& batch, bool& nan);

  Parts parts_;
  std::unique_ptr<Kinds> kinds_;  ///< of calls, and the result of the last one
  std::vector<Call> calls_;
  std::vector<Copy> copied_later_;     ///< by show_inputs(), not in a step
  std::vector<Boundary*> boundaries_;  ///< by member; empty: no lines
  std::vector<double> no_slopes_;      ///< an instance with slopes has no direct steps
  Way way_ = Way::none;
  std::size_t size_ = 0;
  std::uint64_t taken_ = 0;  ///< steps of each member
  std::size_t stopped_at_ = 0;
};

}  // namespace tutti::models
