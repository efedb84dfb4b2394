// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tutti/system.hpp>
#include <utility>
#include <vector>

namespace tutti::formats::msim {

enum class MasterMode { gauss_jacobi, gauss_seidel, newton };
enum class ErrorControl { none, check, step_doubling };

struct Simulator {
  std::int64_t cycle = 0;
  std::string name, path;
  /// Parameters and start values, as written.
  std::vector<std::pair<std::string, std::string>> parameters;
  Place place;
};

/// Slave and variable: the name of the slave ends at the first dot.
struct Line {
  Endpoint from, to;
  double offset = 0, scale = 1;
  Place place;
};

/// The content of the file. Times in seconds; the defaults are those of MASTERSIM.
struct Project {
  double start = 0, stop = 365.0 * 86400, first_step = 600;
  double shortest_step = 1e-5, longest_step = 1800, fall_back = 1e-3, output_step = 600;
  bool adjust_step = false, stop_at_end = true, internal_variables = false;
  double abs_tol = 1e-6, rel_tol = 1e-5;
  MasterMode mode = MasterMode::gauss_seidel;
  ErrorControl error_control = ErrorControl::none;
  std::uint32_t iterations = 1;
  std::vector<Simulator> simulators;
  std::vector<Line> lines;
  /// Of settings that contradict each other.
  Place mode_place, error_control_place, output_place;
};

/// @throws Error(usage) with all errors, each with file:line:column
Project parse(std::string_view text, const std::string& file);

/// Seconds in a unit of time; nothing for an unknown unit.
std::optional<double> seconds_in(std::string_view unit);

}  // namespace tutti::formats::msim
