// SPDX-License-Identifier: BSD-2-Clause
#include "session/cases/case_runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/seconds.hpp"
#include "fmi/file_cache.hpp"
#include "session/running_system.hpp"
#include "session/session_observers.hpp"

namespace tutti::session {

using execution::Monitor;
namespace {

/// Passes points on to several observers.
class PointSplitter final : public master::StepObserver {
 public:
  void clear() { to_.clear(); }
  void add(master::StepObserver& observer) { to_.push_back(&observer); }
  master::StepObserver* get() {
    if (to_.empty()) return nullptr;
    return to_.size() == 1 ? to_.front() : this;
  }
  void record(double t) override {
    for (StepObserver* const observer : to_) observer->record(t);
  }
  void hold() override {
    for (StepObserver* const observer : to_) observer->hold();
  }
  bool is_holding() const override {
    return std::ranges::any_of(to_, [](const auto* observer) { return observer->is_holding(); });
  }
  void release() override {
    for (StepObserver* const observer : to_) observer->release();
  }
  void drop() override {
    for (StepObserver* const observer : to_) observer->drop();
  }

 private:
  std::vector<StepObserver*> to_;
};

/// Of the recorded columns, as run() records them.
void observe_columns(const RunSetup& setup, const RunningSystem& running, Observer& rows,
                     SessionObservers& observers) {
  std::vector<SessionObservers::Source> sources;
  for (const results::Recorder::Choice& choice : setup.choose(running.system()))
    for (const models::Scalar* const scalar : choice.scalars)
      sources.push_back({choice.values, scalar});
  observers.add({std::shared_ptr<Observer>(), &rows}, setup.outline.report.columns,
                std::move(sources));
}

CaseResult failed_case(const Case& task, const Error& error) {
  CaseResult result;
  result.number = task.number;
  result.end.kind = RunEnd::Kind::failed;
  result.end.started = false;
  result.end.error = error;
  return result;
}

}  // namespace

CaseRunner::CaseRunner(std::vector<CaseSystem> systems, Options options, Monitor& monitor,
                       const Log& log)
    : given_(std::move(systems)), options_(std::move(options)), monitor_(monitor), log_(log) {
  options_.run.open.cache = make_file_cache();  // of its own, because it keeps FMUs
  options_.run.open.cache->keep_fmus();
  for (const CaseSystem& given : given_) {
    Slot& slot = slots_.emplace_back();
    slot.system = std::make_unique<OpenCaseSystem>(given, options_.run, log_);
    slot.pool = std::make_shared<fmi::InstancePool>();
    slot.reuse = options_.reuse ? Reuse::none : Reuse::off;
    slot.pool->pause(!options_.reuse);
  }
}

CaseRunner::~CaseRunner() {
  slots_.clear();
  options_.run.open.cache->forget_fmus();
}

void CaseRunner::announce(std::uint32_t number, const Slot& slot) {
  const std::pair now(number, slot.system->preparations());
  if (announced_ == now) return;
  announced_ = now;
  if (options_.announce) options_.announce(slot.system->outline());
}

RunReport CaseRunner::run(Slot& slot, bool computes, RowHash* hash, Observer* rows) {
  PointSplitter points;
  SessionObservers observers;
  return slot.system->run(monitor_, slot.pool,
                          [&](const RunSetup& setup, const RunningSystem& running) {
                            points.clear();
                            observers = {};
                            if (computes) {
                              slot.system->measures().start(running.system());
                              points.add(slot.system->measures());
                            }
                            if (hash != nullptr) {
                              hash->start(running.system());
                              points.add(*hash);
                            }
                            if (rows != nullptr) {
                              observe_columns(setup, running, *rows, observers);
                              points.add(observers);
                            }
                            return points.get();
                          });
}

CaseResult CaseRunner::run(const Case& task, Observer* rows) {
  const auto start = Clock::now();
  last_ = {};
  CaseResult result;
  try {
    if (task.system >= slots_.size())
      throw Error(ErrorCode::usage, fmt::format("a case has system {}, but there are {}",
                                                task.system, slots_.size()));
    Slot& slot = slots_[task.system];
    slot.system->assign(task.values);
    announce(task.system, slot);
    const bool checks = checks_next(slot);
    slot.pool->pause(checks || slot.reuse == Reuse::off);
    RowHash hash;
    const RunReport report = run(slot, true, checks ? &hash : nullptr, rows);
    if (slot.reuse == Reuse::checked && !checks) ++slot.used_unchecked;
    result.number = task.number;
    result.end = report.end;
    if (report.end.started) result.values = slot.system->measures().values();
    if (report.end.kind == RunEnd::Kind::completed ||
        report.end.kind == RunEnd::Kind::terminated_by_fmu)
      last_ = {&slot, task.values, hash.value(), checks};
    else if (slot.reuse == Reuse::checked && !checks)
      last_ = {&slot, task.values, 0, false};  // some instances may have ended well
  } catch (const Error& error) {
    result = failed_case(task, error);
  }
  if (rows != nullptr) {
    try {
      rows->finish();
    } catch (const Error& error) {
      if (!result.end.error) result.end.error = error;
      result.end.kind = RunEnd::Kind::failed;
    }
  }
  result.seconds = seconds_since(start);
  monitor_.phase = Monitor::Phase::opening;  // no FMU is called
  return result;
}

void CaseRunner::settle() {
  const Last last = std::exchange(last_, {});
  if (last.slot == nullptr) return;
  Slot& slot = *last.slot;
  try {
    if (slot.reuse == Reuse::none)
      keep(slot, last.values);
    else if (last.is_checked)
      check(slot, last);
    else if (slot.reuse == Reuse::checked)
      reset(slot, *slot.pool);
    if (slot.reuse == Reuse::checked) note_values(slot, last.values);
  } catch (const Error&) {  // of a preparation: only runs of cases report errors
    slot.pool->clear();
    slot.pool->pause(true);
    slot.reuse = Reuse::off;
  }
  monitor_.phase = Monitor::Phase::opening;
}

void CaseRunner::exclude(Slot& slot, const std::string& instance, const std::string& why) {
  slot.pool->exclude(instance);
  if (!slot.noted.insert(instance).second) return;
  const auto members = slot.system->members();
  const auto member = std::ranges::find(members, instance, &OpenCaseSystem::Member::instance);
  log_.info(instance, fmt::format("{} is instantiated for each run: {}",
                                  member == members.end() ? "the FMU" : member->file, why));
}

void CaseRunner::reset(Slot& slot, fmi::InstancePool& pool) {
  const auto members = slot.system->members();
  const auto before = [&](const std::string& name) {
    const auto member = std::ranges::find(members, name, &OpenCaseSystem::Member::instance);
    const std::string component = member == members.end() ? name : member->component;
    const auto& called = slot.system->outline().members;
    const auto place = std::ranges::find(called, component, &session::Member::name);
    monitor_.called.front() = static_cast<std::uint32_t>(place - called.begin());
    monitor_.phase = Monitor::Phase::finishing;
  };
  for (const auto& [name, error] : pool.reset(before))
    exclude(slot, name, fmt::format("its reset fails ({})", error.what()));
}

/// After the first run: the instances that can be reset are kept.
void CaseRunner::keep(Slot& slot, const std::vector<std::string>& values) {
  for (const OpenCaseSystem::Member& member : slot.system->members()) {
    const bool is_given = std::ranges::any_of(options_.without_reuse, [&](const NoReuse& given) {
      return given.system == number_of(slot) && given.component == member.component;
    });
    if (is_given) slot.noted.insert(member.instance);  // by the owner of the worker
    if (!member.obstacle.empty() || is_given)
      exclude(slot, member.instance, member.obstacle);
    else if (!slot.pool->names().contains(member.instance))
      exclude(slot, member.instance, "inputs change inside its steps, by intermediate updates");
  }
  reset(slot, *slot.pool);
  slot.first_values = slot.values = values;
  slot.has_varied.assign(values.size(), false);
  slot.is_new_kind = false;
  slot.reuse = slot.pool->names().empty() ? Reuse::off : Reuse::kept;
}

std::optional<std::uint64_t> CaseRunner::repeat(Slot& slot,
                                                const std::vector<std::string>& values) {
  slot.system->assign(values);
  announce(number_of(slot), slot);
  RowHash hash;
  const RunReport report = run(slot, false, &hash, nullptr);
  if (report.end.kind == RunEnd::Kind::failed || report.end.kind == RunEnd::Kind::interrupted)
    return {};
  return hash.value();
}

/// The kept instances come from a run with these values.
void CaseRunner::note_values(Slot& slot, const std::vector<std::string>& values) {
  slot.values = values;
  slot.is_new_kind = false;
  ++slot.runs;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!slot.has_varied[i] && values[i] != slot.first_values[i])
      slot.is_new_kind = slot.has_varied[i] = true;
}

void CaseRunner::check(Slot& slot, const Last& last) {
  slot.pool->pause(false);
  const auto hash = repeat(slot, last.values);
  if (is_stopped()) {
    slot.pool->clear();
    slot.reuse = Reuse::none;
    return;
  }
  reset(slot, *slot.pool);
  if (hash == last.hash) {
    slot.reuse = Reuse::checked;
    slot.used_unchecked = 0;
    while (slot.next_check <= slot.runs + 1) slot.next_check *= 2;
    return;
  }
  if (slot.used_unchecked > 0 && !slot.is_new_kind)
    log_.warning("", fmt::format("an instance that was reset has other results than a new one: the "
                                 "last {} runs of this worker may be wrong. Repeat them without "
                                 "reuse of instances.",
                                 slot.used_unchecked));
  find_unequal(slot, last);
  slot.pool->clear();
  slot.reuse = Reuse::none;
}

/// Some reset instance does not run as a new one: finds out which, each one alone.
void CaseRunner::find_unequal(Slot& slot, const Last& last) {
  slot.pool->pause(true);
  const bool repeats = repeat(slot, last.values) == last.hash;
  const std::set<std::string> names = slot.pool->names();
  std::size_t count = 0;
  for (const OpenCaseSystem::Member& member : slot.system->members()) {
    const std::string& name = member.instance;
    if (slot.pool->excluded().contains(name)) continue;
    if (repeats && is_equal_alone(slot, name, last)) continue;
    ++count;
    exclude(slot, name,
            repeats ? "after a reset, it has other results than a new instance"
                    : "two runs with new instances have different results, so a check of reset "
                      "instances is not possible");
  }
  if (count > 0) return;
  for (const std::string& name : names)
    exclude(slot, name, "after a reset of all FMUs, results differ from those of new instances");
}

bool CaseRunner::is_equal_alone(Slot& slot, const std::string& instance, const Last& last) {
  const auto own = std::exchange(slot.pool, std::make_shared<fmi::InstancePool>());
  for (const OpenCaseSystem::Member& member : slot.system->members())
    if (member.instance != instance) slot.pool->exclude(member.instance);
  bool is_equal = false;
  if (repeat(slot, slot.values) && slot.pool->names().contains(instance)) {
    reset(slot, *slot.pool);
    is_equal = repeat(slot, last.values) == last.hash;
  }
  slot.pool = own;
  return is_equal;
}

}  // namespace tutti::session
