// SPDX-License-Identifier: BSD-2-Clause
#include "simulate.hpp"

#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "plot.hpp"

namespace tutti::cli {
namespace {

/// Hands each row to several sinks.
class Tee final : public RecordSink {
 public:
  void add(RecordSink* sink) { sinks_.push_back(sink); }
  bool empty() const { return sinks_.empty(); }
  void begin(std::span<const Column> columns) override {
    for (RecordSink* sink : sinks_) sink->begin(columns);
  }
  void row(const Row& row) override {
    for (RecordSink* sink : sinks_) sink->row(row);
  }
  void flush() override {
    for (RecordSink* sink : sinks_) sink->flush();
  }
  void finish() override {
    for (RecordSink* sink : sinks_) sink->finish();
  }

 private:
  std::vector<RecordSink*> sinks_;
};

void read_variables_file(const std::filesystem::path& file, std::vector<std::string>& variables) {
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file))
    throw Error(ErrorCode::file, fmt::format("cannot read \"{}\"", file.string()));
  constexpr const char* blanks = " \t\r";
  bool any = false;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find_first_not_of(blanks);
    if (first == std::string::npos || line[first] == '#') continue;
    std::string name = line.substr(first, line.find_last_not_of(blanks) - first + 1);
    // Copied from the header of a result file: "A[1,2]".
    if (name.size() > 2 && name.front() == '"' && name.back() == '"')
      name = name.substr(1, name.size() - 2);
    variables.push_back(std::move(name));
    any = true;
  }
  if (!any) throw Error(ErrorCode::file, fmt::format("\"{}\" names no variable", file.string()));
}

void split_assignments(const std::vector<std::string>& texts, SimulateOptions& run) {
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorCode::usage,
                  fmt::format("--set \"{}\": expected NAME=VALUE, for example --set mu=2.5", text));
    run.set.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
}

/// Results must not replace what the run reads.
void protect_inputs(const std::filesystem::path& output, const SimulateCommand& command) {
  for (const std::filesystem::path& input :
       {command.run.fmu, command.run.input, command.variables_file}) {
    std::error_code none;
    if (!input.empty() && std::filesystem::equivalent(output, input, none))
      throw Error(ErrorCode::usage,
                  fmt::format("the results would overwrite \"{}\", which the run reads. Choose "
                              "another file with --output.",
                              input.string()));
  }
}

/// The metadata beside the results; false if they cannot be written.
bool describe_results(const std::filesystem::path& file, const SimulateOptions& run,
                      const RunReport& report, Console& console) {
  if (!std::filesystem::is_regular_file(file)) return true;  // a pipe or device has no neighbour
  try {
    write_metadata(file, run, report);
    return true;
  } catch (const Error& error) {
    console.error(error.what());
    return false;
  }
}

int exit_status(const RunEnd& end) {
  switch (end.kind) {
    case RunEnd::Kind::interrupted:
      return 130;
    case RunEnd::Kind::failed:
      return end.started ? 1 : 2;
    default:
      return 0;
  }
}

}  // namespace

int simulate(SimulateCommand command, Console& console) {
  SimulateOptions& run = command.run;
  split_assignments(command.set, run);
  if (!command.variables_file.empty()) read_variables_file(command.variables_file, run.variables);
  run.stop_request = &interrupted();
  run.open.stop = &interrupted();

  Tee sinks;
  std::unique_ptr<RecordSink> csv;
  std::filesystem::path file;
  if (command.output != "none") {
    std::filesystem::path stem = run.fmu;
    if (!stem.has_filename()) stem = stem.parent_path();  // a folder written with a trailing slash
    file = command.output.empty() ? stem.stem().string() + ".csv" : command.output;
    protect_inputs(file, command);
    csv = make_csv_writer(file);
    sinks.add(csv.get());
  }
  const TextPlotOptions screen = text_plot_options(ColorChoice::automatic);
  constexpr std::size_t most_colored = 7, most_plain = 4;
  TerminalPlot plot(
      {screen.width, screen.height, screen.color, screen.color ? most_colored : most_plain});
  if (command.plot) sinks.add(&plot);

  run.progress = [&](double time, double fraction) { console.progress(fraction, time); };
  const RunReport report = tutti::simulate(run, sinks.empty() ? nullptr : &sinks, console.log());
  console.finish();

  const RunEnd& end = report.end;
  bool delivered = true;
  if (command.plot && end.started) delivered &= put(stdout, plot.draw());
  if (command.json)
    delivered &= put(stdout, statistics_json(run, report) + "\n");
  else if (end.started)
    delivered &= put(stdout, statistics_text(report));
  delivered &= std::fflush(stdout) == 0;

  const bool lost = end.error && end.error->code() == ErrorCode::file;
  const std::string kept =
      csv && end.started && !lost
          ? fmt::format("; the results up to then are in \"{}\"", file.string())
          : "";
  if (end.error) console.error(end.error->what() + kept);
  if (end.kind == RunEnd::Kind::interrupted && !end.error)
    console.note(fmt::format("interrupted at t = {} s{}", end.time, kept));
  if (end.kind == RunEnd::Kind::terminated_by_fmu)
    console.note(fmt::format("the FMU asked to end the run at t = {} s", end.time));
  if (end.kind == RunEnd::Kind::completed && csv)
    console.note(fmt::format("results in \"{}\"", file.string()));
  const bool described = !csv || !end.started || describe_results(file, run, report, console);
  const int status = exit_status(end);
  return status == 0 && !(delivered && described) ? 1 : status;
}

}  // namespace tutti::cli
