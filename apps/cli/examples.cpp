// SPDX-License-Identifier: BSD-2-Clause
#include "examples.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <tutti/examples.hpp>

#include "text_table.hpp"

namespace tutti::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

fs::path examples_folder() {
  if (const char* const named = std::getenv("TUTTI_EXAMPLES"); named != nullptr && *named != '\0')
    return named;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder :
       {program / "examples", program.parent_path() / "share/tutti/examples"})
    if (fs::is_directory(folder, error)) return folder;
  throw Error(ErrorCode::file,
              fmt::format("there are no examples in \"{}\"; name their folder in the environment "
                          "variable TUTTI_EXAMPLES",
                          (program / "examples").string()));
}

namespace {

const Example& find(const std::vector<Example>& all, const std::string& name) {
  for (const Example& example : all)
    if (example.name == name) return example;
  throw Error(ErrorCode::usage,
              fmt::format("there is no example \"{}\"; `tutti examples list` shows them", name));
}

SystemRunOptions quiet_options() {
  SystemRunOptions options;
  options.open.stop = &interrupted();
  options.stop_request = &interrupted();
  return options;
}

int list(const std::vector<Example>& all) {
  TextTable table({{"example", 40}, {"shows", 60}, {"source", 70}});
  for (const Example& example : all)
    table.add({example.name, example.title,
               example.row.empty()
                   ? example.source
                   : fmt::format("{}, row {}", example.source.substr(0, example.source.find(':')),
                                 example.row)});
  put(stdout, table.text(0, 150));
  put(stdout, fmt::format("in {}\n", examples_folder().string()));
  return 0;
}

int copy(const Example& example, fs::path to) {
  if (to.empty()) to = example.name;
  if (fs::exists(to))
    throw Error(ErrorCode::usage, fmt::format("\"{}\" exists already", to.string()));
  std::error_code error;
  fs::copy(example.folder, to, fs::copy_options::recursive, error);
  if (error)
    throw Error(ErrorCode::file,
                fmt::format("cannot copy \"{}\" to \"{}\": {}", example.folder.string(),
                            to.string(), error.message()));
  put(stdout, fmt::format("{}\n", to.string()));
  return 0;
}

/// A program has its own arguments.
std::string how_to_run_program(const Example& example) {
  const ExampleRun& run = example.runs.front();
  return fmt::format(
      "example \"{}\" is a C++ program with its own arguments. Run it: {}/{}{}", example.name,
      example.folder.string(), fmt::join(run.program, " "),
      example.is_built(run) ? "" : " (Tutti's build builds it; only its source is here)");
}

int run_one(const Example& example, RunCommand command, Console& console) {
  if (!example.refused.empty())
    throw Error(ErrorCode::usage,
                fmt::format("example \"{}\" is a model that cannot become an FMU: {}", example.name,
                            example.refused));
  if (!example.has_system()) throw Error(ErrorCode::usage, how_to_run_program(example));
  command.system = example.system();
  if (command.output.empty()) command.output = example.name + ".csv";
  return run(std::move(command), console);
}

/// A run's counts in one line of a table: steps, failures, calls of each component.
using Counts = std::vector<std::string>;

Counts counts_of(const RunStatistics& s) {
  Counts counts = {std::to_string(s.steps),
                   fmt::format("{}/{}", s.convergence_failures, s.error_test_failures)};
  for (const ComponentStatistics& c : s.components)
    counts.push_back(fmt::format("{}/{}/{}", c.do_step, c.get_state, c.set_state));
  return counts;
}

/// The same for the counts in the source; - for missing ones.
Counts counts_of(const ExampleRun& run, const RunStatistics& of) {
  using Kind = ExpectedFigure::Kind;
  const auto value = [&](Kind kind, const std::string& name, const std::string& call) {
    for (const ExpectedFigure& figure : run.figures)
      if (figure.kind == kind && figure.call == call && (kind != Kind::calls || figure.of == name))
        return fmt::format("{:.0f}", figure.value);
    return std::string("-");
  };
  Counts counts = {value(Kind::steps, "", ""),
                   fmt::format("{}/{}", value(Kind::failures, "", "convergence"),
                               value(Kind::failures, "", "error-test"))};
  for (const ComponentStatistics& c : of.components)
    counts.push_back(fmt::format("{}/{}/{}", value(Kind::calls, c.name, "do-step"),
                                 value(Kind::calls, c.name, "get-state"),
                                 value(Kind::calls, c.name, "set-state")));
  return counts;
}

/// Counts in the source, beside those found.
class CountTable {
 public:
  void add(const ExampleRun& run, const ExampleOutcome& outcome) {
    if (run.show == ExampleRun::Show::nothing || !outcome.failure.empty()) return;
    if (rows_.empty()) {
      heads_ = {"run", "", "steps", "failures"};
      for (const ComponentStatistics& c : outcome.statistics.components) heads_.push_back(c.name);
      heads_.push_back("largest error");
    }
    const bool printed = run.show == ExampleRun::Show::printed;
    if (printed) add_row({run.name, "printed"}, counts_of(run, outcome.statistics), "");
    add_row({printed ? "" : run.name, "here"}, counts_of(outcome.statistics),
            fmt::format("{:.4g}", outcome.error));
  }
  std::string text() const {
    if (rows_.empty()) return "";
    std::vector<TextTable::Column> columns;
    for (const std::string& head : heads_) columns.push_back({head, 60});
    TextTable table(columns);
    for (const Counts& row : rows_) table.add(row);
    return "  failures: of convergence/of the error test; components: doStep/getState/setState\n" +
           table.text(2, 160);
  }

 private:
  void add_row(Counts row, const Counts& counts, const std::string& error) {
    row.insert(row.end(), counts.begin(), counts.end());
    row.push_back(error);
    rows_.push_back(std::move(row));
  }
  Counts heads_;
  std::vector<Counts> rows_;
};

/// All figures of an example; how many are wrong.
std::size_t check_one(const Example& example, bool show_all) {
  std::string text;
  CountTable counts;
  std::size_t count = 0, wrong = 0, skipped = 0;
  const auto take = [&](const std::string& run, const FoundFigure& figure) {
    ++count;
    if (!figure.fine) ++wrong;
    if (show_all || !figure.fine)
      text += fmt::format("  {} {}: {}: expected {}, found {}\n", figure.fine ? " " : "!", run,
                          figure.what, figure.expected, figure.found);
  };
  if (!example.refused.empty()) take("kit", check_refusal(example));
  for (const ExampleRun& run : example.runs) {
    if (!example.is_built(run)) {
      ++skipped;
      continue;
    }
    try {
      const ExampleOutcome outcome = run_example(example, run, quiet_options());
      for (const FoundFigure& figure : outcome.figures) take(run.name, figure);
      counts.add(run, outcome);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      take(run.name, {"run", "no error", error.what(), false});
    }
  }
  const std::string skips =
      skipped == 0 ? "" : fmt::format("; skipped: {} runs of a program not built here", skipped);
  put(stdout, fmt::format("{:24} {:3} figures, {}{}\n{}{}", example.name, count,
                          wrong == 0 ? "as expected" : fmt::format("{} wrong", wrong), skips, text,
                          counts.text()));
  return wrong;
}

int check(const std::vector<Example>& all, const ExamplesCommand& command) {
  const std::set<std::string> names(command.names.begin(), command.names.end());
  for (const std::string& name : names) find(all, name);
  std::size_t passed = 0, failed = 0;
  for (const Example& example : all)
    if (names.empty() || names.contains(example.name))
      ++(check_one(example, command.all) == 0 ? passed : failed);
  put(stdout, fmt::format("examples: {} passed, {} failed\n", passed, failed));
  return failed == 0 ? 0 : 1;
}

/// The verdicts of one row, with the errors that they come from.
struct Verdicts {
  std::string letters, errors;
};

Verdicts judge(const Example& example) {
  if (!example.refused.empty())
    return check_refusal(example).fine ? Verdicts{"e e e", "refused"} : Verdicts{"? ? ?", ""};
  Verdicts verdicts;
  for (const char* const column : {"GS1", "GSM", "NRM"})
    for (const ExampleRun& run : example.runs) {
      if (run.column != column) continue;
      const ExampleOutcome outcome = run_example(example, run, quiet_options());
      if (!verdicts.letters.empty()) verdicts.letters += ' ';
      verdicts.letters += outcome.verdict;
      verdicts.errors += fmt::format(
          "{:>11}", outcome.failure.empty() ? fmt::format("{:.3e}", outcome.error) : "-");
    }
  return verdicts;
}

double row_number(const Example& example) { return std::strtod(example.row.c_str(), nullptr); }

int verdicts(std::vector<Example> all) {
  std::erase_if(all, [](const Example& example) { return example.row.empty(); });
  std::stable_sort(all.begin(), all.end(), [](const Example& a, const Example& b) {
    return row_number(a) < row_number(b);
  });
  put(stdout,
      fmt::format("Table 1 of {}, and the same here.\n"
                  "GS1: gauss-seidel, GSM: iterated, NRM: newton; inputs linear inside a step, "
                  "tolerances 1e-6 and 1e-4, 100 iterations.\n{}\n"
                  "row  example                  paper  here   {:>11}{:>11}{:>11}\n",
                  all.empty() ? "" : all.front().source, verdict_rule(), "GS1", "GSM", "NRM"));
  std::size_t agree = 0, explained = 0, unexplained = 0;
  for (const Example& example : all) {
    const Verdicts found = judge(example);
    const bool same = found.letters == example.paper;
    const bool foreseen = found.letters == example.here && !example.explanation.empty();
    ++(same ? agree : foreseen ? explained : unexplained);
    put(stdout, fmt::format("{:4} {:24} {:6} {:6} {}\n", example.row, example.name, example.paper,
                            found.letters, found.errors));
    if (!same)
      put(stdout,
          fmt::format("     differs: {}\n", foreseen ? example.explanation : "unexplained"));
  }
  put(stdout, fmt::format("verdicts: {} agree, {} explained, {} unexplained\n", agree, explained,
                          unexplained));
  return unexplained == 0 ? 0 : 1;
}

void write_plot(const fs::path& file, const std::string& svg) {
  std::ofstream out(file, std::ios::binary);
  out << svg;
  if (!out.flush()) throw Error(ErrorCode::file, fmt::format("cannot write \"{}\"", file.string()));
}

/// Whether the programs that it shows exist.
bool can_draw(const Example& example, const ExamplePlot& plot) {
  return std::ranges::all_of(example.runs, [&](const ExampleRun& run) {
    return example.is_built(run) || std::ranges::count(plot.runs, run.name) == 0;
  });
}

int plots(const std::vector<Example>& all, const ExamplesCommand& command, Console& console) {
  const std::set<std::string> names(command.names.begin(), command.names.end());
  for (const std::string& name : names) find(all, name);
  const fs::path folder = command.folder.empty() ? fs::path("plots") : command.folder;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw Error(ErrorCode::file,
                fmt::format("cannot make the folder \"{}\": {}", folder.string(), error.message()));
  std::size_t count = 0;
  for (const Example& example : all) {
    if (!names.empty() && !names.contains(example.name)) continue;
    for (const ExamplePlot& plot : example.plots) {
      if (!can_draw(example, plot)) continue;
      write_plot(folder / (plot.name + ".svg"), draw_example(example, plot, quiet_options()));
      put(stdout, fmt::format("{:28} {}\n", plot.name + ".svg", plot.title));
      ++count;
    }
  }
  console.note(fmt::format("{} plots in \"{}\"", count, folder.string()));
  return 0;
}

}  // namespace

int examples(ExamplesCommand command, Console& console) {
  const std::vector<Example> all = read_examples(examples_folder());
  if (command.action != ExamplesCommand::Action::run) console.open_log({});
  switch (command.action) {
    case ExamplesCommand::Action::list:
      return list(all);
    case ExamplesCommand::Action::copy:
      return copy(find(all, command.name), command.folder);
    case ExamplesCommand::Action::run:
      return run_one(find(all, command.name), std::move(command.run), console);
    case ExamplesCommand::Action::check:
      return check(all, command);
    case ExamplesCommand::Action::verdicts:
      return verdicts(all);
    case ExamplesCommand::Action::plots:
      return plots(all, command, console);
  }
  return 0;
}

}  // namespace tutti::cli
