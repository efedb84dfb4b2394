// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <tutti/export.hpp>
#include <tutti/plot.hpp>
#include <tutti/system_run.hpp>
#include <vector>

/// Stability of a coupled system by coupling method and step size, as `tutti advise` prints it.
namespace tutti {

/// How the components of a cycle are coupled, in the words of the system file.
struct CouplingChoice {
  std::vector<std::string> methods = {"jacobi"};  ///< simulation.method; further ones are fallbacks
  int order = 0;                                  ///< simulation.inputs.order
  std::string derivatives = "auto";               ///< simulation.inputs.derivatives
  bool smooth = false;                            ///< simulation.inputs.smooth
  std::string correct = "none";                   ///< simulation.inputs.correct
  std::string inside = "constant";                ///< simulation.inputs.inside

  bool operator==(const CouplingChoice&) const = default;
};
/// method = "jacobi", inputs = { order = 1 }
TUTTI_API std::string to_string(const CouplingChoice& choice);

enum class Stability : std::uint8_t { stable, marginal, unstable, unknown };
constexpr WordList<4> list_words(Stability) {
  return {"stable", "marginal", "unstable", "unknown"};
}

/// The properties of a coupling scheme. Errors grow by the spectral radius from step to step.
struct SchemeAdvice {
  CouplingChoice choice;
  std::string name;     ///< "jacobi, order 1, corrected"
  std::string missing;  ///< capability that the FMUs lack; empty: none
  /// In the limit of short steps; nothing: the gain of a loop is unknown or too inaccurate.
  std::optional<double> limit_radius;
  bool limit_estimated = false;  ///< the loop is too large to compute it
  Stability limit = Stability::unknown;
  /// If the components are linearized, else nothing:
  std::optional<double> radius;        ///< with the step of the system
  std::optional<double> largest_step;  ///< stable; nothing: none in the range, or unknown
  /// All searched steps are stable: up to the largest of Advice::steps, or to the search limit.
  bool beyond_range = false;
  std::vector<double> radii;  ///< over Advice::steps
  Stability at_step = Stability::unknown;
  /// Relative error of the slow modes of the coupled system in steps of a tenth of their time
  /// constant: the error of a step over the change in it. Near 1, the modes are not resolved: one
  /// component is much faster and follows its input.
  std::optional<double> distortion;
};

/// Participation of an input or component in an unstable or least stable mode.
struct Share {
  std::string name;
  double weight = 0;  ///< the sum is 1
};

/// An algebraic loop: variables that depend on each other directly.
struct LoopAdvice {
  std::vector<std::string> variables;
  bool magnitudes_known = true;
  double radius = 0;                              ///< spectral radius of D L
  bool estimated = false;                         ///< the radius, because of too many variables
  std::vector<std::complex<double>> eigenvalues;  ///< of D L, the largest first; or none
  std::vector<Share> inputs, components;          ///< the largest share first; at most 200 inputs
};

struct LinearizedComponent {
  std::string name;
  std::string source;       ///< of the derivatives
  bool linearized = false;  ///< the states are known, too
  std::size_t states = 0;
  /// The spectral radius of A in 1/s: the rate of the fastest state. Nothing: A is unknown.
  std::optional<double> fastest_rate;
  bool can_roll_back = false, has_directional_derivatives = false, follows_inputs = false,
       provides_output_derivatives = false;
  bool is_model_exchange = false;  ///< its equations can be evaluated repeatedly at one time
  std::vector<std::string> notes;
};

struct CycleAdvice {
  std::vector<LinearizedComponent> components;  ///< in calling sequence
  std::vector<LoopAdvice> loops;                ///< the worst first
  double loop_radius = 0;                       ///< rho(D L) over all loops of known magnitude
  bool linearized = false;                      ///< all components: radii over steps are known
  std::optional<double> abscissa;               ///< the coupled system grows like exp(abscissa t)
  /// Time constant of the slowest mode (or of a faster one that does not decay in it) over the
  /// maximum stable step of one pass with extrapolated inputs. Nothing: unknown.
  std::optional<double> stiffness;
  std::optional<double> quadratic_stiffness;  ///< the same for jacobi with inputs of order 2
  /// With AdviseOptions::points: rho(D L) over the run. The loops are those where it is largest.
  struct Moment {
    double time = 0, loop_radius = 0;
  };
  std::vector<Moment> history;
  std::vector<SchemeAdvice> schemes;
  /// Index in schemes of the scheme of the system file. Nothing: it is not among them.
  std::optional<std::size_t> present;
  /// Participation in the least stable mode of the present scheme at the step of the system.
  std::vector<Share> responsible;

  struct Choice {
    CouplingChoice choice;
    std::string reason;  ///< one sentence
  };
  /// Stable choices for this step: the best one first, then safer and more expensive fallbacks.
  /// A run that diverges continues with the next. Empty: no stable method found.
  std::vector<Choice> choices;
  std::vector<std::string> findings;  ///< one sentence each
  /// All components have a model-exchange interface: [[clusters]] could solve them together.
  bool can_be_cluster = false;
};

struct Advice {
  std::string system;
  double time = 0, step = 0;
  std::vector<double> steps;  ///< of the computed radii, ascending
  std::vector<CycleAdvice> cycles;
  std::vector<std::string> findings;  ///< of the system as a whole
};

struct AdviseOptions : RunControl {
  FmuOptions open;
  /// Number of later points at which loops are analysed, evenly over a run of the system with a
  /// safe method; for FMUs with directional derivatives.
  std::size_t points = 0;
  std::size_t step_count = 25;  ///< of Advice::steps, from a hundredth to a hundred times the step
};

/// Loads the FMUs, initializes the system as a run does, linearizes its cycles there and rates the
/// coupling schemes. Only co-simulation FMUs without equations step, each separately, to linearize
/// them, and the whole system for later points. @throws Error
TUTTI_API Advice advise(const System& system, const AdviseOptions& options, const Log& log);

TUTTI_API std::string advice_text(const Advice& advice);
TUTTI_API std::string advice_json(const Advice& advice);
/// Spectral radius over the step size of the schemes that the FMUs support. @throws Error(usage)
/// without a linearized cycle
TUTTI_API Figure advice_figure(const Advice& advice, bool apart);

}  // namespace tutti
