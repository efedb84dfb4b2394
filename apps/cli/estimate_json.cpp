// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <nlohmann/json.hpp>

#include "estimate.hpp"

namespace tutti::cli {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no NaN.
Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json parameter_json(const FoundParameter& parameter) {
  Json json = {{"name", parameter.name},
               {"value", parameter.value},
               {"start", parameter.start},
               {"unit", parameter.unit},
               {"nominal", parameter.nominal}};
  if (parameter.min) json["min"] = *parameter.min;
  if (parameter.max) json["max"] = *parameter.max;
  if (parameter.at_bound != AtBound::none) json["atBound"] = to_string(parameter.at_bound);
  return json;
}

Json summary_json(const SearchSummary& search) {
  Json json = {{"method", search.method},
               {"end", to_string(search.end)},
               {"objective", finite_or_null(search.objective)},
               {"startObjective", finite_or_null(search.start_objective)},
               {"iterations", search.iterations},
               {"evaluations", search.evaluations},
               {"failedEvaluations", search.failed_evaluations},
               {"runs", search.runs},
               {"jobs", search.jobs},
               {"seconds", search.seconds},
               {"parameters", Json::array()},
               {"notes", search.notes}};
  for (const FoundParameter& parameter : search.parameters)
    json["parameters"].push_back(parameter_json(parameter));
  if (search.error) json["error"] = search.error->what();
  return json;
}

Json signal_json(const FittedSignal& signal) {
  return {{"experiment", signal.experiment + 1},
          {"formula", signal.formula},
          {"column", signal.column},
          {"unit", signal.unit},
          {"missing", signal.missing},
          {"rms", signal.rms},
          {"mean", signal.mean},
          {"largest", signal.largest},
          {"timeOfLargest", signal.time_of_largest},
          {"fit", finite_or_null(signal.fit)},
          {"times", signal.times},
          {"measured", signal.measured},
          {"simulated", signal.simulated}};
}

}  // namespace

std::string estimate_json(const EstimateReport& report) {
  Json json = summary_json(report.search);
  json["objectiveKind"] = to_string(report.objective);
  json["samples"] = report.samples;
  json["degreesOfFreedom"] = report.degrees_of_freedom;
  json["deviation"] = finite_or_null(report.deviation);
  for (std::size_t j = 0; j < report.accuracy.size(); ++j) {
    Json& parameter = json["parameters"][j];
    parameter["standardError"] = finite_or_null(report.accuracy[j].standard_error);
    parameter["low"] = finite_or_null(report.accuracy[j].low);
    parameter["high"] = finite_or_null(report.accuracy[j].high);
  }
  json["correlations"] = Json::array();
  for (const std::vector<double>& row : report.correlations) {
    Json values = Json::array();
    for (const double value : row) values.push_back(finite_or_null(value));
    json["correlations"].push_back(std::move(values));
  }
  json["unidentifiable"] = Json::array();
  for (const std::vector<std::size_t>& group : report.unidentifiable) {
    Json names = Json::array();
    for (const std::size_t j : group) names.push_back(report.search.parameters[j].name);
    json["unidentifiable"].push_back(std::move(names));
  }
  json["signals"] = Json::array();
  for (const FittedSignal& signal : report.signals)
    if (!signal.simulated.empty()) json["signals"].push_back(signal_json(signal));
  return json.dump(2);
}

std::string optimize_json(const OptimizeReport& report) {
  Json json = summary_json(report.search);
  json["formula"] = report.objective;
  json["maximize"] = report.maximize;
  json["feasible"] = report.is_feasible;
  json["constraints"] = Json::array();
  for (const ReachedConstraint& one : report.constraints)
    json["constraints"].push_back({{"formula", one.formula},
                                   {"left", one.left},
                                   {"right", one.right},
                                   {"satisfied", one.is_satisfied},
                                   {"active", one.is_active}});
  return json.dump(2);
}

}  // namespace tutti::cli
