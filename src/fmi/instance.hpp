// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tutti/error.hpp>
#include <tutti/model_description.hpp>
#include <vector>

#include "base/step_outcome.hpp"
#include "base/variable_access.hpp"

namespace tutti::fmi {

struct InstanceOptions {
  std::string name;      ///< of the instance, not empty
  bool logging = false;  ///< the FMU's debug logging (loggingOn), all categories
};

/// Values of one type that are transferred together, as in FmuInstance::get and set.
struct Batch {
  Type type{};
  References references;
  void* values = nullptr;
  std::size_t value_count = 0;
};

class FmuInstance;

/// A saved state of one instance. It must be destroyed before the instance: declare it after the
/// instance.
class FmuState {
 public:
  FmuState() = default;
  FmuState(FmuState&& other) noexcept;
  FmuState& operator=(FmuState&& other) noexcept;
  ~FmuState();
  explicit operator bool() const { return handle_ != nullptr; }

 private:
  friend class FmuInstance;
  FmuInstance* instance_ = nullptr;
  void* handle_ = nullptr;
  std::uint32_t mode_ = 0;  ///< the mode of the instance when it was saved
};

/// One instance of an FMU of any version: the common interface of co-simulation and model exchange.
///
/// Legal order of calls (a wrong order is a bug in Tutti and throws std::logic_error):
///   1. instantiated:  set (start values), [enter/exit_configuration_mode: structural parameters]
///   2. enter_initialization(experiment): set inputs and start values, get outputs (not in 1.0,
///      which has no such mode: `can_get_in_initialization`)
///   3. exit_initialization(): co-simulation is in step mode (3.0 with event mode: in event mode);
///      model exchange is in event mode
///   4. the calls of the derived class
///   5. terminate(), then final values may be read; the destructor frees the instance.
/// After an error the instance is only freed (2.0, 3.0: or reset()); after a fatal one, not even
/// that.
///
/// A status `warning` of the FMU is logged (a few times per function) and counted; `error` and
/// `fatal` throw Error(fmu) that names instance, function and time.
///
/// A virtual base: CoSimulation and ModelExchange add functions to it, and the components of each
/// FMI version implement the common ones.
class FmuInstance : public VariableAccess {
 public:
  virtual ~FmuInstance() = default;
  FmuInstance(const FmuInstance&) = delete;
  FmuInstance& operator=(const FmuInstance&) = delete;

  virtual const std::string& name() const = 0;
  virtual const ModelDescription& description() const = 0;
  virtual const Capabilities& capabilities() const = 0;
  virtual const CallCounts& counts() const = 0;
  /// Direct steps are counted in `counter` by the caller, who may count many instances together.
  /// Null: not counted.
  virtual void count_direct_steps(const std::uint64_t* counter, bool with_set, bool with_get) = 0;
  /// The last direct step counted was not executed by this instance.
  virtual void uncount_direct_step() = 0;
  /// Sets the counts and discards later calls.
  virtual void set_counts(const CallCounts& counts) = 0;
  /// After a direct step from t: see InstanceCore::keep_float_control().
  virtual void keep_float_control(double t) = 0;
  /// Direct steps were taken since the last set: the instance is in the state after a step.
  virtual void note_direct_steps() = 0;
  virtual bool can_get_in_initialization() const = 0;

  /// FMI 3.0: structural parameters are set between these two.
  virtual void enter_configuration_mode() = 0;
  virtual void exit_configuration_mode() = 0;

  virtual void enter_initialization(const Experiment& experiment) = 0;
  virtual void exit_initialization() = 0;
  virtual void terminate() = 0;
  virtual void reset() = 0;
  virtual bool is_terminated() const { return false; }  ///< without an error

  /// @pre capabilities().can_save_state. Reuses the memory of `into` if it contains a state
  /// already.
  void save_state(FmuState& into);
  void restore_state(const FmuState& state);
  /// @pre capabilities().can_serialize_state
  std::vector<std::uint8_t> serialize_state(const FmuState& state);
  FmuState deserialize_state(std::span<const std::uint8_t> bytes);

  /// sensitivity = d(unknowns)/d(knowns) * seed, of the model equations in the present mode.
  virtual void directional_derivative(References unknowns, References knowns,
                                      std::span<const double> seed,
                                      std::span<double> sensitivity) = 0;
  /// sensitivity = seed * d(unknowns)/d(knowns). @pre capabilities().provides_adjoint_derivatives
  virtual void adjoint_derivative(References unknowns, References knowns,
                                  std::span<const double> seed, std::span<double> sensitivity);

 protected:
  FmuInstance() = default;

 private:
  friend class FmuState;
  virtual std::uint32_t mode() const = 0;
  virtual void get_fmu_state(void** handle) = 0;
  virtual void set_fmu_state(void* handle, std::uint32_t mode) = 0;
  virtual void free_fmu_state(void** handle) noexcept = 0;
  virtual std::vector<std::uint8_t> serialize(void* handle) = 0;
  virtual void* deserialize(std::span<const std::uint8_t> bytes) = 0;
};

/// The result of an event iteration.
struct DiscreteUpdate {
  bool needs_another = false;  ///< update again before leaving event mode
  bool terminate = false;
  bool nominals_changed = false;
  std::optional<double> next_event_time;
};

}  // namespace tutti::fmi
