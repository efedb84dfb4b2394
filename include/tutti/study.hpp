// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tutti/cases.hpp>
#include <tutti/export.hpp>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/words.hpp>
#include <vector>

/// Studies in files: many runs of a system with different values.
namespace tutti {

enum class ParameterScale : std::uint8_t { linear, logarithmic };
constexpr WordList<2> list_words(ParameterScale) { return {"linear", "log"}; }

/// A value that a study varies.
struct StudyParameter {
  std::string name;                 ///< component.variable, or a key of the system file
  std::vector<std::string> values;  ///< a list of values, as written; otherwise a range:
  std::optional<double> min, max;
  std::uint32_t points = 0;  ///< of a grid
  ParameterScale scale = ParameterScale::linear;
  std::optional<double> start;    ///< of a search; default: the value in the system
  std::optional<double> nominal;  ///< of a search: its magnitude; default: that of the variable
  Place place;
};

/// A number, or several, that a study reports of each run.
struct StudyOutput {
  std::string name;
  Measure measure;
  Place place;
};

/// How the parameters of a sweep are combined.
enum class Design : std::uint8_t { grid, list, random, latin_hypercube, sobol };
constexpr WordList<5> list_words(Design) {
  return {"grid", "list", "random", "latin-hypercube", "sobol"};
}

struct SweepSettings {
  Design design = Design::grid;
  std::uint64_t samples = 100;  ///< of random, latin-hypercube, sobol
  std::uint64_t seed = 1;
  bool indices = false;                ///< first-order Sobol indices: more runs
  std::filesystem::path results;       ///< a table with a row for each run
  std::filesystem::path trajectories;  ///< a folder for the results of each run; empty: none
};

/// A measured signal.
struct MeasuredSignal {
  std::string formula;  ///< of variables of the system
  std::string column;   ///< of the data
  double weight = 1;
  Place place;
};

/// A run of the system under the conditions of a measurement.
struct StudyExperiment {
  std::filesystem::path data;  ///< a result file with the measurements
  std::vector<MeasuredSignal> signals;
  std::filesystem::path inputs;  ///< replaces inputs.file of the system; empty: it stays
  std::vector<std::pair<std::string, std::string>> set;  ///< values of this experiment
  double weight = 1;
  Place place;
};

enum class FitObjective : std::uint8_t { sum_of_squares, rms, pyfmi };
constexpr WordList<3> list_words(FitObjective) { return {"sum-of-squares", "rms", "pyfmi"}; }

struct EstimateSettings {
  std::string method = "levenberg-marquardt";  ///< a name of search_methods()
  double tolerance = 1e-6;                     ///< relative, of the parameters over their nominals
  std::uint64_t max_runs = 10'000;             ///< runs of one experiment
  FitObjective objective = FitObjective::sum_of_squares;
  std::uint64_t seed = 1;         ///< of methods that draw random numbers
  std::filesystem::path results;  ///< values to run with (TOML), <study>-fit.toml
};

struct OptimizeSettings {
  std::string objective;  ///< a formula as in Measure
  bool maximize = false;
  std::vector<std::string> constraints;  ///< formulas with <= or >=
  std::string method;  ///< empty: bobyqa; with constraints cobyla, with one parameter nelder-mead
  double tolerance = 1e-6;
  std::uint64_t max_runs = 10'000;
  std::uint64_t seed = 1;
  std::filesystem::path results;
};

struct Study {
  std::filesystem::path file, folder;                    ///< of the study
  std::filesystem::path system;                          ///< a system file, or one FMU
  std::vector<std::pair<std::string, std::string>> set;  ///< values of all runs
  std::vector<StudyParameter> parameters;
  std::vector<StudyOutput> outputs;
  std::optional<SweepSettings> sweep;
  std::vector<StudyExperiment> experiments;
  std::optional<EstimateSettings> estimate;
  std::optional<OptimizeSettings> optimize;
};

/// @throws Error: file if it cannot be read; usage with all errors in it, each with
/// file:line:column
TUTTI_API Study read_study(const std::filesystem::path& file, const Log& log = {});
/// Every key of a study file with type, default and meaning.
TUTTI_API std::string study_keys_text();

}  // namespace tutti
