// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "results/result_formula.hpp"
#include "studies/file/parse_study.hpp"
#include "studies/sweep/sweep_meta.hpp"

namespace tutti::studies {
namespace {

constexpr std::uint64_t maximum_runs = 1'000'000'000;

/// Checks one study; every error has the place of the key to change.
class StudyCheck {
 public:
  StudyCheck(const Study& study, const KeyPlaces& places, system::Problems& problems)
      : study_(study), places_(places), problems_(problems) {}

  void run() {
    if (!places_.has("sweep") && !places_.has("estimate") && !places_.has("optimize"))
      add("", "the study has none of the sections [sweep], [estimate] and [optimize]",
          "Add one: it determines what is done with the parameters.");
    if (study_.parameters.empty() && !places_.has("parameters"))
      add("", "the study has no parameters",
          "Add [[parameters]] with name, min and max, or name and values.");
    for (std::size_t i = 0; i < study_.parameters.size(); ++i)
      check_parameter(study_.parameters[i], fmt::format("parameters[{}]", i + 1));
    for (std::size_t i = 0; i < study_.outputs.size(); ++i)
      check_output(study_.outputs[i], fmt::format("outputs[{}]", i + 1));
    check_names();
    if (study_.sweep) check_sweep(*study_.sweep);
    for (std::size_t i = 0; i < study_.experiments.size(); ++i)
      check_experiment(study_.experiments[i], fmt::format("experiments[{}]", i + 1));
    if (study_.estimate) check_estimate();
    if (study_.optimize) check_optimize(*study_.optimize);
  }

 private:
  void add(const std::string& key, const std::string& text, std::string hint = "") {
    Place place = places_.at(key);
    if (place.file.empty()) place = places_.at("system");
    problems_.add(place, text, {.key = key, .hint = std::move(hint)});
  }

  void check_parameter(const StudyParameter& parameter, const std::string& key) {
    check_bounds(parameter, key);
    if (places_.has(key + ".values"))
      for (const char* const other : {"min", "max", "points", "scale"})
        if (places_.has(fmt::format("{}.{}", key, other)))
          add(fmt::format("{}.{}", key, other),
              fmt::format("{} has both values and {}: a list of values has no range",
                          titled(parameter, key), other),
              fmt::format("Remove values, or {}.", other));
    if (parameter.points == 1)
      add(key + ".points", fmt::format("{}.points = 1 leaves nothing to vary", key),
          "Use at least 2, or set the value in [set].");
    for (const auto& [name, value] : study_.set)
      if (name == parameter.name)
        add(key + ".name",
            fmt::format("\"{}\" is varied here, and set to {} in [set]", printable(name), value),
            "Remove one of them.");
    if (study_.sweep) check_swept(*study_.sweep, parameter, key);
    if (study_.estimate || study_.optimize) check_searched(parameter, key);
  }

  void check_bounds(const StudyParameter& p, const std::string& key) {
    if (p.min && p.max && !(*p.min < *p.max))
      add(key + ".min",
          fmt::format("{}: min = {} is not below max = {}", titled(p, key), *p.min, *p.max));
    if (p.scale == ParameterScale::logarithmic)
      for (const auto& [name, value] :
           {std::pair("min", p.min), std::pair("max", p.max), std::pair("start", p.start)})
        if (value && !(*value > 0))
          add(fmt::format("{}.{}", key, name),
              fmt::format("{}: {} = {} is not positive, but the scale is \"log\"", titled(p, key),
                          name, *value),
              "Choose a positive value, or scale = \"linear\".");
    if (p.start && ((p.min && *p.start < *p.min) || (p.max && *p.start > *p.max)))
      add(key + ".start",
          fmt::format("{}: start = {} is outside of min and max", titled(p, key), *p.start));
  }

  void check_swept(const SweepSettings& sweep, const StudyParameter& p, const std::string& key) {
    const bool has_values = places_.has(key + ".values");
    const bool has_min = places_.has(key + ".min"), has_max = places_.has(key + ".max");
    if (sweep.design == Design::list && !has_values)
      add(key, fmt::format("{} lacks values: the design \"list\" takes them row by row",
                           titled(p, key)));
    else if (!has_values && (!has_min || !has_max))
      add(key, fmt::format("{} lacks {}: a sweep varies values between min and max, or from a list",
                           titled(p, key),
                           has_min   ? "max"
                           : has_max ? "min"
                                     : "values, or min and max"));
    else if (!has_values && sweep.design == Design::grid && !places_.has(key + ".points"))
      add(key,
          fmt::format("{} lacks points: the number of grid points from min to max", titled(p, key)),
          "Add points = 5, or choose another design under [sweep].");
  }
  void check_searched(const StudyParameter& p, const std::string& key) {
    if (places_.has(key + ".values"))
      add(key + ".values",
          fmt::format("{} has values, but [estimate] and [optimize] search between min and max",
                      titled(p, key)));
  }

  void check_formula(const std::string& key, const std::string& formula, bool has_times) {
    if (formula.empty()) return;  // reported already
    try {
      if (has_times)
        results::SampledFormula(formula, {0.0});
      else
        results::ResultFormula{formula};
    } catch (const Error& error) {
      problems_.add(places_.at(key), key, error, {.key = key});
    }
  }

  void check_output(const StudyOutput& output, const std::string& key) {
    check_formula(key + ".formula", output.measure.formula, !output.measure.times.empty());
  }

  /// Names are columns of the table of results.
  void check_names() {
    std::map<std::string, std::string> known = {
        {"run", "the number of the run"}, {"status", "the end of the run"}, {"message", "errors"}};
    const auto take = [&](const std::string& name, const std::string& key) {
      if (name.empty()) return;
      const auto [at, is_new] = known.emplace(name, key);
      if (is_new) return;
      const bool is_output = key.starts_with("outputs");
      add(key + ".name",
          fmt::format("{} and {} have the same name \"{}\"", at->second, key, printable(name)),
          is_output ? "Choose another name." : "Remove one of them.");
    };
    for (std::size_t i = 0; i < study_.parameters.size(); ++i)
      take(study_.parameters[i].name, fmt::format("parameters[{}]", i + 1));
    for (std::size_t i = 0; i < study_.outputs.size(); ++i) {
      const StudyOutput& output = study_.outputs[i];
      const std::string key = fmt::format("outputs[{}]", i + 1);
      if (output.measure.times.empty()) take(output.name, key);
      for (const double time : output.measure.times)
        take(output.name.empty() ? "" : column_name(output.name, time), key);
    }
  }

  void check_sweep(const SweepSettings& sweep) {
    if (study_.outputs.empty() && !places_.has("outputs") && sweep.trajectories.empty())
      add("sweep", "the sweep has neither outputs nor trajectories: it would store nothing",
          "Add [[outputs]] with a formula, or trajectories = \"folder\" under [sweep].");
    if (sweep.indices && sweep.design != Design::random && sweep.design != Design::sobol)
      add("sweep.indices",
          fmt::format("sweep.indices requires the design \"sobol\" or \"random\", not \"{}\"",
                      to_string(sweep.design)));
    if (sweep.indices && study_.outputs.empty() && !sweep.trajectories.empty())
      add("sweep.indices", "sweep.indices requires outputs");
    if (sweep.design == Design::list) check_rows();
    check_count(sweep);
  }
  void check_rows() {
    const StudyParameter* first = nullptr;
    for (std::size_t i = 0; i < study_.parameters.size(); ++i) {
      const StudyParameter& p = study_.parameters[i];
      if (p.values.empty()) continue;
      if (first == nullptr) first = &p;
      if (p.values.size() == first->values.size()) continue;
      const std::string key = fmt::format("parameters[{}].values", i + 1);
      add(key,
          fmt::format("the design \"list\" takes the values of all parameters row by row, but "
                      "\"{}\" has {} and \"{}\" has {}",
                      first->name, counted(first->values.size(), "value"), p.name, p.values.size()),
          "Make the lists equally long, or use design = \"grid\" for all combinations.");
    }
  }
  void check_count(const SweepSettings& sweep) {
    double runs = static_cast<double>(sweep.samples);
    const char* key = "sweep.samples";
    if (sweep.indices) runs *= static_cast<double>(study_.parameters.size() + 2);
    if (sweep.design == Design::list) return;
    if (sweep.design == Design::grid) {
      runs = 1;
      key = "parameters[1].points";
      for (const StudyParameter& p : study_.parameters)
        runs *= static_cast<double>(std::max<std::size_t>({p.values.size(), p.points, 1}));
    }
    if (runs > static_cast<double>(maximum_runs))
      add(key,
          fmt::format("the sweep has {:.3g} runs; at most {} are possible", runs, maximum_runs));
  }

  void check_experiment(const StudyExperiment& experiment, const std::string& key) {
    if (experiment.signals.empty() && !places_.has(key + ".signals"))
      add(key, fmt::format("{} has no signals: nothing of its data is compared", key),
          fmt::format("Add signals = [\"component.variable\"], or [[experiments.signals]] with "
                      "formula and column."));
    for (std::size_t i = 0; i < experiment.signals.size(); ++i)
      check_formula(fmt::format("{}.signals[{}].formula", key, i + 1),
                    experiment.signals[i].formula, true);
  }
  void check_estimate() {
    if (study_.experiments.empty() && !places_.has("experiments"))
      add("estimate", "[estimate] requires measurements",
          "Add [[experiments]] with data and signals.");
  }
  void check_optimize(const OptimizeSettings& optimize) {
    check_formula("optimize.objective", optimize.objective, false);
    for (const std::string& constraint : optimize.constraints) {
      if (constraint.find("<=") == constraint.npos && constraint.find(">=") == constraint.npos)
        add("optimize.constraints",
            fmt::format("the constraint \"{}\" contains neither <= nor >=", printable(constraint)),
            "Write it as \"max(wheel.travel) <= 0.1\".");
      else
        check_formula("optimize.constraints", constraint, false);
    }
  }

  static std::string titled(const StudyParameter& parameter, const std::string& key) {
    return parameter.name.empty() ? key
                                  : fmt::format("parameter \"{}\"", printable(parameter.name));
  }

  const Study& study_;
  const KeyPlaces& places_;
  system::Problems& problems_;
};

}  // namespace

void check_study(const Study& study, const KeyPlaces& places, system::Problems& problems) {
  StudyCheck(study, places, problems).run();
}

}  // namespace tutti::studies
