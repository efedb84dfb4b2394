// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "base/explanation.hpp"
#include "master/stepping/step_controller.hpp"

namespace tutti::master {

/// A row of the table that file reader, checks, messages and tests read: the public properties of a
/// step controller.
struct StepControlEntry {
  std::string_view name;     ///< as in system files: simulation.control.name
  std::string_view summary;  ///< one line
  /// `h` is the first step. @pre settings have min and max, if it chooses steps
  std::unique_ptr<StepController> (*make)(const ControlSettings& settings, double h);
  /// Steps differ in size, which every component must allow. Of the settings, min and max count.
  bool chooses_steps = true;
  /// Whether failed steps are rolled back; needed: components without rollback are rejected.
  enum class Rollback : std::uint8_t { never, if_possible, needed } rollback = Rollback::needed;
  bool tests_errors = false;  ///< of its steps, against atol and rtol
  /// These errors are those of extrapolated inputs: CoupledInputs::models().
  bool predicts_inputs = false;
  bool uses_variant = true, uses_estimator = true;  ///< of the settings
  Explanation about = {};
};
std::span<const StepControlEntry> step_controls();  ///< as they are listed
/// The row of settings.name. @throws Error(usage) if there is none
const StepControlEntry& step_control_of(const ControlSettings& settings);
/// The controller of the table. @pre minimum and maximum are given, if it chooses steps
std::unique_ptr<StepController> make_step_controller(const ControlSettings& settings, double h);
/// The steps are not those of a fixed grid.
bool is_free(const ControlSettings& settings);
/// Likewise, and some steps may be rolled back.
bool may_roll_back(const ControlSettings& settings, bool is_possible);

/// Steps of one size with a different clock or end than a grid.
std::unique_ptr<StepController> make_fixed_steps(const ControlSettings& settings, double h);
std::unique_ptr<StepController> make_convergence(const ControlSettings& settings, double h);

/// Richardson extrapolation with a slope test (A. Nicolai, MASTERSIM, 2018, algorithm 6): a step of
/// h, then two of h/2 from the same start, whose values y2 are kept:
///   e  = y2 - y1                     y1: after the whole step
///   e' = ym - (y0 + y1)/2            ym: after the first half, y0: at the start
///   err = max(rms(e/w), rms(e'/w)),  w = |y2| rtol + atol
///   next step: h min(2, max(0.2, 0.9/sqrt(err)))
/// The slope part e' sees outputs that depend on the time only, for which y1 = y2. For inputs of
/// higher order and the variants see RichardsonRules.
///
/// Variant eas: as the EAS master does it (T. Schierz, M. Arnold, C. Clauß, Co-simulation with
/// communication step size control in an FMI compatible master algorithm, 2012): a step of 2 H,
/// then two of H, both of which count:
///   EST = y - y~,  err = rms(EST/(atol + rtol |y|))
///   next H: H min(2, max(0.2, 0.85 err^(-1/P))),  P = 2 without direct feed-through, else 1
std::unique_ptr<StepController> make_richardson(const ControlSettings& settings, double h);

/// One pass per step; its error is that of the inputs, computed by Prediction:
///   next step: h min(2, max(0.2, 0.9 err^(-0.7/k) (error of the step before)^(0.4/k)))
/// k = q + 1 is the power of the error. A step with an error above 1 is repeated with
/// h max(0.2, 0.9 err^(-1/k)), if all components can roll back; if not, it is accepted and counted.
std::unique_ptr<StepController> make_predictor(const ControlSettings& settings, double h);

}  // namespace tutti::master
