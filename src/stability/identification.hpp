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
  /// Takes steps of these lengths, one after the other, from the start. Inputs are moved by `moves`
  /// from their values at the start, constant over each step; every `reverse_every` steps the moves
  /// change their sign (0: never).
  /// Returns the outputs after each step, step by step; of fewer steps if it cannot take more.
  virtual std::vector<double> run(std::span<const double> steps, std::span<const double> moves,
                                  std::size_t reverse_every) = 0;
};

struct IdentificationOptions {
  std::vector<double> input_sizes;  ///< moves are small parts of them
  double shortest_step = 0;         ///< rates up to 1 over it are resolved
  double duration = 0;              ///< of the longest run
  double least_duration = 0;        ///< a fit that holds for less is of no use
  std::optional<double> only_step;  ///< all steps have this length
  std::size_t most_steps = 4000;    ///< of all runs together
};

struct Identification {
  /// Nothing: see `note`.
  std::optional<Subsystem> system;
  Matrix first;               ///< by output and input, the response after the shortest step
  std::vector<double> drift;  ///< x' at the start: what the outputs do without a move of the inputs
  /// What the system misses of a run that was not used to find it, root of the mean square over the
  /// size of the response.
  double error = 0;
  double duration = 0;    ///< up to this time after the start it holds
  std::size_t steps = 0;  ///< taken, over all runs
  std::string note;       ///< why there is none
};

/// Finds x' = A x + B u, y = C x + D u from small moves of each input in both directions, which are
/// compared with a run without: what is not odd in the move is noise, or not linear. Fits steps
/// over many decades (response_fit.hpp); where the longest runs do not fit a linear system, shorter
/// ones may.
Identification identify(Plant& plant, const IdentificationOptions& options);

}  // namespace tutti::stability
