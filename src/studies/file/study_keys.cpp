// SPDX-License-Identifier: BSD-2-Clause
#include "studies/file/study_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "formats/toml/fields.hpp"
#include "formats/toml/take.hpp"
#include "formats/toml/write.hpp"
#include "studies/search/search.hpp"

namespace tutti::studies {
namespace {

using formats::Value;

// Every group of settings has one place in a study or in a part of it.
Study& group(const StudyTarget& t, std::type_identity<Study>) { return t.study; }
StudyParameter& group(const StudyTarget& t, std::type_identity<StudyParameter>) {
  return *t.parameter;
}
StudyOutput& group(const StudyTarget& t, std::type_identity<StudyOutput>) { return *t.output; }
Measure& group(const StudyTarget& t, std::type_identity<Measure>) { return t.output->measure; }
StudyExperiment& group(const StudyTarget& t, std::type_identity<StudyExperiment>) {
  return *t.experiment;
}
MeasuredSignal& group(const StudyTarget& t, std::type_identity<MeasuredSignal>) {
  return *t.signal;
}
SweepSettings& group(const StudyTarget& t, std::type_identity<SweepSettings>) {
  return *t.study.sweep;
}
EstimateSettings& group(const StudyTarget& t, std::type_identity<EstimateSettings>) {
  return *t.study.estimate;
}
OptimizeSettings& group(const StudyTarget& t, std::type_identity<OptimizeSettings>) {
  return *t.study.optimize;
}

/// Reads the value with `take` into the member.
template <auto take, auto member>
void into(StudyTarget& t, const Value& v) {
  group(t, decltype(formats::group_of(member))()).*member = take(t.key, v);
}
namespace readers {
template <auto member>
constexpr auto text = into<formats::take_text, member>;
template <auto member>
constexpr auto number = into<formats::take_finite, member>;
template <auto member>
constexpr auto positive = into<formats::take_positive, member>;
template <auto member>
constexpr auto count = into<formats::take_count, member>;
template <auto member>
constexpr auto boolean = into<formats::take_boolean, member>;
template <auto member, class Enum>
constexpr auto word = into<formats::take_enum<Enum>, member>;
}  // namespace readers

std::uint64_t take_seed(const formats::Target& key, const Value& v) {
  if (!v.is(Value::Kind::integer) || v.integer < 0)
    formats::refuse(v, fmt::format("{} must be a non-negative integer, not {}", key.path,
                                   formats::described(v)));
  return static_cast<std::uint64_t>(v.integer);
}

std::span<const std::string_view> search_names() {
  static const std::vector<std::string_view> names = names_of(search_table());
  return names;
}

std::string take_method(const formats::Target& key, const Value& v) {
  return std::string(search_names()[formats::take_word(key, v, search_names())]);
}

std::vector<double> take_times(const formats::Target& key, const Value& v) {
  std::vector<double> times = formats::take_number_or_list(key, v);
  if (times.empty()) formats::refuse(v, key.path + " is empty: name the times of the values");
  for (std::size_t i = 1; i < times.size(); ++i)
    if (!(times[i - 1] < times[i]))
      formats::refuse(v.items[i], fmt::format("{} must ascend: {} follows {}", key.path, times[i],
                                              times[i - 1]));
  return times;
}

/// The texts are made when the name of the parameter is known.
void read_values(StudyTarget& t, const Value& v) {
  if (!v.is(Value::Kind::list))
    formats::refuse(
        v, fmt::format("{} must be a list of values, not {}", t.key.path, formats::described(v)));
  if (v.items.empty())
    formats::refuse(v, t.key.path + " is empty: name at least one value, or set min and max");
}

std::vector<std::string> take_constraints(const formats::Target& key, const Value& v) {
  std::vector<std::string> all = formats::take_texts(key, v);
  if (all.empty()) formats::refuse(v, key.path + " is empty: name a constraint, or omit the key");
  return all;
}

/// A value as TOML, for keys of system files.
std::string toml_of(const Value& v) {
  if (v.is(Value::Kind::text)) return formats::toml_quoted(v.text);
  if (!v.is(Value::Kind::list)) return formats::written(v);
  std::vector<std::string> items;
  for (const Value& item : v.items) items.push_back(toml_of(item));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

using namespace readers;
// clang-format off
const StudyKey key_table[] = {
    {"system", "file", {}, text<&Study::system>, formats::required, "System file or FMU, relative to the study file"},
    {"set", "table", {}, into<take_settings, &Study::set>, "", "Values of all runs: parameters, start values and keys of the system file, as with --set"},

    {"parameters[].name", "string", {}, text<&StudyParameter::name>, formats::required, "Parameter or start value component.variable, or a key of the system file"},
    {"parameters[].values", "list", {}, read_values, "", "Values: numbers, strings, booleans; of an array, lists. Instead of min and max"},
    {"parameters[].min", "number", {}, number<&StudyParameter::min>, "", "Lower bound"},
    {"parameters[].max", "number", {}, number<&StudyParameter::max>, "", "Upper bound"},
    {"parameters[].points", "integer", {}, count<&StudyParameter::points>, "", "Number of points of a grid from min to max"},
    {"parameters[].scale", "", words_of<ParameterScale>, word<&StudyParameter::scale, ParameterScale>, "linear", "Spacing of the values between min and max; of a search: of the variable that it changes"},
    {"parameters[].start", "number", {}, number<&StudyParameter::start>, "that of the system", "Estimate and optimize: initial value"},
    {"parameters[].nominal", "number", {}, positive<&StudyParameter::nominal>, "that of the variable", "Estimate and optimize: magnitude, by which the value is divided; if the variable has none, that of start"},

    {"outputs[]", "string", {}, text<&Measure::formula>, "", "The formula alone"},
    {"outputs[].formula", "string", {}, text<&Measure::formula>, formats::required, "Number to report of each run: variables at the end, end(), at(), max(), integral(), ... of the run: \"max(abs(chassis.a))\""},
    {"outputs[].name", "string", {}, text<&StudyOutput::name>, "the formula", "Name of the column of results"},
    {"outputs[].times", "number or list", {}, into<take_times, &Measure::times>, "", "Report the formula at these times, in a column each"},

    {"sweep.design", "", words_of<Design>, word<&SweepSettings::design, Design>, "grid", "Combination of the values: all (grid), the first of all, the second of all, ... (list), or samples of the ranges"},
    {"sweep.samples", "integer", {}, count<&SweepSettings::samples>, "100", "Number of samples of random, latin-hypercube and sobol; with indices for each of the two matrices"},
    {"sweep.seed", "integer", {}, into<take_seed, &SweepSettings::seed>, "1", "Seed of the random numbers"},
    {"sweep.indices", "boolean", {}, boolean<&SweepSettings::indices>, "false", "Compute first-order and total Sobol indices, with samples * (number of parameters + 2) runs"},
    {"sweep.results", "file", {}, text<&SweepSettings::results>, "<study>.csv", "Table with a row for each run, relative to the study file"},
    {"sweep.trajectories", "folder", {}, text<&SweepSettings::trajectories>, "", "Folder for the results of each run, relative to the study file: run-1.csv, ..."},

    {"experiments[].data", "file", {}, text<&StudyExperiment::data>, formats::required, "Result file with the measurements, relative to the study file"},
    {"experiments[].signals[]", "string", {}, text<&MeasuredSignal::formula>, "", "The formula alone: its column has the same name"},
    {"experiments[].signals[].formula", "string", {}, text<&MeasuredSignal::formula>, formats::required, "Formula of variables of the system that the column measures"},
    {"experiments[].signals[].column", "string", {}, text<&MeasuredSignal::column>, "the formula", "Column of the data; empty cells and NaN are missing samples"},
    {"experiments[].signals[].weight", "number", {}, positive<&MeasuredSignal::weight>, "1", "Factor of the differences of this signal"},
    {"experiments[].inputs", "file", {}, text<&StudyExperiment::inputs>, "", "Input table of this experiment, in place of inputs.file of the system"},
    {"experiments[].set", "table", {}, into<take_settings, &StudyExperiment::set>, "", "Values of this experiment, as in set"},
    {"experiments[].weight", "number", {}, positive<&StudyExperiment::weight>, "1", "Factor of the differences of this experiment"},

    {"estimate.method", "", search_names(), into<take_method, &EstimateSettings::method>, "levenberg-marquardt", "Method of the search"},
    {"estimate.tolerance", "number", {}, positive<&EstimateSettings::tolerance>, "1e-6", "Relative tolerance of the parameters over their nominals"},
    {"estimate.max-runs", "integer", {}, count<&EstimateSettings::max_runs>, "10000", "Maximum number of runs of an experiment"},
    {"estimate.objective", "", words_of<FitObjective>, word<&EstimateSettings::objective, FitObjective>, "sum-of-squares", "Reported measure of the weighted differences; pyfmi: root of the sum of squares over the number of samples"},
    {"estimate.seed", "integer", {}, into<take_seed, &EstimateSettings::seed>, "1", "Seed of methods that draw random numbers"},
    {"estimate.results", "file", {}, text<&EstimateSettings::results>, "<study>-fit.toml", "Values to run the system with, relative to the study file"},

    {"optimize.objective", "string", {}, text<&OptimizeSettings::objective>, formats::required, "Formula to minimize, as of outputs"},
    {"optimize.maximize", "boolean", {}, boolean<&OptimizeSettings::maximize>, "false", "Maximize the objective instead"},
    {"optimize.constraints", "string or list", {}, into<take_constraints, &OptimizeSettings::constraints>, "", "Formulas with <= or >=: \"max(wheel.travel) <= 0.1\""},
    {"optimize.method", "", search_names(), into<take_method, &OptimizeSettings::method>, "bobyqa", "Method of the search; with constraints, the default is cobyla, with one parameter nelder-mead"},
    {"optimize.tolerance", "number", {}, positive<&OptimizeSettings::tolerance>, "1e-6", "Relative tolerance of the parameters over their nominals"},
    {"optimize.max-runs", "integer", {}, count<&OptimizeSettings::max_runs>, "10000", "Maximum number of runs"},
    {"optimize.seed", "integer", {}, into<take_seed, &OptimizeSettings::seed>, "1", "Seed of methods that draw random numbers"},
    {"optimize.results", "file", {}, text<&OptimizeSettings::results>, "<study>-optimum.toml", "Values to run the system with, relative to the study file"},
};
// clang-format on

void add_settings(const formats::Target& key, const std::string& name, const Value& value,
                  std::vector<std::pair<std::string, std::string>>& all) {
  if (!value.is(Value::Kind::table)) {
    formats::set_value(all, name, setting_text(key, name, value));
    return;
  }
  for (const Value::Entry& entry : value.entries)
    add_settings(key, name.empty() ? entry.key : name + "." + entry.key, entry.value, all);
}

}  // namespace

std::string setting_text(const formats::Target& key, const std::string& name,
                         const formats::Value& value) {
  if (value.is(Value::Kind::table))
    formats::refuse(value, fmt::format("{} must be a value, not a table", key.path));
  if (!value.is(Value::Kind::list)) return formats::written(value);
  const std::vector<std::string_view> sections = formats::names_below("");
  if (std::ranges::find(sections, name.substr(0, name.find('.'))) != sections.end())
    return toml_of(value);
  const auto assignments = [&] {  // of an array: as in the set of a component
    Value table(Value::Kind::table);
    table.add(name, value);
    return formats::take_assignments(key, table);
  }();
  if (assignments.size() != 1)
    formats::refuse(value, fmt::format("{}: set the strings of an array by element, name[1]",
                                       printable(key.path)));
  return assignments.front().second;
}

std::vector<std::pair<std::string, std::string>> take_settings(const formats::Target& key,
                                                               const formats::Value& value) {
  formats::take_table(key, value);
  std::vector<std::pair<std::string, std::string>> all;
  add_settings(key, "", value, all);
  return all;
}

std::span<const StudyKey> study_keys() { return key_table; }

const StudyKey* find_study_key(std::string_view path) {
  const auto* const found = std::ranges::find(key_table, path, &StudyKey::path);
  return found == std::end(key_table) ? nullptr : found;
}

std::vector<std::string_view> study_names_below(std::string_view path) {
  std::vector<std::string_view> names;
  for (const StudyKey& key : key_table) {
    std::string_view rest = key.path;
    if (!path.empty()) {
      if (!rest.starts_with(path)) continue;
      rest.remove_prefix(path.size());
      if (!rest.starts_with('.')) continue;
      rest.remove_prefix(1);
    }
    const std::string_view name = rest.substr(0, rest.find_first_of(".["));
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace tutti::studies

namespace tutti {

std::string study_keys_text() {
  std::size_t widest = 0;
  for (const studies::StudyKey& key : studies::study_keys())
    widest = std::max(widest, key.path.size());
  std::string text;
  for (const studies::StudyKey& key : studies::study_keys()) {
    const std::string type =
        key.words.empty() ? std::string(key.type) : fmt::format("{}", fmt::join(key.words, " | "));
    text += fmt::format("{:<{}}  {}{}{}\n{:{}}  {}\n", key.path, widest, type,
                        key.fallback.empty() ? "" : ", ", key.fallback, "", widest, key.text);
  }
  return text;
}

}  // namespace tutti
