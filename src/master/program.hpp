// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <span>
#include <unordered_map>

#include "base/float_control.hpp"
#include "base/time_grid.hpp"
#include "execution/thread_team.hpp"
#include "master/coupled_parts.hpp"
#include "master/cycle_run.hpp"
#include "master/input_curves.hpp"
#include "master/observer.hpp"
#include "master/wiring.hpp"
#include "master/work_sharing.hpp"

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
/// other, the units of a phase side by side where that is worth it.
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
    switch (plain_version_) {
      case fmi::DirectStep::Version::fmi2:
        return run_whole<fmi::DirectStep::Version::fmi2>(t, h, nan);
      case fmi::DirectStep::Version::fmi3:
        return run_whole<fmi::DirectStep::Version::fmi3>(t, h, nan);
      default:
        nan = false;
        return false;
    }
  }
  /// Steps of a batch, if the program is nothing but direct steps in a row. False: the step from
  /// batch.n did not end plainly, and go_on() does the rest of it. @pre is_plain()
  struct Batch {
    const TimeGrid& grid;
    std::uint64_t& n;  ///< the point of the grid that was reached
    std::uint64_t last;
    double h;
    std::span<const ExternalSignals> externals;  ///< values at the start of a step hold over it
    Monitor& monitor;
  };
  bool run_batch(const Batch& batch, bool& nan) {
    return plain_version_ == fmi::DirectStep::Version::fmi2
               ? run_steps<fmi::DirectStep::Version::fmi2>(batch, nan)
               : run_steps<fmi::DirectStep::Version::fmi3>(batch, nan);
  }
  bool is_plain() const { return plain_version_ != fmi::DirectStep::Version::none; }
  /// @pre run_plainly() or run_batch() answered false, for the same step
  const Round& go_on(double t, double h);
  /// The same while the time spent in each component is added to `seconds`.
  const Round& run_timed(double t, double h, std::span<double> seconds);
  /// Shares the units out among the threads by their measured cost, where that promises to make a
  /// phase faster than one thread is; without costs, one thread does all. The results do not depend
  /// on it.
  void share_out(std::span<const double> seconds_per_step);
  /// Infinite outputs are looked for, until this is called.
  void allow_infinity() { limit_ = std::numeric_limits<double>::infinity(); }
  /// The instances step otherwise than when the program was made.
  void renew() { make_legs(std::vector<Shares>(phases_.size())); }
  /// Phases that are run by several threads.
  std::size_t parallel_phases() const;
  /// The states of all components where the next steps begin; none: a cycle saves its own. Those
  /// steps are longer by `detour` than the later passes of cycles.
  void use_states(std::span<const models::Snapshot> states, double detour = 0) {
    states_ = states;
    detour_ = detour;
  }

 private:
  struct Call;
  struct Leg;
  struct Share;

  void make_legs(const std::vector<Shares>& shares);
  void count_no_more() const;
  Call make_call(std::uint32_t component);
  void begin_round() {
    round_.cut.reset();
    round_.end = models::StepOutcome::Status::done;
    round_.shortened = round_.discarded = round_.nan = false;
    round_.advanced = 0;
  }
  void run_leg(Leg& leg, double t, double& h);
  /// `stopped_at`: a call whose direct step did not end plainly, those before it did.
  void run_calls(Leg& leg, double t, double& h, std::optional<std::size_t> stopped_at = {});
  template <fmi::DirectStep::Version version>
  std::size_t run_directly(const Leg& leg, std::size_t first, std::size_t last, double t, double h,
                           bool& nan);
  template <fmi::DirectStep::Version version>
  bool run_whole(double t, double h, bool& nan);
  template <fmi::DirectStep::Version version>
  bool run_steps(const Batch& batch, bool& nan);
  template <fmi::DirectStep::Version version>
  bool run_steps_alone(const Batch& batch, bool& nan);
  models::StepOutcome run_unusual(const Call& call, bool gather, double t, double h);
  void gather_all(const Leg& leg) const;
  void run_units(const Leg& leg, double t, double& h);
  void run_side_by_side(Leg& leg, double t, double h);
  /// One unit on its own. Nothing: it got to t + h, and *end tells more.
  std::optional<Cut> run_unit(const Unit& unit, bool gather, double t, double h, const Watch& watch,
                              models::StepOutcome::Status& end, bool& nan) const;
  /// What the outcome of one component means for all. False: the round ends here.
  void shorten(double reached, double t, double& h);
  /// A cycle at the begin of a round whose member ended its step early goes back by itself, and all
  /// end their steps there.
  std::optional<Cut> repeat_shorter(const Unit& unit, Cut cut, double t, double& h,
                                    models::StepOutcome& outcome, bool& nan);
  bool take(std::uint32_t component, const models::StepOutcome& outcome, double t, double& h);
  /// See models::Instance::step().
  bool needs_restoring(const models::StepOutcome& outcome) const {
    return outcome.status == models::StepOutcome::Status::discarded &&
           (parts_.states_are_saved || !states_.empty());
  }
  static void uncount(const Leg& leg, std::size_t first, const Parts& parts);

  const FloatControl float_control_ = FloatControl::now();  ///< which no component shall change
  Parts parts_;
  std::vector<Phase> phases_;
  std::vector<Leg> legs_;
  /// One of each kind, by the address of doStep.
  std::unordered_multimap<fmi::DirectStep::Address, fmi::DirectStep> direct_steps_;
  std::vector<Watch> watches_;  ///< by thread
  std::span<const models::Snapshot> states_;
  double detour_ = 0;
  double limit_ = models::ValueSet::largest;  ///< of outputs
  fmi::DirectStep::Version plain_version_ = fmi::DirectStep::Version::none;
  std::size_t stopped_at_ = 0;  ///< by run_plainly()
  Round round_;
  fmi::DirectStep::End end_;  ///< of the last direct step that did not end plainly
  std::unique_ptr<execution::ThreadTeam> team_;
};

}  // namespace tutti::master
