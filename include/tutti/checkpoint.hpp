// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <tutti/export.hpp>
#include <tutti/fmu.hpp>
#include <tutti/system.hpp>
#include <utility>
#include <vector>

namespace tutti {

/// That a run writes files from which it can be resumed.
struct CheckpointOptions {
  std::filesystem::path file;     ///< the same one each time; it is whole at any time
  double every = 0;               ///< s of simulated time
  std::filesystem::path results;  ///< where the observer writes: it is on the disk before
};

/// A run at one communication point, from a file.
struct Checkpoint {
  System system;
  double time = 0;
  std::uint64_t rows = 0;         ///< that its observer has been given
  std::string last_row;           ///< of these: to recognize the results
  std::filesystem::path results;  ///< CheckpointOptions::results, absolute
  std::string state;              ///< of components, inputs, methods and step control
  /// `component.variable = value`: they take effect when the run goes on, as one event. Inputs that
  /// nothing drives, and tunable parameters.
  std::vector<std::pair<std::string, std::string>> set{};
};

/// @throws Error(file) if it is damaged, was written by another build of Tutti, or if an FMU or an
/// input file has changed since
TUTTI_API Checkpoint read_checkpoint(const std::filesystem::path& file,
                                     const FmuOptions& open = {});

}  // namespace tutti
