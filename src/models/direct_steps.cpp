// SPDX-License-Identifier: BSD-2-Clause
#include "models/direct_steps.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "fmi/direct_step.hpp"
#include "models/cs_model.hpp"

namespace tutti::models {

using fmi::DirectStep;

namespace {

using Version = DirectStep::Version;
template <Version v>
struct BareCalls {
  static constexpr Version version = v;
};

constexpr std::uint64_t looked_at_every = 64;  // steps of a component alone

}  // namespace

/// What a step of one component needs, and no more: thousands of them shall stay in the cache.
struct DirectSteps::Call {
  DirectStep::Subject subject;
  const DirectStep* step = nullptr;  ///< the calls, of this or a like instance; version none: there
                                     ///< is no short way
  const Copy* copies = nullptr;
  std::uint32_t copy_count = 0;
  std::uint32_t component : 31 = 0;
  std::uint32_t has_other_wires : 1 = 0;

  bool is_direct() const { return step->version != Version::none; }
  void gather() const {
    for (std::uint32_t k = 0; k < copy_count; ++k) *copies[k].to = *copies[k].from;
  }
};

struct DirectSteps::Kinds {
  std::unordered_multimap<DirectStep::Address, DirectStep> all;  ///< by the address of doStep
  DirectStep::End end;  ///< of the last direct step that did not end plainly

  const DirectStep* find(const DirectStep& step) {
    const auto [begin, last] = all.equal_range(step.do_step);
    auto like = std::find_if(
        begin, last, [&](const auto& other) { return other.second.makes_the_calls_of(step); });
    if (like == last) like = all.emplace(step.do_step, step);
    return &like->second;
  }
};

namespace {

/// Only these have direct steps.
CsModel& direct(const DirectSteps::Parts& parts, std::uint32_t component) {
  return static_cast<CsModel&>(*parts.instances[component]);
}

}  // namespace

DirectSteps::DirectSteps(const Parts& parts, std::span<const std::uint32_t> members)
    : parts_(parts), kinds_(std::make_unique<Kinds>()) {
  calls_.reserve(members.size());
  for (const std::uint32_t component : members) calls_.push_back(make_call(component));
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    if (calls_[i].is_direct()) direct(parts_, calls_[i].component).count_direct_steps(&taken_);
    if (i + 1 == calls_.size() || calls_[i + 1].step->version != calls_[i].step->version)
      ends_.push_back(i + 1);
  }
}

DirectSteps::~DirectSteps() {
  for (const Call& call : calls_)
    if (call.is_direct()) direct(parts_, call.component).count_direct_steps(nullptr);
}

DirectSteps::Call DirectSteps::make_call(std::uint32_t component) {
  auto* const model = dynamic_cast<CsModel*>(parts_.instances[component].get());
  const DirectStep step = model != nullptr ? model->direct_step() : DirectStep();
  Call call;
  call.component = component & 0x7fff'ffffU;  // more do not fit into memory
  call.subject = step.subject;
  call.step = kinds_->find(step);
  if (parts_.wires == nullptr) return call;
  const auto copies = parts_.wires->copies(component);
  call.copies = copies.data();
  call.copy_count = static_cast<std::uint32_t>(copies.size());
  call.has_other_wires = parts_.wires->has_others(component);
  return call;
}

std::size_t DirectSteps::size() const { return calls_.size(); }
std::uint32_t DirectSteps::component(std::size_t member) const { return calls_[member].component; }
bool DirectSteps::is_uniform() const { return ends_.size() == 1 && calls_.front().is_direct(); }
void DirectSteps::allow_infinity() { parts_.limit = std::numeric_limits<double>::infinity(); }

template <class Way>
std::size_t DirectSteps::run_calls(std::size_t first, std::size_t last, double t, double h,
                                   bool& found_nan) {
  std::atomic<std::uint32_t>& called = *parts_.called;
  const Call* const calls = calls_.data();
  DirectStep::End& end = kinds_->end;
  const double limit = parts_.limit;
  bool nan = false;
  std::size_t i = first;
  for (; i < last; ++i) {
    const Call& call = calls[i];
    call.gather();
    if (call.has_other_wires) [[unlikely]]
      parts_.wires->gather_others(call.component);
    called.store(call.component, std::memory_order_relaxed);
    const DirectStep& step = *call.step;
    const bool plain = step.run<Way::version>(call.subject, t, h, end);
    if (!parts_.float_control.holds(taken_)) [[unlikely]]
      direct(parts_, call.component).keep_float_control(t);
    if (!plain) [[unlikely]]
      break;
    for (std::uint32_t k = 0; k < step.output_size; ++k)
      nan |= ValueSet::is_beyond(call.subject.outputs[k], limit);
  }
  found_nan |= nan;
  return i;
}

std::size_t DirectSteps::run_group(std::size_t first, std::size_t last, double t, double h,
                                   bool& nan) {
  switch (calls_[first].step->version) {
    case Version::fmi2:
      return run_calls<BareCalls<Version::fmi2>>(first, last, t, h, nan);
    case Version::fmi3:
      return run_calls<BareCalls<Version::fmi3>>(first, last, t, h, nan);
    default:
      return first;
  }
}

bool DirectSteps::run_all(double t, double h, bool& nan) {
  begin();
  nan = false;
  stopped_at_ = run_group(0, calls_.size(), t, h, nan);
  return stopped_at_ == calls_.size();
}

std::size_t DirectSteps::run(std::size_t first, double t, double h, bool& nan) {
  std::size_t i = first;
  for (auto end = std::upper_bound(ends_.begin(), ends_.end(), first); end != ends_.end(); ++end) {
    i = run_group(i, *end, t, h, nan);
    if (i != *end) break;
  }
  return i;
}

bool DirectSteps::run_batch(const Batch& batch, bool& nan) {
  return calls_.front().step->version == Version::fmi2
             ? run_steps<BareCalls<Version::fmi2>>(batch, nan)
             : run_steps<BareCalls<Version::fmi3>>(batch, nan);
}

/// There is no other component that it could harm: a look at the float control now and then will
/// do. Everything is in registers: nobody else looks at it before this loop ends.
template <class Way>
bool DirectSteps::run_steps_alone(const Batch& batch, bool& nan) {
  const Call call = calls_.front();
  const DirectStep step = *call.step;
  const TimeGrid grid = batch.grid;
  const double h = batch.h, limit = parts_.limit;
  const std::uint64_t first = batch.n, last = batch.last;
  const std::atomic<bool>& stop_requested = batch.stop_requested;
  std::atomic<double>& time = batch.time;
  DirectStep::End& end = kinds_->end;
  std::uint64_t n = first;
  bool beyond = false, plain = true;
  parts_.called->store(call.component, std::memory_order_relaxed);
  for (double t = grid.uniform_point(n);
       n < last && !beyond && !stop_requested.load(std::memory_order_relaxed);) {
    for (const ExternalSignals& external : batch.externals)
      external.table->write(t, *external.values);
    call.gather();
    plain = step.run<Way::version>(call.subject, t, h, end);
    if (n % looked_at_every == 0 && !parts_.float_control.holds_exactly()) [[unlikely]]
      direct(parts_, call.component).keep_float_control(t);
    if (!plain) [[unlikely]]
      break;
    for (std::uint32_t k = 0; k < step.output_size; ++k)
      beyond |= ValueSet::is_beyond(call.subject.outputs[k], limit);
    t = grid.uniform_point(++n);
    time.store(t, std::memory_order_relaxed);
  }
  taken_ += n - first + (plain ? 0 : 1);
  batch.n = n;
  stopped_at_ = 0;
  nan = beyond;
  return plain;
}

template <class Way>
bool DirectSteps::run_steps(const Batch& batch, bool& nan) {
  const std::size_t count = calls_.size();
  if (count == 1 && !calls_.front().has_other_wires) return run_steps_alone<Way>(batch, nan);
  const TimeGrid& grid = batch.grid;
  double t = grid.uniform_point(batch.n);
  nan = false;
  while (batch.n < batch.last && !batch.stop_requested.load(std::memory_order_relaxed)) {
    for (const ExternalSignals& external : batch.externals)
      external.table->write(t, *external.values);
    begin();
    stopped_at_ = run_calls<Way>(0, count, t, batch.h, nan);
    if (stopped_at_ != count) [[unlikely]]
      return false;
    t = grid.uniform_point(++batch.n);
    batch.time.store(t, std::memory_order_relaxed);
    if (nan) [[unlikely]]
      break;
  }
  return true;
}

/// One without a short way, or one that did not simply step.
StepOutcome DirectSteps::complete(std::size_t member, double t, double h, bool& nan) {
  const Call& call = calls_[member];
  Instance& instance = *parts_.instances[call.component];
  StepOutcome outcome;
  if (call.is_direct()) {
    CsModel& model = direct(parts_, call.component);
    model.uncount_direct_step();  // it counts the rest itself
    DirectStep step = *call.step;
    step.subject = call.subject;
    outcome = model.resume(step, std::exchange(kinds_->end, {}), t, h);
  } else {
    call.gather();
    if (call.has_other_wires) parts_.wires->gather_others(call.component);
    parts_.called->store(call.component, std::memory_order_relaxed);
    outcome = instance.step(t, h);
  }
  nan |= ValueSet::any_beyond(instance.outputs().doubles(), parts_.limit);
  return outcome;
}

void DirectSteps::leave_out(std::size_t first) {
  for (std::size_t i = first; i < calls_.size(); ++i)
    if (calls_[i].is_direct()) direct(parts_, calls_[i].component).uncount_direct_step();
}

}  // namespace tutti::models
