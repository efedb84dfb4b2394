// SPDX-License-Identifier: BSD-2-Clause
#include "studies/fit/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "results/result_format.hpp"
#include "results/result_formula.hpp"
#include "system/component_kind.hpp"
#include "system/known_units.hpp"
#include "system/value_map.hpp"

namespace tutti::studies {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

bool sets_end(const Settings& set) {
  return std::ranges::any_of(set, [](const auto& pair) {
    return pair.first == "simulation.stop" || pair.first == "simulation.points";
  });
}

bool sets_end(const std::vector<std::string>& set) {
  return std::ranges::any_of(set, [](const std::string& one) {
    return one.starts_with("simulation.stop=") || one.starts_with("simulation.points=");
  });
}

/// A description with this unit: as `model` defines it, or else as it is generally known.
ModelDescription with_unit(const std::string& name, const ModelDescription& model) {
  ModelDescription description;
  const auto defined = std::ranges::find(model.units, name, &Unit::name);
  const bool is_defined = defined != model.units.end() && defined->base;
  description.units.push_back({name, is_defined ? defined->base : system::known_unit(name), {}});
  return description;
}

/// Reads one experiment; errors name the place in the study and the key.
class ExperimentReader {
 public:
  ExperimentReader(const StudyExperiment& given, std::size_t index, const Study& study,
                   const StudySystem& system, const Log& log, std::vector<std::string>& notes)
      : given_(given),
        key_(fmt::format("experiments[{}]", index + 1)),
        index_(index),
        study_(study),
        source_(system),
        log_(log),
        notes_(notes) {}

  Experiment read(bool has_end) {
    check_set();
    experiment_.system.system = source_.with(given_.set, given_.inputs, given_.place, log_);
    for (const StudyParameter& parameter : study_.parameters)
      experiment_.system.names.push_back(parameter.name);
    data_ = results::with_time_in(read_results(given_.data), "s");
    for (const std::string& note : data_.notes) notes_.push_back(note);
    experiment_.span = span_of(experiment_.system.system, source_.open());
    system::Problems problems;
    for (const MeasuredSignal& signal : given_.signals)
      problems.attempt([&] { add_signal(signal); });
    problems.raise();
    end_after_samples(has_end || sets_end(given_.set));
    for (const FittedSignal& signal : experiment_.signals)
      experiment_.system.measures.push_back({signal.formula, signal.times});
    experiment_.sample_times = times_.size();
    return std::move(experiment_);
  }

 private:
  [[noreturn]] void refuse(const Place& place, const std::string& text,
                           const std::string& hint = "") const {
    throw Error(ErrorCode::usage, fmt::format("{}: {}", key_, text),
                system::where(place, {.key = key_, .hint = hint}));
  }

  void check_set() const {
    for (const StudyParameter& parameter : study_.parameters)
      for (const auto& [name, value] : given_.set)
        if (name == parameter.name)
          refuse(given_.place,
                 fmt::format("\"{}\" is a parameter to estimate, and set to {} here",
                             printable(name), value),
                 "Remove one of them.");
  }

  const ResultColumn& column_of(const MeasuredSignal& signal) const {
    const ResultColumn* const column = data_.find(signal.column);
    if (column == nullptr) {
      std::vector<std::string> names;
      for (const ResultColumn& one : data_.columns) names.push_back(one.name);
      refuse(signal.place,
             fmt::format("\"{}\" has no column \"{}\".{}", given_.data.string(),
                         printable(signal.column),
                         did_you_mean(signal.column, names_of(data_.columns))),
             fmt::format("Its columns are: {}. Set the column of the signal: {{ formula = \"{}\", "
                         "column = \"...\" }}.",
                         list_some(names), signal.formula));
    }
    if (column->is_text)
      refuse(signal.place, fmt::format("the column \"{}\" of \"{}\" is a text", signal.column,
                                       given_.data.string()));
    return *column;
  }

  void add_signal(const MeasuredSignal& signal) {
    source_.check_formula({signal.formula, {0.0}}, signal.place);
    const ResultColumn& column = column_of(signal);
    FittedSignal fitted{.experiment = index_, .formula = signal.formula, .column = column.name};
    for (std::size_t row = 0; row < data_.times.size(); ++row) {
      if (std::isnan(column.numbers[row])) {
        ++fitted.missing;
        continue;
      }
      if (std::isinf(column.numbers[row]))
        refuse(signal.place, fmt::format("the column \"{}\" of \"{}\" is infinite at t = {:.9g} s",
                                         signal.column, given_.data.string(), data_.times[row]));
      fitted.times.push_back(data_.times[row]);
      fitted.measured.push_back(column.numbers[row]);
    }
    if (fitted.times.empty())
      refuse(signal.place, fmt::format("the column \"{}\" of \"{}\" has no numbers", signal.column,
                                       given_.data.string()));
    const double start = experiment_.span.start;
    if (fitted.times.front() < start - 1e-9 * std::max(1e-9, std::abs(start)))
      refuse(signal.place,
             fmt::format("the column \"{}\" of \"{}\" begins at t = {:.9g} s, but the run starts "
                         "at t = {:.9g} s",
                         signal.column, given_.data.string(), fitted.times.front(), start),
             "Set simulation.start under set, or shift the times of the measurement.");
    convert(signal, column, fitted);
    times_.insert(fitted.times.begin(), fitted.times.end());
    experiment_.signals.push_back(std::move(fitted));
    experiment_.weights.push_back(signal.weight * given_.weight);
  }

  /// Measurements of one variable are converted to its unit.
  void convert(const MeasuredSignal& signal, const ResultColumn& column, FittedSignal& fitted) {
    const std::string name(trim(signal.formula));
    fitted.unit = column.unit;
    const std::vector<std::string> names = results::SampledFormula(name, {0.0}).names();
    if (names.size() != 1 || names.front() != name) return;
    const System& system = experiment_.system.system;
    const system::ComponentNames components(system);
    const Endpoint end = system.is_single_fmu ? components.resolve(name) : components.split(name);
    const std::int32_t found = components.find(end.component);
    if (found < 0) return;  // check_formula() reports it
    const Component& component = system.components[static_cast<std::size_t>(found)];
    const auto description = system::description_of(component, system.folder, source_.open());
    const Variable* const variable = variable_of(*description, end.variable);
    if (variable == nullptr) return;
    if (!variable->attributes.unit.empty()) fitted.unit = variable->attributes.unit;
    Variable measured;
    measured.attributes.unit = column.unit;
    const system::UnitConversion conversion = system::convert_units(
        with_unit(column.unit, {}), measured, with_unit(fitted.unit, *description), *variable);
    using Kind = system::UnitConversion::Kind;
    if (conversion.kind == Kind::clash)
      refuse(signal.place,
             fmt::format("the column \"{}\" is in {}, but \"{}\" is in {}", signal.column,
                         printable(column.unit), name, printable(fitted.unit)));
    if (conversion.kind == Kind::unclear)
      notes_.push_back(
          fmt::format("the column \"{}\" is in {}, \"{}\" in {}, and one of these "
                      "units is not known: nothing is converted",
                      signal.column, printable(column.unit), name, printable(fitted.unit)));
    if (conversion.kind != Kind::linear) return;
    for (double& value : fitted.measured) value = value * conversion.factor + conversion.offset;
    notes_.push_back(fmt::format("the column \"{}\" is converted from {} to {}", signal.column,
                                 printable(column.unit), printable(fitted.unit)));
  }

  /// A run reaches the last sample, unless the study sets its end.
  void end_after_samples(bool has_end) {
    const double last = *times_.rbegin();
    RunSpan& span = experiment_.span;
    if (last <= span.stop + 1e-9 * std::max(1e-9, std::abs(span.stop))) return;
    SimulationSettings& simulation = experiment_.system.system.simulation;
    if (has_end || !simulation.points.empty())
      refuse(given_.place,
             fmt::format("the measurements of \"{}\" reach t = {:.9g} s, but the run ends at "
                         "t = {:.9g} s",
                         given_.data.string(), last, span.stop),
             simulation.points.empty()
                 ? "Remove simulation.stop from set: then the run reaches the last sample."
                 : "Extend simulation.points.");
    double stop = last;
    if (span.step > 0)
      stop = span.start + span.step * std::ceil((last - span.start) / span.step - 1e-9);
    notes_.push_back(
        fmt::format("{}: the run ends at t = {:.9g} s, after the last sample, not at "
                    "{:.9g} s as in the system",
                    key_, stop, span.stop));
    simulation.stop = span.stop = stop;
  }

  const StudyExperiment& given_;
  std::string key_;
  std::size_t index_;
  const Study& study_;
  const StudySystem& source_;
  const Log& log_;
  std::vector<std::string>& notes_;
  ResultTable data_;
  Experiment experiment_;
  std::set<double> times_;  // of samples
};

}  // namespace

std::vector<Experiment> read_experiments(const Study& study, const StudySystem& system,
                                         const std::vector<std::string>& set, const Log& log,
                                         std::vector<std::string>& notes) {
  const bool has_end = sets_end(study.set) || sets_end(set);
  std::vector<Experiment> all;
  system::Problems problems;
  for (std::size_t i = 0; i < study.experiments.size(); ++i)
    problems.attempt([&] {
      all.push_back(
          ExperimentReader(study.experiments[i], i, study, system, log, notes).read(has_end));
    });
  problems.raise();
  return all;
}

void summarize(FittedSignal& signal) {
  const auto count = static_cast<double>(signal.times.size());
  double sum = 0, squares = 0, measured = 0, spread = 0;
  for (const double value : signal.measured) measured += value / count;
  signal.largest = 0;
  for (std::size_t i = 0; i < signal.times.size(); ++i) {
    const double difference = signal.simulated[i] - signal.measured[i];
    sum += difference;
    squares += difference * difference;
    spread += (signal.measured[i] - measured) * (signal.measured[i] - measured);
    if (std::abs(difference) <= std::abs(signal.largest) && i > 0) continue;
    signal.largest = difference;
    signal.time_of_largest = signal.times[i];
  }
  signal.mean = sum / count;
  signal.rms = std::sqrt(squares / count);
  if (spread > 0) signal.fit = 1 - std::sqrt(squares / spread);
}

}  // namespace tutti::studies
