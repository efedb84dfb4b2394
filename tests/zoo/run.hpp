// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "zoo/reference.hpp"
#include "zoo/system.hpp"

namespace zoo {

/// What FMUs can do. CMakeLists.txt makes them.
enum class Ability { all, values, forward, neither };
inline constexpr Ability abilities[] = {Ability::all, Ability::values, Ability::forward,
                                        Ability::neither};
std::string name_of(Ability ability);

/// How a run ended for the user, best first. Errors are counted in tolerances.
enum class Verdict {
  within_1,
  within_10,
  within_100,
  refused,       ///< status 2, or status 1 before a recorded row was off by more than 10
  worse_failed,  ///< status 1, and rows that are off by more than 10
  worse_warned,  ///< status 0, off by more than 100, a warning
  worse_silent,  ///< the same without a warning
  out_of_time,
};
std::string name_of(Verdict verdict);

/// The largest error of one output, and what the run estimated it to be.
struct OutputError {
  std::string name;
  double error = 0;
  std::optional<double> estimated;
};

/// A run of a system and how far its outputs are from the reference: the largest
/// |y - reference| / (1 + max |reference|) of all outputs and recorded times.
struct Run {
  int status = 0;
  double error = 0;
  std::uint64_t calls = 0;  ///< of doStep, all FMUs together
  double seconds = 0;
  bool was_stopped = false;  ///< out of time or of calls
  std::string message;       ///< the error, or else the first warning
  bool has_warning = false;
  std::vector<OutputError> outputs;
};

/// Runs systems of the zoo. Tables go to files in a folder of its own.
class Runner {
 public:
  /// `fmus` holds the folders all, values, forward, neither.
  Runner(std::filesystem::path fmus, std::filesystem::path scratch);

  /// `settings` as after --set. `shift`: times may be off by so much.
  Run run(const System& system, const Reference& reference, Ability ability,
          const std::vector<std::string>& settings, double shift, double seconds) const;
  /// method = "auto" with this tolerance.
  Run run_automatic(const System& system, const Reference& reference, Ability ability,
                    double tolerance, double seconds) const;

 private:
  std::filesystem::path fmus_, scratch_;
};

Verdict verdict_of(const Run& run, double tolerance);
/// How far times of events may be off.
double shift_of(const System& system, double tolerance);

}  // namespace zoo
