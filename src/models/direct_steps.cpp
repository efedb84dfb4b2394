// SPDX-License-Identifier: BSD-2-Clause
#include "models/direct_steps.hpp"

#include <algorithm>
#include <utility>

#include "fmi/direct_step.hpp"
#include "models/cs_model.hpp"

namespace tutti::models {

using fmi::DirectStep;

namespace {

using Version = DirectStep::Version;

constexpr Version version_of(DirectSteps::Way way) {
  return way == DirectSteps::Way::fmi2 ? Version::fmi2 : Version::fmi3;
}

constexpr std::uint64_t looked_at_every = 64;  // steps of a component alone

}  // namespace

/// The minimal data for a step of one component: thousands of them must fit into the cache.
struct DirectSteps::Call {
  DirectStep::Subject subject;
  const DirectStep* step = nullptr;  ///< the calls, of this or a like instance
  const Copy* copies = nullptr;      ///< to the inputs; none: the FMU reads them from their source
  std::uint32_t copy_count = 0;
  std::uint32_t component : 31 = 0;
  std::uint32_t has_other_wires : 1 = 0;

  void gather() const {
    for (std::uint32_t k = 0; k < copy_count; ++k) *copies[k].to = *copies[k].from;
  }
};

struct DirectSteps::Kinds {
  std::unordered_multimap<DirectStep::Address, DirectStep> all;  ///< by the address of doStep
  DirectStep::End end;  ///< of the last direct step that did not return `done`

  const DirectStep* find(const DirectStep& step) {
    const auto [begin, last] = all.equal_range(step.do_step);
    auto like = std::find_if(
        begin, last, [&](const auto& other) { return other.second.makes_the_calls_of(step); });
    if (like == last) like = all.emplace(step.do_step, step);
    return &like->second;
  }
};

namespace {

/// Only co-simulation FMUs have direct steps.
CsModel& direct(const DirectSteps::Parts& parts, std::uint32_t component) {
  return static_cast<CsModel&>(*parts.instances[component]);
}

/// The source values of all inputs are contiguous, too.
bool are_all_inputs(std::span<const Copy> copies, const DirectStep& step) {
  if (copies.empty() || copies.size() != step.input_size) return false;
  for (std::size_t k = 0; k < copies.size(); ++k)
    if (copies[k].from != copies[0].from + k || copies[k].to != step.subject.inputs + k)
      return false;
  return true;
}

}  // namespace

DirectSteps::Way DirectSteps::way_of(Instance& instance) {
  auto* const model = dynamic_cast<CsModel*>(&instance);
  switch (model != nullptr ? model->direct_step().version : Version::none) {
    case Version::fmi2:
      return Way::fmi2;
    case Version::fmi3:
      return Way::fmi3;
    default:
      return Way::none;
  }
}

DirectSteps::DirectSteps(const Parts& parts, std::span<const std::uint32_t> members)
    : parts_(parts),
      kinds_(std::make_unique<Kinds>()),
      way_(way_of(*parts.instances[members.front()])),
      size_(members.size()) {
  calls_.reserve(members.size());
  for (const std::uint32_t component : members) {
    calls_.push_back(make_call(component));
    direct(parts_, component).count_direct_steps(&taken_);
    if (Boundary* const boundary = direct(parts_, component).boundary()) {
      boundaries_.resize(members.size());
      boundaries_[calls_.size() - 1] = boundary;
    }
  }
}

DirectSteps::~DirectSteps() {
  for (const Call& call : calls_) direct(parts_, call.component).count_direct_steps(nullptr);
}

DirectSteps::Call DirectSteps::make_call(std::uint32_t component) {
  const DirectStep step = direct(parts_, component).direct_step();
  Call call;
  call.component = component & 0x7fff'ffffU;  // more do not fit into memory
  call.subject = step.subject;
  call.step = kinds_->find(step);
  if (parts_.wires == nullptr) return call;
  const auto copies = parts_.wires->copies(component);
  call.has_other_wires = parts_.wires->has_others(component);
  if (are_all_inputs(copies, step)) {
    call.subject.inputs = copies.front().from;
    copied_later_.insert(copied_later_.end(), copies.begin(), copies.end());
    return call;
  }
  call.copies = copies.data();
  call.copy_count = static_cast<std::uint32_t>(copies.size());
  return call;
}

std::uint32_t DirectSteps::component(std::size_t member) const { return calls_[member].component; }
void DirectSteps::allow_infinity() { parts_.limit = std::numeric_limits<double>::infinity(); }

template <DirectSteps::Way way, bool at_ports>
std::size_t DirectSteps::run_calls(std::size_t first, double t, double h, bool& found_nan) {
  std::atomic<std::uint32_t>& called = *parts_.called;
  const Call* const calls = calls_.data();
  DirectStep::End& end = kinds_->end;
  const double limit = parts_.limit;
  const std::size_t size = size_;
  bool nan = false;
  std::size_t i = first;
  for (; i < size; ++i) {
    const Call& call = calls[i];
    call.gather();
    if (call.has_other_wires) [[unlikely]]
      parts_.wires->gather_others(call.component);
    if constexpr (at_ports)
      if (boundaries_[i] != nullptr) boundaries_[i]->begin(t, h, no_slopes_);
    called.store(call.component, std::memory_order_relaxed);
    const DirectStep& step = *call.step;
    const bool plain = step.run<version_of(way)>(call.subject, t, h, end);
    if (!parts_.float_control.holds(taken_)) [[unlikely]]
      direct(parts_, call.component).keep_float_control(t);
    if (!plain) [[unlikely]]
      break;
    if constexpr (at_ports)
      if (boundaries_[i] != nullptr) boundaries_[i]->accept(t + h, false);
    for (std::uint32_t k = 0; k < step.output_size; ++k)
      nan |= ValueSet::is_beyond(call.subject.outputs[k], limit);
  }
  found_nan |= nan;
  return i;
}

/// Calls `f` for the way of the members, with their boundaries if lines end at their ports.
template <class F>
auto DirectSteps::as_they_are(const F& f) {
  const bool at_ports = !boundaries_.empty();
  if (way_ == Way::fmi2)
    return at_ports ? f.template operator()<Way::fmi2, true>()
                    : f.template operator()<Way::fmi2, false>();
  return at_ports ? f.template operator()<Way::fmi3, true>()
                  : f.template operator()<Way::fmi3, false>();
}

void DirectSteps::show_inputs() const {
  for (const Copy& copy : copied_later_) *copy.to = *copy.from;
}

bool DirectSteps::run_from(std::size_t first, double t, double h, bool& nan) {
  stopped_at_ = first;
  if (first == size_) return true;
  stopped_at_ = as_they_are(
      [&]<Way way, bool at_ports>() { return run_calls<way, at_ports>(first, t, h, nan); });
  show_inputs();
  return stopped_at_ == size_;
}

bool DirectSteps::run_all(double t, double h, bool& nan) {
  ++taken_;
  return run_from(0, t, h, nan);
}

bool DirectSteps::run_rest(double t, double h, bool& nan) {
  return run_from(stopped_at_ + 1, t, h, nan);
}

bool DirectSteps::run_batch(const Batch& batch, bool& nan) {
  const bool plain =
      as_they_are([&]<Way way, bool at_ports>() { return run_steps<way, at_ports>(batch, nan); });
  show_inputs();
  return plain;
}

/// There is no other component that it could affect, so the float control is checked only now and
/// then. All values are in registers: no other thread reads them before this loop ends.
template <DirectSteps::Way way, bool at_ports>
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
  [[maybe_unused]] Boundary* const boundary = at_ports ? boundaries_.front() : nullptr;
  parts_.called->store(call.component, std::memory_order_relaxed);
  for (double t = grid.uniform_point(n);
       n < last && !beyond && !stop_requested.load(std::memory_order_relaxed);) {
    for (const ExternalSignals& external : batch.externals)
      external.table->write(t, *external.values);
    call.gather();
    if constexpr (at_ports) {
      boundary->publish(t);
      boundary->begin(t, h, no_slopes_);
    }
    plain = step.run<version_of(way)>(call.subject, t, h, end);
    if (n % looked_at_every == 0 && !parts_.float_control.holds_exactly()) [[unlikely]]
      direct(parts_, call.component).keep_float_control(t);
    if (!plain) [[unlikely]]
      break;
    if constexpr (at_ports) boundary->accept(t + h, false);
    for (std::uint32_t k = 0; k < step.output_size; ++k)
      beyond |= ValueSet::is_beyond(call.subject.outputs[k], limit);
    t = grid.uniform_point(++n);
    time.store(t, std::memory_order_relaxed);
  }
  taken_ += n - first + (plain ? 0 : 1);
  batch.n = n;
  stopped_at_ = plain ? 1 : 0;
  nan |= beyond;
  return plain;
}

template <DirectSteps::Way way, bool at_ports>
bool DirectSteps::run_steps(const Batch& batch, bool& nan) {
  if (size_ == 1 && !calls_.front().has_other_wires)
    return run_steps_alone<way, at_ports>(batch, nan);
  const TimeGrid& grid = batch.grid;
  double t = grid.uniform_point(batch.n);
  while (batch.n < batch.last && !batch.stop_requested.load(std::memory_order_relaxed)) {
    for (const ExternalSignals& external : batch.externals)
      external.table->write(t, *external.values);
    if constexpr (at_ports)
      for (Boundary* const boundary : boundaries_)
        if (boundary != nullptr) boundary->publish(t);
    ++taken_;
    stopped_at_ = run_calls<way, at_ports>(0, t, batch.h, nan);
    if (stopped_at_ != size_) [[unlikely]]
      return false;
    t = grid.uniform_point(++batch.n);
    batch.time.store(t, std::memory_order_relaxed);
    if (nan) [[unlikely]]
      break;
  }
  return true;
}

StepOutcome DirectSteps::complete(double t, double h, bool& nan) {
  const Call& call = calls_[stopped_at_];
  CsModel& model = direct(parts_, call.component);
  model.uncount_direct_step();  // complete() counts this step
  DirectStep step = *call.step;
  step.subject = call.subject;
  const StepOutcome outcome = model.resume(step, std::exchange(kinds_->end, {}), t, h);
  nan |= ValueSet::any_beyond(model.outputs().doubles(), parts_.limit);
  return outcome;
}

void DirectSteps::leave_out_rest() {
  for (std::size_t i = stopped_at_ + 1; i < size_; ++i)
    direct(parts_, calls_[i].component).uncount_direct_step();
}

}  // namespace tutti::models
