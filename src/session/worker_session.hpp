// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <mutex>

#include "session/any_session.hpp"
#include "session/local_session.hpp"
#include "session/worker_call.hpp"

namespace tutti::session {

/// A session in a worker: every function is a request to the LocalSession there. Variables found
/// before initialize() are sent with each accepted point, so they can be read without a request,
/// also after the worker has ended.
class WorkerSession final : public AnySession {
 public:
  /// @throws Error
  WorkerSession(const System& system, LocalOptions options);
  ~WorkerSession() override;

  Handle find(std::string_view name) override;
  const VariableInfo& info(Handle handle) const override { return at(handle); }
  void initialize() override;
  StepEnd advance(double target, bool one_step) override;
  double time() const noexcept override { return time_; }
  double number(Handle handle) override;
  Value value(Handle handle) override;
  void set(Handle handle, const Value& value) override;
  void observe(std::shared_ptr<Observer> observer, std::span<const Handle> handles) override;
  std::shared_ptr<AnyState> save() override;
  void restore(const AnyState& state) override;
  std::string write_state() override;
  void interrupt() noexcept override {
    caller_.monitor().stop_requested.store(true, std::memory_order_relaxed);
  }
  RunStatistics statistics() const override;
  RunReport finish() override;

 private:
  struct State;
  /// States that are no longer used; their last owner may be in any thread.
  struct Forgotten {
    std::mutex mutex;
    std::vector<std::uint64_t> numbers;
  };

  const VariableInfo& at(Handle handle) const;
  Unpacker call(Request request, const Packer& arguments = {}) const;
  void take(const execution::Ring::Message& message);
  void expect_points(std::vector<std::uint64_t> sizes);
  bool is_in_points(Handle handle) const;
  void take_point(std::span<const std::byte> bytes);
  void expect_no_failed_observer(const char* what) const;
  void pass_on_failure();
  void note_time_of_failure();

  Log log_;
  mutable WorkerCaller caller_;
  mutable std::string answer_;
  double time_ = 0;
  std::vector<VariableInfo> found_;
  std::vector<std::shared_ptr<Observer>> observers_;
  // The last accepted point:
  std::optional<results::RowReader> point_reader_;
  std::vector<std::uint64_t> sizes_;  ///< cells by handle; those found later have none
  std::vector<std::size_t> first_cells_;
  std::vector<Cell> cells_;
  std::vector<std::string> texts_;
  std::shared_ptr<Forgotten> forgotten_ = std::make_shared<Forgotten>();
  bool is_finished_ = false;
  bool observer_failed_ = false;
};

}  // namespace tutti::session
