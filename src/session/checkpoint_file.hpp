// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/checkpoint.hpp>
#include <vector>

#include "session/run_outline.hpp"

namespace tutti::session {

/// A file that a run depends on.
struct SourceFile {
  std::filesystem::path file;  ///< relative ones to System::folder
  std::uint64_t hash = 0;
};

/// Writes checkpoints of a run. The file is complete at any time: the next one is written to a
/// second file and then renamed.
class CheckpointWriter {
 public:
  /// @throws Error(capability) if a component is no FMU, Error(file) if the file cannot be written
  CheckpointWriter(const System& system, CheckpointOptions options);
  /// A run starts; an earlier file belongs to another run, unless it is resumed.
  void start(const RunOutline& outline, bool is_new);
  /// The observer has received this many rows, the last at this time, and flushed them.
  /// @throws Error(file)
  void write(double time, std::uint64_t rows, std::string_view last_row, std::string_view state);
  /// The run restarts: the file belongs to the previous attempt.
  void remove() const;

 private:
  /// The constant part.
  const std::string& description();
  System system_;
  CheckpointOptions options_;
  std::vector<SourceFile> sources_;
  std::string description_;
};

}  // namespace tutti::session
