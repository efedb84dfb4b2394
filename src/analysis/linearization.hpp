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

namespace tutti::analysis {

/// Where numbers about a model come from, the best first.
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
/// The states are those of the model, less their initial values; identified ones are artificial.
struct Linearization {
  Source source = Source::structure;
  stability::Subsystem system;
  bool has_states = false;      ///< A, B and C are known; else they are empty
  std::vector<bool> uncertain;  ///< by entry of D: it may be different from zero
  /// By input, output and state; empty if not known.
  std::vector<double> u_start, y_start, drift;
  /// Identified: steps up to this length were fitted. Infinite for equations.
  double longest_step = std::numeric_limits<double>::infinity();
  std::vector<std::string> notes;  ///< why better sources did not serve; how good the fit is

  /// The spectral radius of A: 0 without states. Nothing: A is not known.
  std::optional<double> fastest_rate() const;
  /// The same with only the first `count` inputs.
  Linearization first_inputs(std::size_t count) const;
};

/// One model at the start.
struct LinearizationTask {
  std::string name;  ///< of the component
  const models::StartValues* start = nullptr;
  models::ValueSet inputs;  ///< all that is driven, with its initial values
  Experiment experiment;
  std::optional<double> step;  ///< of the communication, if it is known
  bool fit_steps = true;       ///< a co-simulation FMU may be stepped to linearize it
  Log log;                     ///< of what may take long
  std::function<void(double t)> sign_of_life;  ///< called after each of these steps; or nothing
  /// A real scalar: a variable of the description and an element of it.
  struct Scalar {
    std::int32_t variable = 0;
    std::uint64_t element = 0;
    auto operator<=>(const Scalar&) const = default;
  };
  std::vector<Scalar> u, y;
};

/// Makes instances of the FMU and asks them, in the order of the sources. The FMU may crash.
/// What the FMU refuses is a note and leads to the next source.
Linearization linearize(fmi::Fmu& fmu, const LinearizationTask& task);

/// The same of a model without an FMU, of which only the dependencies are known.
Linearization linearize(const ModelDescription& description, const LinearizationTask& task);

/// Of an instance that was initialized and tells how its outputs change with its inputs at once:
/// it has no states. Of others only the dependencies are known.
Linearization linearize(models::Instance& instance, const ModelDescription& description,
                        const LinearizationTask& task);

/// Of all runs of one fit together: a slow FMU takes a second for each.
constexpr std::size_t maximum_fitted_steps = 1000;

/// A, B, C and D of a co-simulation FMU from small steps with inputs that are moved a bit: from the
/// start again and again, by restoring its state there or, where it has none to restore, with a new
/// instance for each run (stability/identification.hpp).
/// @param known D, as far as other sources have it; taken where the steps agree with it
/// @throws Error: the FMU refuses, is too slow, or no linear system fits
Linearization fit_small_steps(fmi::Fmu& fmu, const LinearizationTask& task,
                              const Linearization& known);

}  // namespace tutti::analysis
