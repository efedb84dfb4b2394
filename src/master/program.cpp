// SPDX-License-Identifier: BSD-2-Clause
#include "master/program.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tutti::master {

using models::DirectSteps;
using models::StepOutcome;
namespace {

// About the cost of starting and ending a job of all threads.
constexpr double seconds_per_job = 1e-6;
// The gain that justifies sharing a phase.
constexpr double least_gain = 0.1;

}  // namespace

std::vector<Shares> share_work(std::span<const Phase> phases,
                               std::span<const double> seconds_per_step, std::size_t threads) {
  std::vector<Shares> all(phases.size());
  if (seconds_per_step.empty()) return all;
  const auto cost_of = [&](const Unit& unit) {
    return std::accumulate(unit.components.begin(), unit.components.end(), 0.0,
                           [&](double sum, std::uint32_t c) { return sum + seconds_per_step[c]; });
  };
  for (std::size_t p = 0; p < phases.size(); ++p) {
    // The costliest first, each to the thread with the least work.
    std::vector<Unit> units = phases[p].units;
    std::stable_sort(units.begin(), units.end(),
                     [&](const Unit& a, const Unit& b) { return cost_of(a) > cost_of(b); });
    Shares shares(threads);
    std::vector<double> loads(threads);
    for (const Unit& unit : units) {
      const auto least =
          static_cast<std::size_t>(std::min_element(loads.begin(), loads.end()) - loads.begin());
      shares[least].push_back(unit);
      loads[least] += cost_of(unit);
    }
    const double alone = std::accumulate(loads.begin(), loads.end(), 0.0);
    const double together = *std::max_element(loads.begin(), loads.end()) + seconds_per_job;
    if (together < (1 - least_gain) * alone) all[p] = std::move(shares);
  }
  return all;
}

/// A unit that a thread runs, and its result.
struct Program::Share {
  Unit unit;
  std::optional<Cut> cut;
  std::exception_ptr thrown;
  StepOutcome::Status end = StepOutcome::Status::done;
  bool nan = false;
};

/// Units that one thread runs in a row, or several threads in parallel.
struct Program::Segment {
  std::vector<Unit> units;                 ///< a cycle, or one component each, unless shared
  std::vector<std::uint32_t> gathered;     ///< components whose inputs are gathered first
  bool gathers = true;                     ///< each unit gathers its own inputs
  std::vector<std::vector<Share>> shares;  ///< by thread; empty: one thread runs all
  DirectSteps::Way way = DirectSteps::Way::none;
  std::unique_ptr<DirectSteps> steps;  ///< of all units; null: no direct steps
};

Program::Program(Assembly& assembly, Externals& externals, std::span<InputCurves> curves,
                 std::vector<Phase> phases)
    : assembly_(assembly), externals_(externals), curves_(curves), phases_(std::move(phases)) {
  if (assembly_.called.size() > 1)
    team_ = std::make_unique<execution::ThreadTeam>(static_cast<unsigned>(assembly_.called.size()));
  renew();
}

Program::~Program() = default;

void Program::make_segments(const std::vector<Shares>& shares) {
  plain_ = nullptr;
  segments_.clear();
  for (std::size_t p = 0; p < phases_.size(); ++p) {
    const std::size_t first = segments_.size();
    if (shares[p].empty()) {
      add_segments(phases_[p]);
    } else {
      segments_.emplace_back().units = phases_[p].units;
      for (const std::vector<Unit>& of_one : shares[p]) {
        auto& of_thread = segments_.back().shares.emplace_back();
        for (const Unit& unit : of_one) of_thread.push_back({unit, {}, {}, {}, false});
      }
    }
    const std::vector<Unit>& units = phases_[p].units;
    const bool is_alone = units.size() == 1 && units.front().cycle == nullptr;
    if (!phases_[p].reads_old_values || is_alone || first == segments_.size()) continue;
    // jacobi: all inputs are those of t.
    for (std::size_t l = first; l < segments_.size(); ++l) segments_[l].gathers = false;
    for (const Unit& unit : units)
      segments_[first].gathered.insert(segments_[first].gathered.end(), unit.components.begin(),
                                       unit.components.end());
  }
  for (Segment& segment : segments_) {
    if (segment.way == DirectSteps::Way::none) continue;
    std::vector<std::uint32_t> members;
    for (const Unit& unit : segment.units) members.push_back(unit.components.front());
    const Wiring* const wires = segment.gathers ? assembly_.wiring.get() : nullptr;
    segment.steps =
        std::make_unique<DirectSteps>(DirectSteps::Parts{assembly_.instances, wires, float_control_,
                                                         &assembly_.called.front(), limit_},
                                      members);
  }
  if (segments_.size() == 1 && segments_.front().gathers) plain_ = segments_.front().steps.get();
}

/// Consecutive single components make one segment, across phases; but those with direct steps are
/// separate from those without.
void Program::add_segments(const Phase& phase) {
  bool is_new = phase.reads_old_values;
  for (const Unit& unit : phase.units) {
    if (unit.cycle != nullptr) {
      segments_.emplace_back().units = {unit};
      is_new = true;
      continue;
    }
    for (const std::uint32_t c : unit.components) {
      const DirectSteps::Way way =
          curves_.empty() ? DirectSteps::way_of(*assembly_.instances[c]) : DirectSteps::Way::none;
      const Segment* const last = segments_.empty() ? nullptr : &segments_.back();
      if (is_new || last == nullptr || last->way != way || !last->shares.empty() ||
          !last->gathers || last->units.front().cycle != nullptr)
        segments_.emplace_back().way = way;
      is_new = false;
      segments_.back().units.push_back({{c}, nullptr});
    }
  }
}

void Program::allow_infinity() {
  limit_ = std::numeric_limits<double>::infinity();
  for (const Segment& segment : segments_)
    if (segment.steps) segment.steps->allow_infinity();
}

void Program::begin_round() {
  round_.cut.reset();
  round_.end = StepOutcome::Status::done;
  round_.shortened = round_.discarded = round_.nan = false;
  round_.advanced = 0;
}

const Round& Program::run(double t, double h, std::span<double> seconds) {
  const Watch watch{&assembly_.called.front(), seconds.data()};
  begin_round();
  for (Segment& segment : segments_) {
    for (const std::uint32_t c : segment.gathered) assembly_.wiring->gather(c);
    if (segment.steps && seconds.empty()) {
      segment.steps->run_all(t, h, round_.nan);
      run_direct(*segment.steps, t, h);
    } else if (!segment.shares.empty()) {
      run_in_parallel(segment, t, h, seconds.data());
    } else {
      for (const Unit& unit : segment.units) {
        if (unit.cycle != nullptr) {
          run_cycle(unit, segment.gathers, t, h, watch);
        } else {
          const std::uint32_t c = unit.components.front();
          models::Instance& instance = *assembly_.instances[c];
          set_inputs(c, segment.gathers, h);
          const Watch::Call call(watch, c);
          const StepOutcome outcome = instance.step(t, h);
          round_.nan |= is_beyond(instance);
          take(c, outcome, t, h);
        }
        if (round_.cut) break;
      }
    }
    if (round_.cut) return round_;
  }
  if (!round_.shortened) round_.reached = t + h;
  return round_;
}

const Round& Program::go_on(double t, double h) {
  begin_round();
  run_direct(*plain_, t, h);
  if (!round_.cut && !round_.shortened) round_.reached = t + h;
  return round_;
}

void Program::shorten(double reached, double t, double& h) {
  h = reached - t;
  round_.shortened = true;
  round_.reached = reached;
  // Values from outside belong to the end of the step. With jacobi, inputs are not gathered again
  // after the first component has ended its step.
  if (!curves_.empty()) externals_.aim_elsewhere(reached);
}

void Program::take(std::uint32_t component, const StepOutcome& outcome, double t, double& h) {
  if (!outcome.is_plain()) round_.cause = component;
  if (outcome.is_at_end_of(t, h)) {
    round_.end = more_urgent(round_.end, outcome.status);
  } else if (round_.advanced == 0 && outcome.reached > t && !needs_restoring(outcome)) {
    // No other has passed this time: they end their steps there, too.
    shorten(outcome.reached, t, h);
    round_.discarded = outcome.status == StepOutcome::Status::discarded;
    round_.end = more_urgent(round_.end, outcome.status);
  } else {
    round_.cut = Cut{component, outcome};
    return;
  }
  ++round_.advanced;
}

/// Continues from the member that did not end its step plainly, if any.
void Program::run_direct(DirectSteps& steps, double t, double& h) {
  round_.advanced += steps.stopped_at();
  try {
    while (steps.stopped_at() < steps.size()) {
      const std::size_t stopped = steps.stopped_at();
      const StepOutcome outcome = steps.complete(t, h, round_.nan);
      take(steps.component(stopped), outcome, t, h);
      if (round_.cut) return steps.leave_out_rest();
      steps.run_rest(t, h, round_.nan);
      round_.advanced += steps.stopped_at() - stopped - 1;
    }
  } catch (...) {
    steps.leave_out_rest();
    throw;
  }
}

std::optional<Cut> Program::step_cycle(const Unit& unit, bool gathers, double t, double h,
                                       const Watch& watch) const {
  if (gathers)
    for (const std::uint32_t c : unit.components) assembly_.wiring->gather(c);
  return unit.cycle->step(t, h - excess_, watch, states_, excess_);
}

void Program::run_cycle(const Unit& unit, bool gathers, double t, double& h, const Watch& watch) {
  CycleRun& cycle = *unit.cycle;
  auto cut = step_cycle(unit, gathers, t, h, watch);
  if (cut && cycle.can_roll_back() && round_.advanced == 0 && !cut->not_converged)
    cut = repeat_shorter(unit, *cut, t, h, watch);
  if (cut) {
    // Its members are at different times, or none of them has moved.
    round_.cut = cut;
    round_.cause = cut->component;
    return;
  }
  round_.nan |= cycle.any_beyond(limit_);
  take(unit.components.front(), {cycle.end(), t + h}, t, h);
}

std::optional<Cut> Program::repeat_shorter(const Unit& unit, Cut cut, double t, double& h,
                                           const Watch& watch) {
  constexpr int maximum_tries = 20;
  for (int tries = 0; tries < maximum_tries && cut.outcome.reached > t; ++tries) {
    unit.cycle->roll_back();
    shorten(cut.outcome.reached, t, h);
    const auto again = step_cycle(unit, true, t, h, watch);
    if (!again || again->not_converged) return again;
    cut = *again;
  }
  if (cut.is_at_start(t)) {
    unit.cycle->roll_back(cut.component);
    return cut;
  }
  unit.cycle->roll_back();
  return Cut{cut.component, {StepOutcome::Status::discarded, t}};
}

void Program::run_share(Share& share, bool gathers, double t, double h, const Watch& watch) const {
  share.cut.reset();
  share.thrown = nullptr;
  share.end = StepOutcome::Status::done;
  share.nan = false;
  if (CycleRun* const cycle = share.unit.cycle) {
    share.cut = step_cycle(share.unit, gathers, t, h, watch);
    if (share.cut) return;
    share.end = cycle->end();
    share.nan = cycle->any_beyond(limit_);
    return;
  }
  for (const std::uint32_t c : share.unit.components) {
    models::Instance& instance = *assembly_.instances[c];
    set_inputs(c, gathers, h);
    const Watch::Call call(watch, c);
    const StepOutcome outcome = instance.step(t, h);
    share.nan |= is_beyond(instance);
    if (!outcome.is_at_end_of(t, h)) {
      share.cut = Cut{c, outcome};
      return;
    }
    share.end = more_urgent(share.end, outcome.status);
  }
}

void Program::run_in_parallel(Segment& segment, double t, double h, double* seconds) {
  team_->run([&](unsigned k) {
    const Watch watch{&assembly_.called[k], seconds};
    for (Share& share : segment.shares[k]) {
      try {
        run_share(share, segment.gathers, t, h, watch);
      } catch (...) {
        share.thrown = std::current_exception();
      }
    }
    watch.note(Watch::nobody);
  });
  for (const std::vector<Share>& shares : segment.shares)
    for (const Share& share : shares) {
      if (share.thrown) std::rethrow_exception(share.thrown);
      if (share.cut && (!round_.cut || share.cut->outcome.reached < round_.cut->outcome.reached))
        round_.cut = share.cut;
      if (round_.cut)
        round_.cause = round_.cut->component;
      else if (share.end != StepOutcome::Status::done)
        round_.cause = share.unit.components.front();
      round_.nan |= share.nan;
      round_.end = more_urgent(round_.end, share.end);
    }
  round_.advanced += segment.units.size();
}

void Program::share_out(std::span<const double> seconds_per_step) {
  if (team_ == nullptr) return;
  make_segments(share_work(phases_, seconds_per_step, assembly_.called.size()));
}

std::size_t Program::parallel_phases() const {
  return static_cast<std::size_t>(
      std::count_if(segments_.begin(), segments_.end(),
                    [](const Segment& segment) { return !segment.shares.empty(); }));
}

}  // namespace tutti::master
