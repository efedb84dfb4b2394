// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tutti/export.hpp>
#include <tutti/system_run.hpp>
#include <vector>

/// Examples: folders with a system and its FMUs, or with a C++ program, and the expected figures.
namespace tutti {

/// One expected number of a run.
struct ExpectedFigure {
  enum class Kind : std::uint8_t {
    error,              ///< largest difference from the reference at the communication points
    last_error,         ///< largest difference at the end
    first,              ///< the value at the start
    last,               ///< the value at the end
    largest,            ///< the largest magnitude
    swing,              ///< half the difference of largest and smallest value from a time on
    changes,            ///< largest error of the times at which a value changes
    steps,              ///< communication steps
    calls,              ///< of one function of one component
    failures,           ///< of step control
    solver,             ///< work of the integrator of a model-exchange component
    evaluations,        ///< of components in initialization
    evaluations_alone,  ///< the same, with every output evaluated alone
    growth,             ///< of the largest magnitude per step, over the last third
    same_as,            ///< number of values that are not bitwise those of another run
    diverges,           ///< a recorded magnitude exceeds the value, or the run ends because of it
    fails               ///< the run ends with this message
  };
  enum class Relation : std::uint8_t { about, below, above, verdict };
  Kind kind = Kind::error;
  /// A variable, a component, or a run; empty: all variables that are compared
  std::string of;
  /// do-step, get-state, set-state; convergence, error-test, accepted-at-min; steps,
  /// right-hand-sides; part of a message
  std::string call;
  double from = 0;            ///< time
  std::vector<double> times;  ///< of changes
  Relation relation = Relation::about;
  double value = 0;
  double within = 0;   ///< about: accepted relative difference...
  double allowed = 0;  ///< ...or the absolute one
  char verdict = 0;    ///< w or e

  bool is_count() const {
    return kind == Kind::steps || kind == Kind::calls || kind == Kind::failures ||
           kind == Kind::evaluations || kind == Kind::evaluations_alone || kind == Kind::same_as;
  }
};

/// One run of an example's system, or of its program.
struct ExampleRun {
  std::string name;
  std::string system;                ///< file in the folder of the example; empty: system.toml
  std::vector<std::string> program;  ///< in place of a system: its name in the folder, arguments
  std::vector<std::string> set;      ///< changes of the system, for assign()
  std::vector<std::string> order;    ///< calling order of the cycle of these components; empty: its
  std::vector<std::string> reference;  ///< parameters of the reference, after those of the example
  /// Its counts are shown beside the printed ones of the source, or alone.
  enum class Show : std::uint8_t { nothing, printed, ours } show = Show::nothing;
  std::string column;  ///< of the table of verdicts: GS1, GSM or NRM; empty: none
  std::vector<ExpectedFigure> figures;
};

/// The reference of runs, if any: an FMU whose outputs, or a table whose columns, have the names of
/// variables of the system.
struct ExampleReference {
  std::string file;  ///< a result file in the folder of the example; empty: fmus/reference.fmu
  std::vector<std::string> set;        ///< its parameters, name=value
  std::vector<std::string> variables;  ///< that are compared; empty: all its outputs or columns
  bool relative = false;  ///< errors are divided by the reference's largest magnitude, if not 0
  std::vector<double> leave_out;  ///< communication points near these times are not compared...
  double leave_out_steps = 0;     ///< ...if they are closer than so many steps
};

/// A plot of results of runs.
struct ExamplePlot {
  std::string name;  ///< of the file, without .svg
  std::string title;
  std::vector<std::string> runs;       ///< by name; empty: the reference alone
  std::vector<std::string> labels;     ///< of their curves, if there are several
  std::vector<std::string> variables;  ///< what is drawn
  bool reference = false;              ///< with it, dashed
  bool apart = false;                  ///< a panel for every variable
  bool log = false;                    ///< logarithmic values
  std::optional<double> from, to;      ///< s
};

struct Example {
  std::string name;  ///< of the folder
  std::filesystem::path folder;
  std::string title, source;
  std::string row;          ///< of Table 1 of the EAS paper; empty: not in it
  std::string paper;        ///< its verdicts there: "d Y Y"
  std::string here;         ///< ours, where they differ...
  std::string explanation;  ///< ...and why
  std::string refused;      ///< there is no system: the error of the kit for its model
  ExampleReference reference;
  std::vector<ExampleRun> runs;
  std::vector<ExamplePlot> plots;

  bool has_system() const { return std::filesystem::exists(system()); }
  std::filesystem::path system() const { return folder / "system.toml"; }
  std::filesystem::path system_of(const ExampleRun& run) const {
    return run.system.empty() ? system() : folder / run.system;
  }
  /// Whether its program exists; installations contain only the sources of programs.
  bool is_built(const ExampleRun& run) const {
    return run.program.empty() || std::filesystem::exists(folder / run.program.front());
  }
};

/// The examples in a folder, by name. @throws Error (file, usage)
TUTTI_API std::vector<Example> read_examples(const std::filesystem::path& folder);

/// One figure, expected and found.
struct FoundFigure {
  std::string what, expected, found;
  bool fine = false;
};

struct ExampleOutcome {
  std::vector<FoundFigure> figures;
  double error = 0;              ///< of all compared variables
  char verdict = 'e';            ///< Y, d, w or e
  std::string failure;           ///< error of the run; empty: none
  bool numeric_failure = false;  ///< because of its values
  RunStatistics statistics;
};

/// The rule of the verdicts, one line each.
TUTTI_API std::string verdict_rule();

/// Runs an example once and measures it; its program writes CSV. @pre example.is_built(run)
/// @throws Error for errors in the example
TUTTI_API ExampleOutcome run_example(const Example& example, const ExampleRun& run,
                                     const SystemRunOptions& options);
/// Runs the runs of a plot and draws it as SVG. @throws Error for errors in the example
TUTTI_API std::string draw_example(const Example& example, const ExamplePlot& plot,
                                   const SystemRunOptions& options);
/// The error of the kit for an example that it rejects. @pre !example.refused.empty()
TUTTI_API FoundFigure check_refusal(const Example& example);

}  // namespace tutti
