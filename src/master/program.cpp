// SPDX-License-Identifier: BSD-2-Clause
#include "master/program.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "master/outcomes.hpp"

namespace tutti::master {

using models::StepOutcome;

/// One unit in the hands of a thread, and what came out of it.
struct Program::Share {
  Unit unit;
  std::optional<Cut> cut;
  std::exception_ptr thrown;
  StepOutcome::Status end = StepOutcome::Status::done;
  bool nan = false;
};

/// Units that one thread runs in a row, or several threads side by side.
struct Program::Leg {
  std::vector<Unit> units;
  bool reads_old_values = false;
  std::vector<std::vector<Share>> shares;  ///< by thread; none: one thread does all

  /// One after the other, without a cycle or curves; null: there are some.
  std::unique_ptr<models::DirectSteps> steps;
};

Program::Program(const Parts& parts, std::vector<Phase> phases,
                 std::span<std::atomic<std::uint32_t>> called)
    : parts_(parts), phases_(std::move(phases)) {
  for (std::atomic<std::uint32_t>& place : called) watches_.push_back({&place, nullptr});
  if (watches_.size() > 1)
    team_ = std::make_unique<execution::ThreadTeam>(static_cast<unsigned>(watches_.size()));
  make_legs(std::vector<Shares>(phases_.size()));
}

Program::~Program() = default;

void Program::make_legs(const std::vector<Shares>& shares) {
  plain_ = nullptr;
  legs_.clear();
  for (std::size_t p = 0; p < phases_.size(); ++p) add_units(phases_[p], shares[p]);
  for (Leg& leg : legs_) prepare_calls(leg);
  if (legs_.size() == 1 && legs_.front().steps && !legs_.front().reads_old_values &&
      legs_.front().steps->is_uniform())
    plain_ = legs_.front().steps.get();
}

void Program::add_units(const Phase& phase, const Shares& shares) {
  if (!shares.empty() || phase.reads_old_values) {
    Leg& leg = legs_.emplace_back();
    leg.units = phase.units;
    leg.reads_old_values = phase.reads_old_values;
    for (const std::vector<Unit>& units : shares) {
      leg.shares.emplace_back();
      for (const Unit& unit : units) leg.shares.back().push_back({unit, {}, {}, {}, false});
    }
    return;
  }
  const auto is_plain = [](const Leg& leg) {
    return leg.shares.empty() && !leg.reads_old_values && leg.units.front().cycle == nullptr;
  };
  // Components one after the other, from as many phases as there are in a row.
  for (const Unit& unit : phase.units) {
    if (legs_.empty() || unit.cycle != nullptr || !is_plain(legs_.back())) legs_.emplace_back();
    if (unit.cycle != nullptr)
      legs_.back().units.push_back(unit);
    else
      for (const std::uint32_t c : unit.components) legs_.back().units.push_back({{c}, nullptr});
  }
}

void Program::prepare_calls(Leg& leg) {
  const bool iterates = std::any_of(leg.units.begin(), leg.units.end(),
                                    [](const Unit& unit) { return unit.cycle != nullptr; });
  if (!leg.shares.empty() || iterates || !parts_.curves.empty()) return;
  std::vector<std::uint32_t> members;
  for (const Unit& unit : leg.units) members.push_back(unit.components.front());
  leg.steps = std::make_unique<models::DirectSteps>(
      models::DirectSteps::Parts{parts_.instances, leg.reads_old_values ? nullptr : parts_.wiring,
                                 float_control_, watches_.front().called, limit_},
      members);
}

void Program::allow_infinity() {
  limit_ = std::numeric_limits<double>::infinity();
  for (const Leg& leg : legs_)
    if (leg.steps) leg.steps->allow_infinity();
}

const Round& Program::run(double t, double h) {
  begin_round();
  for (Leg& leg : legs_) {
    if (leg.steps)
      run_calls(leg, t, h);
    else
      run_leg(leg, t, h);
    if (round_.cut) return round_;
  }
  if (!round_.shortened) round_.reached = t + h;
  return round_;
}

const Round& Program::run_timed(double t, double h, std::span<double> seconds) {
  for (Watch& watch : watches_) watch.seconds = seconds.data();
  const auto stop_the_clock = [&](void*) {
    for (Watch& watch : watches_) watch.seconds = nullptr;
  };
  const std::unique_ptr<void, decltype(stop_the_clock)> guard(this, stop_the_clock);
  begin_round();
  for (Leg& leg : legs_) {
    run_leg(leg, t, h);
    if (round_.cut) return round_;
  }
  if (!round_.shortened) round_.reached = t + h;
  return round_;
}

const Round& Program::go_on(double t, double h) {
  if (plain_ == nullptr) return run(t, h);
  begin_round();
  run_calls(legs_.front(), t, h, true);
  if (!round_.cut && !round_.shortened) round_.reached = t + h;
  return round_;
}

void Program::run_leg(Leg& leg, double t, double& h) {
  if (leg.shares.empty())
    run_units(leg, t, h);
  else
    run_side_by_side(leg, t, h);
}

void Program::shorten(double reached, double t, double& h) {
  h = reached - t;
  round_.shortened = true;
  round_.reached = reached;
  if (!parts_.curves.empty()) parts_.aim_at(reached);
}

bool Program::take(std::uint32_t component, const StepOutcome& outcome, double t, double& h) {
  if (!outcome.is_plain()) round_.cause = component;
  if (reached_the_end(outcome, t, h)) {
    round_.end = more_urgent(round_.end, outcome.status);
  } else if (round_.advanced == 0 && outcome.reached > t && !needs_restoring(outcome)) {
    // Nobody has passed it: the others end their steps there too.
    shorten(outcome.reached, t, h);
    round_.discarded = outcome.status == StepOutcome::Status::discarded;
    round_.end = more_urgent(round_.end, outcome.status);
  } else {
    round_.cut = Cut{component, outcome};
    return false;
  }
  ++round_.advanced;
  return true;
}

void Program::run_calls(Leg& leg, double t, double& h, bool goes_on) {
  models::DirectSteps& steps = *leg.steps;
  std::size_t i = 0;
  const auto run_on = [&] {
    const std::size_t first = i;
    i = steps.run(first, t, h, round_.nan);
    round_.advanced += i - first;
  };
  if (goes_on) {
    round_.advanced += i = steps.stopped_at();
  } else {
    gather_all(leg);
    steps.begin();
  }
  try {
    if (!goes_on) run_on();
    while (i < steps.size()) {
      const StepOutcome outcome = steps.complete(i, t, h, round_.nan);
      if (!take(steps.component(i++), outcome, t, h)) {
        steps.leave_out(i);
        return;
      }
      run_on();
    }
  } catch (...) {
    steps.leave_out(i + 1);
    throw;
  }
}

std::optional<Cut> Program::run_unit(const Unit& unit, bool gather, double t, double h,
                                     const Watch& watch, StepOutcome::Status& end,
                                     bool& nan) const {
  if (unit.cycle != nullptr) {
    if (gather)
      for (const std::uint32_t c : unit.components) parts_.wiring->gather(c);
    if (auto cut = unit.cycle->step(t, h - detour_, watch, states_, detour_)) return cut;
    end = unit.cycle->end();
    nan = unit.cycle->any_beyond(limit_);
    return {};
  }
  end = StepOutcome::Status::done;
  nan = false;
  for (const std::uint32_t c : unit.components) {
    models::Instance& instance = *parts_.instances[c];
    if (gather) parts_.wiring->gather(c);
    if (!parts_.curves.empty()) parts_.curves[c].go(h);
    const StepOutcome outcome = watch.calling(c, [&] { return instance.step(t, h); });
    nan |= models::ValueSet::any_beyond(instance.outputs().doubles(), limit_);
    if (!reached_the_end(outcome, t, h)) return Cut{c, outcome};
    end = more_urgent(end, outcome.status);
  }
  return {};
}

/// jacobi: all inputs are those of t.
void Program::gather_all(const Leg& leg) const {
  if (!leg.reads_old_values) return;
  for (const Unit& unit : leg.units)
    for (const std::uint32_t c : unit.components) parts_.wiring->gather(c);
}

void Program::run_units(const Leg& leg, double t, double& h) {
  gather_all(leg);
  for (const Unit& unit : leg.units) {
    StepOutcome outcome{StepOutcome::Status::done, t + h};
    bool nan = false;
    auto cut = run_unit(unit, !leg.reads_old_values, t, h, watches_.front(), outcome.status, nan);
    if (cut && unit.cycle != nullptr && unit.cycle->can_go_back() && round_.advanced == 0 &&
        !cut->not_converged)
      cut = repeat_shorter(unit, *cut, t, h, outcome, nan);
    round_.nan |= nan;
    if (cut && unit.cycle != nullptr) {
      // Its members are at different times, or none of them has moved.
      round_.cut = cut;
      round_.cause = cut->component;
      return;
    }
    if (!take(unit.components.front(), cut ? cut->outcome : outcome, t, h)) return;
  }
}

std::optional<Cut> Program::repeat_shorter(const Unit& unit, Cut cut, double t, double& h,
                                           StepOutcome& outcome, bool& nan) {
  constexpr int most_tries = 20;
  for (int tries = 0; tries < most_tries && cut.outcome.reached > t; ++tries) {
    unit.cycle->go_back();
    shorten(cut.outcome.reached, t, h);
    outcome = {StepOutcome::Status::done, cut.outcome.reached};
    const auto again = run_unit(unit, true, t, h, watches_.front(), outcome.status, nan);
    if (!again || again->not_converged) return again;
    cut = *again;
  }
  if (cut.is_at_start(t)) {
    unit.cycle->go_back(cut.component);
    return cut;
  }
  unit.cycle->go_back();
  return Cut{cut.component, {StepOutcome::Status::discarded, t}};
}

void Program::run_side_by_side(Leg& leg, double t, double h) {
  gather_all(leg);
  team_->run([&](unsigned k) {
    for (Share& share : leg.shares[k]) {
      try {
        share.cut =
            run_unit(share.unit, !leg.reads_old_values, t, h, watches_[k], share.end, share.nan);
      } catch (...) {
        share.thrown = std::current_exception();
      }
    }
    watches_[k].called->store(Watch::nobody, std::memory_order_relaxed);
  });
  for (const std::vector<Share>& shares : leg.shares)
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
  round_.advanced += leg.units.size();
}

void Program::share_out(std::span<const double> seconds_per_step) {
  if (team_ == nullptr) return;
  make_legs(share_work(phases_, seconds_per_step, watches_.size()));
}

std::size_t Program::parallel_phases() const {
  return static_cast<std::size_t>(std::count_if(
      legs_.begin(), legs_.end(), [](const Leg& leg) { return !leg.shares.empty(); }));
}

}  // namespace tutti::master
