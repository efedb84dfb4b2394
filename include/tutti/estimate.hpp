// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <tutti/cases.hpp>
#include <tutti/error.hpp>
#include <tutti/export.hpp>
#include <tutti/log.hpp>
#include <tutti/plot.hpp>
#include <tutti/study.hpp>
#include <tutti/system_file.hpp>
#include <vector>

/// Searches for values of parameters: `tutti estimate` fits runs to measurements, `tutti optimize`
/// minimizes a formula of the results of a run.
namespace tutti {

struct SearchProgress {
  std::uint64_t evaluations = 0;      ///< points so far; each is a run of every experiment
  std::uint64_t max_evaluations = 0;  ///< where the search ends at the latest
  double best = std::numeric_limits<double>::quiet_NaN();  ///< objective so far; NaN: none
};

struct SearchControl : CaseOptions {
  std::vector<std::string> set;  ///< further values of all runs, `name=value`
  std::function<void(const SearchProgress&)> searching;  ///< called after each group of runs
  bool curves = false;  ///< runs once more with the result, for the lines of a picture
};

enum class SearchOutcome : std::uint8_t { converged, limit, interrupted, failed };
constexpr WordList<4> list_words(SearchOutcome) {
  return {"converged", "limit", "interrupted", "failed"};
}

enum class AtBound : std::uint8_t { none, min, max };
constexpr WordList<3> list_words(AtBound) { return {"none", "min", "max"}; }

struct FoundParameter {
  std::string name, unit;
  double value = 0, start = 0;
  double nominal = 1;
  std::optional<double> min, max;
  AtBound at_bound = AtBound::none;
};

/// How a search went. The values are the best ones also if it did not converge.
struct SearchSummary {
  std::string method;
  SearchOutcome end{};
  std::optional<Error> error;  ///< failed: what happened
  std::vector<FoundParameter> parameters;
  double objective = std::numeric_limits<double>::quiet_NaN();
  double start_objective = std::numeric_limits<double>::quiet_NaN();  ///< NaN: that run failed
  std::uint64_t iterations = 0;   ///< 0: the method does not count them
  std::uint64_t evaluations = 0;  ///< points, without those of the Jacobian at the end
  std::uint64_t failed_evaluations = 0;
  std::uint64_t runs = 0;
  std::uint32_t jobs = 1;  ///< runs at the same time
  double seconds = 0;      ///< wall time
  std::vector<std::string> notes;
};

/// The accuracy of an estimated parameter, from the Jacobian at the result; NaN: unknown.
struct ParameterAccuracy {
  double standard_error = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();  ///< of the 95 % confidence interval
  double high = std::numeric_limits<double>::quiet_NaN();
};

/// A measured signal, and what the runs with the result are there. Differences are simulated minus
/// measured values, without weights.
struct FittedSignal {
  std::size_t experiment = 0;  ///< counts from 0
  std::string formula = {}, column = {}, unit = {};
  std::vector<double> times = {}, measured = {}, simulated = {};
  std::size_t missing = 0;  ///< samples without a number
  double rms = 0, mean = 0, largest = 0, time_of_largest = 0;
  /// 1 - rms/(standard deviation of the measured values): 1 is perfect, 0 as good as their mean.
  double fit = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> curve_times = {},
                      curve = {};  ///< of the whole run, with SearchControl::curves
};

struct EstimateReport {
  SearchSummary search;
  FitObjective objective{};
  std::size_t experiments = 0;
  std::vector<ParameterAccuracy> accuracy;  ///< by parameter; empty without a result
  std::vector<std::vector<double>> correlations;
  double deviation = 0;  ///< standard deviation of the weighted differences
  std::size_t samples = 0, degrees_of_freedom = 0;
  /// Indices of parameters that change together without an effect.
  std::vector<std::vector<std::size_t>> unidentifiable;
  std::vector<FittedSignal> signals;  ///< by experiment
};

struct ReachedConstraint {
  std::string formula;
  double left = 0, right = 0;  ///< of the sign
  bool is_satisfied = false, is_active = false;
};

struct OptimizeReport {
  SearchSummary search;
  std::string objective;
  bool maximize = false;
  bool is_feasible = true;
  std::vector<ReachedConstraint> constraints;
};

/// @pre the study has [estimate]
/// @throws Error for everything that is wrong before the first run. Later failures are in the
/// report.
TUTTI_API EstimateReport run_estimate(const Study& study, const SearchControl& control,
                                      const Log& log);
/// @pre the study has [optimize]
/// @throws Error as run_estimate()
TUTTI_API OptimizeReport run_optimize(const Study& study, const SearchControl& control,
                                      const Log& log);

/// The result as values that `tutti run --start-from` takes.
TUTTI_API std::vector<NamedValue> values_of(const SearchSummary& search);
/// Lines about the result, for a comment in a file.
TUTTI_API std::string comment_of(const SearchSummary& search, const std::string& study);

TUTTI_API std::string report_text(const EstimateReport& report);
TUTTI_API std::string report_text(const OptimizeReport& report);
/// A panel for each signal: measurements as dots, runs with the result as lines.
/// @throws Error(usage) if there is nothing to draw
TUTTI_API Figure figure_of(const EstimateReport& report);

}  // namespace tutti
