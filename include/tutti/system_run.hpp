// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/checkpoint.hpp>
#include <tutti/simulation.hpp>
#include <tutti/system.hpp>

namespace tutti {

struct SystemRunOptions : RunControl {
  FmuOptions open;
  /// Also runs the system a second time, in another process and at the same time, with a tenth of
  /// the tolerance (fixed steps: half the step), and compares. The results of the first run, which
  /// are compared in memory, are those of a run that is not verified; the second one leaves no
  /// files.
  std::optional<VerifyOptions> verify;
  std::optional<CheckpointOptions> checkpoint;
  /// The run goes on from there, with the system of the checkpoint. Its observer is told to go on
  /// behind the rows that it had (Observer::go_on), or, with rows = 0, starts anew.
  std::optional<Checkpoint> resume;
  /// Gets what ResultSettings::ports names of ports of lines, at times of their own, if the run has
  /// a sink. Null: nobody does.
  Observer* ports = nullptr;
};

/// Runs a coupled system and hands the results to `sink` (may be null) as they come.
/// @throws Error for what is refused before an FMU is loaded; what happens later is in the report.
TUTTI_API RunReport run(const System& system, const SystemRunOptions& options, Observer* sink,
                        const Log& log);

/// As write_metadata() and statistics_json() of one FMU.
TUTTI_API void write_metadata(const std::filesystem::path& result_file, const System& system,
                              const RunReport& report);
TUTTI_API std::string statistics_json(const System& system, const RunReport& report);

}  // namespace tutti
