// SPDX-License-Identifier: BSD-2-Clause
#include "session/drain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.hpp"
#include "session/messages.hpp"

namespace tutti::session {

RowStream::RowStream(std::vector<Column> columns, Observer& observer)
    : rows_(std::move(columns)), observer_(observer) {
  for (std::size_t i = 0; i < rows_.columns().size(); ++i)
    if (const Type type = rows_.columns()[i].type; type == Type::float64 || type == Type::float32)
      reals_.push_back(i);
}

void RowStream::look_at(const Row& row) {
  for (const std::size_t i : reals_) {
    const double value = row.cells[i].real;
    if (std::isfinite(value)) [[likely]]
      continue;
    NonFiniteColumn& column = not_finite_[i];
    if (column.rows++ == 0) column = {rows_.columns()[i].name, row.time, false, 1};
    column.is_nan |= std::isnan(value);
  }
}

std::vector<NonFiniteColumn> RowStream::not_finite() const {
  std::vector<NonFiniteColumn> columns;
  for (const auto& [number, column] : not_finite_) columns.push_back(column);
  return columns;
}

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

void RowStream::continue_after(std::uint64_t rows, std::string_view last) {
  const Row row = rows_.read(std::as_bytes(std::span(last)));
  if (!observer_.resume(rows_.columns(), rows, row))
    throw Error(ErrorCode::file,
                fmt::format("the results do not match the checkpoint, {} rows up to t = {:.13g} s, "
                            "so the run cannot be resumed in them",
                            rows, row.time),
                {.key = "output", .hint = "Write the new rows to another file (%key%)."});
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
    look_at(row);
    last_time_ = row.time;
    last_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
}

void RowStream::restart() {
  if (!has_started_) return;
  attempt([&] {
    // If the kept rows were not reached, the observer has no rows of this attempt.
    if (!kept_ || row_count_ >= kept_->rows) {
      kept_.reset();
      if (!observer_.rewind(0)) kept_ = Kept{row_count_, row_hash_, last_time_};
    }
    row_count_ = flushed_rows_ = row_hash_ = 0;
    not_finite_.clear();
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

void send_log(execution::Ring& ring, const LogRecord& record) {
  constexpr std::size_t longest_text = 1 << 20;
  ring.send(code(Sent::log), Packer()(record.severity, record.component, record.category,
                                      record.text.substr(0, longest_text))
                                 .bytes());
}

namespace {

struct Release {
  explicit Release(execution::Ring& of) : ring(of) {}
  ~Release() { ring.release(); }
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;
  execution::Ring& ring;
};

}  // namespace

bool Drain::next(execution::Ring::Message& message) {
  try {
    return ring_.next(message);
  } catch (const Error& error) {
    damage_ = error;
    return false;
  }
}

bool Drain::take_some() {
  constexpr int most = 10'000;
  if (damage_) {
    ring_.discard();
    return false;
  }
  int taken = 0;
  for (execution::Ring::Message message; taken < most && !answer_ && next(message); ++taken) {
    const Release release(ring_);  // also if the log or an observer throws
    take(message);
  }
  for (RowStream& stream : streams_) stream.flush_now_and_then();
  return taken > 0 || damage_;
}

void Drain::take(const execution::Ring::Message& message) {
  const std::uint32_t observer = message.kind >> 8;
  switch (static_cast<Sent>(message.kind & 0xff)) {
    case Sent::row:
      if (observer < streams_.size()) streams_[observer].take(message.bytes);
      break;
    case Sent::restart:
      for (RowStream& stream : streams_) stream.restart();
      if (checkpoints_ != nullptr) checkpoints_->remove();
      break;
    case Sent::checkpoint:
      write_checkpoint(Unpacker(message.bytes));
      break;
    case Sent::log: {
      const auto record = Unpacker(message.bytes).take<LogMessage>();
      log_.write({record.severity, record.component, record.category, record.text});
      break;
    }
    case Sent::answer:
      answer_ = Answer{std::string(message.text()), {}};
      break;
    case Sent::error:
      answer_ = Answer{{}, Unpacker(message.bytes).take<std::vector<Error>>().front()};
      break;
    default:
      if (other_) other_(message);
  }
}

/// The run continues without checkpoints: its results are more important.
void Drain::write_checkpoint(Unpacker message) {
  if (checkpoints_ == nullptr || has_failed()) return;
  for (RowStream& stream : streams_) stream.flush();
  const auto time = message.take<double>();
  try {
    const bool has_rows = !streams_.empty();
    checkpoints_->write(time, has_rows ? streams_.front().row_count() : 0,
                        has_rows ? streams_.front().last_row() : "", message.take<std::string>());
  } catch (const std::exception& error) {
    log_.warning("", error.what());
  }
}

void Drain::take_all() {
  while (take_some()) {
  }
}

bool Drain::has_failed() const {
  return damage_ || std::any_of(streams_.begin(), streams_.end(), [](const RowStream& stream) {
           return stream.failure() != nullptr;
         });
}

RunReport Drain::finish(RunReport report) {
  report.statistics.rows = 0;
  if (damage_) {  // then the process did not report its end
    report.end.kind = RunEnd::Kind::failed;
    report.end.error = damage_->within("", {.time = report.end.time});
  }
  if (!streams_.empty()) {
    report.statistics.rows = streams_.front().row_count();
    report.statistics.not_finite = streams_.front().not_finite();
  }
  for (RowStream& stream : streams_) {
    stream.finish();
    if (!stream.failure()) continue;
    try {
      std::rethrow_exception(stream.failure());
    } catch (const Error& failure) {
      const bool both = report.end.kind == RunEnd::Kind::failed && report.end.error;
      report.end.error =
          both ? Error(ErrorCode::file,
                       fmt::format("{}; {}", report.end.error->what(), failure.what()))
                     .with(report.end.error->details())
               : failure;
      report.end.kind = RunEnd::Kind::failed;
    }
  }
  return report;
}

}  // namespace tutti::session
