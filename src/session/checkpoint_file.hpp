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

/// Writes checkpoints of a run: a file that is whole at any time, because the next one is written
/// beside it and then takes its name.
class CheckpointWriter {
 public:
  /// @throws Error(capability) if a component is no FMU, Error(file) if the place cannot be written
  CheckpointWriter(const System& system, CheckpointOptions options);
  /// What follows is of this run; an earlier file is that of another one, unless it is resumed.
  void start(const RunOutline& outline, bool is_new);
  /// The observer has been given so many rows, this one last, and flushed them.
  /// @throws Error(file)
  void write(double time, std::uint64_t rows, std::string_view last_row, std::string_view state);
  /// The run starts anew: what was written belongs to another one.
  void remove() const;

 private:
  /// The part that does not change.
  const std::string& description();
  System system_;
  CheckpointOptions options_;
  std::vector<SourceFile> sources_;
  std::string description_;
};

}  // namespace tutti::session
