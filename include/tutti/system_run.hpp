// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/checkpoint.hpp>
#include <tutti/simulation.hpp>
#include <tutti/system.hpp>

namespace tutti {

struct SystemRunOptions : RunControl {
  FmuOptions open;
  /// Also runs the system a second time, concurrently in another process, with a tenth of the
  /// tolerance (fixed steps: half the step), and compares the results in memory. The first run has
  /// the same results as without verification; the second one writes no files.
  std::optional<VerifyOptions> verify;
  std::optional<CheckpointOptions> checkpoint;
  /// The run resumes from here, with the system of the checkpoint. Its observer continues after the
  /// rows of the checkpoint (Observer::resume), or, with rows = 0, starts a new file.
  std::optional<Checkpoint> resume;
  /// Gets the variables of ports in ResultSettings::ports, at separate times, if the run has a
  /// sink. Null: not recorded.
  Observer* ports = nullptr;
};

/// Runs a coupled system and passes the results to `sink` (may be null).
/// @throws Error before an FMU is loaded; later errors are in the report.
TUTTI_API RunReport run(const System& system, const SystemRunOptions& options, Observer* sink,
                        const Log& log);

/// Like write_metadata() and statistics_json() of one FMU.
TUTTI_API void write_metadata(const std::filesystem::path& result_file, const System& system,
                              const RunReport& report);
TUTTI_API std::string statistics_json(const System& system, const RunReport& report);

}  // namespace tutti
