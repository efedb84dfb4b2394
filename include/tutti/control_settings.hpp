// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tutti/words.hpp>

namespace tutti {

/// The action when a limit is reached.
enum class OnLimit : std::uint8_t { stop, go_on };
constexpr WordList<2> list_words(OnLimit) { return {"stop", "continue"}; }

/// The program whose rules a step control follows.
enum class ControlVariant : std::uint8_t { tutti, eas, mastersim, mastersim_2018, pyfmi, textbook };
constexpr WordList<6> list_words(ControlVariant) {
  return {"tutti", "eas", "mastersim", "mastersim-2018", "pyfmi", "textbook"};
}
enum class ErrorEstimator : std::uint8_t { classic, linear, extended };
constexpr WordList<3> list_words(ErrorEstimator) { return {"classic", "linear", "extended"}; }
/// The time of a communication point: from its number, or by adding step sizes.
enum class TimeStepping : std::uint8_t { integer, accumulate };
constexpr WordList<2> list_words(TimeStepping) { return {"integer", "accumulate"}; }
/// The last step ends at the stop time, or beyond it; or, if a component cannot take a shorter
/// one, the run ends before the stop time with the last whole step.
enum class LastStep : std::uint8_t { exact, overshoot, whole };
constexpr WordList<3> list_words(LastStep) { return {"exact", "overshoot", "whole"}; }

/// Step size control. The first step is SimulationSettings::step.
struct ControlSettings {
  std::string name = "fixed";  ///< of a step controller, as in simulation.control.name
  ControlVariant variant = ControlVariant::tutti;
  std::optional<ErrorEstimator> estimator;  ///< the variant's
  double atol = 1e-4, rtol = 1e-4;          ///< of the error of a step
  /// s; default: 1e-9 and 0.1 of the time span, or the first step, if that is beyond.
  std::optional<double> min, max;
  /// If the error of a step of minimum size is too large, or too many steps without rollback were
  /// accepted with errors.
  OnLimit at_min = OnLimit::stop;
  /// s; predictor: a step of this size with the same error as a longer one contains a jump and is
  /// accepted. `auto` sets it; default: at_min decides.
  std::optional<double> jump;
  /// A new step is max(shrink, min(grow, safety * optimal factor)) times the last one.
  std::optional<double> safety, shrink, grow;  ///< the variant's
  double fall_back = 0;                        ///< s; cycles do not iterate in shorter steps
  TimeStepping clock = TimeStepping::integer;
  LastStep end = LastStep::exact;
};

}  // namespace tutti
