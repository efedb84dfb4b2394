// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/value_set.hpp"
#include "session/trial/trial.hpp"

namespace tutti::session {

/// One instance on its way through time, whatever its interface.
class TrialPlayer {
 public:
  virtual ~TrialPlayer() = default;

  virtual fmi::FmuInstance& instance() = 0;
  /// False: the FMU asks to end the run; then it can only be terminated and freed.
  /// @pre initialization is over
  virtual bool begin(const Trial& trial) = 0;
  /// One step. False: the FMU does not go on, as in begin().
  virtual bool advance() = 0;
  /// Appends the numbers among the outputs, and for model exchange states, derivatives and event
  /// indicators.
  virtual void read(std::vector<double>& to) = 0;
  /// What the numbers are called, in their order.
  const std::vector<std::string>& names() const { return names_; }

  /// What must be known to go on from a saved state of the FMU.
  struct Position {
    double time = 0;
    std::vector<double> states, indicators;
    std::optional<double> next_event;
  };
  Position position;
  bool may_go_back =
      true;  ///< what the FMU is told: noSetFMUStatePriorToCurrentPoint is its negation

 protected:
  explicit TrialPlayer(const ModelDescription& description);
  void read_outputs(std::vector<double>& to);

  models::ValueSet outputs_;
  std::vector<std::string> names_;
  double step_ = 0;
};

/// Loads and instantiates.
std::unique_ptr<TrialPlayer> make_player(const Trial& trial, const std::string& name);

/// The number in a value set, of whatever type; nothing for strings and binaries.
std::optional<double> number_in(const models::ValueSet& set, const models::Scalar& scalar);

}  // namespace tutti::session
