// SPDX-License-Identifier: BSD-2-Clause
#include "session/cases/case_worker.hpp"

namespace tutti::session {
namespace {

std::size_t bytes_of(const Case& task) {
  std::size_t bytes = 128 + task.results.native().size();
  for (const std::string& value : task.values) bytes += value.size() + sizeof(std::size_t);
  return bytes;
}

}  // namespace

CaseWorker::CaseWorker(const CaseOptions& options, const CasesOpening& opening, const Log& log)
    : caller_(std::make_shared<WorkerHost>(options.worker.program()), options, log) {
  caller_.when([this](const execution::Ring::Message& message) { take(message); });
  for (const CaseSystem& given : opening.systems) settings_.push_back(given.system.results);
  Opening common = opening_for(System(), options, options.open, log, caller_);
  caller_.ask(Request::open_cases, Packer()(common, opening));
}

void CaseWorker::send(Case task) {
  caller_.tell(Request::run_case, Packer()(task));
  waiting_bytes_ += bytes_of(task);
  waiting_.push_back(std::move(task));
}

bool CaseWorker::look() {
  any_ = false;
  const bool ended = caller_.look();
  if (!ended) return any_;
  if (caller_.end()) {
    if (!is_open_) throw Error(*caller_.end()->end.error);
    return true;
  }
  caller_.take_answer();  // of the opening; there is no other
  is_open_ = true;
  if (!waiting_.empty()) caller_.expect_something();
  return true;
}

void CaseWorker::wait_until_open() {
  while (!is_open_)
    if (!look()) caller_.wait();
}

void CaseWorker::go_on() { caller_.monitor().stop_requested = false; }

void CaseWorker::take(const execution::Ring::Message& message) {
  any_ = true;
  switch (static_cast<Sent>(message.kind)) {
    case Sent::case_started:
      started_ = Clock::now();
      if (!waiting_.empty()) last_system_ = waiting_.front().system;
      break;
    case Sent::case_columns:
    case Sent::case_row:
      if (!waiting_.empty()) take_rows(message);
      break;
    case Sent::case_done:
      if (!waiting_.empty()) take_result(Unpacker(message.bytes).take<CaseResult>());
      break;
    default:
      break;
  }
}

/// The first error of the file is kept; then its rows are dropped.
template <class Action>
void CaseWorker::write(const Action& action) {
  if (file_error_) return;
  try {
    action();
  } catch (const Error& error) {
    file_error_ = error;
  }
}

void CaseWorker::take_rows(const execution::Ring::Message& message) {
  write([&] {
    if (static_cast<Sent>(message.kind) == Sent::case_columns) {
      const auto columns = Unpacker(message.bytes).take<std::vector<Column>>();
      rows_.emplace(columns);
      file_ = std::make_unique<CaseFile>(waiting_.front().results,
                                         settings_.at(waiting_.front().system), false);
      file_->begin(columns);
    } else if (rows_ && file_) {
      file_->row(rows_->read(message.bytes));
    }
  });
}

void CaseWorker::finish_rows() noexcept {
  write([&] {
    if (file_) file_->finish();
  });
  file_.reset();
  rows_.reset();
}

void CaseWorker::take_result(CaseResult result) {
  finish_rows();
  if (const auto error = std::exchange(file_error_, std::nullopt)) {
    if (!result.end.error) result.end.error = *error;
    result.end.kind = RunEnd::Kind::failed;
  }
  result.number = waiting_.front().number;
  waiting_bytes_ -= bytes_of(waiting_.front());
  results_.push_back({waiting_.front().system, std::move(result)});
  waiting_.pop_front();
  started_.reset();
  if (waiting_.empty()) caller_.expect_nothing();
}

}  // namespace tutti::session
