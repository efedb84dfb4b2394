// SPDX-License-Identifier: BSD-2-Clause
#include "deliver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <tutti/diagnosis.hpp>
#include <tutti/error.hpp>
#include <tutti/result_table.hpp>
#include <tutti/run_summary.hpp>

#include "plot.hpp"

namespace tutti::cli {
namespace {

/// Passes each row to several sinks.
class Tee final : public Observer {
 public:
  void add(Observer* sink) { sinks_.push_back(sink); }
  bool empty() const { return sinks_.empty(); }
  void begin(std::span<const Column> columns) override {
    for (Observer* sink : sinks_) sink->begin(columns);
  }
  void row(const Row& row) override {
    for (Observer* sink : sinks_) sink->row(row);
  }
  bool resume(std::span<const Column> columns, std::uint64_t rows, const Row& last) override {
    return std::all_of(sinks_.begin(), sinks_.end(),
                       [&](Observer* sink) { return sink->resume(columns, rows, last); });
  }
  void flush() override {
    for (Observer* sink : sinks_) sink->flush();
  }
  bool rewind(std::uint64_t rows) override {
    return std::all_of(sinks_.begin(), sinks_.end(),
                       [rows](Observer* sink) { return sink->rewind(rows); });
  }
  void finish() override {
    for (Observer* sink : sinks_) sink->finish();
  }
  std::string_view needs_own_process() const override {
    for (const Observer* sink : sinks_)
      if (!sink->needs_own_process().empty()) return sink->needs_own_process();
    return {};
  }

 private:
  std::vector<Observer*> sinks_;
};

/// Writes the files beside the results; false if that fails.
bool describe_results(const Delivery& delivery, const RunReport& report, Console& console) {
  // There are no files beside a pipe or device.
  if (!std::filesystem::is_regular_file(delivery.file)) return true;
  try {
    delivery.write_metadata(delivery.file, report);
    for (const ResultGroup& group : delivery.results.groups)
      delivery.write_metadata(part_of_results(delivery.file, group.name), report);
    if (delivery.gnuplot) write_gnuplot(delivery.file, report.columns);
    return true;
  } catch (const Error& error) {
    console.error(error);
    return false;
  }
}

/// False if a requested picture cannot be written.
bool draw_diagnosis(const DiagnosisRequest& diagnosis, const RunReport& report, Console& console) {
  if (!diagnosis.wanted || diagnosis.picture.empty()) return true;
  try {
    write_picture(diagnosis_figure(report), {}, diagnosis.picture);
    console.note(fmt::format("diagnosis in \"{}\"", diagnosis.picture.string()));
    return true;
  } catch (const Error& error) {
    console.error(error);
    return false;
  }
}

int exit_status(const RunReport& report) {
  using Outcome = Verification::Outcome;
  switch (report.end.kind) {
    case RunEnd::Kind::interrupted:
      return 130;
    case RunEnd::Kind::failed:
      return report.end.started ? 1 : 2;
    default:
      if (!report.verification || report.verification->outcome == Outcome::agrees) return 0;
      return report.verification->outcome == Outcome::interrupted ? 130 : 1;
  }
}

/// Joins two statements, of which the first may end with a full stop.
std::string followed_by(const std::string& text, std::string more) {
  if (more.empty()) return text;
  if (!text.ends_with('.') && !text.ends_with('?')) return text + "; " + more;
  more.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(more.front())));
  return text + " " + more;
}

/// A note that a file has old results; empty: it does not exist.
std::string earlier_results(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none) || std::filesystem::file_size(file, none) == 0)
    return "";
  return fmt::format("\"{}\" contains the results of an earlier run", file.string());
}

/// A note on incomplete results; empty: none.
std::string whereabouts(const Delivery& delivery, const RunReport& report) {
  const bool lost = report.end.error && report.end.error->code() == ErrorCode::file;
  if (delivery.file.empty() || lost) return "";
  if (report.statistics.rows > 0)
    return fmt::format("the results up to then are in \"{}\"", delivery.file.string());
  return earlier_results(delivery.file);
}

/// The complete files of a run; empty paths: none.
struct WrittenFiles {
  std::filesystem::path results, ports;
};

/// Prints the report on standard output. False if that fails.
bool print_report(const Delivery& delivery, const RunReport& report, const WrittenFiles& files,
                  const Console& console) {
  if (delivery.json) return put(stdout, delivery.json_text(report) + "\n");
  bool printed = true;
  if (report.end.started && !console.is_quiet()) {
    const std::string summary = summary_text(report, files.results, files.ports);
    const std::size_t width = terminal_width(stdout);
    printed &= print_text(stdout, width > 0 ? wrapped_text(summary, width) : summary);
    if (delivery.statistics || console.is_verbose()) {
      const std::string table = statistics_text(report);  // its first line is in the summary
      printed &= print_text(stdout, table.substr(table.find('\n') + 1));
    }
  }
  if (delivery.diagnosis.wanted && report.end.started)
    printed &= print_text(stdout, diagnosis_text(report));
  return printed;
}

/// Parts of the summary, which JSON replaces.
void note_end(const RunReport& report, const WrittenFiles& files, Console& console) {
  if (report.end.kind == RunEnd::Kind::terminated_by_fmu)
    console.note(fmt::format("{} asked to end the run at t = {:.13g} s",
                             report.end.component.empty()
                                 ? "an FMU"
                                 : fmt::format("the FMU of \"{}\"", report.end.component),
                             report.end.time));
  if (files.results.empty()) return;
  console.note(
      fmt::format("results in \"{}\"", files.results.string()) +
      (files.ports.empty() ? "" : fmt::format(", of ports in \"{}\"", files.ports.string())));
}

void show_findings(const RunReport& report, Console& console) {
  for (const RunFinding& finding : find_in(report)) {
    const std::string text = finding.text + ". " + finding.hint;
    if (finding.is_warning)
      console.warning(text);
    else
      console.note("note: " + text);
  }
}

void note_groups(const Delivery& delivery, Console& console) {
  for (const ResultGroup& group : delivery.results.groups)
    console.note(fmt::format("results of \"{}\", at 1 of {} points, in \"{}\"", group.name,
                             group.every, part_of_results(delivery.file, group.name).string()));
}

void protect_results(const std::filesystem::path& file,
                     const std::vector<std::filesystem::path>& inputs) {
  protect_inputs(file, inputs);
  protect_inputs(metadata_path(file), inputs);
}

/// Reports on a run; returns the exit status.
int conclude(const Delivery& delivery, const Observer* writer, const TerminalPlot& plot,
             const RunReport& report, Console& console) {
  console.finish();
  const RunEnd& end = report.end;
  bool delivered = true;
  if (delivery.plot && end.started) delivered &= put(stdout, plot.draw());
  const bool is_written = !delivery.file.empty() && report.statistics.rows > 0;
  const bool is_whole =
      end.kind == RunEnd::Kind::completed || end.kind == RunEnd::Kind::terminated_by_fmu;
  const WrittenFiles files =
      is_written && is_whole ? WrittenFiles{delivery.file, delivery.ports} : WrittenFiles{};
  delivered &= print_report(delivery, report, files, console);
  delivered &= std::fflush(stdout) == 0;
  if (end.started) delivered &= draw_diagnosis(delivery.diagnosis, report, console);
  show_findings(report, console);

  const std::string kept = whereabouts(delivery, report);
  if (end.error) console.error(followed_by(console.message(*end.error), kept));
  if (end.kind == RunEnd::Kind::interrupted && !end.error)
    console.note(followed_by(fmt::format("interrupted at t = {:.13g} s", end.time), kept));
  if (delivery.json) note_end(report, files, console);
  if (!files.results.empty()) note_groups(delivery, console);
  if (writer != nullptr && is_written)
    for (const std::string& note : writer->notes()) console.note("note: " + note);
  if (report.verification && !report.verification->message.empty())
    console.error(report.verification->message);
  const bool described = !is_written || describe_results(delivery, report, console);
  const int status = exit_status(report);
  return status == 0 && !(delivered && described) ? 1 : status;
}

}  // namespace

int deliver(const Delivery& delivery, RunControl& control, Console& console) {
  const std::filesystem::path& file = delivery.file;
  const std::filesystem::path& picture = delivery.diagnosis.picture;
  if (!picture.empty()) {
    if (!is_picture(picture))
      throw Error(
          ErrorCode::usage,
          fmt::format("--diagnose \"{}\": a picture is written as .svg or .png", picture.string()));
    std::vector<std::filesystem::path> others = delivery.inputs;
    if (!file.empty()) others.push_back(file);
    protect_inputs(picture, others);
  }
  if (!file.empty()) {
    protect_results(file, delivery.inputs);
    if (delivery.gnuplot) protect_inputs(gnuplot_path(file), delivery.inputs);
    for (const ResultGroup& group : delivery.results.groups)
      protect_results(part_of_results(file, group.name), delivery.inputs);
  }
  Tee sinks;
  std::unique_ptr<Observer> writer;
  if (!file.empty()) {
    writer = make_result_writer(file, delivery.results);
    sinks.add(writer.get());
  }
  console.open_log(delivery.inputs, {file});
  const TextPlotOptions screen = text_plot_options();
  constexpr std::size_t most_colored = 7, most_plain = 4;
  TerminalPlot plot(
      {screen.width, screen.height, screen.color, screen.color ? most_colored : most_plain});
  if (delivery.plot) sinks.add(&plot);

  control.stop_request = &interrupted();
  control.kill_request = &killed();
  control.progress = [&](double time, double fraction) { console.progress(fraction, time); };
  control.abandoned = [&](const RunReport& report) {
    const int status = conclude(delivery, writer.get(), plot, report, console);
    writer.reset();
    std::fflush(nullptr);
    std::_Exit(status);
  };
  try {
    const RunReport report = delivery.run(sinks.empty() ? nullptr : &sinks);
    return conclude(delivery, writer.get(), plot, report, console);
  } catch (const Error& error) {
    ErrorRecord record = error.record();
    record.message = followed_by(record.message, earlier_results(file));
    throw Error(std::move(record));
  }
}

}  // namespace tutti::cli
