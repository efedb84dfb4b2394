// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <span>
#include <string>

#include "stability/coupled_system.hpp"

namespace tutti::stability {

/// A system that can be run from its start as often as needed.
class Plant {
 public:
  virtual ~Plant() = default;

  /// The outputs at the start.
  virtual std::vector<double> start() = 0;
  /// Takes steps of these lengths from the start. Inputs are perturbed by `moves` from their values
  /// at the start, constant over each step; every `reverse_every` steps the perturbations change
  /// their sign (0: never). Returns the outputs after each step, step by step; for fewer steps if
  /// it cannot take more.
  virtual std::vector<double> run(std::span<const double> steps, std::span<const double> moves,
                                  std::size_t reverse_every) = 0;
};

struct IdentificationOptions {
  std::vector<double> input_sizes;  ///< perturbations are small fractions of these
  double shortest_step = 0;         ///< rates up to 1 over it are resolved
  double duration = 0;              ///< of the longest run
  double least_duration = 0;        ///< a fit valid for a shorter time is useless
  std::optional<double> only_step;  ///< all steps have this length
  std::size_t most_steps = 4000;    ///< of all runs together
};

struct Identification {
  /// Nothing: see `note`.
  std::optional<Subsystem> system;
  Matrix first;               ///< by output and input, the response after the shortest step
  std::vector<double> drift;  ///< x' at the start: the outputs without perturbation
  /// The RMS error for a run that was not used for the fit, relative to the size of the response.
  double error = 0;
  double duration = 0;    ///< it is valid up to this time after the start
  std::size_t steps = 0;  ///< taken, over all runs
  std::string note;       ///< why there is no system
};

/// Finds x' = A x + B u, y = C x + D u from small perturbations of each input in both directions,
/// which are compared with a run without: the even part of a response is noise, or nonlinear. Fits
/// steps over many decades (response_fit.hpp); if the longest runs do not fit a linear system,
/// tries shorter ones.
Identification identify(Plant& plant, const IdentificationOptions& options);

}  // namespace tutti::stability
