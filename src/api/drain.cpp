// SPDX-License-Identifier: BSD-2-Clause
#include "api/drain.hpp"

#include <fmt/format.h>

#include "api/wire.hpp"

namespace tutti::api {

bool Drain::take_some() {
  constexpr int most = 10'000;
  int taken = 0;
  for (execution::Ring::Message message; taken < most && ring_.next(message); ring_.release()) {
    ++taken;
    if (message.kind == results::Recorder::row_message)
      take_row(message.bytes);
    else if (message.kind == results::Recorder::restart_message)
      restart();
    else if (message.kind == log_message)
      log_.write(read_log(message.bytes));
    else
      report_ = read_report(message.bytes);
  }
  flush_now_and_then();
  return taken > 0;
}

void Drain::take_all() {
  while (take_some()) {
  }
}

template <typename Action>
void Drain::with_sink(Action action) {
  if (failure_) return;
  try {
    action(*sink_);
  } catch (const Error& error) {
    failure_ = error;
  }
}

void Drain::take_row(std::span<const std::byte> bytes) {
  with_sink([&](RecordSink& sink) {
    if (!begun_) sink.begin(rows_.columns());
    begun_ = true;
    const Row row = rows_.read(bytes);
    if (row.time <= kept_until_) return;
    sink.row(row);
    last_time_ = row.time;
    ++row_count_;
  });
}

void Drain::restart() {
  if (!begun_) return;
  with_sink([&](RecordSink& sink) {
    if (sink.restart()) {
      row_count_ = flushed_rows_ = 0;
    } else {
      kept_until_ = last_time_;
      log_.warning("",
                   "the results written so far cannot be removed from where they go: rows up "
                   "to t = " +
                       fmt::format("{:.13g}", last_time_) +
                       " s are those of the first attempt. Write to a file with --output");
    }
  });
}

void Drain::flush_now_and_then() {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (row_count_ == flushed_rows_ || now - flushed_at_ < 1s) return;
  flushed_at_ = now;
  flushed_rows_ = row_count_;
  with_sink([](RecordSink& sink) { sink.flush(); });
}

RunReport Drain::finish(RunReport report) {
  if (begun_) with_sink([](RecordSink& sink) { sink.finish(); });
  report.statistics.rows = row_count_;
  if (failure_) {
    const bool both = report.end.kind == RunEnd::Kind::failed && report.end.error;
    report.end.error = both ? Error(ErrorCode::file, fmt::format("{}; {}", report.end.error->what(),
                                                                 failure_->what()))
                            : failure_;
    report.end.kind = RunEnd::Kind::failed;
  }
  return report;
}

}  // namespace tutti::api
