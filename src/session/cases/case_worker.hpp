// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <tutti/cases.hpp>
#include <vector>

#include "base/seconds.hpp"
#include "results/recorder.hpp"
#include "session/cases/case_file.hpp"
#include "session/cases/case_messages.hpp"
#include "session/worker_call.hpp"

namespace tutti::session {

/// A worker that runs cases, seen from its owner. Several cases wait in it, so that it never waits
/// for the owner.
class CaseWorker {
 public:
  /// Starts the process, and to open the systems there.
  CaseWorker(const CaseOptions& options, const CasesOpening& opening, const Log& log);

  void send(Case task);
  /// Sent cases without a result.
  const std::deque<Case>& waiting() const { return waiting_; }
  bool is_open() const { return is_open_; }
  std::size_t waiting_bytes() const { return waiting_bytes_; }
  /// Takes the messages that have arrived. False: there was none. @throws Error if the systems
  /// cannot be opened
  bool look();
  /// Waits until they are. @throws Error
  void wait_until_open();
  struct Finished {
    std::uint32_t system = 0;
    CaseResult result;
  };
  std::deque<Finished> take_results() { return std::exchange(results_, {}); }
  /// A stop request no longer holds. @pre no case is waiting
  void go_on();

  /// How the process ended, if it has.
  const std::optional<RunReport>& end() const { return caller_.end(); }
  /// It ended in the first waiting case; otherwise between two cases.
  bool is_in_case() const { return started_.has_value(); }
  double seconds_in_case() const { return started_ ? seconds_since(*started_) : 0; }
  std::uint32_t last_system() const { return last_system_; }
  /// The rows of that case so far are kept.
  void finish_rows() noexcept;

 private:
  void take(const execution::Ring::Message& message);
  void take_rows(const execution::Ring::Message& message);
  void take_result(CaseResult result);
  template <class Action>
  void write(const Action& action);

  WorkerCaller caller_;
  bool is_open_ = false, any_ = false;
  std::deque<Case> waiting_;
  std::size_t waiting_bytes_ = 0;  ///< of their values
  std::deque<Finished> results_;
  std::optional<Clock::time_point> started_;
  std::uint32_t last_system_ = 0;
  std::optional<results::RowReader> rows_;
  std::vector<ResultSettings> settings_;  ///< by system
  std::unique_ptr<CaseFile> file_;
  std::optional<Error> file_error_;
};

}  // namespace tutti::session
