// SPDX-License-Identifier: BSD-2-Clause
#include "session/drain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "session/wire.hpp"

namespace tutti::session {
namespace {

/// Of the rows before and one more.
std::uint64_t hash_of_rows(std::uint64_t hash, std::span<const std::byte> row) {
  for (std::size_t at = 0; at < row.size(); at += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, row.data() + at, std::min(sizeof word, row.size() - at));
    hash = (std::rotl(hash, 5) ^ word) * 0x9e3779b97f4a7c15u;
  }
  return hash;
}

}  // namespace

bool Drain::take_some() {
  if (damage_) {
    ring_.discard();
    return false;
  }
  try {
    return take_messages();
  } catch (const Error& error) {
    damage_ = error;
    return true;
  }
}

bool Drain::take_messages() {
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
  with_sink([&](Observer& sink) {
    if (!begun_) sink.begin(rows_.columns());
    begun_ = true;
    ++row_count_;
    row_hash_ = hash_of_rows(row_hash_, bytes);
    if (kept_ && row_count_ == kept_->rows && row_hash_ != kept_->hash) refuse_repeated_run(*kept_);
    if (kept_ && row_count_ <= kept_->rows) return;
    const Row row = rows_.read(bytes);
    sink.row(row);
    last_time_ = row.time;
  });
}

void Drain::restart() {
  if (!begun_) return;
  with_sink([&](Observer& sink) {
    // Where the kept rows were not reached, the sink has none of this attempt.
    if (!kept_ || row_count_ >= kept_->rows) {
      kept_.reset();
      if (!sink.rewind(0)) kept_ = Kept{row_count_, row_hash_, last_time_};
    }
    row_count_ = flushed_rows_ = row_hash_ = 0;
  });
}

void Drain::refuse_repeated_run(const Kept& kept) {
  throw Error(ErrorCode::file,
              fmt::format("the run was repeated with other settings, but the rows of the first "
                          "attempt, up to t = {:.13g} s, are already in a pipe or device and "
                          "cannot be removed from it. Write the results to a file with --output.",
                          kept.last_time));
}

void Drain::flush_now_and_then() {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (row_count_ == flushed_rows_ || now - flushed_at_ < 1s) return;
  flushed_at_ = now;
  flushed_rows_ = row_count_;
  with_sink([](Observer& sink) { sink.flush(); });
}

RunReport Drain::finish(RunReport report) {
  if (begun_)
    with_sink([&](Observer& sink) {
      sink.finish();
      if (kept_ && row_count_ < kept_->rows) refuse_repeated_run(*kept_);
    });
  report.statistics.rows = row_count_;
  if (damage_) {  // then the process had nothing to say of its end
    report.end.kind = RunEnd::Kind::failed;
    report.end.error = damage_->within("", {.time = report.end.time});
  }
  if (failure_) {
    const bool both = report.end.kind == RunEnd::Kind::failed && report.end.error;
    report.end.error = both ? Error(ErrorCode::file, fmt::format("{}; {}", report.end.error->what(),
                                                                 failure_->what()))
                                  .with(report.end.error->details())
                            : failure_;
    report.end.kind = RunEnd::Kind::failed;
  }
  return report;
}

}  // namespace tutti::session
