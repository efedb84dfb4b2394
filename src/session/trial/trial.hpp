// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/codec.hpp"
#include "execution/monitor.hpp"
#include "execution/ring.hpp"
#include "fmi/fmu.hpp"

namespace tutti::session {

/// The messages of a trial, from the process that runs the FMU to the one that monitors it.
class TrialReporter {
 public:
  /// In addition to those of session::Sent.
  enum Kind : std::uint32_t { phase_message = 32, finding_message, values_message };

  TrialReporter(execution::Ring& ring, execution::Monitor& monitor)
      : ring_(ring), monitor_(monitor) {}

  /// Starts a phase. An error in it violates the rule.
  void phase(std::string_view rule, std::string_view activity);
  void finding(std::string_view rule, std::string_view variable, std::string_view text);
  /// The error that ended the present phase.
  void failure(std::string_view text) { finding(rule_, "", text); }
  void values(std::span<const double> values);

 private:
  void send(Kind kind, const Packer& packed);

  execution::Ring& ring_;
  execution::Monitor& monitor_;  ///< messages count as progress
  std::string rule_;
};

/// The options for the trial of one interface.
struct Trial {
  std::shared_ptr<fmi::Fmu> fmu;
  bool model_exchange = false;
  /// One instance only, because the FMU allows no second one in a process.
  bool alone = false;
  double start = 0, stop = 1, step = 0.01;
  std::optional<double> tolerance;
  /// Not empty: only steps are tried, with noSetFMUStatePriorToCurrentPoint = true; these are the
  /// values of the steps without the flag. In a separate process, because an FMU that fails here
  /// may fail elsewhere, too.
  std::vector<double> expected_without_rollback;
};

/// Tries the FMU in this process: one instance with all capabilities, then two concurrent
/// instances. Errors of the FMU are sent, not thrown.
void run_trial(const Trial& trial, TrialReporter& reporter);

/// The index at which two series of values differ by more than rounding; -1: none.
std::ptrdiff_t first_difference(std::span<const double> a, std::span<const double> b);

}  // namespace tutti::session
