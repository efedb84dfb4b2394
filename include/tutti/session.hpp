// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tutti/checkpoint.hpp>
#include <tutti/export.hpp>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/results.hpp>
#include <tutti/simulation.hpp>
#include <tutti/system.hpp>
#include <tutti/value.hpp>
#include <tutti/worker.hpp>

namespace tutti {

namespace session {
class AnySession;
struct AnyState;
}  // namespace session

struct SessionOptions {
  Home in = Home::here;  ///< C++ components cannot run in a worker
  Worker worker{};       ///< in = Home::worker: one of its own
  FmuOptions open{};
  Log log{};
  std::optional<double> stop{};  ///< instead of the system's; infinity: the session has no end
  double step_timeout = 600;     ///< seconds of wall time for one call (worker); 0: no limit
  bool profile = false;          ///< the times in the statistics are exact, not sampled
};

/// A variable of one session: found once by its name, then used any number of times.
struct Handle {
  std::uint32_t index = 0;
};

/// Why a step ended, and where.
struct StepEnd {
  enum class Kind { reached, event, terminated, interrupted };
  Kind kind = Kind::reached;
  double time = 0;
};

/// Everything of a session at one communication point. It can be restored any number of times, in
/// the session that saved it, while that exists.
class TUTTI_API SessionState {
 public:
  double time() const noexcept;

 private:
  friend class Session;
  explicit SessionState(std::shared_ptr<session::AnyState> data) : data_(std::move(data)) {}
  std::shared_ptr<session::AnyState> data_;
};

/// A run controlled by the caller: one thread at a time may use it, any thread.
///
///   tutti::Session session(tutti::read_system("car/system.toml"));
///   const tutti::Handle x = session.find("chassis.x");
///   session.initialize();
///   while (session.time() < 2.0) session.step();
class TUTTI_API Session {
 public:
  /// Opens the FMUs, plans, and checks the system. @throws Error
  explicit Session(System system, SessionOptions options = {});
  /// A session that resumes from a file of write_state(), or from a checkpoint of a run:
  /// initialize() restores that state. @throws Error(file) as read_checkpoint() does
  static Session resume(const std::filesystem::path& file, SessionOptions options = {});
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  /// `component.variable`: a scalar or a whole array; `component.variable[1,2]`: an element.
  /// Variables found before initialize() are available after each step without a call of the FMU,
  /// also after a failed step. @throws Error(usage)
  Handle find(std::string_view name);
  const VariableInfo& info(Handle handle) const;

  /// @throws Error: an FMU cannot be loaded, or initialization fails. The session has ended then.
  void initialize();
  /// One communication step of the step control, at most until `limit`. Later communication points
  /// do not change.
  /// @throws Error: the step failed, the stop time is reached, or a component cannot end its step
  /// at `limit`
  StepEnd step(double limit = std::numeric_limits<double>::infinity());
  /// Steps until t, or until the run is interrupted or an FMU terminates it. @throws Error
  StepEnd advance_to(double t);
  /// The last communication point.
  double time() const noexcept;

  /// A number. @throws Error(usage) for an array or a string
  double get(Handle handle);
  void get(std::span<const Handle> handles, std::span<double> values);
  Value value(Handle handle);
  /// Before initialize(): a start value. Later: a value that takes effect when the next step
  /// starts, together with all others that were set, as one event. An array takes a vector, or one
  /// value for all elements.
  /// @throws Error(usage) for a value of another type, a variable with another source, and values
  /// that FMI forbids
  void set(Handle handle, const Value& value);

  /// The observer gets a row at each recorded point, in the calling thread.
  /// @pre not yet initialized
  void observe(std::shared_ptr<Observer> observer, std::span<const Handle> handles);

  /// @throws Error(capability) that names components that cannot save their state
  SessionState save();
  /// @throws Error(usage) if it is the state of another session
  void restore(const SessionState& state);
  /// Writes the state of the session to a file, for resume(); the file is replaced atomically.
  /// @throws Error(capability) that names components that cannot serialize their state, Error(file)
  void write_state(const std::filesystem::path& file);

  /// From any thread: the current step ends at the next communication point.
  void interrupt() noexcept;

  RunStatistics statistics() const;
  /// Ends the run at the current time. @throws Error if an FMU fails
  RunReport finish();

 private:
  explicit Session(std::unique_ptr<session::AnySession> impl);
  std::unique_ptr<session::AnySession> impl_;
};

}  // namespace tutti
