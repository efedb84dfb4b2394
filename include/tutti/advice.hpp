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

/// Is a coupled system stable, with which method and up to which step: what `tutti advise` tells.
namespace tutti {

/// How the components of a cycle are coupled, in the words of the system file.
struct CouplingChoice {
  std::vector<std::string> methods = {"jacobi"};  ///< simulation.method; the later are fallbacks
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

/// What a way to couple would do. Spectral radii say by what errors grow from step to step.
struct SchemeAdvice {
  CouplingChoice choice;
  std::string name;     ///< "jacobi, order 1, corrected"
  std::string missing;  ///< what the FMUs lack for it; empty: nothing
  /// When steps become short; nothing: a loop whose magnitude is not known, or not well enough.
  std::optional<double> limit_radius;
  bool limit_estimated = false;  ///< the loop is too large to compute it
  Stability limit = Stability::unknown;
  /// The components being linearized, else nothing:
  std::optional<double> radius;        ///< with the step of the system
  std::optional<double> largest_step;  ///< that is stable; nothing: none in the range, or unknown
  /// All steps are, as far as was searched: to the largest of Advice::steps, or as many as can be
  /// tried.
  bool beyond_range = false;
  std::vector<double> radii;  ///< over Advice::steps
  Stability at_step = Stability::unknown;
  /// By how much the slow motions of the coupled system are missed in steps of a tenth of their
  /// time: the error of a step over what changes in it. Near 1, they are not seen at all, because a
  /// component alone is much faster and follows its input, whatever that is.
  std::optional<double> distortion;
};

/// Somebody's share in an unstable or least stable mode.
struct Share {
  std::string name;
  double weight = 0;  ///< all together are 1
};

/// Variables that depend on each other at once.
struct LoopAdvice {
  std::vector<std::string> variables;
  bool magnitudes_known = true;
  double radius = 0;                              ///< spectral radius of D L
  bool estimated = false;                         ///< the radius: there are too many variables
  std::vector<std::complex<double>> eigenvalues;  ///< of D L, the largest first; or none
  std::vector<Share> inputs, components;  ///< the largest share first; of 200 inputs at most
};

struct LinearizedComponent {
  std::string name;
  std::string source;       ///< of its derivatives
  bool linearized = false;  ///< its states are known, too
  std::size_t states = 0;
  /// The spectral radius of A in 1/s: how fast the fastest state moves. Nothing: A is not known.
  std::optional<double> fastest_rate;
  bool can_go_back = false, has_directional_derivatives = false, follows_inputs = false,
       gives_output_derivatives = false;
  bool is_model_exchange = false;  ///< its equations can be asked again at the same time
  std::vector<std::string> notes;
};

struct CycleAdvice {
  std::vector<LinearizedComponent> components;  ///< in calling sequence
  std::vector<LoopAdvice> loops;                ///< the worst first
  double loop_radius = 0;                       ///< rho(D L) over all loops of known magnitude
  bool linearized = false;                      ///< all components are: radii over steps are known
  std::optional<double> abscissa;  ///< the coupled system as one grows like exp(abscissa t)
  /// The time of the slowest motion (or of a faster one that does not decay in it) over the longest
  /// stable step of one pass with inputs of the past. Nothing: not known.
  std::optional<double> stiffness;
  std::optional<double> quadratic_stiffness;  ///< the same of jacobi with inputs of order 2
  /// With AdviseOptions::points: rho(D L) on the way. The loops are those where it is largest.
  struct Moment {
    double time = 0, loop_radius = 0;
  };
  std::vector<Moment> history;
  std::vector<SchemeAdvice> schemes;
  /// Index in schemes: what the system file asks for. Nothing: it is not among them.
  std::optional<std::size_t> present;
  /// Who takes part in the least stable mode of the present scheme at the step of the system.
  std::vector<Share> responsible;

  struct Choice {
    CouplingChoice choice;
    std::string reason;  ///< one sentence
  };
  /// What is safe here with this step: first what fits best, then safer and more expensive ones.
  /// A run that diverges goes on with the next. Empty: nothing is.
  std::vector<Choice> choices;
  std::vector<std::string> findings;  ///< for people, one sentence each
};

struct Advice {
  std::string system;
  double time = 0, step = 0;
  std::vector<double> steps;  ///< at which radii were computed, ascending
  std::vector<CycleAdvice> cycles;
  std::vector<std::string> findings;  ///< of the system as a whole
};

struct AdviseOptions : RunControl {
  FmuOptions open;
  /// So many later points at which loops are looked at, evenly over a run of the system with a safe
  /// method; FMUs with directional derivatives can tell.
  std::size_t points = 0;
  std::size_t step_count = 25;  ///< of Advice::steps, from a hundredth to a hundred times the step
};

/// Loads the FMUs, initializes the system as a run does, linearizes its cycles there and judges the
/// ways to couple them. Steps are taken only by co-simulation FMUs without equations, each by
/// itself, to linearize them, and if later points are asked for. @throws Error
TUTTI_API Advice advise(const System& system, const AdviseOptions& options, const Log& log);

TUTTI_API std::string advice_text(const Advice& advice);
TUTTI_API std::string advice_json(const Advice& advice);
/// Spectral radius over the step of the schemes that the FMUs allow. @throws Error(usage) if there
/// is nothing to draw: no cycle, or none that could be linearized
TUTTI_API Figure advice_figure(const Advice& advice, bool apart);

}  // namespace tutti
