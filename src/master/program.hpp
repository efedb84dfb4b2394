// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/float_control.hpp"
#include "execution/thread_team.hpp"
#include "master/cycle_run.hpp"
#include "master/externals.hpp"
#include "master/input_curves.hpp"

namespace tutti::master {

class CycleRun;

/// A unit of work of one thread: one component, several in sequence, or a cycle that iterates.
struct Unit {
  std::vector<std::uint32_t> components;
  CycleRun* cycle = nullptr;
};

/// Units that are independent of each other within a step.
struct Phase {
  std::vector<Unit> units;
  bool reads_old_values = false;  ///< jacobi: all inputs are gathered before the first step
};

/// The units of one phase by thread; empty: one thread runs all.
using Shares = std::vector<std::vector<Unit>>;

/// By phase, the shares of `threads` threads, where they are expected to be faster than one thread.
/// `seconds_per_step` by component; empty: one thread runs all. @pre threads > 0
std::vector<Shares> share_work(std::span<const Phase> phases,
                               std::span<const double> seconds_per_step, std::size_t threads);

/// The outcome of one step of all components.
struct Round {
  /// All are at `reached`, with this status...
  models::StepOutcome::Status end = models::StepOutcome::Status::done;
  double reached = 0;
  std::optional<Cut> cut;   ///< ...or one is not, and others have passed its time.
  bool shortened = false;   ///< the first one ended its step early, and the others at the same time
  bool discarded = false;   ///< ...because it discarded the rest of the step
  bool nan = false;         ///< among the outputs; or infinity, where that is checked
  std::uint32_t cause = 0;  ///< component that did not end its step plainly, if any
  std::size_t advanced = 0;  ///< units that have finished
};

/// Runs communication steps of a coupled system: the phases of the plan in sequence, the units of a
/// phase in parallel where that is faster.
class Program {
 public:
  /// `curves` by component; empty: inputs are constant over a step.
  Program(Assembly& assembly, Externals& externals, std::span<InputCurves> curves,
          std::vector<Phase> phases);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Steps all components from t to t + h. The time spent in each is added to `seconds`, unless
  /// that is empty. The result is valid until the next call. @throws Error
  const Round& run(double t, double h, std::span<double> seconds = {});

  /// The program is only a sequence of direct steps: the next two functions are faster.
  bool is_plain() const { return plain_ != nullptr; }
  /// One step, or a batch of steps. False: one did not end plainly, and go_on() completes it. @pre
  /// is_plain()
  bool run_plainly(double t, double h, bool& nan) { return plain_->run_all(t, h, nan); }
  bool run_batch(const models::DirectSteps::Batch& batch, bool& nan) {
    return plain_->run_batch(batch, nan);
  }
  /// @pre run_plainly() or run_batch() returned false for the same step
  const Round& go_on(double t, double h);

  /// Distributes the units over the threads by their measured cost, where a phase is expected to be
  /// faster than on one thread; without costs, one thread runs all. The results do not depend on
  /// it.
  void share_out(std::span<const double> seconds_per_step);
  /// Stops the check for infinite outputs.
  void allow_infinity();
  /// The capabilities of instances have changed since the program was made.
  void renew() { make_segments(std::vector<Shares>(phases_.size())); }
  /// Number of phases that several threads share.
  std::size_t parallel_phases() const;
  /// The states of all components at the start of the next steps; empty: a cycle saves its own.
  /// Those steps are longer by `excess` than the later passes of cycles.
  void use_states(std::span<const models::Snapshot> states, double excess = 0) {
    states_ = states;
    excess_ = excess;
  }

 private:
  struct Segment;
  struct Share;

  void make_segments(const std::vector<Shares>& shares);
  void add_segments(const Phase& phase);
  void begin_round();
  void run_direct(models::DirectSteps& steps, double t, double& h);
  void run_cycle(const Unit& unit, bool gathers, double t, double& h, const Watch& watch);
  /// If a member of the first cycle of a round ends its step early, the cycle rolls back, and all
  /// end their steps at that time.
  std::optional<Cut> repeat_shorter(const Unit& unit, Cut cut, double t, double& h,
                                    const Watch& watch);
  void run_in_parallel(Segment& segment, double t, double h, double* seconds);
  void run_share(Share& share, bool gathers, double t, double h, const Watch& watch) const;
  /// Empty: all members reached t + h.
  std::optional<Cut> step_cycle(const Unit& unit, bool gathers, double t, double h,
                                const Watch& watch) const;
  /// The inputs of a component for a step of h.
  void set_inputs(std::uint32_t component, bool gathers, double h) const {
    if (gathers) assembly_.wiring->gather(component);
    if (!curves_.empty()) curves_[component].go(h);
  }
  bool is_beyond(const models::Instance& instance) const {
    return models::ValueSet::any_beyond(instance.outputs().doubles(), limit_);
  }
  /// Applies the outcome of one component to all; sets round_.cut if they cannot end there.
  void take(std::uint32_t component, const models::StepOutcome& outcome, double t, double& h);
  void shorten(double reached, double t, double& h);
  /// See models::Instance::step().
  bool needs_restoring(const models::StepOutcome& outcome) const {
    return outcome.status == models::StepOutcome::Status::discarded &&
           (assembly_.parts.saves_states || !states_.empty());
  }

  const FloatControl float_control_ = FloatControl::now();  ///< which no component may change
  Assembly& assembly_;
  Externals& externals_;
  std::span<InputCurves> curves_;
  std::vector<Phase> phases_;
  std::vector<Segment> segments_;
  models::DirectSteps* plain_ = nullptr;  ///< the whole program; null: there is more
  std::span<const models::Snapshot> states_;
  double excess_ = 0;
  double limit_ = models::ValueSet::largest;  ///< of outputs
  Round round_;
  std::unique_ptr<execution::ThreadTeam> team_;
};

}  // namespace tutti::master
