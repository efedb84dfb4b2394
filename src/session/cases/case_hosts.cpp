// SPDX-License-Identifier: BSD-2-Clause
#include "session/cases/case_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <thread>

#include "execution/worker_memory.hpp"
#include "session/cases/case_log.hpp"
#include "system/component_kind.hpp"

namespace tutti::session {
namespace {

/// Cases that wait in a worker take this long: more than the owner sleeps between two looks.
constexpr double waiting_seconds = 0.05;
constexpr std::size_t most_waiting = 64, most_waiting_bytes = std::size_t{1} << 15;
constexpr std::chrono::microseconds longest_sleep{1000};

std::size_t count_values(const CaseSystem& system) {
  std::size_t count = 0;
  for (const Measure& measure : system.measures) count += measure.count();
  return count;
}

/// Passes a stop request on to the runs of this process.
class StopWatcher {
 public:
  StopWatcher(const RunControl& control, execution::Monitor& monitor) {
    if (control.stop_request == nullptr && control.kill_request == nullptr) return;
    thread_ = std::jthread([&control, &monitor](const std::stop_token& ends) {
      while (!ends.stop_requested()) {
        if (is_requested(control.stop_request) || is_requested(control.kill_request))
          monitor.stop_requested = true;
        std::this_thread::sleep_for(longest_sleep);
      }
    });
  }

 private:
  std::jthread thread_;
};

}  // namespace

CaseHosts::CaseHosts(std::vector<CaseSystem> systems, CaseOptions options, const Log& log)
    : options_(std::move(options)), log_(log_of_cases(log)) {
  options_.progress = {};  // of one run
  const CaseSystem* with_object = nullptr;
  for (const CaseSystem& given : systems) {
    paths_.emplace_back(given.system);
    result_settings_.push_back(given.system.results);
    if (system::find_object(given.system) != nullptr) with_object = &given;
  }
  for (const system::PackagePaths& paths : paths_) log_ = paths.shown(log_);
  if (with_object != nullptr && options_.own_process) {
    log_.info("", "some components are C++ classes: all cases run in this process, FMUs too");
    options_.own_process = false;  // as run()
  }
  const auto shown = [&](const Error& error) {
    Error result = error;
    for (const system::PackagePaths& paths : paths_) result = paths.shown(result);
    return result;
  };
  try {
    if (options_.own_process) {
      jobs_ = options_.jobs > 0 ? options_.jobs : execution::usable_cores();
      opening_ = {std::move(systems), options_.reuse, {}};
      workers_.resize(jobs_);
      workers_.front() = std::make_unique<CaseWorker>(options_, opening_, log_);
      workers_.front()->wait_until_open();
      return;
    }
    SystemRunOptions run;
    static_cast<RunControl&>(run) = options_;
    run.open = options_.open;
    runner_ = std::make_unique<CaseRunner>(
        std::move(systems), CaseRunner::Options{.run = std::move(run), .reuse = options_.reuse},
        monitor_, log_);
  } catch (const Error& error) {
    throw shown(error);
  }
}

bool CaseHosts::run(const Cases::Next& next, const Cases::Done& done) {
  is_exhausted_ = is_interrupted_ = false;
  returned_.clear();
  if (runner_) return run_here(next, done);
  try {
    return run_in_workers(next, done);
  } catch (...) {  // later runs must not meet cases of this one
    for (auto& worker : workers_)
      if (worker && !worker->waiting().empty()) worker.reset();
    throw;
  }
}

bool CaseHosts::run_here(const Cases::Next& next, const Cases::Done& done) {
  monitor_.stop_requested = false;
  const StopWatcher watcher(options_, monitor_);
  while (!is_stopped()) {
    const std::optional<Case> task = next();
    if (!task) return true;
    std::optional<CaseFile> file;
    if (!task->results.empty() && task->system < result_settings_.size())
      file.emplace(task->results, result_settings_[task->system], true);
    CaseResult result = runner_->run(*task, file ? &*file : nullptr);
    deliver(std::move(result), task->system, done);
    if (is_interrupted_) break;
    runner_->settle();
  }
  return false;
}

bool CaseHosts::run_in_workers(const Cases::Next& next, const Cases::Done& done) {
  Patience patience;
  while (true) {
    if (!is_stopped()) feed(next);
    bool any = false, waits = false;
    for (auto& worker : workers_) {
      if (!worker || (worker->is_open() && worker->waiting().empty())) continue;
      any |= look_at(worker, done);
      waits |= worker && !worker->waiting().empty();
    }
    if (!waits && (is_stopped() || (is_exhausted_ && returned_.empty()))) break;
    if (any) {
      patience.reset();
      continue;
    }
    if (options_.waiting) options_.waiting();
    std::this_thread::sleep_for(std::min(patience.next(), longest_sleep));
  }
  for (const auto& worker : workers_)
    if (worker) worker->go_on();
  return !is_interrupted_ && is_exhausted_ && returned_.empty();
}

std::optional<Case> CaseHosts::take(const Cases::Next& next) {
  if (!returned_.empty()) {
    Case task = std::move(returned_.front());
    returned_.pop_front();
    return task;
  }
  if (is_exhausted_) return {};
  std::optional<Case> task = next();
  is_exhausted_ = !task;
  return task;
}

bool CaseHosts::has_room(const CaseWorker* worker, std::size_t level) const {
  if (worker == nullptr) return true;
  const std::size_t count = worker->waiting().size();
  if (count == 0) return true;
  const auto most = static_cast<std::size_t>(
      std::min(static_cast<double>(most_waiting), 1 + waiting_seconds / mean_seconds_));
  return count <= level && count < most && worker->waiting_bytes() < most_waiting_bytes;
}

/// One case for each worker before the next one for any.
void CaseHosts::feed(const Cases::Next& next) {
  for (std::size_t level = 0; level < most_waiting; ++level) {
    bool any = false;
    for (auto& worker : workers_) {
      if (!has_room(worker.get(), level)) continue;
      if (!worker && is_limited_ && has_workers()) continue;
      std::optional<Case> task = take(next);
      if (!task) return;
      if (!worker && !start(worker)) {
        returned_.push_front(*std::move(task));
        continue;
      }
      worker->send(*std::move(task));
      any = true;
    }
    if (!any && level > 0) return;
  }
}

/// Fewer workers than wanted do, too.
bool CaseHosts::start(std::unique_ptr<CaseWorker>& worker) {
  try {
    worker = std::make_unique<CaseWorker>(options_, opening_, log_);
    return true;
  } catch (const Error& error) {
    if (!has_workers()) throw;
    is_limited_ = true;
    log_.warning("", fmt::format("fewer runs at the same time: {}", error.what()));
    return false;
  }
}

bool CaseHosts::look_at(std::unique_ptr<CaseWorker>& worker, const Cases::Done& done) {
  bool any = false;
  try {
    any = worker->look();
  } catch (const Error& error) {
    // A worker that is stopped while it opens the systems.
    if (error.code() != ErrorCode::interrupted || !is_stopped()) throw;
    is_interrupted_ = true;
    worker.reset();
    return true;
  }
  for (auto& [system, result] : worker->take_results()) deliver(std::move(result), system, done);
  if (worker->end()) replace(worker, done);
  return any;
}

void CaseHosts::deliver(CaseResult result, std::uint32_t system, const Cases::Done& done) {
  if (result.end.kind == RunEnd::Kind::interrupted) {
    is_interrupted_ = true;
    return;
  }
  constexpr double weight = 0.2;
  mean_seconds_ += weight * (result.seconds - mean_seconds_);
  if (result.end.error && system < paths_.size())
    result.end.error = paths_[system].shown(*result.end.error);
  done(std::move(result));
}

/// A worker has ended: with the case that it ran, or between two.
void CaseHosts::replace(std::unique_ptr<CaseWorker>& worker, const Cases::Done& done) {
  const RunReport report = *worker->end();
  std::deque<Case> rest = worker->waiting();
  std::optional<CaseResult> failed;
  std::uint32_t system = worker->last_system();
  if (report.end.kind == RunEnd::Kind::interrupted) {
    is_interrupted_ = true;
    rest.clear();
  } else if (worker->is_in_case() && !rest.empty()) {
    worker->finish_rows();
    failed.emplace();
    failed->number = rest.front().number;
    failed->end = report.end;
    failed->seconds = worker->seconds_in_case();
    system = rest.front().system;
    if (report.end.started && system < opening_.systems.size())  // they are lost
      failed->values.assign(count_values(opening_.systems[system]),
                            std::numeric_limits<double>::quiet_NaN());
    rest.pop_front();
  } else {
    note_end_between(*worker, report);
  }
  worker.reset();
  returned_.insert(returned_.begin(), rest.begin(), rest.end());
  if (failed) deliver(*std::move(failed), system, done);
}

/// In a reset, or in a repetition with reset instances: without them, the FMU may run well.
void CaseHosts::note_end_between(const CaseWorker& worker, const RunReport& report) {
  constexpr std::uint32_t most = 10;
  if (++ends_between_ > most) throw Error(*report.end.error);
  const std::string component = report.end.error->details().component;
  if (component.empty()) return;
  opening_.without_reuse.push_back({worker.last_system(), component});
  log_.info(component, fmt::format("the FMU is instantiated for each run: after a reset, {}",
                                   report.end.error->what()));
}

}  // namespace tutti::session
