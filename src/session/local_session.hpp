// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "execution/ring.hpp"
#include "results/recorder.hpp"
#include "session/any_session.hpp"
#include "session/prepared_system.hpp"
#include "session/running_system.hpp"
#include "session/session_observers.hpp"
#include "session/session_values.hpp"

namespace tutti::session {

struct LocalOptions {
  SystemRunOptions run;  ///< own_process: the preparation runs in copies of this process
  Log log;
  std::string state;                      ///< RunState to continue from; empty: the run starts
  bool is_open_ended = false;             ///< the stop time is unknown
  execution::Monitor* monitor = nullptr;  ///< null: its own
  execution::Ring* points = nullptr;      ///< receives a row of all found variables at each point
};

/// A session in this process.
class LocalSession final : public AnySession {
 public:
  /// @throws Error
  LocalSession(System system, LocalOptions options);
  ~LocalSession() override;

  Handle find(std::string_view name) override;
  const VariableInfo& info(Handle handle) const override { return at(handle).info; }
  void initialize() override;
  StepEnd advance(double target, bool one_step) override;
  double time() const noexcept override;
  double number(Handle handle) override;
  Value value(Handle handle) override;
  void set(Handle handle, const Value& value) override;
  void observe(std::shared_ptr<Observer> observer, std::span<const Handle> handles) override;
  std::shared_ptr<AnyState> save() override;
  void restore(const AnyState& state) override;
  std::string write_state() override;
  void interrupt() noexcept override {
    monitor_.stop_requested.store(true, std::memory_order_relaxed);
  }
  RunStatistics statistics() const override;
  RunReport finish() override;

  const RunOutline& outline() const { return setup_.outline; }

 private:
  /// Set values that take effect at the start of the next step.
  struct PendingValues {
    std::uint32_t component = 0;
    models::ValueSet values;
  };
  struct State;
  struct Request {
    std::shared_ptr<Observer> observer;
    std::vector<Handle> handles;
  };

  const ModelDescription& description(const FoundVariable& variable) const {
    return *prepared_->models().descriptions[variable.component];
  }
  master::Ensemble& running() { return running_->system(); }
  double now() const { return running_->system().time(); }
  bool is_initialized() const { return running_ && running_->is_initialized(); }
  bool has_failed() const { return running_ && running_->has_failed(); }
  bool is_alive() const { return is_initialized() && ended_.empty() && !has_failed(); }
  const FoundVariable& at(Handle handle) const;
  void expect(bool initialized, const char* what) const;
  void expect_alive(const char* what) const;
  void give_up();
  void observe_all();
  void locate(std::size_t handle);
  master::Loop::End advance_to(double target);
  void check_target(double target, bool one_step);
  void apply_pending();
  void show_points();
  void note_point();
  [[noreturn]] void fail(const Error& error);
  void update_rollback();
  /// A variable that is not read after each step, directly from its FMU.
  models::ValueSet fetch(const FoundVariable& variable);

  LocalOptions options_;
  std::unique_ptr<PreparedSystem> prepared_;
  const System& system_;
  RunSetup setup_;
  RunReport report_;
  execution::Monitor own_monitor_;
  execution::Monitor& monitor_;
  std::vector<FoundVariable> found_;
  std::vector<Request> requests_;
  std::vector<PendingValues> pending_;
  SessionObservers observers_;
  std::optional<RunningSystem> running_;
  std::optional<results::Recorder> points_;
  std::vector<std::weak_ptr<State>> states_;
  bool expects_rollback_ = false;
  std::string_view ended_;  ///< the call that ended it; empty: not ended
};

}  // namespace tutti::session
