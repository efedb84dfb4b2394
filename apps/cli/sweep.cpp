// SPDX-License-Identifier: BSD-2-Clause
#include "sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>

#include "file_kind.hpp"
#include "plot.hpp"
#include "system_inputs.hpp"
#include "text_table.hpp"

namespace tutti::cli {
namespace {

constexpr std::string_view to_terminal = "-";

/// `2/8`. @throws Error(usage)
void set_part(const std::string& text, SweepOptions& options) {
  if (text.empty()) return;
  const char* const end = text.data() + text.size();
  const auto part = std::from_chars(text.data(), end, options.part);
  if (part.ec == std::errc() && part.ptr != end && *part.ptr == '/') {
    const auto parts = std::from_chars(part.ptr + 1, end, options.parts);
    if (parts.ec == std::errc() && parts.ptr == end && options.part >= 1 &&
        options.part <= options.parts)
      return;
  }
  throw Error(ErrorCode::usage,
              fmt::format("--part \"{}\": expected PART/PARTS with PART from 1 to PARTS, for "
                          "example --part 2/8",
                          text));
}

/// Before the runs, which may take long.
void check_plot(const std::string& plot) {
  if (plot.empty() || plot == to_terminal) return;
  if (!is_picture(plot))
    throw Error(ErrorCode::usage, fmt::format("--plot \"{}\": a plot is written as .svg or .png, "
                                              "or to the terminal with --plot -",
                                              plot));
}

/// The files that a sweep or a merge writes.
std::vector<std::filesystem::path> outputs_of(const std::filesystem::path& table, bool has_indices,
                                              const std::string& plot) {
  std::vector<std::filesystem::path> outputs = {table, metadata_path(table)};
  if (has_indices)
    outputs.push_back(table.parent_path() / (table.stem().string() + "-indices.csv"));
  if (plot != to_terminal) outputs.emplace_back(plot);
  return outputs;
}

void write_scatter(const ScatterMatrix& matrix, const std::filesystem::path& file) {
  if (file.extension() == ".png") {
    write_png(matrix, {}, file);
    return;
  }
  std::ofstream out(file, std::ios::binary);
  out << draw_svg(matrix, {});
  if (!out.flush()) throw Error(ErrorCode::file, fmt::format("cannot write \"{}\"", file.string()));
}

/// False if it cannot be drawn.
bool draw_sweep(const std::string& target, const SweepReport& report, Console& console) {
  if (target.empty()) return true;
  try {
    const SweepPlot plot = plot_sweep(report.results);
    for (const std::string& note : plot.notes) console.note(note);
    if (target == to_terminal) {
      std::string text;
      for (const Figure& figure : plot.figures) text += draw_text(figure, text_plot_options());
      return put(stdout, text);
    }
    if (plot.points)
      write_scatter(*plot.points, target);
    else
      write_picture(plot.figures.front(), {}, target);
    console.note(fmt::format("plot in \"{}\"", target));
    return true;
  } catch (const Error& error) {
    console.error(error);
    return false;
  }
}

std::string index_text(double index, double error) {
  if (!std::isfinite(index)) return "-";
  return fmt::format("{:.4f} ± {:.4f}", index, error);
}

std::string indices_text(const SweepReport& report) {
  std::string text;
  for (std::size_t i = 0; i < report.indices.size();) {
    const std::string& output = report.indices[i].output;
    const std::uint64_t samples = report.indices[i].samples;
    constexpr std::size_t widest = 60;
    TextTable table({{"parameter", widest}, {"first order", widest}, {"total", widest}});
    for (; i < report.indices.size() && report.indices[i].output == output; ++i) {
      const SobolIndex& index = report.indices[i];
      table.add({index.parameter, index_text(index.first, index.first_error),
                 index_text(index.total, index.total_error)});
    }
    text += fmt::format("Sobol indices of {} from {} samples, with standard errors:\n{}", output,
                        samples, table.text());
  }
  return text;
}

std::string summary_of(const SweepReport& report) {
  std::string text = counted(report.runs, "run");
  if (report.earlier > 0) text += fmt::format(", {} of them earlier", with_commas(report.earlier));
  text += fmt::format(": {} completed, {} failed; results in \"{}\"\n",
                      with_commas(report.rows - report.failed), with_commas(report.failed),
                      report.results.string());
  if (!report.indices.empty())
    text += indices_text(report) + fmt::format("indices in \"{}\"\n", report.indices_file.string());
  return text;
}

/// Prints the summary; what is wrong goes to standard error. @return false if that fails
bool show_sweep(const SweepReport& report, bool json, Console& console) {
  bool printed = true;
  if (json)
    printed = put_json(stdout, sweep_json(report) + "\n");
  else if (!console.is_quiet() && report.rows == report.runs)
    printed = put_text(stdout, summary_of(report));
  printed &= std::fflush(stdout) == 0;
  if (report.failed == 0) return printed;
  const std::string frequent =
      fmt::format("{} with the message: {}", counted(report.same_error, "run"), report.message);
  if (report.runs == 1)
    console.error(fmt::format("the run failed: {}", report.message));
  else if (report.failed == report.rows && report.rows == report.runs)
    console.error(fmt::format("all {} failed, {}", counted(report.runs, "run"), frequent));
  else
    console.warning(fmt::format("{} of {} failed, {}", with_commas(report.failed),
                                counted(report.rows, "run"), frequent));
  return printed;
}

int preview_rows(const SweepCommand& command, const Study& study, Console& console) {
  constexpr std::uint64_t most = 10;
  constexpr std::size_t widest = 24;
  const SweepPreview rows = preview_sweep(study, command.options, most, console.log());
  std::vector<TextTable::Column> columns = {{"run", widest}};
  for (const std::string& name : rows.names) columns.push_back({name, widest});
  TextTable table(std::move(columns));
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    std::vector<std::string> row = {fmt::format("{}", rows.numbers[i])};
    row.insert(row.end(), rows.rows[i].begin(), rows.rows[i].end());
    table.add(std::move(row));
  }
  const std::string text =
      fmt::format("{} would be in \"{}\"{}:\n{}", counted(rows.runs, "run"), rows.results.string(),
                  rows.rows.size() < rows.runs ? ", the first ones" : "", table.text());
  return put_text(stdout, text) && std::fflush(stdout) == 0 ? 0 : 1;
}

/// For a shell.
std::string quoted_word(const std::string& text) {
  const bool is_plain = std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("./_-=,:+@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_plain && !text.empty()) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string continuation(const SweepCommand& command) {
  const FmuOptions& open = command.options.open;
  std::string line = fmt::format("tutti sweep {}", quoted_word(command.study.string()));
  if (!command.part.empty()) line += fmt::format(" --part {}", command.part);
  if (!command.options.results.empty())
    line += fmt::format(" -o {}", quoted_word(command.options.results.string()));
  for (const std::string& assignment : command.options.set)
    line += fmt::format(" --set {}", quoted_word(assignment));
  if (!open.structure.empty()) line += fmt::format(" --structure {}", quoted_word(open.structure));
  if (open.compile.allowed) line += " --compile";
  return line + " --continue";
}

}  // namespace

int sweep(SweepCommand command, Console& console) {
  prepare_opening(command.options.open);
  set_part(command.part, command.options);
  const Study study = read_study(command.study, console.log());
  const std::vector<std::filesystem::path> inputs = study_inputs(study, command.options.open);
  if (command.dry_run) {
    console.open_log(inputs);
    return preview_rows(command, study, console);
  }
  check_plot(command.plot);
  const std::filesystem::path table = preview_sweep(study, command.options, 0, {}).results;
  protect_files(outputs_of(table, study.sweep->indices, command.plot), inputs);
  console.open_log(inputs, {table});
  command.options.stop_request = &interrupted();
  command.options.kill_request = &killed();
  command.options.on_progress = [&](std::uint64_t done, std::uint64_t all) {
    console.progress_of_runs(done, all);
  };
  const SweepReport report = run_sweep(study, command.options, console.log());
  console.finish();
  bool delivered = show_sweep(report, command.json, console);
  if (report.rows < report.runs) {
    console.note(fmt::format("interrupted: {} of {} are in \"{}\". Continue with: {}",
                             with_commas(report.rows), counted(report.runs, "run"),
                             report.results.string(), continuation(command)));
    return 130;
  }
  if (report.failed == report.runs && report.runs > 0) return 1;
  delivered &= draw_sweep(command.plot, report, console);
  return delivered ? 0 : 1;
}

int merge(const MergeCommand& command, Console& console) {
  check_plot(command.plot);
  protect_files(outputs_of(command.output, true, command.plot), command.tables);
  console.open_log(command.tables, {command.output});
  const SweepReport report = merge_sweeps(command.tables, command.output);
  bool delivered = show_sweep(report, command.json, console);
  delivered &= draw_sweep(command.plot, report, console);
  return delivered ? 0 : 1;
}

}  // namespace tutti::cli
