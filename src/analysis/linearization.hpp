// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <tutti/log.hpp>
#include <vector>

#include "fmi/fmu.hpp"
#include "models/instance.hpp"
#include "models/start_values.hpp"
#include "stability/coupled_system.hpp"
#include "stability/identification.hpp"

namespace tutti::analysis {

/// The sources of a linear model, the best first.
enum class Source : std::uint8_t {
  model_exchange_derivatives,  ///< directional derivatives of the model-exchange interface
  model_exchange_differences,  ///< differences of its equations
  directional_derivatives,     ///< of the co-simulation interface, after initialization
  initialization_differences,  ///< set inputs, get outputs in initialization mode
  structure,                   ///< the dependencies of the description: no magnitudes
  identified,                  ///< fitted to responses of small co-simulation steps
};
constexpr WordList<6> list_words(Source) {
  return {"directional derivatives of its model-exchange interface",
          "differences of its model-exchange equations",
          "directional derivatives",
          "differences in initialization mode",
          "the dependencies in its description, without magnitudes",
          "a fit to small steps"};
}

/// Around the initial point
///   x' = A x + B (u - u_start) + drift,  y = y_start + C x + D (u - u_start),  x = 0 at the start.
/// The states are those of the model, minus their initial values; identified ones are artificial.
struct Linearization {
  Source source = Source::structure;
  stability::Subsystem system;
  bool has_states = false;      ///< A, B and C are known; otherwise empty
  std::vector<bool> uncertain;  ///< by entry of D: it may be different from zero
  /// By input, output and state; empty if unknown.
  std::vector<double> u_start, y_start, drift;
  /// Identified: steps up to this length were fitted. Infinite for equations.
  double longest_step = std::numeric_limits<double>::infinity();
  std::vector<std::string> notes;  ///< why better sources failed; the quality of the fit

  /// The spectral radius of A: 0 without states. Empty: A is unknown.
  std::optional<double> fastest_rate() const;
  /// The same with only the first `count` inputs.
  Linearization first_inputs(std::size_t count) const;
};

/// One model at the start.
struct LinearizationTask {
  std::string name;  ///< of the component
  const models::StartValues* start = nullptr;
  models::ValueSet inputs;  ///< all driven inputs, with their initial values
  Experiment experiment;
  std::optional<double> step;  ///< communication step, if known
  bool fit_steps = true;       ///< a co-simulation FMU may be stepped to linearize it
  Log log;                     ///< for lengthy work
  std::function<void(double t)> sign_of_life;  ///< called after each of these steps; may be empty
  /// A real scalar: a variable of the description and an element of it.
  struct Scalar {
    std::int32_t variable = 0;
    std::uint64_t element = 0;
    auto operator<=>(const Scalar&) const = default;
  };
  std::vector<Scalar> u, y;
};

/// Creates instances of the FMU and evaluates them, in the order of the sources. The FMU may crash.
/// A failing source is noted and leads to the next.
Linearization linearize(fmi::Fmu& fmu, const LinearizationTask& task);

/// The same of a model without an FMU, of which only the dependencies are known.
Linearization linearize(const ModelDescription& description, const LinearizationTask& task);

/// Of an initialized instance with directional derivatives of its outputs: it has no states. Of
/// others only the dependencies are known.
Linearization linearize(models::Instance& instance, const ModelDescription& description,
                        const LinearizationTask& task);

/// Total of all runs of one fit: a slow FMU takes a second for each.
constexpr std::size_t maximum_fitted_steps = 1000;

/// A, B, C and D of a co-simulation FMU from small steps with perturbed inputs: repeatedly from the
/// start, by restoring its state or, without that, with a new instance for each run
/// (stability/identification.hpp).
/// @param known D, as far as known from other sources; used where it is consistent with the steps
/// @throws Error if the FMU fails, is too slow, or no linear system fits
Linearization fit_small_steps(fmi::Fmu& fmu, const LinearizationTask& task,
                              const Linearization& known);
/// The same of a model that is stepped from any point: task.experiment starts there. `restores`:
/// the plant rolls back by restoring its state, which is checked.
Linearization fit_small_steps(stability::Plant& plant, const ModelDescription& description,
                              const LinearizationTask& task, const Linearization& known,
                              bool restores);

/// Only what the description states: nothing of the states, and which entries of D are zero.
Linearization linearize_by_structure(const ModelDescription& description,
                                     const LinearizationTask& task);

}  // namespace tutti::analysis
