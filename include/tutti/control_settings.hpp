// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tutti/words.hpp>

namespace tutti {

/// What follows when a limit is reached.
enum class OnLimit : std::uint8_t { stop, go_on };
constexpr WordList<2> list_words(OnLimit) { return {"stop", "continue"}; }

/// Whose rules a step control follows where they differ.
enum class ControlVariant : std::uint8_t { tutti, eas, mastersim, mastersim_2018, pyfmi, textbook };
constexpr WordList<6> list_words(ControlVariant) {
  return {"tutti", "eas", "mastersim", "mastersim-2018", "pyfmi", "textbook"};
}
enum class ErrorEstimator : std::uint8_t { classic, linear, extended };
constexpr WordList<3> list_words(ErrorEstimator) { return {"classic", "linear", "extended"}; }
/// How the time of a communication point comes about: from its number, or by adding up steps.
enum class TimeStepping : std::uint8_t { integer, accumulate };
constexpr WordList<2> list_words(TimeStepping) { return {"integer", "accumulate"}; }
/// The last step ends at the stop time, or goes beyond it; or, where a component cannot take a
/// shorter one, the run ends before the stop time with the last whole step.
enum class LastStep : std::uint8_t { exact, overshoot, whole };
constexpr WordList<3> list_words(LastStep) { return {"exact", "overshoot", "whole"}; }

/// The choice of the communication step. The first one is SimulationSettings::step.
struct ControlSettings {
  std::string name = "fixed";  ///< of a step controller, as simulation.control.name has it
  ControlVariant variant = ControlVariant::tutti;
  std::optional<ErrorEstimator> estimator;  ///< the variant's
  double atol = 1e-4, rtol = 1e-4;          ///< of the error of a step
  /// s; if not given: a billionth and a tenth of the simulated time, or the first step, if that
  /// lies beyond.
  std::optional<double> min, max;
  /// If the error of a step of that size is too large, or too much was accepted that could not be
  /// rolled back.
  OnLimit at_min = OnLimit::stop;
  /// s; predictor: a step of that size whose error is as large as that of a longer one holds a jump
  /// and is accepted. `auto` sets it; if not given, at_min decides.
  std::optional<double> jump;
  /// A new step is max(shrink, min(grow, safety * what the error suggests)) times the last one.
  std::optional<double> safety, shrink, grow;  ///< the variant's
  double fall_back = 0;                        ///< s; cycles do not iterate in shorter steps
  TimeStepping clock = TimeStepping::integer;
  LastStep end = LastStep::exact;
};

}  // namespace tutti
