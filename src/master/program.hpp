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

/// What one thread does at a time: one component, some that go one after the other, or a cycle that
/// iterates.
struct Unit {
  std::vector<std::uint32_t> components;
  CycleRun* cycle = nullptr;
};

/// Units that need nothing of each other within a step.
struct Phase {
  std::vector<Unit> units;
  bool reads_old_values = false;  ///< jacobi: all inputs are gathered before the first step
};

/// The units of one phase by thread; none: one thread does all.
using Shares = std::vector<std::vector<Unit>>;

/// By phase, how `threads` threads share its units, where that promises to make it faster than one
/// thread is. `seconds_per_step` by component; none: one thread does all. @pre threads > 0
std::vector<Shares> share_work(std::span<const Phase> phases,
                               std::span<const double> seconds_per_step, std::size_t threads);

/// How all components went through one step.
struct Round {
  /// All are at `reached`, and this is what they say there...
  models::StepOutcome::Status end = models::StepOutcome::Status::done;
  double reached = 0;
  std::optional<Cut> cut;    ///< ...or one is not, and others have passed it.
  bool shortened = false;    ///< the first one ended its step early, and the others there too
  bool discarded = false;    ///< ...because it discarded the rest
  bool nan = false;          ///< among the outputs; or what is infinite, where that is looked for
  std::uint32_t cause = 0;   ///< component that ended its step otherwise than plainly, if one did
  std::size_t advanced = 0;  ///< units that are through
};

/// A communication step of a coupled system as it is run: the phases of the plan one after the
/// other, the units of a phase in parallel where that is worth it.
class Program {
 public:
  /// `curves` by component; none: inputs are constant over a step.
  Program(Assembly& assembly, Externals& externals, std::span<InputCurves> curves,
          std::vector<Phase> phases);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// All components from t to t + h. The time spent in each is added to `seconds`, if there are
  /// any. The answer is valid until the next call. @throws Error
  const Round& run(double t, double h, std::span<double> seconds = {});

  /// The program is nothing but direct steps in a row: these two are a shorter way.
  bool is_plain() const { return plain_ != nullptr; }
  /// One step, or those of a batch. False: one did not end plainly, and go_on() does the rest of
  /// it. @pre is_plain()
  bool run_plainly(double t, double h, bool& nan) { return plain_->run_all(t, h, nan); }
  bool run_batch(const models::DirectSteps::Batch& batch, bool& nan) {
    return plain_->run_batch(batch, nan);
  }
  /// @pre run_plainly() or run_batch() answered false, for the same step
  const Round& go_on(double t, double h);

  /// Shares the units out among the threads by their measured cost, where that promises to make a
  /// phase faster than one thread is; without costs, one thread does all. The results do not depend
  /// on it.
  void share_out(std::span<const double> seconds_per_step);
  /// Infinite outputs are looked for, until this is called.
  void allow_infinity();
  /// The instances step otherwise than when the program was made.
  void renew() { make_legs(std::vector<Shares>(phases_.size())); }
  /// Phases that are run by several threads.
  std::size_t parallel_phases() const;
  /// The states of all components where the next steps start; none: a cycle saves its own. Those
  /// steps are longer by `detour` than the later passes of cycles.
  void use_states(std::span<const models::Snapshot> states, double detour = 0) {
    states_ = states;
    detour_ = detour;
  }

 private:
  struct Leg;
  struct Share;

  void make_legs(const std::vector<Shares>& shares);
  void add_legs(const Phase& phase);
  void begin_round();
  void run_direct(models::DirectSteps& steps, double t, double& h);
  void run_cycle(const Unit& unit, bool gathers, double t, double& h, const Watch& watch);
  /// A cycle at the start of a round whose member ended its step early rolls back by itself, and
  /// all end their steps there.
  std::optional<Cut> repeat_shorter(const Unit& unit, Cut cut, double t, double& h,
                                    const Watch& watch);
  void run_in_parallel(Leg& leg, double t, double h, double* seconds);
  void run_share(Share& share, bool gathers, double t, double h, const Watch& watch) const;
  /// Nothing: all members got to t + h.
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
  /// What the outcome of one component means for all; if it cannot be met, round_.cut.
  void take(std::uint32_t component, const models::StepOutcome& outcome, double t, double& h);
  void shorten(double reached, double t, double& h);
  /// See models::Instance::step().
  bool needs_restoring(const models::StepOutcome& outcome) const {
    return outcome.status == models::StepOutcome::Status::discarded &&
           (assembly_.parts.saves_states || !states_.empty());
  }

  const FloatControl float_control_ = FloatControl::now();  ///< which no component shall change
  Assembly& assembly_;
  Externals& externals_;
  std::span<InputCurves> curves_;
  std::vector<Phase> phases_;
  std::vector<Leg> legs_;
  models::DirectSteps* plain_ = nullptr;  ///< all that there is; null: there is more
  std::span<const models::Snapshot> states_;
  double detour_ = 0;
  double limit_ = models::ValueSet::largest;  ///< of outputs
  Round round_;
  std::unique_ptr<execution::ThreadTeam> team_;
};

}  // namespace tutti::master
