// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tutti/advice.hpp>
#include <tutti/export.hpp>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/simulation.hpp>
#include <tutti/system_file.hpp>
#include <utility>
#include <vector>

/// Steady states: values of states and inputs for which all derivatives are zero.
namespace tutti {

struct SteadyOptions : RunControl {
  FmuOptions open;
  /// Names or patterns (`*`, `?`) of inputs and tunable parameters whose values are unknown; their
  /// start values are the first guess.
  std::vector<std::string> free;
  /// Values that states or outputs must have, as many as there are free inputs: `name = value`.
  std::vector<std::pair<std::string, double>> fixed;
  /// Of a value, relative to its magnitude + nominal.
  double tolerance = 1e-9;
  std::uint32_t iterations = 50;  ///< maximum of Newton's method
  std::uint32_t steps = 1000;     ///< maximum of the pseudo-transient
};

/// A value at the steady state, or where the search ended.
struct SteadyValue {
  std::string name, unit;  ///< as in a system file: `component.variable`
  double value = 0;
  double start = 0;           ///< where the search started; of a fixed value: the given one
  bool is_settable = true;    ///< runs can start from it
  bool is_determined = true;  ///< false: the equations hold for other values, too
};

/// An equation: the derivative of a state, or the difference of a fixed value from the given one.
struct SteadyResidual {
  std::string name, unit;  ///< "der(tank.h)"; unit of the state per second
  double value = 0;
  double allowed = 0;  ///< the largest value that counts as zero; 0: unknown
};

enum class SteadyMethod : std::uint8_t { newton, transient };
constexpr WordList<2> list_words(SteadyMethod) { return {"newton", "pseudo-transient"}; }

struct SteadyState {
  bool found = false;
  SteadyMethod method{};                    ///< the one that found it; else the last one
  double time = 0;                          ///< of inputs that change over time
  std::uint32_t iterations = 0, steps = 0;  ///< of Newton's method and of the pseudo-transient
  std::vector<SteadyValue> states, inputs, fixed;
  std::vector<SteadyResidual> residuals;  ///< the largest first, relative to `allowed`
  /// Largest real part of the eigenvalues of the Jacobian, in 1/s; nothing: not computed.
  std::optional<double> abscissa;
  Stability stability = Stability::unknown;
  /// A fresh instance that starts from `values` has derivatives that count as zero.
  bool is_verified = false;
  std::vector<std::string> findings;  ///< one sentence each: what to know about the values
  std::string failure;                ///< why nothing was found; empty: found
  /// For write_values() and `run --start-from`: states, free inputs and values that assign() set.
  std::vector<NamedValue> values;
};

/// Finds a steady state of a system, or of an FMU (system_of()), near its start values. FMUs are
/// used with their model-exchange interface, whatever Component::as is; the connections are part
/// of the equations. @throws Error if the system has no such equations, or for wrong names
TUTTI_API SteadyState find_steady(const System& system, const SteadyOptions& options,
                                  const Log& log = {});

TUTTI_API std::string steady_text(const SteadyState& state);
TUTTI_API std::string steady_json(const SteadyState& state);

}  // namespace tutti
