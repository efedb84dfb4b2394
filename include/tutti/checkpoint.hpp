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

/// Checkpoint files of a run, from which it can be resumed.
struct CheckpointOptions {
  std::filesystem::path file;     ///< always the same one, replaced atomically
  double every = 0;               ///< s of simulated time
  std::filesystem::path results;  ///< the file of the observer: synchronized to disk before
};

/// A run at one communication point, from a file.
struct Checkpoint {
  System system;
  double time = 0;
  std::uint64_t rows = 0;         ///< passed to the observer
  std::string last_row;           ///< of these: to recognize the results
  std::filesystem::path results;  ///< CheckpointOptions::results, absolute
  std::string state;              ///< of components, inputs, methods and step control
  /// `component.variable = value`, set when the run resumes, as one event: inputs without a source
  /// and tunable parameters.
  std::vector<std::pair<std::string, std::string>> set{};
};

/// @throws Error(file) if it is damaged, was written by another build of Tutti, or if an FMU or an
/// input file has changed since
TUTTI_API Checkpoint read_checkpoint(const std::filesystem::path& file,
                                     const FmuOptions& open = {});

}  // namespace tutti
