// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/sweep.hpp>
#include <tutti/version.hpp>

#include "base/file_error.hpp"
#include "base/text.hpp"
#include "results/result_formula.hpp"
#include "studies/study_system.hpp"
#include "studies/sweep/design.hpp"
#include "studies/sweep/sweep_meta.hpp"
#include "studies/sweep/sweep_summary.hpp"
#include "studies/sweep/sweep_table.hpp"

namespace tutti {
namespace studies {
namespace {

namespace fs = std::filesystem;

/// `springs.part-2-of-8.csv`
fs::path part_file(const fs::path& table, std::uint64_t part, std::uint64_t parts) {
  if (parts == 1) return table;
  return table.parent_path() / fmt::format("{}.part-{}-of-{}{}", table.stem().string(), part, parts,
                                           table.extension().string());
}

/// `runs/run-12.csv`, or for "runs/case-*.mat" `runs/case-12.mat`. Empty: none.
fs::path trajectory_file(const fs::path& wanted, std::uint64_t run) {
  if (wanted.empty()) return {};
  std::string name = wanted.filename().string();
  const std::size_t star = name.find('*');
  if (star == name.npos) return wanted / fmt::format("run-{}.csv", run + 1);
  return wanted.parent_path() / name.replace(star, 1, fmt::format("{}", run + 1));
}

/// A sweep that is ready to run.
struct PreparedSweep {
  PreparedSweep(const Study& given, const SweepOptions& options, const Log& log)
      : study(given), system(with_sweep(given), options.set, options.open, log) {
    system::Problems problems;
    std::vector<ParameterInfo> parameters;
    problems.attempt([&] { parameters = system.find_all(study); });
    for (const StudyOutput& output : study.outputs)
      problems.attempt([&] { system.check_formula(output.measure, output.place); });
    problems.raise();
    design = std::make_unique<SweepDesign>(study, parameters);
    meta = meta_of(study, system, parameters);
    meta.runs = design->runs();
    meta.part = options.part;
    meta.parts = options.parts;
    if (options.parts < 1 || options.part < 1 || options.part > options.parts)
      throw Error(ErrorCode::usage,
                  fmt::format("there is no part {} of {}", options.part, options.parts),
                  {.key = "part"});
    table = part_file(options.results.empty() ? study.sweep->results : options.results,
                      options.part, options.parts);
    check_table(table);
    warn_of_times(log);
  }

  /// Of outputs at times that no run reaches.
  void warn_of_times(const Log& log) const {
    if (std::ranges::any_of(study.parameters, [](const StudyParameter& parameter) {
          return parameter.name.starts_with("simulation.");
        }))
      return;
    std::optional<RunSpan> span;
    for (const StudyOutput& output : study.outputs) {
      std::vector<double> times = output.measure.times;
      if (times.empty()) times = results::ResultFormula(output.measure.formula).times();
      if (times.empty()) continue;
      if (!span) span = span_of(system.system(), system.open());
      const double end = span->stop + 1e-9 * std::max(1e-9, std::abs(span->stop));
      const auto outside = std::ranges::find_if(
          times, [&](double time) { return time < span->start || time > end; });
      if (outside != times.end())
        log.warning("", fmt::format("the output \"{}\" has no value at t = {:.9g} s: runs are from "
                                    "t = {:.9g} s to {:.9g} s",
                                    printable(output.name), *outside, span->start, span->stop));
    }
  }

  static const Study& with_sweep(const Study& study) {
    if (study.sweep) return study;
    throw file_error(study.file, ErrorCode::usage,
                     fmt::format("\"{}\" has no section [sweep]", study.file.string()),
                     {.hint = study.estimate   ? "It has [estimate]: use `tutti estimate`."
                              : study.optimize ? "It has [optimize]: use `tutti optimize`."
                                               : "Add [sweep]."});
  }
  CaseSystem case_system() const {
    CaseSystem given{system.system(), {}, {}};
    for (const StudyParameter& parameter : study.parameters) given.names.push_back(parameter.name);
    for (const StudyOutput& output : study.outputs) given.measures.push_back(output.measure);
    return given;
  }

  const Study& study;
  StudySystem system;
  std::unique_ptr<SweepDesign> design;
  SweepMeta meta;
  fs::path table;
};

/// The rows of an earlier sweep.
struct EarlierRows {
  std::uint64_t rows = 0;   ///< lines of the table
  std::vector<bool> done;   ///< by index of the part
  std::uint64_t count = 0;  ///< runs of these
  std::string last_line;
  bool is_sorted = true;
  bool is_torn = false;  ///< it ends in a part of a row

  bool is_finished() const { return rows > 0 && count == done.size() && is_sorted && !is_torn; }
};

EarlierRows read_earlier(const PreparedSweep& sweep, bool retries_failed) {
  EarlierRows earlier;
  const std::string header = table_header(sweep.meta.columns());
  earlier.last_line = header;
  earlier.done.resize(sweep.meta.part_runs());
  SweepReader reader(sweep.table, header);
  std::uint64_t last = 0;
  for (StoredRow row; reader.next(row);) {
    const std::uint64_t index = row.run / sweep.meta.parts;
    if (index >= earlier.done.size() || sweep.meta.run_of(index) != row.run)
      throw file_error(sweep.table, ErrorCode::file,
                       fmt::format("\"{}\" contains run {}, which does not belong to it",
                                   sweep.table.string(), row.run + 1));
    earlier.done[index] = !(retries_failed && row.has_failed());
    earlier.is_sorted &= reader.rows() == 1 || row.run > last;
    last = row.run;
    earlier.last_line = row.line;
  }
  earlier.rows = reader.rows();
  earlier.is_torn = reader.bytes() != fs::file_size(sweep.table);
  earlier.count = static_cast<std::uint64_t>(std::ranges::count(earlier.done, true));
  return earlier;
}

/// A file that the sweep would replace: complete tables of sweeps may be, as other results.
void check_replaced(const fs::path& table, const std::optional<SweepMeta>& before) {
  const std::string name = table.string();
  if (!before)
    throw file_error(table, ErrorCode::usage,
                     fmt::format("\"{}\" exists, and is not the table of a sweep", name),
                     {.hint = "Choose another table, or replace it with --restart."});
  std::uint64_t rows = 0;
  try {
    SweepReader reader(table, table_header(before->columns()));
    for (StoredRow row; reader.next(row);) rows = reader.rows();
  } catch (const Error&) {  // it is not the described table
    rows = 0;
  }
  if (rows >= before->part_runs()) return;
  throw file_error(table, ErrorCode::usage,
                   fmt::format("\"{}\" contains {} of {} runs of another sweep", name, rows,
                               before->part_runs()),
                   {.hint = "Choose another table, or replace it with --restart."});
}

/// Rejects the table of another sweep when it continues, and an incomplete one when it would be
/// replaced.
EarlierRows earlier_rows(const PreparedSweep& sweep, const SweepOptions& options, const Log& log) {
  EarlierRows none;
  none.done.resize(sweep.meta.part_runs());
  std::error_code failed;
  if (options.restart || !fs::is_regular_file(sweep.table, failed) ||
      fs::file_size(sweep.table, failed) == 0)
    return none;
  const std::optional<SweepMeta> before = read_meta(sweep.table);
  const std::string name = sweep.table.string();
  if (!before || before->identity != sweep.meta.identity || before->part != sweep.meta.part ||
      before->parts != sweep.meta.parts) {
    if (!options.resume) {
      check_replaced(sweep.table, before);
      return none;
    }
    throw file_error(
        sweep.table, ErrorCode::usage,
        !before ? fmt::format("\"{}\" cannot be continued: \"{}\" does not describe a sweep", name,
                              metadata_path(sweep.table).string())
                : fmt::format("\"{}\" is the table of another sweep: {}", name,
                              difference_of(sweep.meta.identity, before->identity)),
        {.key = "continue", .hint = "Choose another table, or replace it with --restart."});
  }
  EarlierRows earlier = read_earlier(sweep, options.retry_failed);
  if (options.resume) {
    if (before->version != sweep.meta.version)
      log.warning("", fmt::format("the rows in \"{}\" are results of Tutti {}, the others will be "
                                  "of {}",
                                  name, before->version, sweep.meta.version));
    return earlier;
  }
  if (earlier.count == earlier.done.size()) return none;  // to be replaced, as results are
  throw file_error(sweep.table, ErrorCode::usage,
                   fmt::format("\"{}\" contains {} of {} runs of this sweep", name, earlier.count,
                               sweep.meta.part_runs()),
                   {.key = "continue",
                    .hint = "Run the missing ones with --continue, or all again with --restart."});
}

void make_folder(const fs::path& trajectories) {
  if (trajectories.empty()) return;
  const fs::path folder = trajectory_file(trajectories, 0).parent_path();
  if (folder.empty()) return;
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw file_error(
        folder, ErrorCode::file,
        fmt::format("cannot create the folder \"{}\": {}", folder.string(), failed.message()));
}

/// Runs what is missing. False: interrupted.
bool run_missing(const PreparedSweep& sweep, const SweepOptions& options, EarlierRows earlier,
                 Cases& cases, SweepWriter& writer) {
  const std::uint64_t all = sweep.meta.part_runs();
  const std::size_t parameters = sweep.meta.parameters.size();
  const std::size_t outputs = sweep.meta.columns().size() - parameters;
  std::uint64_t index = 0, done = earlier.count;
  const auto report = [&] {
    if (options.on_progress) options.on_progress(done, all);
  };
  report();
  return cases.run(
      [&]() -> std::optional<Case> {
        while (index < all && earlier.done[index]) ++index;
        if (index == all) return {};
        const std::uint64_t run = sweep.meta.run_of(index++);
        writer.expect(run);
        return Case{run, 0, sweep.design->row(run),
                    trajectory_file(sweep.study.sweep->trajectories, run)};
      },
      [&](CaseResult result) {
        result.values.resize(outputs);
        writer.add(result.number, table_row(result.number, sweep.design->row(result.number),
                                            result.values, to_string(result.end.kind),
                                            result.end.error ? result.end.error->what() : ""));
        writer.flush();
        ++done;
        report();
      });
}

}  // namespace
}  // namespace studies

SweepReport run_sweep(const Study& study, const SweepOptions& options, const Log& log) {
  using namespace studies;
  const PreparedSweep sweep(study, options, log);
  EarlierRows earlier = earlier_rows(sweep, options, log);
  SweepReport report;
  report.results = sweep.table;
  report.runs = sweep.meta.part_runs();
  report.earlier = earlier.count;
  if (!earlier.is_finished()) {
    SweepWriter writer(sweep.table);
    CaseOptions of_cases = options;
    of_cases.waiting = [&] {  // rows do not wait for the end of a slow run
      writer.flush();
      if (options.waiting) options.waiting();
    };
    Cases cases({sweep.case_system()}, std::move(of_cases), log);
    make_folder(study.sweep->trajectories);
    const std::string header = table_header(sweep.meta.columns());
    if (earlier.rows > 0)
      writer.begin_behind(header, earlier.rows, earlier.last_line, earlier.is_sorted);
    else
      writer.begin(header);
    write_meta(sweep.table, sweep.meta);  // begin() removes an earlier one
    try {
      run_missing(sweep, options, std::move(earlier), cases, writer);
    } catch (...) {
      writer.finish();  // of the runs so far
      throw;
    }
    writer.finish();
  }
  summarize(sweep.meta, report);
  return report;
}

SweepPreview preview_sweep(const Study& study, const SweepOptions& options, std::uint64_t most,
                           const Log& log) {
  const studies::PreparedSweep sweep(study, options, log);
  SweepPreview preview;
  preview.results = sweep.table;
  preview.runs = sweep.meta.part_runs();
  for (const StudyParameter& parameter : study.parameters) preview.names.push_back(parameter.name);
  for (std::uint64_t i = 0; i < std::min(most, preview.runs); ++i) {
    const std::uint64_t run = sweep.meta.run_of(i);
    preview.numbers.push_back(run + 1);
    preview.rows.push_back(sweep.design->row(run));
  }
  return preview;
}

}  // namespace tutti
