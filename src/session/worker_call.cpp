// SPDX-License-Identifier: BSD-2-Clause
#include "session/worker_call.hpp"

#include <fmt/format.h>

#include <algorithm>
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
namespace {

constexpr double longest_start = 30;  // seconds

}  // namespace

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

// A worker that still owes an answer, because the wait for it was given up, is of no use to others.
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
  } catch (const Error&) {  // it has ended: look() says how
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
            fmt::format("\"{}\" does not serve as a worker: {}", worker_.program().string(), why),
            {.hint = "Use tutti-worker of the same package."});
}

bool WorkerCaller::look() {
  if (end_ || drain_.has_answer()) return true;
  const bool ended = worker_.has_ended();  // asked before the last draining, so nothing is missed
  const bool any = drain_.take_some();
  if (any) patience_.reset();
  if (drain_.has_answer()) return true;
  progress_.call(monitor(), outline_);
  if (drain_.damage()) {  // nothing that comes can be trusted any more
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
    refuse_program(fmt::format("it does nothing within {} s", longest_start));
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
