// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <tutti/words.hpp>
#include <vector>

namespace tutti {

/// Verification of a run by a second, more accurate one.
struct VerifyOptions {
  /// Relative tolerance of the results, and 100 times the absolute one. Default: the tolerance
  /// of the step control, or simulation.tolerance of method = "auto"; fixed steps have none.
  std::optional<double> tolerance;
};

/// The deviation of a variable from that of a more accurate run.
struct Deviation {
  std::string name, unit;
  double largest = 0;     ///< in that unit; infinity: a string differs, or a value is not finite
  double tolerances = 0;  ///< the same over absolute + relative * (largest magnitude in the run)
  double at_start = 0;    ///< of the first row, in tolerances
  double time = 0;        ///< of the largest
  std::string result, reference;  ///< the values there
};

/// The outcome of a second run, with a tenth of the tolerance or half the step.
struct Verification {
  static constexpr double limit = 10;  ///< tolerances
  enum class Outcome {
    agrees,
    deviates,      ///< by more than the limit
    not_possible,  ///< the second run failed, or there are no data to compare
    interrupted,
  };
  Outcome outcome = Outcome::agrees;
  std::string change;  ///< settings that differ in the second run
  double absolute = 0, relative = 0;
  double shift = 0;                  ///< s; jumps at times that differ by less are the same
  std::vector<Deviation> variables;  ///< largest first
  std::string message;               ///< what is wrong and what to try; empty: it agrees
};
constexpr WordList<4> list_words(Verification::Outcome) {
  return {"agrees", "deviates", "not possible", "interrupted"};
}

}  // namespace tutti
