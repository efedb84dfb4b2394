// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string_view>
#include <tutti/error.hpp>

namespace tutti {

/// A row of the table of error codes.
struct ErrorCodeEntry {
  ErrorCode code;
  std::string_view name;     ///< in JSON and in messages between processes
  std::string_view summary;  ///< one line
  std::string_view text;     ///< when it occurs, and what to try
};
std::span<const ErrorCodeEntry> error_codes();  ///< in the order of the values

/// A row of the table of the exit statuses of the program.
struct ExitStatusEntry {
  int status;
  std::string_view summary;  ///< one line
  std::string_view text;
};
std::span<const ExitStatusEntry> exit_statuses();

}  // namespace tutti
