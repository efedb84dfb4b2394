// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/value_set.hpp"
#include "session/trial/trial.hpp"

namespace tutti::session {

/// Simulates one instance, with any interface.
class TrialPlayer {
 public:
  virtual ~TrialPlayer() = default;

  virtual fmi::FmuInstance& instance() = 0;
  /// False: the FMU asks to end the run; then it can only be terminated and freed.
  /// @pre initialization is over
  virtual bool begin(const Trial& trial) = 0;
  /// One step. False: the FMU cannot continue, as in begin().
  virtual bool advance() = 0;
  /// Appends the numbers among the outputs, and for model exchange states, derivatives and event
  /// indicators.
  virtual void read(std::vector<double>& to) = 0;
  /// The names of the numbers, in their order.
  const std::vector<std::string>& names() const { return names_; }

  /// The data needed to continue from a saved state of the FMU.
  struct Position {
    double time = 0;
    std::vector<double> states, indicators;
    std::optional<double> next_event;
  };
  Position position;
  std::string complaint;    ///< of what the FMU states of its dependencies; empty: none
  bool may_go_back = true;  ///< the negation of noSetFMUStatePriorToCurrentPoint

 protected:
  explicit TrialPlayer(const ModelDescription& description);
  void read_outputs(std::vector<double>& to);

  models::ValueSet outputs_;
  std::vector<std::string> names_;
  double step_ = 0;
};

/// Loads and instantiates.
std::unique_ptr<TrialPlayer> make_player(const Trial& trial, const std::string& name);

/// The number in a value set, of any type; empty for strings and binaries.
std::optional<double> number_in(const models::ValueSet& set, const models::Scalar& scalar);

}  // namespace tutti::session
