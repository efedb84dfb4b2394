// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/simulation.hpp>
#include <tutti/system.hpp>

namespace tutti {

struct SystemRunOptions : RunControl {
  FmuOptions open;
};

/// Runs a coupled system and hands the results to `sink` (may be null) as they come.
/// @throws Error for what is refused before an FMU is loaded; what happens later is in the report.
TUTTI_API RunReport run(const System& system, const SystemRunOptions& options, RecordSink* sink,
                        const Log& log);

/// As write_metadata() and statistics_json() of one FMU.
TUTTI_API void write_metadata(const std::filesystem::path& result_file, const System& system,
                              const RunReport& report);
TUTTI_API std::string statistics_json(const System& system, const RunReport& report);

}  // namespace tutti
