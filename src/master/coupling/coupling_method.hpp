// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/explanation.hpp"
#include "master/coupling/interface_problem.hpp"
#include "master/memory.hpp"
#include "stability/scheme.hpp"

namespace tutti::master {

/// How one attempt at a communication step ended. Not converging is an outcome, not an error.
struct CouplingOutcome {
  enum class Status {
    converged,
    iteration_limit,
    diverging,
    not_finite,
    singular,
    cut,
    terminated
  };
  Status status = Status::converged;
  double reached = 0;            ///< time, if cut or terminated
  std::uint32_t iterations = 1;  ///< passes that count as such
  double norm = 0;               ///< of the last change, relative to the tolerance
  /// singular: S follows some change of x (gain 1), so the equations do not determine x.
  std::vector<double> free_direction = {};
};

struct CouplingOptions {
  std::uint32_t most_iterations = 20;
  double relaxation = 1;
  bool aitken = false;
  bool jacobi_sweeps = false;  ///< `iterated`: all components read the same iterate
  /// Two changes in a row that shrink by less than a factor of 0.7 end the iteration: there is a
  /// fallback.
  bool watch_contraction = false;
  /// Converged means that the estimated error is within the tolerance. False: the last change is,
  /// as in the masters of the papers.
  bool judges_error = true;
  /// Sweeps: an error up to this multiple of the last change counts as the change itself. With
  /// fixed steps it is 9: the test of the papers is valid up to a contraction of 0.9.
  double usual_remainder = 1;
};

/// Solves the interface equations x = S(x) of one cycle over one step.
/// Knows no FMU, file or thread: InterfaceProblem stands between.
class CouplingMethod {
 public:
  virtual ~CouplingMethod() = default;

  /// @pre  All components are at t, x holds the accepted values of t.
  /// @post converged: all components are at t + h, x solves the equations there.
  ///       Otherwise the caller rolls back to its checkpoint, or takes x as it is.
  virtual CouplingOutcome step(InterfaceProblem& problem, std::span<double> x) = 0;

  /// The memory between steps, to be saved and restored.
  virtual void keep(Memory& /*memory*/) {}
  /// After an event the past does not predict what follows.
  virtual void forget() {}
};

/// A row of the table that file reader, --help, analysis, documentation and tests read: the public
/// properties of a method.
struct CouplingEntry {
  std::string_view name;     ///< as in system files
  std::string_view summary;  ///< one line
  std::unique_ptr<CouplingMethod> (*make)(const CouplingOptions& options);
  /// The order in which the components of a cycle step; it determines the stability.
  stability::Sequence sequence;
  bool is_order_only = false;  ///< only a calling order: the program makes the calls itself
  bool relaxes = false;        ///< it uses simulation.relaxation
  /// Repeats sweeps, uses simulation.sweeps and Aitken's factor, and converges only for small loop
  /// gains.
  bool sweeps = false;
  bool is_robust = false;  ///< worth trying where others do not converge
  Explanation about = {};

  /// Repeats steps until they converge: every component of the cycle must roll back.
  constexpr bool needs_rollback() const { return sequence == stability::Sequence::solved; }
  /// Predicts with linear models, and corrects the outputs that it couples.
  constexpr bool uses_models() const { return sequence == stability::Sequence::predicted; }
};
std::span<const CouplingEntry> coupling_methods();  ///< sorted by name
const CouplingEntry* find_coupling_method(std::string_view name);
/// From its row; false for an unknown name.
bool needs_rollback(std::string_view method);
bool uses_models(std::string_view method);

}  // namespace tutti::master
