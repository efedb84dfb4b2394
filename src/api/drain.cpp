// SPDX-License-Identifier: BSD-2-Clause
#include "api/drain.hpp"

#include "api/wire.hpp"

namespace tutti::api {

bool Drain::take_some() {
  constexpr int most = 10'000;
  int taken = 0;
  for (execution::Ring::Message message; taken < most && ring_.next(message); ring_.release()) {
    ++taken;
    if (message.kind == results::Recorder::row_message)
      take_row(message.bytes);
    else if (message.kind == log_message)
      log_.write(read_log(message.bytes));
    else
      report_ = read_report(message.bytes);
  }
  return taken > 0;
}

void Drain::take_all() {
  while (take_some()) {
  }
}

void Drain::take_row(std::span<const std::byte> bytes) {
  if (failure_) return;
  try {
    if (!begun_) sink_->begin(rows_.columns());
    begun_ = true;
    sink_->row(rows_.read(bytes));
    ++row_count_;
  } catch (const Error& error) {
    failure_ = error;
  }
}

RunReport Drain::finish(RunReport report) {
  try {
    if (begun_ && !failure_) sink_->finish();
  } catch (const Error& error) {
    failure_ = error;
  }
  report.statistics.rows = row_count_;
  if (failure_ && report.end.kind != RunEnd::Kind::failed) {
    report.end.kind = RunEnd::Kind::failed;
    report.end.error = failure_;
  }
  return report;
}

}  // namespace tutti::api
