// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <tutti/results.hpp>
#include <vector>

#include "master/observer.hpp"
#include "models/value_set.hpp"

namespace tutti::session {

/// For an observer of a process that loads FMUs. @throws Error(usage) if it cannot be one
void expect_beside_fmus(const Observer& observer);

/// Passes each recorded point to the observers of a session, in the thread that steps.
class SessionObservers final : public master::StepObserver {
 public:
  /// One column, with the address of its value.
  struct Source {
    const models::ValueSet* values = nullptr;
    const models::Scalar* scalar = nullptr;
  };
  void add(std::shared_ptr<Observer> observer, std::vector<Column> columns,
           std::vector<Source> sources);
  bool empty() const { return observers_.empty(); }
  std::uint64_t row_count() const { return row_count_; }
  /// The rows after the first `rows` are void. @throws Error(capability) if an observer cannot
  /// remove them
  void rewind(std::uint64_t rows);
  void finish();

  void record(double t) override;
  void hold() override { holds_ = true; }
  void release() override;
  void drop() override;

 private:
  struct Point {
    double time = 0;
    std::vector<Cell> cells;
    std::vector<std::string> texts;
  };
  struct Observed {
    std::shared_ptr<Observer> observer;
    std::vector<Source> sources;
    Point point;                  ///< the present one
    std::vector<Point> buffered;  ///< rows that may become void
  };
  static void read(const Observed& observed, double t, Point& point);
  static void deliver(Observer& observer, const Point& point);

  std::vector<Observed> observers_;
  bool holds_ = false;
  std::uint64_t row_count_ = 0;
};

}  // namespace tutti::session
