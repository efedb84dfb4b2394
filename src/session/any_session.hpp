// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/session.hpp>

#include "system/package_paths.hpp"

namespace tutti::session {

/// A saved state, in any process.
struct AnyState {
  explicit AnyState(double when) : time(when) {}
  virtual ~AnyState() = default;
  AnyState(const AnyState&) = delete;
  AnyState& operator=(const AnyState&) = delete;
  double time;
};

/// A session in this process or in a worker; tutti/session.hpp documents the functions.
class AnySession {
 public:
  explicit AnySession(const System& system) : given(system), paths(system) {}
  virtual ~AnySession() = default;
  AnySession(const AnySession&) = delete;
  AnySession& operator=(const AnySession&) = delete;

  virtual Handle find(std::string_view name) = 0;
  virtual const VariableInfo& info(Handle handle) const = 0;
  virtual void initialize() = 0;
  /// At most one step, or as many as necessary.
  virtual StepEnd advance(double target, bool one_step) = 0;
  virtual double time() const noexcept = 0;
  virtual double number(Handle handle) = 0;
  virtual Value value(Handle handle) = 0;
  virtual void set(Handle handle, const Value& value) = 0;
  virtual void observe(std::shared_ptr<Observer> observer, std::span<const Handle> handles) = 0;
  virtual std::shared_ptr<AnyState> save() = 0;
  virtual void restore(const AnyState& state) = 0;
  /// A RunState.
  virtual std::string write_state() = 0;
  virtual void interrupt() noexcept = 0;
  virtual RunStatistics statistics() const = 0;
  virtual RunReport finish() = 0;

  /// The address of a number, by handle, so that get() is fast; null: call number().
  std::vector<const double*> places;
  const System given;
  const system::PackagePaths paths;
};

}  // namespace tutti::session
