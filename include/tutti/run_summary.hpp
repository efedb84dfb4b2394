// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <tutti/export.hpp>
#include <tutti/simulation.hpp>
#include <tutti/words.hpp>
#include <vector>

/// The report of a run in words: a summary, and findings.
namespace tutti {

/// A warning or note about a run.
struct RunFinding {
  enum class Kind : std::uint8_t {
    open_inputs,         ///< inputs without a source or a set value
    unsolved_loop,       ///< an algebraic loop, and a coupling method that does not solve it
    not_finite,          ///< NaN or infinity in the results
    rejected_steps,      ///< of the step control, or of the solver of a model-exchange FMU
    tolerance_exceeded,  ///< by accepted steps
    accumulated_errors,  ///< the estimated error over the run is far above its tolerance
    iteration_limit,     ///< a cycle iterates to the limit, or close to it
    fallbacks,           ///< the first coupling method of a cycle often does not converge
    slow_component,      ///< takes most of the time
    slow_output,         ///< recording takes most of the time
    fmu_warnings,        ///< an FMU warns very often
  };
  Kind kind{};
  bool is_warning = true;  ///< false: worth knowing
  std::string component;   ///< concerned; empty: the system
  std::string text;        ///< what happened, a sentence without a full stop
  std::string hint;        ///< what to try, one or more sentences
};
constexpr WordList<11> list_words(RunFinding::Kind) {
  return {"open-inputs",        "unsolved-loop",      "not-finite",      "rejected-steps",
          "tolerance-exceeded", "accumulated-errors", "iteration-limit", "fallbacks",
          "slow-component",     "slow-output",        "fmu-warnings"};
}

/// The findings in a completed run; often none.
TUTTI_API std::vector<RunFinding> find_in(const RunReport& report);

/// How the run ended, what was simulated, what was chosen and why, and the result files: two
/// lines for a simple run. Lines after the first one are indented.
/// @param files of the results and of ports; empty paths: none
TUTTI_API std::string summary_text(const RunReport& report,
                                   const std::filesystem::path& results = {},
                                   const std::filesystem::path& ports = {});

}  // namespace tutti
