// SPDX-License-Identifier: BSD-2-Clause
#include "session/worker_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tutti/worker.hpp>

#include "system/component_kind.hpp"

namespace tutti {

Worker::Worker(const std::filesystem::path& program)
    : program_(program), host_(std::make_shared<session::WorkerHost>(program)) {}

Worker Worker::each(const std::filesystem::path& program) {
  Worker worker;
  worker.program_ = program;
  return worker;
}

std::shared_ptr<session::WorkerHost> Worker::host() const {
  return host_ ? host_ : std::make_shared<session::WorkerHost>(program_);
}

}  // namespace tutti

namespace tutti::session {

using execution::Monitor;
namespace {

constexpr double longest_start = 30;  // seconds

}  // namespace

void ProgressCaller::call(const Monitor& monitor, const RunOutline& outline) {
  if (!control_.progress || seconds_since(last_) < 0.1) return;
  last_ = Clock::now();
  const RunStatistics& run = outline.report.statistics;
  if (!(run.stop > run.start)) return;
  const bool runs = monitor.phase > Monitor::Phase::loading;
  const double time = runs ? monitor.time.load() : run.start;
  control_.progress(time, (time - run.start) / (run.stop - run.start));
}

void Watchdog::feel(const Monitor& monitor) {
  // Excludes the time in which this process was stopped.
  const double passed = std::min(seconds_since(std::exchange(last_look_, Clock::now())), 0.1);
  // An FMU may have overwritten it.
  const auto time = std::bit_cast<std::uint64_t>(monitor.time.load());
  const bool stepped = time != time_ || monitor.phase != phase_ || monitor.looks != looks_;
  time_ = time;
  looks_ = monitor.looks;
  phase_ = monitor.phase;
  bool called = false;
  for (std::size_t k = 0; k < called_.size(); ++k) {
    const std::uint32_t now = monitor.called[k];
    called |= std::exchange(called_[k], now) != now;
  }
  in_step_ = stepped ? 0 : in_step_ + passed;
  in_call_ = stepped || called ? 0 : in_call_ + passed;
}

std::optional<RunReport> Watchdog::look(Monitor& monitor, bool stops, std::string_view stepping) {
  constexpr double grace = 2;  // seconds that an FMU gets to end its step after an interruption
  const RunControl& control = control_;
  feel(monitor);
  stops |= is_requested(control.stop_request);
  if (stops && !monitor.stop_requested.exchange(true)) in_step_ = 0;
  if (is_requested(control.kill_request) || (stops && in_step_ > grace))
    return report_for(
        outline_, monitor, RunEnd::Kind::interrupted, ErrorCode::interrupted,
        fmt::format("was interrupted {} and did not return", activity(monitor.phase, stepping)));
  if (stops || phase_ == Monitor::Phase::opening) return {};
  const double limit = patience_with(outline_, monitor, control.step_timeout);
  if (limit <= 0 || in_call_ <= limit) return {};
  return report_for(
      outline_, monitor, RunEnd::Kind::failed, ErrorCode::timeout,
      fmt::format("did not return within {} s {} (%key% sets another limit, 0 none){}", limit,
                  activity(monitor.phase, stepping), what_it_may_wait_for(outline_, monitor)),
      "step-timeout");
}

RunReport report_of_crash(const RunOutline& outline, const Monitor& monitor, bool was_killed,
                          const std::string& how, std::string_view stepping) {
  return report_for(outline, monitor, RunEnd::Kind::failed, ErrorCode::crash,
                    fmt::format("{} {}: {}", was_killed ? "crashed" : "ended the process",
                                activity(monitor.phase, stepping), how));
}

execution::Worker& WorkerHost::take() {
  const std::lock_guard lock(mutex_);
  if (is_taken_)
    throw Error(ErrorCode::usage,
                "the worker is in use: sessions use one worker one after the other");
  if (!worker_ || worker_->has_ended()) {
    worker_.reset();
    worker_ = std::make_unique<execution::Worker>(execution::find_worker_program(program_));
  }
  is_taken_ = true;
  return *worker_;
}

void WorkerHost::give_back() {
  const std::lock_guard lock(mutex_);
  is_taken_ = false;
}

WorkerCaller::WorkerCaller(std::shared_ptr<WorkerHost> host, const RunControl& control,
                           const Log& log)
    : host_(std::move(host)),
      worker_(host_->take()),
      control_(control),
      drain_(worker_.messages(), log),
      watchdog_(control_, outline_),
      progress_(control_) {
  monitor().phase = execution::Monitor::Phase::opening;
  monitor().steps = 0;
  monitor().stop_requested = false;
  drain_.when([this](const execution::Ring::Message& message) {
    if (message.kind == code(Sent::outline)) outline_ = Unpacker(message.bytes).take<RunOutline>();
    if (other_) other_(message);
  });
}

// A worker with a pending reply, because the wait for it was abandoned, cannot be reused.
WorkerCaller::~WorkerCaller() {
  if (is_asked_) worker_.kill();
  host_->give_back();
}

void WorkerCaller::ask(Request request, const Packer& arguments) {
  if (is_asked_ && !end_)
    end_with(report_for(outline_, monitor(), RunEnd::Kind::failed, ErrorCode::usage,
                        "was left in a call that ended with an exception of the caller"));
  if (end_) throw Error(*end_->end.error);
  is_asked_ = true;
  watchdog_.start();
  patience_.reset();
  try {
    worker_.request(static_cast<std::uint32_t>(request), arguments.bytes());
  } catch (const Error&) {  // it has ended: look() reports how
  }
}

void WorkerCaller::tell(Request request, const Packer& arguments) {
  if (!std::exchange(is_asked_, true)) watchdog_.start();
  try {
    worker_.request(static_cast<std::uint32_t>(request), arguments.bytes());
  } catch (const Error&) {  // it has ended, or takes nothing: look() reports how
    worker_.kill();
  }
}

void WorkerCaller::end_with(RunReport report) {
  worker_.kill();
  drain_.take_all();
  end_ = std::move(report);
}

void WorkerCaller::refuse_program(const std::string& why) {
  end_->end.kind = RunEnd::Kind::failed;
  end_->end.error =
      Error(ErrorCode::capability,
            fmt::format("\"{}\" cannot be used as a worker: {}", worker_.program().string(), why),
            {.hint = "Use tutti-worker of the same package."});
}

bool WorkerCaller::look() {
  if (end_ || drain_.has_answer()) return true;
  const bool ended = worker_.has_ended();  // read before the last draining, so nothing is missed
  const bool any = drain_.take_some();
  if (any) patience_.reset();
  if (drain_.has_answer()) return true;
  progress_.call(monitor(), outline_);
  if (drain_.damage()) {  // later messages cannot be trusted
    end_with(report_for(outline_, monitor(), RunEnd::Kind::failed, ErrorCode::fmu,
                        "or another one has overwritten what the worker sends"));
    return true;
  }
  has_served_ |= worker_.is_serving();  // an FMU may write over that, too
  if (ended && !any) {
    end_with(report_of_crash(outline_, monitor(), worker_.was_killed(), worker_.how_it_ended()));
    if (!has_served_) refuse_program(worker_.how_it_ended());
    return true;
  }
  if (!has_served_ && seconds_since(started_) > longest_start) {
    end_with(outline_.report);
    refuse_program(fmt::format("it does not respond within {} s", longest_start));
    return true;
  }
  if (auto report = watchdog_.look(monitor(), drain_.has_failed())) end_with(*std::move(report));
  return end_.has_value();
}

std::string WorkerCaller::take_answer() {
  if (auto answer = drain_.take_answer()) {
    is_asked_ = false;
    has_served_ = true;
    if (answer->error) throw Error(*answer->error);
    return std::move(answer->bytes);
  }
  throw Error(*end_->end.error);
}

std::string WorkerCaller::call(Request request, const Packer& arguments) {
  ask(request, arguments);
  wait();
  drain_.take_some();
  while (!look()) wait();
  return take_answer();
}

Opening opening_for(const System& system, const RunControl& control, const FmuOptions& open,
                    const Log& log, const WorkerCaller& caller) {
  if (const Component* const object = system::find_object(system))
    throw Error(
        ErrorCode::capability,
        fmt::format("component \"{}\" is a {} of this program, which cannot be used in a worker",
                    object->name, system::kind_of(*object).name),
        {.component = object->name});
  Opening opening;
  opening.system = system;
  opening.limits = open.limits;
  opening.compile = open.compile;
  opening.structure = open.structure;
  std::error_code none;
  opening.working_folder = std::filesystem::current_path(none);
  opening.scratch = caller.scratch();
  opening.profile = control.profile;
  opening.step_timeout = control.step_timeout;
  opening.log = log.wants(Severity::debug)  ? Severity::debug
                : log.wants(Severity::info) ? Severity::info
                                            : Severity::warning;
  return opening;
}

}  // namespace tutti::session
