// SPDX-License-Identifier: BSD-2-Clause
#include "session/forked_task.hpp"

#include <fmt/format.h>

#include "session/messages.hpp"

namespace tutti::session {

std::optional<std::string> ForkedTask::run(const Body& body, std::string_view stepping) {
  execution::Ring& ring = memory_.messages;
  execution::Monitor& monitor = memory_.head.monitor;
  execution::Process process(execution::fork_process([&] {
    const auto fail = [&](const Error& error) {
      ring.send(code(Sent::error), Packer()(std::vector<Error>{error}).bytes());
    };
    try {
      ring.send(code(Sent::answer), body(ring, monitor));
    } catch (const Error& error) {
      fail(error);
    } catch (const std::exception& error) {
      fail({ErrorCode::fmu, fmt::format("internal error: {}", error.what())});
    }
  }));
  Watchdog watchdog(control_, outline_);
  Patience patience;
  while (true) {
    const bool ended = process.has_ended();  // read before the last look, so nothing is missed
    const bool any = drain_.take_some();
    if (ended && !any) break;
    if (any)
      patience.reset();
    else
      process.wait_at_most(patience.next());
    if (drain_.damage()) throw Error(*drain_.damage());
    if (is_requested(control_.stop_request)) throw Error(ErrorCode::interrupted, "interrupted");
    if (const auto report = watchdog.look(monitor, false, stepping)) {
      failure_ = report->end.error;
      return {};
    }
  }
  auto answer = drain_.take_answer();
  how_ = process.how_it_ended();
  if (answer && answer->error) throw Error(*answer->error);
  if (answer && process.ended_well()) return std::move(answer->bytes);
  failure_ = report_of_crash(outline_, monitor, process.was_killed(), how_, stepping).end.error;
  return {};
}

}  // namespace tutti::session
