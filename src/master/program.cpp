// SPDX-License-Identifier: BSD-2-Clause
#include "master/program.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "master/outcomes.hpp"

namespace tutti::master {

using fmi::DirectStep;
using models::StepOutcome;

namespace {

constexpr std::uint64_t looked_at_every = 64;  // steps of a component alone

}  // namespace

/// What a step of one component needs, and no more: thousands of them shall stay in the cache.
struct Program::Call {
  DirectStep::Subject subject;
  const DirectStep* step = nullptr;  ///< the calls, of this or a like instance; version none: there
                                     ///< is no short way
  const Wiring::Copy* copies = nullptr;
  std::uint32_t copy_count = 0;
  std::uint32_t component : 31 = 0;
  std::uint32_t has_other_wires : 1 = 0;
};

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

  // One after the other, without a cycle:
  std::vector<Call> calls;
  std::vector<std::size_t> ends;  ///< of calls of the same version
  std::uint64_t taken = 0;        ///< direct steps of each call
};

Program::Program(const Parts& parts, std::vector<Phase> phases,
                 std::span<std::atomic<std::uint32_t>> called)
    : parts_(parts), phases_(std::move(phases)) {
  for (std::atomic<std::uint32_t>& place : called) watches_.push_back({&place, nullptr});
  if (watches_.size() > 1)
    team_ = std::make_unique<execution::ThreadTeam>(static_cast<unsigned>(watches_.size()));
  make_legs(std::vector<Shares>(phases_.size()));
}

Program::~Program() { count_no_more(); }

void Program::count_no_more() const {
  for (const Leg& leg : legs_)
    for (const Call& call : leg.calls)
      if (call.step->version != DirectStep::Version::none)
        parts_.instances[call.component]->count_direct_steps(nullptr);
}

void Program::make_legs(const std::vector<Shares>& shares) {
  count_no_more();
  legs_.clear();
  direct_steps_.clear();
  const auto is_plain = [](const Leg& leg) {
    return leg.shares.empty() && !leg.reads_old_values && leg.units.front().cycle == nullptr;
  };
  for (std::size_t p = 0; p < phases_.size(); ++p) {
    const Phase& phase = phases_[p];
    if (!shares[p].empty() || phase.reads_old_values) {
      Leg& leg = legs_.emplace_back();
      leg.units = phase.units;
      leg.reads_old_values = phase.reads_old_values;
      for (const std::vector<Unit>& units : shares[p]) {
        leg.shares.emplace_back();
        for (const Unit& unit : units) leg.shares.back().push_back({unit, {}, {}, {}, false});
      }
      continue;
    }
    // Components one after the other, from as many phases as there are in a row.
    for (const Unit& unit : phase.units) {
      if (legs_.empty() || unit.cycle != nullptr || !is_plain(legs_.back())) legs_.emplace_back();
      if (unit.cycle != nullptr)
        legs_.back().units.push_back(unit);
      else
        for (const std::uint32_t c : unit.components) legs_.back().units.push_back({{c}, nullptr});
    }
  }
  for (Leg& leg : legs_) {
    const bool iterates = std::any_of(leg.units.begin(), leg.units.end(),
                                      [](const Unit& unit) { return unit.cycle != nullptr; });
    if (!leg.shares.empty() || iterates || !parts_.curves.empty()) continue;
    for (const Unit& unit : leg.units) leg.calls.push_back(make_call(unit.components.front()));
    for (std::size_t i = 0; i < leg.calls.size(); ++i) {
      const Call& call = leg.calls[i];
      if (i + 1 == leg.calls.size() || leg.calls[i + 1].step->version != call.step->version)
        leg.ends.push_back(i + 1);
    }
  }
  for (const Leg& leg : legs_)
    for (const Call& call : leg.calls)
      if (call.step->version != DirectStep::Version::none)
        parts_.instances[call.component]->count_direct_steps(&leg.taken);
  const bool is_plain_program =
      legs_.size() == 1 && legs_.front().ends.size() == 1 && !legs_.front().reads_old_values;
  plain_version_ =
      is_plain_program ? legs_.front().calls.front().step->version : DirectStep::Version::none;
}

Program::Call Program::make_call(std::uint32_t component) {
  Call call;
  call.component = component & 0x7fff'ffffU;  // more do not fit into memory
  const DirectStep step = parts_.instances[component]->direct_step();
  call.subject = step.subject;
  const auto [begin, end] = direct_steps_.equal_range(step.do_step);
  auto like = std::find_if(
      begin, end, [&](const auto& other) { return other.second.makes_the_calls_of(step); });
  if (like == end) like = direct_steps_.emplace(step.do_step, step);
  call.step = &like->second;
  const auto copies = parts_.wiring->copies(component);
  call.copies = copies.data();
  call.copy_count = static_cast<std::uint32_t>(copies.size());
  call.has_other_wires = parts_.wiring->has_others(component);
  return call;
}

const Round& Program::run(double t, double h) {
  begin_round();
  for (Leg& leg : legs_) {
    if (!leg.calls.empty())
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

template <DirectStep::Version version>
bool Program::run_whole(double t, double h, bool& nan) {
  Leg& leg = legs_.front();
  const std::size_t count = leg.calls.size();
  ++leg.taken;
  nan = false;
  stopped_at_ = run_directly<version>(leg, 0, count, t, h, nan);
  return stopped_at_ == count;
}

template bool Program::run_whole<DirectStep::Version::fmi2>(double t, double h, bool& nan);
template bool Program::run_whole<DirectStep::Version::fmi3>(double t, double h, bool& nan);

/// There is no other component that it could harm: a look at the float control now and then will
/// do. Everything is in registers: nobody else looks at it before this loop ends.
template <DirectStep::Version version>
bool Program::run_steps_alone(const Batch& batch, bool& nan) {
  Leg& leg = legs_.front();
  const Call call = leg.calls.front();
  const DirectStep step = *call.step;
  const TimeGrid grid = batch.grid;
  const double h = batch.h, limit = limit_;
  const std::uint64_t first = batch.n, last = batch.last;
  std::uint64_t n = first;
  bool beyond = false, plain = true;
  watches_.front().called->store(call.component, std::memory_order_relaxed);
  for (double t = grid.uniform_point(n);
       n < last && !beyond && !batch.monitor.stop_requested.load(std::memory_order_relaxed);) {
    for (const ExternalSignals& external : batch.externals)
      external.table->write(t, *external.values);
    for (std::uint32_t k = 0; k < call.copy_count; ++k) *call.copies[k].to = *call.copies[k].from;
    plain = step.run<version>(call.subject, t, h, end_);
    if (n % looked_at_every == 0 && !float_control_.holds_exactly()) [[unlikely]]
      parts_.instances[call.component]->keep_float_control(t);
    if (!plain) [[unlikely]]
      break;
    for (std::uint32_t k = 0; k < step.output_size; ++k)
      beyond |= models::ValueSet::is_beyond(call.subject.outputs[k], limit);
    t = grid.uniform_point(++n);
    batch.monitor.time.store(t, std::memory_order_relaxed);
  }
  leg.taken += n - first + (plain ? 0 : 1);
  batch.n = n;
  stopped_at_ = 0;
  nan = beyond;
  return plain;
}

template <DirectStep::Version version>
bool Program::run_steps(const Batch& batch, bool& nan) {
  Leg& leg = legs_.front();
  const std::size_t count = leg.calls.size();
  if (count == 1 && !leg.calls.front().has_other_wires) return run_steps_alone<version>(batch, nan);
  const TimeGrid& grid = batch.grid;
  const auto stops = [&] { return batch.monitor.stop_requested.load(std::memory_order_relaxed); };
  double t = grid.uniform_point(batch.n);
  nan = false;
  while (batch.n < batch.last && !stops()) {
    for (const ExternalSignals& external : batch.externals)
      external.table->write(t, *external.values);
    ++leg.taken;
    stopped_at_ = run_directly<version>(leg, 0, count, t, batch.h, nan);
    if (stopped_at_ != count) [[unlikely]]
      return false;
    t = grid.uniform_point(++batch.n);
    batch.monitor.time.store(t, std::memory_order_relaxed);
    if (nan) [[unlikely]]
      break;
  }
  return true;
}

template bool Program::run_steps<DirectStep::Version::fmi2>(const Batch& batch, bool& nan);
template bool Program::run_steps<DirectStep::Version::fmi3>(const Batch& batch, bool& nan);

const Round& Program::go_on(double t, double h) {
  if (plain_version_ == DirectStep::Version::none) return run(t, h);
  begin_round();
  run_calls(legs_.front(), t, h, stopped_at_);
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

template <DirectStep::Version version>
std::size_t Program::run_directly(const Leg& leg, std::size_t first, std::size_t last, double t,
                                  double h, bool& found_nan) {
  const bool gather = !leg.reads_old_values;
  std::atomic<std::uint32_t>& called = *watches_.front().called;
  const Call* const calls = leg.calls.data();
  const double limit = limit_;
  bool nan = false;
  std::size_t i = first;
  for (; i < last; ++i) {
    const Call& call = calls[i];
    if (gather) {
      for (std::uint32_t k = 0; k < call.copy_count; ++k) *call.copies[k].to = *call.copies[k].from;
      if (call.has_other_wires) [[unlikely]]
        parts_.wiring->gather_others(call.component);
    }
    called.store(call.component, std::memory_order_relaxed);
    const DirectStep& step = *call.step;
    const bool plain = step.run<version>(call.subject, t, h, end_);
    if (!float_control_.holds(leg.taken)) [[unlikely]]
      parts_.instances[call.component]->keep_float_control(t);
    if (!plain) [[unlikely]]
      break;
    for (std::uint32_t k = 0; k < step.output_size; ++k)
      nan |= models::ValueSet::is_beyond(call.subject.outputs[k], limit);
  }
  found_nan |= nan;
  return i;
}

/// One without a short way, or one that did not simply step.
StepOutcome Program::run_unusual(const Call& call, bool gather, double t, double h) {
  models::Instance& instance = *parts_.instances[call.component];
  StepOutcome outcome;
  if (call.step->version == DirectStep::Version::none) {
    if (gather) parts_.wiring->gather(call.component);
    outcome = watches_.front().calling(call.component, [&] { return instance.step(t, h); });
  } else {
    instance.uncount_direct_step();  // it counts the rest itself
    DirectStep step = *call.step;
    step.subject = call.subject;
    outcome = instance.resume(step, std::exchange(end_, {}), t, h);
  }
  round_.nan |= models::ValueSet::any_beyond(instance.outputs().doubles(), limit_);
  return outcome;
}

void Program::run_calls(Leg& leg, double t, double& h, std::optional<std::size_t> stopped_at) {
  if (!stopped_at) {
    gather_all(leg);
    ++leg.taken;
  }
  std::size_t i = stopped_at.value_or(0);
  bool is_stopped = stopped_at.has_value();
  round_.advanced += i;
  try {
    for (const std::size_t last : leg.ends) {
      const DirectStep::Version version = leg.calls[i].step->version;
      while (i < last) {
        const std::size_t first = i;
        if (!is_stopped && version == DirectStep::Version::fmi2)
          i = run_directly<DirectStep::Version::fmi2>(leg, i, last, t, h, round_.nan);
        else if (!is_stopped && version == DirectStep::Version::fmi3)
          i = run_directly<DirectStep::Version::fmi3>(leg, i, last, t, h, round_.nan);
        is_stopped = false;
        round_.advanced += i - first;
        if (i == last) break;
        const Call& call = leg.calls[i];
        const StepOutcome outcome = run_unusual(call, !leg.reads_old_values, t, h);
        ++i;
        if (!take(call.component, outcome, t, h)) {
          uncount(leg, i, parts_);
          return;
        }
      }
    }
  } catch (...) {
    uncount(leg, i + 1, parts_);
    throw;
  }
}

void Program::uncount(const Leg& leg, std::size_t first, const Parts& parts) {
  for (std::size_t i = first; i < leg.calls.size(); ++i)
    if (leg.calls[i].step->version != DirectStep::Version::none)
      parts.instances[leg.calls[i].component]->uncount_direct_step();
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
