// SPDX-License-Identifier: BSD-2-Clause
#include "session/row_stream.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/hash.hpp"

namespace tutti::session {

template <typename Action>
void RowStream::attempt(Action action) {
  if (failure_) return;
  try {
    action();
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void RowStream::start() {
  attempt([this] { begin(); });
}

void RowStream::begin() {
  if (!std::exchange(has_started_, true)) observer_.begin(rows_.columns());
}

void RowStream::go_on_behind(std::uint64_t rows, std::string_view last) {
  const Row row = rows_.read(std::as_bytes(std::span(last)));
  if (!observer_.go_on(rows_.columns(), rows, row))
    throw Error(ErrorCode::file,
                fmt::format("the run cannot be resumed in its results: they are not those of the "
                            "checkpoint, {} rows up to t = {:.13g} s",
                            rows, row.time),
                {.key = "output", .hint = "Write what follows to another file (%key%)."});
  has_started_ = true;
  row_count_ = rows;
  last_ = last;
}

void RowStream::take(std::span<const std::byte> bytes) {
  attempt([&] {
    begin();
    ++row_count_;
    row_hash_ = hash_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, row_hash_);
    if (kept_ && row_count_ == kept_->rows && row_hash_ != kept_->hash) refuse_repeated_run(*kept_);
    if (kept_ && row_count_ <= kept_->rows) return;
    const Row row = rows_.read(bytes);
    observer_.row(row);
    last_time_ = row.time;
    last_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
}

void RowStream::restart() {
  if (!has_started_) return;
  attempt([&] {
    // Where the kept rows were not reached, the observer has none of this attempt.
    if (!kept_ || row_count_ >= kept_->rows) {
      kept_.reset();
      if (!observer_.rewind(0)) kept_ = Kept{row_count_, row_hash_, last_time_};
    }
    row_count_ = flushed_rows_ = row_hash_ = 0;
  });
}

void RowStream::refuse_repeated_run(const Kept& kept) {
  throw Error(ErrorCode::file,
              fmt::format("the run was repeated with other settings, but the rows of the first "
                          "attempt, up to t = {:.13g} s, are already in a pipe or device and "
                          "cannot be removed from it. Write the results to a file with --output.",
                          kept.last_time));
}

void RowStream::flush_now_and_then() {
  if (row_count_ == flushed_rows_ || seconds_since(flushed_at_) < 1) return;
  flush();
}

void RowStream::flush() {
  flushed_at_ = Clock::now();
  flushed_rows_ = row_count_;
  if (has_started_) attempt([this] { observer_.flush(); });
}

bool RowStream::rewind(std::uint64_t rows) {
  if (!observer_.rewind(rows)) return false;
  row_count_ = rows;
  failure_ = nullptr;
  return true;
}

void RowStream::finish() {
  if (!has_started_) return;
  attempt([this] {
    observer_.finish();
    if (kept_ && row_count_ < kept_->rows) refuse_repeated_run(*kept_);
  });
}

}  // namespace tutti::session
