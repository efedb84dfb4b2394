// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tutti/cases.hpp>
#include <tutti/export.hpp>
#include <tutti/log.hpp>
#include <tutti/plot.hpp>
#include <tutti/scatter.hpp>
#include <tutti/study.hpp>
#include <vector>

/// Sweeps: one table with a row for each run of a study.
namespace tutti {

struct SweepOptions : CaseOptions {
  std::vector<std::string> set;   ///< NAME=VALUE of all runs, after those of the study
  std::filesystem::path results;  ///< in place of sweep.results
  /// Runs only what the table lacks. Without it, neither an incomplete table of a sweep nor a file
  /// that is no such table is replaced, unless `restart` is true.
  bool resume = false;
  bool retry_failed = false;  ///< when it resumes: also runs that failed
  bool restart = false;
  /// Runs part, part + parts, ... only (from 1), in a table `<name>.part-<part>-of-<parts>.csv`.
  std::uint64_t part = 1, parts = 1;
  /// Called between runs with the number of rows in the table, and of all of them.
  std::function<void(std::uint64_t done, std::uint64_t all)> on_progress;
};

/// Sobol indices of an output for a parameter: the parts of its variance that are due to the
/// parameter alone, and to the parameter with all its interactions. With standard errors.
struct SobolIndex {
  std::string output, parameter;
  double first = 0, first_error = 0;
  double total = 0, total_error = 0;
  std::uint64_t samples = 0;  ///< in which all runs have a value of the output
};

struct SweepReport {
  std::filesystem::path results;
  std::uint64_t runs = 0;        ///< of the study, or of its part
  std::uint64_t earlier = 0;     ///< of these: were in the table already
  std::uint64_t rows = 0;        ///< in the table; fewer than `runs`: the sweep was interrupted
  std::uint64_t failed = 0;      ///< rows of failed runs
  std::string message;           ///< the most frequent one of failed runs
  std::uint64_t same_error = 0;  ///< runs with this message
  std::vector<SobolIndex> indices;
  std::filesystem::path indices_file;  ///< a table with them; empty: there is none
};

/// Runs the sweep of a study. Results do not depend on the number of jobs, on interruptions and on
/// the division into parts: the finished table is the same, byte for byte. The table is named as in
/// the study, and beside it `<name>.meta.json` describes it.
/// @throws Error before the first run. A stop_request ends the sweep; its rows so far are stored
TUTTI_API SweepReport run_sweep(const Study& study, const SweepOptions& options, const Log& log);

/// The first rows of a sweep, without a run.
struct SweepPreview {
  std::filesystem::path results;
  std::uint64_t runs = 0;  ///< of the study, or of its part
  std::vector<std::string> names;
  std::vector<std::uint64_t> numbers;          ///< of the runs
  std::vector<std::vector<std::string>> rows;  ///< by run: values by name
};
/// @throws Error as run_sweep() does for the study
TUTTI_API SweepPreview preview_sweep(const Study& study, const SweepOptions& options,
                                     std::uint64_t most, const Log& log);

/// Joins the tables of all parts of a sweep to that of the undivided sweep.
/// @throws Error(usage) if parts are missing, incomplete, or belong to different studies
TUTTI_API SweepReport merge_sweeps(std::span<const std::filesystem::path> parts,
                                   const std::filesystem::path& results);

/// A table of a sweep as a plot.
struct SweepPlot {
  /// Of one parameter: its outputs as lines over it. Of several: over each of them, as points.
  std::vector<Figure> figures;
  std::optional<ScatterMatrix> points;  ///< the same in one picture, of several parameters
  std::vector<std::string> notes;       ///< omitted data, with reasons
};
/// @throws Error(file) if it is not such a table, usage if there is nothing to draw
TUTTI_API SweepPlot plot_sweep(const std::filesystem::path& results);

}  // namespace tutti
