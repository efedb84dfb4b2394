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

/// Events of the components: those they know of beforehand, and discrete inputs, which change in
/// event mode only.
class Events {
 public:
  explicit Events(Assembly& assembly);

  /// Everybody is at t. An event of one component may change discrete inputs of others, so it goes
  /// on until nothing changes. False: a model asks to end the run.
  /// @pre values from outside are those of t
  bool handle(double t);
  /// False: a model asks to end the run.
  bool assign(double t, std::span<const Assignment> assignments);
  /// The model that asked for it last.
  std::optional<std::uint32_t> ended_by() const { return ended_by_; }

  /// The next one that a component knows of.
  std::optional<double> next() const;
  /// It is not the one that was known when this was last asked. @param next what it is now
  bool is_news(std::optional<double> next) { return std::exchange(known_, next) != next; }

  bool has_discrete_inputs() const { return !discrete_.empty(); }
  /// Outputs have other values for them than the FMUs know.
  bool discrete_inputs_changed();
  /// The system was started or restored: what the FMUs know is what stands there now.
  void note_state() {
    note_discrete_inputs();
    known_ = next();
  }

 private:
  void note_discrete_inputs();
  /// Outputs in cycles were computed before the inputs that they depend on. False: as handle().
  bool agree(double t);

  Assembly& assembly_;
  bool must_agree_ = false;
  std::unique_ptr<Agreement> agreement_;
  /// A discrete input that must go through event mode, and what the FMU knows of it.
  struct DiscreteInput {
    std::uint32_t component;
    const models::Scalar* scalar;
    std::string known;
  };
  std::vector<DiscreteInput> discrete_;
  std::optional<double> known_;  ///< the next event, as told last
  std::optional<std::uint32_t> ended_by_;
};

}  // namespace tutti::master
