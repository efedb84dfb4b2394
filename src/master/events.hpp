// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "master/assembly.hpp"
#include "master/initialization.hpp"

namespace tutti::master {

/// Values that the user sets between two steps.
struct Assignment {
  std::uint32_t component = 0;
  models::ValueSet* values = nullptr;
};

/// Events of the components: time events that are known beforehand, and changes of discrete inputs,
/// which happen in event mode only.
class Events {
 public:
  explicit Events(Assembly& assembly);

  /// Handles the events at t, where all components are. An event of one component may change
  /// discrete inputs of others, so this repeats until nothing changes. False: a model asks to end
  /// the run.
  /// @pre values from outside are those of t
  bool handle(double t);
  /// False: a model asks to end the run.
  bool assign(double t, std::span<const Assignment> assignments);
  /// The component that last requested it.
  std::optional<std::uint32_t> ended_by() const { return ended_by_; }

  /// The next time event of a component.
  std::optional<double> next() const;
  /// Whether the next event differs from that of the last call. @param next what it is now
  bool is_news(std::optional<double> next) { return std::exchange(known_, next) != next; }

  bool has_discrete_inputs() const { return !discrete_.empty(); }
  /// Outputs have other values for them than the FMUs have received.
  bool discrete_inputs_changed();
  /// The system was started or restored: the FMUs have the present values.
  void note_state() {
    note_discrete_inputs();
    known_ = next();
  }

 private:
  void note_discrete_inputs();
  /// Outputs in cycles were computed before the inputs that they depend on. Returns as handle().
  bool update_outputs(double t);

  Assembly& assembly_;
  bool needs_consistency_ = false;
  std::unique_ptr<ConsistentOutputs> consistent_outputs_;
  /// A discrete input that changes in event mode only, and the last value that the FMU received.
  struct DiscreteInput {
    std::uint32_t component;
    const models::Scalar* scalar;
    std::string known;
  };
  std::vector<DiscreteInput> discrete_;
  std::optional<double> known_;  ///< the next event, as reported last
  std::optional<std::uint32_t> ended_by_;
};

}  // namespace tutti::master
