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

/// What a trial says, from the process in which the FMU runs to the one that watches it.
class TrialVoice {
 public:
  /// Beside those of session::Sent.
  enum Kind : std::uint32_t { phase_message = 32, finding_message, values_message };

  TrialVoice(execution::Ring& ring, execution::Monitor& monitor) : ring_(ring), monitor_(monitor) {}

  /// What comes next. An error in it is a breach of that rule.
  void phase(std::string_view rule, std::string_view activity);
  void finding(std::string_view rule, std::string_view variable, std::string_view text);
  /// The error that ended the present phase.
  void failure(std::string_view text) { finding(rule_, "", text); }
  void values(std::span<const double> values);

 private:
  void send(Kind kind, const Packer& packed);

  execution::Ring& ring_;
  execution::Monitor& monitor_;  ///< what is said is progress
  std::string rule_;
};

/// How one interface of an FMU is tried.
struct Trial {
  std::shared_ptr<fmi::Fmu> fmu;
  bool model_exchange = false;
  /// One instance only, because there can be no second one in a process.
  bool alone = false;
  double start = 0, stop = 1, step = 0.01;
  std::optional<double> tolerance;
  /// Not empty: only steps are tried, with the FMU told that it is never rolled back; these are the
  /// values of the steps in which it was told otherwise. In a process of its own, because an FMU
  /// that fails here may fail elsewhere, too.
  std::vector<double> expected_without_rollback;
};

/// Tries the FMU in this process: a life with everything it can do, then two lives side by side.
/// Errors of the FMU are said, not thrown.
void run_trial(const Trial& trial, TrialVoice& voice);

/// Where two series of values differ, beyond what rounding explains; -1: nowhere.
std::ptrdiff_t first_difference(std::span<const double> a, std::span<const double> b);

}  // namespace tutti::session
