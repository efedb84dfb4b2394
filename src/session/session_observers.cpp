// SPDX-License-Identifier: BSD-2-Clause
#include "session/session_observers.hpp"

#include <fmt/format.h>

#include <tutti/error.hpp>

namespace tutti::session {

void expect_beside_fmus(const Observer& observer) {
  if (observer.needs_own_process().empty()) return;
  throw Error(
      ErrorCode::usage,
      fmt::format("%key% is not possible with these results: {}", observer.needs_own_process()),
      {.key = "in-process", .hint = "Leave out %key%, or write CSV or a MAT-file."});
}

void SessionObservers::add(std::shared_ptr<Observer> observer, std::vector<Column> columns,
                           std::vector<Source> sources) {
  observer->begin(columns);
  observers_.push_back({std::move(observer), std::move(sources), {}, {}});
}

void SessionObservers::read(const Observed& observed, double t, Point& point) {
  point.time = t;
  point.cells.clear();
  point.texts.clear();
  for (const Source& source : observed.sources)
    if (is_text(source.scalar->type)) {
      point.cells.push_back({.natural = point.texts.size()});
      point.texts.push_back(source.values->text(*source.scalar));
    } else {
      point.cells.push_back(source.values->read(*source.scalar));
    }
}

void SessionObservers::deliver(Observer& observer, const Point& point) {
  const std::vector<std::string_view> texts(point.texts.begin(), point.texts.end());
  observer.row({point.time, point.cells, texts});
}

void SessionObservers::record(double t) {
  ++row_count_;
  for (Observed& observed : observers_) {
    Point& point = holds_ ? observed.buffered.emplace_back() : observed.point;
    read(observed, t, point);
    if (!holds_) deliver(*observed.observer, point);
  }
}

void SessionObservers::release() {
  holds_ = false;
  for (Observed& observed : observers_) {
    for (const Point& point : observed.buffered) deliver(*observed.observer, point);
    observed.buffered.clear();
  }
}

void SessionObservers::drop() {
  holds_ = false;
  if (!observers_.empty()) row_count_ -= observers_.front().buffered.size();
  for (Observed& observed : observers_) observed.buffered.clear();
}

void SessionObservers::rewind(std::uint64_t rows) {
  drop();
  for (const Observed& observed : observers_)
    if (!observed.observer->rewind(rows))
      throw Error(
          ErrorCode::capability,
          "an observer of the session cannot remove rows, so earlier states cannot be restored");
  row_count_ = rows;
}

void SessionObservers::finish() {
  release();
  for (const Observed& observed : observers_) observed.observer->finish();
}

}  // namespace tutti::session
