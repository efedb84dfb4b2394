// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "stability/coupled_system.hpp"

namespace tutti::stability {

/// The order in which the subsystems take a step.
enum class Sequence : std::uint8_t {
  parallel,    ///< jacobi: all use old outputs
  sequential,  ///< gauss-seidel: later ones use the new outputs of earlier ones
  solved,      ///< iterated, newton: inputs and outputs at the end of the step agree
  predicted    ///< linear-implicit: inputs have the effect of those of the exact solution
};

/// Extrapolation of an input inside a step, where its new value is unknown.
enum class Prediction : std::uint8_t {
  hold,
  linear_differences,     ///< slope (u_n - u_(n-1)) / H
  linear_derivatives,     ///< slope from the derivatives of the outputs
  quadratic_backward,     ///< backward difference and half the second difference: thesis, (6.30)
  quadratic_differences,  ///< the parabola through the last three values
  quadratic_derivatives,  ///< first and second derivatives of the outputs
};
/// Degree of the polynomial: 0, 1, 2.
int order_of(Prediction prediction);

/// The properties of a coupling method that determine stability.
struct Scheme {
  Sequence sequence = Sequence::parallel;
  Prediction prediction = Prediction::hold;
  /// Inputs are continuous: the slope leads to the end of the prediction. Order 1 only.
  bool smooth = false;
  /// Outputs are made consistent with their inputs after each step, by I - D L or by evaluation.
  bool corrected = false;
};

/// The map from one communication point to the next that the scheme makes of the coupled system,
/// the subsystems being integrated exactly. Its state is (x; y; memory of the prediction: earlier
/// outputs, or derivatives times powers of the step), or with smoothing (x; u; H u'; possibly y).
/// Obtained by running the scheme on all unit vectors.
///
/// Ch. Andersson, Methods and Tools for Co-Simulation of Dynamic Systems with the Functional
/// Mock-up Interface, Lund 2016, chapter 6, has the maps of some schemes as block matrices.
/// Predicted, the state is x alone.
/// @pre sequential, predicted: hold or linear_differences; solved: hold, or linear_differences (the
/// line to
///      the value at the end); neither smooth nor corrected. smooth: order 1.
/// Empty if a matrix that must be inverted is singular.
Matrix step_map(const CoupledSystem& system, const Scheme& scheme, double h);

/// By row of the step map, the subsystem that it belongs to.
std::vector<std::size_t> row_owners(const CoupledSystem& system, const Scheme& scheme);

/// The map of the outputs in one iteration: the sweeps converge if its spectral radius is below 1.
/// @pre parallel or sequential, hold
Matrix sweep_map(const CoupledSystem& system, Sequence sequence, double h);

}  // namespace tutti::stability
