// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/control_settings.hpp>
#include <tutti/log.hpp>
#include <vector>

#include "models/input_table.hpp"

namespace tutti::master {

/// How far a step may go so that components see of their tables what matters.
///
/// Over a step a component receives a line, or a constant. A table bends and is not constant: the
/// step ends at a row before its rows are farther from a line than atol + rtol |u|, and where the
/// constant is farther from that line in the mean. With h, s the step and the slope of the line:
///   value at the start or at the end of the step     h |s|/2
///   value in its middle                              h |s|/2 min(1, r h/6)
/// The middle has no error in the mean: its effect is as small as h is against the time constant
/// 1/r of the fastest state. Outputs with direct feed-through take in the error at the end of the
/// step: h |s| of the value at the start, h |s|/2 of that in the middle.
class InputLimits {
 public:
  enum class Received : std::uint8_t { line, start, middle, end };
  struct Signal {
    const models::InputTable* table = nullptr;
    std::size_t input = 0;  ///< of its continuous ones
    Received received = Received::line;
    bool feeds_through = false;
    double rate = 0;   ///< r in 1/s; infinity: not known
    std::string name;  ///< for messages
  };
  InputLimits() = default;
  InputLimits(const ControlSettings& settings, std::vector<Signal> signals, const Log& log);

  /// As CoupledInputs::limit().
  double end_of_step(double t, double end, double min);

 private:
  double limit_of_constant(const Signal& signal, double t, double end) const;
  void refuse(const Signal& signal, double t, double h, double min);

  std::vector<Signal> signals_;
  models::InputTolerance tolerance_;
  bool sees_constants_ = false;  ///< the step control has a test of its own for them
  bool stops_at_min_ = true, has_warned_ = false;
  const Log* log_ = nullptr;
};

}  // namespace tutti::master
