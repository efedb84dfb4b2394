// SPDX-License-Identifier: BSD-2-Clause
#include "master/island.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tutti/error.hpp>

#include "master/initialization.hpp"

namespace tutti::master {

using models::StepOutcome;

namespace {

// After a fallback its method stays for so many steps before the first one is tried again.
constexpr std::uint32_t steps_with_fallback = 20;

CouplingOptions options_of(const SimulationSettings& settings, bool has_fallback) {
  CouplingOptions options;
  options.most_iterations = settings.tolerance.iterations;
  options.relaxation = settings.relaxation.value_or(1);
  options.aitken = settings.aitken;
  options.watch_contraction = has_fallback;
  return options;
}

const models::Scalar* find_scalar(const models::ValueSet& set, const system::Point& point) {
  const auto scalars = set.scalars();
  const auto found = std::find_if(scalars.begin(), scalars.end(), [&](const models::Scalar& s) {
    return s.variable == point.variable && s.element == point.element;
  });
  return found == scalars.end() ? nullptr : &*found;
}

}  // namespace

/// A cycle with its methods, the first one first.
struct Island::CycleRun {
  CycleRun(std::vector<Cycle::Member> members, const IterationSettings& tolerance)
      : cycle(std::move(members), tolerance), x(cycle.size()) {}
  Cycle cycle;
  std::vector<std::uint32_t> components;
  std::vector<std::string> names;
  std::vector<std::unique_ptr<CouplingMethod>> methods;
  std::size_t active = 0;
  std::uint32_t steps_left = 0;  ///< with a fallback
  std::vector<double> x;
  std::size_t report = 0;
};

Island::Island(std::unique_ptr<models::Instance> instance, models::InputTable inputs)
    : single_(instance.get()), table_(std::move(inputs)) {
  instances_.push_back(std::move(instance));
  look_at_instances();
  single_->follow(&table_);
}

Island::Island(CoupledParts parts, const Log& log)
    : log_(&log), instances_(std::move(parts.instances)) {
  look_at_instances();
  parts_ = std::make_unique<CoupledParts>(std::move(parts));
  wires_ = make_wires(*parts_);
  wiring_ = std::make_unique<Wiring>(wires_);
  make_legs(*parts_);
}

Island::~Island() = default;

void Island::look_at_instances() {
  for (const auto& instance : instances_) {
    can_vary_step_ &= instance->can_vary_step();
    has_event_mode_ |= instance->has_event_mode();
    has_float32_ |= instance->outputs().has_float32();
  }
  doubles_ = instances_.front()->outputs().doubles();
}

std::vector<std::vector<Wiring::Wire>> Island::make_wires(const CoupledParts& parts) {
  std::vector<std::vector<Wiring::Wire>> wires(instances_.size());
  // One look-up table per set, because a set may have thousands of scalars.
  std::map<const models::ValueSet*,
           std::map<std::pair<std::int32_t, std::uint64_t>, const models::Scalar*>>
      known;
  const auto find = [&](const models::ValueSet& set, const system::Point& point) {
    auto& scalars = known[&set];
    if (scalars.empty())
      for (const models::Scalar& s : set.scalars()) scalars[{s.variable, s.element}] = &s;
    return scalars.at({point.variable, point.element});
  };
  for (const system::Link& link : parts.plan.links) {
    const models::ValueSet& from = instances_[link.from.component]->outputs();
    models::ValueSet& to = instances_[link.to.component]->inputs();
    wires[link.to.component].push_back(
        {&from, find(from, link.from), &to, find(to, link.to), link.factor, link.offset});
  }
  for (const ExternalSignals& external : parts.externals) {
    models::ValueSet& to = instances_[external.component]->inputs();
    for (const models::Scalar& scalar : external.values->scalars())
      wires[external.component].push_back(
          {external.values.get(), &scalar, &to,
           find_scalar(to, {external.component, scalar.variable, scalar.element}), 1, 0});
  }
  return wires;
}

void Island::make_legs(const CoupledParts& parts) {
  const auto methods_of = [&](const system::Stage& stage) {
    const bool own = stage.settings >= 0 &&
                     !parts.cycles[static_cast<std::size_t>(stage.settings)].methods.empty();
    return own ? parts.cycles[static_cast<std::size_t>(stage.settings)].methods
               : parts.settings.methods;
  };
  if (parts.settings.methods.front() == "jacobi") {
    Leg& leg = legs_.emplace_back();
    leg.reads_old_values = true;
    for (const system::Stage& stage : parts.plan.stages)
      leg.components.insert(leg.components.end(), stage.components.begin(), stage.components.end());
    return;
  }
  for (const system::Stage& stage : parts.plan.stages) {
    const std::vector<std::string> methods = methods_of(stage);
    if (!stage.is_cycle || methods.front() == "gauss-seidel") {
      if (legs_.empty() || legs_.back().cycle != nullptr || legs_.back().reads_old_values)
        legs_.emplace_back();
      legs_.back().components.insert(legs_.back().components.end(), stage.components.begin(),
                                     stage.components.end());
      continue;
    }
    Leg& leg = legs_.emplace_back();
    leg.components = stage.components;
    if (methods.front() == "jacobi") {
      leg.reads_old_values = true;
      continue;
    }
    std::vector<Cycle::Member> members;
    CycleReport& report = reports_.emplace_back();
    for (const std::uint32_t c : stage.components) {
      Cycle::Member& member = members.emplace_back(Cycle::Member{instances_[c].get(), {}});
      report.components.push_back(instances_[c]->name());
      for (const Wiring::Wire& wire : wires_[c])
        if (std::any_of(stage.components.begin(), stage.components.end(), [&](std::uint32_t o) {
              return &instances_[o]->outputs() == wire.from_set;
            }))
          member.inside.push_back(wire);
    }
    auto run = std::make_unique<CycleRun>(std::move(members), parts.settings.tolerance);
    run->components = stage.components;
    run->report = reports_.size() - 1;
    run->names = methods;
    for (std::size_t m = 0; m < methods.size(); ++m)
      run->methods.push_back(find_coupling_method(methods[m])
                                 ->make(options_of(parts.settings, m + 1 < methods.size())));
    report.method = fmt::format("{}", fmt::join(methods, ", "));
    leg.cycle = run.get();
    cycles_.push_back(std::move(run));
  }
}

void Island::initialize(const models::Experiment& experiment) {
  if (single_ != nullptr) {
    table_.write(experiment.start, single_->inputs());
    single_->initialize(experiment);
    return;
  }
  write_externals(experiment.start);
  initialize_together(*parts_, instances_, wires_, experiment, *log_);
}

void Island::write_externals(double t) {
  for (const ExternalSignals& external : parts_->externals)
    external.table->write(t, *external.values);
}

StepOutcome Island::step_together(double t, double h) {
  write_externals(t);
  found_nan_ = false;
  for (const Leg& leg : legs_)
    if (const auto ended = leg.cycle != nullptr ? run_cycle(*leg.cycle, t, h) : run_leg(leg, t, h))
      return *ended;
  return {StepOutcome::Status::done, t + h};
}

std::optional<StepOutcome> Island::run_leg(const Leg& leg, double t, double h) {
  const Wiring& wiring = *wiring_;
  if (leg.reads_old_values)
    for (const std::uint32_t c : leg.components) wiring.gather(c);
  bool nan = false;
  for (const std::uint32_t c : leg.components) {
    if (!leg.reads_old_values) wiring.gather(c);
    models::Instance& instance = *instances_[c];
    component_->store(c, std::memory_order_relaxed);
    const StepOutcome outcome = instance.step(t, h);
    if (!outcome.is_plain()) [[unlikely]] {
      if (instances_.size() == 1 || outcome.status == StepOutcome::Status::terminated)
        return outcome;
      refuse_cut(c, outcome, t);
    }
    nan |= models::ValueSet::has_nan(instance.outputs().doubles());
  }
  found_nan_ |= nan;
  return {};
}

std::optional<StepOutcome> Island::run_cycle(CycleRun& run, double t, double h) {
  Cycle& cycle = run.cycle;
  for (const std::uint32_t c : run.components) wiring_->gather(c);
  component_->store(run.components.front(), std::memory_order_relaxed);
  if (run.active > 0 && run.steps_left-- == 0) run.active = 0;
  cycle.begin(t, h);
  CycleReport& report = reports_[run.report];
  ++report.steps;
  for (;;) {
    cycle.read(run.x);
    const CouplingOutcome outcome = run.methods[run.active]->step(cycle, run.x);
    report.iterations += outcome.iterations;
    using Status = CouplingOutcome::Status;
    if (outcome.status == Status::terminated)
      return StepOutcome{StepOutcome::Status::terminated, outcome.reached};
    if (outcome.status == Status::cut)
      refuse_cut(run.components.front(), {StepOutcome::Status::discarded, outcome.reached}, t);
    const bool failed = outcome.status != Status::converged;
    if (failed && run.active + 1 < run.methods.size()) {
      cycle.go_back();
      if (report.fallbacks++ == 0)
        log_->warning("", fmt::format("t = {} s: {} does not converge in cycle {{{}}}; {} is used "
                                      "for the next {} steps",
                                      t, run.names[run.active], fmt::join(report.components, ", "),
                                      run.names[run.active + 1], steps_with_fallback));
      ++run.active;
      run.steps_left = steps_with_fallback;
      continue;
    }
    judge_cycle(run, outcome, t, h);
    found_nan_ |= cycle.has_nan();
    return {};
  }
}

void Island::judge_cycle(CycleRun& run, const CouplingOutcome& outcome, double t, double h) {
  using Status = CouplingOutcome::Status;
  if (outcome.status == Status::converged) return;
  CycleReport& report = reports_[run.report];
  const IterationSettings& tolerance = parts_->settings.tolerance;
  if (outcome.status == Status::not_finite)
    throw Error(ErrorCode::numeric,
                fmt::format("t = {} s: method {} in cycle {{{}}} runs into values that are not "
                            "numbers, at {}. Try method = \"newton\" or a smaller step.",
                            t, run.names[run.active], fmt::join(report.components, ", "),
                            run.cycle.worst_variable()));
  ++report.limit_hits;
  if (tolerance.on_limit == OnLimit::go_on) return;
  throw Error(
      ErrorCode::numeric,
      fmt::format("t = {} s: cycle {{{}}} did not converge at h = {} s: {} of {} iterations of {}, "
                  "residual {:.3g} > 1, largest at {}. Try another method (newton), a smaller "
                  "step, or tolerance.on-limit = \"continue\".",
                  t, fmt::join(report.components, ", "), h, outcome.iterations,
                  tolerance.iterations, run.names[run.active], outcome.norm,
                  run.cycle.worst_variable()));
}

void Island::refuse_cut(std::uint32_t component, const StepOutcome& outcome, double t) const {
  throw Error(ErrorCode::fmu,
              fmt::format("t = {} s: component \"{}\" ended its step at t = {} s, and the others "
                          "cannot end theirs there. Try a smaller step.",
                          t, instances_[component]->name(), outcome.reached));
}

void Island::show_inputs(double t) {
  if (single_ != nullptr) return;
  write_externals(t);
  for (std::size_t c = 0; c < instances_.size(); ++c) wiring_->gather(c);
}

bool Island::handle_event(double t) {
  if (single_ != nullptr) {
    table_.write(t, single_->inputs());
    return single_->handle_event(t);
  }
  write_externals(t);
  bool goes_on = true;
  for (const Leg& leg : legs_)
    for (const std::uint32_t c : leg.components) {
      wiring_->gather(c);
      if (instances_[c]->has_event_mode()) goes_on &= instances_[c]->handle_event(t);
    }
  return goes_on;
}

void Island::finish() {
  for (const auto& instance : instances_) instance->finish();
}

double Island::next_jump(double t) const {
  if (single_ != nullptr) return table_.next_jump(t);
  double next = std::numeric_limits<double>::infinity();
  for (const ExternalSignals& external : parts_->externals)
    next = std::min(next, external.table->next_jump(t));
  return next;
}

std::optional<double> Island::next_event() const {
  std::optional<double> next;
  for (const auto& instance : instances_)
    if (const auto event = instance->next_event(); event && (!next || *event < *next)) next = event;
  return next;
}

void Island::report_progress(const models::Instance::Progress& progress) {
  for (const auto& instance : instances_) instance->report_progress(progress);
}

std::string Island::find_nan() const {
  for (const auto& instance : instances_)
    if (const models::Scalar* scalar = instance->outputs().find_nan(); scalar != nullptr)
      return fmt::format("\"{}\" of component \"{}\" is not a number", scalar->name,
                         instance->name());
  return "";
}

std::string Island::name() const {
  return single_ != nullptr ? fmt::format("component \"{}\"", single_->name()) : "the system";
}

}  // namespace tutti::master
