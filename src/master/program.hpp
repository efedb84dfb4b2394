// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <span>

#include "base/float_control.hpp"
#include "execution/thread_team.hpp"
#include "master/coupled_parts.hpp"
#include "master/cycle_run.hpp"
#include "master/input_curves.hpp"
#include "master/wiring.hpp"
#include "master/work_sharing.hpp"
#include "models/direct_steps.hpp"

namespace tutti::master {

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
  struct Parts {
    std::span<const std::unique_ptr<models::Instance>> instances;
    const Wiring* wiring = nullptr;
    std::span<InputCurves> curves;  ///< by component; none: inputs hold over the step
    bool states_are_saved = false;  ///< before each step
    /// With curves: the step ends at this time instead, so what comes from outside aims there.
    std::function<void(double end)> aim_at;
  };
  /// `called`: for each thread, where to note whom it calls.
  Program(const Parts& parts, std::vector<Phase> phases,
          std::span<std::atomic<std::uint32_t>> called);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// All components from t to t + h. The answer is valid until the next call. @throws Error
  const Round& run(double t, double h);
  /// The shortest way, if the program is nothing but direct steps in a row. False: it is more, or
  /// one did not end plainly; then go_on() does the rest of the step.
  bool run_plainly(double t, double h, bool& nan) {
    nan = false;
    return plain_ != nullptr && plain_->run_all(t, h, nan);
  }
  /// Steps of a batch. False: the step from batch.n did not end plainly, and go_on() does the rest
  /// of it. @pre is_plain()
  bool run_batch(const models::DirectSteps::Batch& batch, bool& nan) {
    return plain_->run_batch(batch, nan);
  }
  bool is_plain() const { return plain_ != nullptr; }
  /// @pre run_plainly() or run_batch() answered false, for the same step
  const Round& go_on(double t, double h);
  /// The same while the time spent in each component is added to `seconds`.
  const Round& run_timed(double t, double h, std::span<double> seconds);
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
  void add_units(const Phase& phase, const Shares& shares);
  void prepare_calls(Leg& leg);
  void begin_round() {
    round_.cut.reset();
    round_.end = models::StepOutcome::Status::done;
    round_.shortened = round_.discarded = round_.nan = false;
    round_.advanced = 0;
  }
  void run_leg(Leg& leg, double t, double& h);
  /// `goes_on`: with the call whose direct step did not end plainly.
  void run_calls(Leg& leg, double t, double& h, bool goes_on = false);
  void gather_all(const Leg& leg) const;
  void run_units(const Leg& leg, double t, double& h);
  void run_side_by_side(Leg& leg, double t, double h);
  /// One unit on its own. Nothing: it got to t + h, and *end tells more.
  std::optional<Cut> run_unit(const Unit& unit, bool gather, double t, double h, const Watch& watch,
                              models::StepOutcome::Status& end, bool& nan) const;
  /// What the outcome of one component means for all. False: the round ends here.
  void shorten(double reached, double t, double& h);
  /// A cycle at the start of a round whose member ended its step early rolls back by itself, and
  /// all end their steps there.
  std::optional<Cut> repeat_shorter(const Unit& unit, Cut cut, double t, double& h,
                                    models::StepOutcome& outcome, bool& nan);
  bool take(std::uint32_t component, const models::StepOutcome& outcome, double t, double& h);
  /// See models::Instance::step().
  bool needs_restoring(const models::StepOutcome& outcome) const {
    return outcome.status == models::StepOutcome::Status::discarded &&
           (parts_.states_are_saved || !states_.empty());
  }

  const FloatControl float_control_ = FloatControl::now();  ///< which no component shall change
  Parts parts_;
  std::vector<Phase> phases_;
  std::vector<Leg> legs_;
  models::DirectSteps* plain_ = nullptr;  ///< all that there is; null: there is more
  std::vector<Watch> watches_;            ///< by thread
  std::span<const models::Snapshot> states_;
  double detour_ = 0;
  double limit_ = models::ValueSet::largest;  ///< of outputs
  Round round_;
  std::unique_ptr<execution::ThreadTeam> team_;
};

}  // namespace tutti::master
