// SPDX-License-Identifier: BSD-2-Clause
#include "studies/fit/search_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"

namespace tutti::studies {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// The magnitude of a parameter whose study and description name none.
double magnitude_of(const StudyParameter& given, double start) {
  if (start != 0) return std::abs(start);
  if (given.min && given.max) return std::max(std::abs(*given.min), std::abs(*given.max));
  return 1;
}

Error refused(const StudyParameter& given, const std::string& why, const std::string& hint) {
  return {ErrorCode::usage, fmt::format("parameter \"{}\" {}", printable(given.name), why),
          system::where(given.place, {.hint = hint})};
}

void check_start(const StudyParameter& given, double start) {
  if (!std::isfinite(start))
    throw refused(given, fmt::format("starts with {}", start), "Set start.");
  if ((given.min && start < *given.min) || (given.max && start > *given.max))
    throw refused(given,
                  fmt::format("has the value {} in the system, outside of min and max", start),
                  "Set start, or other bounds.");
  if (given.scale == ParameterScale::logarithmic && !(start > 0))
    throw refused(given,
                  fmt::format("has the value {} in the system, which a logarithmic scale cannot "
                              "have",
                              start),
                  "Set a positive start, or scale = \"linear\".");
}

}  // namespace

SearchSpace::SearchSpace(const Study& study, const StudySystem& system) {
  const std::vector<ParameterInfo> infos = system.find_all(study);
  system::Problems problems;
  for (std::size_t j = 0; j < infos.size(); ++j)
    problems.attempt([&] { add(study.parameters[j], infos[j]); });
  problems.raise();
}

void SearchSpace::add(const StudyParameter& given, const ParameterInfo& info) {
  if (info.is_integer)
    throw refused(given, "is an integer, but a search varies real numbers",
                  "Vary it in a sweep (tutti sweep).");
  const std::optional<double> start = given.start ? given.start : info.value;
  if (!start)
    throw refused(given, "lacks start: its value in the system is not known", "Add start.");
  check_start(given, *start);
  Parameter parameter;
  FoundParameter& known = parameter.known;
  known.name = info.name;
  known.unit = info.unit;
  known.value = known.start = *start;
  known.min = given.min;
  known.max = given.max;
  parameter.is_logarithmic = given.scale == ParameterScale::logarithmic;
  known.nominal = given.nominal ? *given.nominal : info.nominal.value_or(0);
  if (!(std::abs(known.nominal) > 0)) known.nominal = magnitude_of(given, *start);
  known.nominal = parameter.is_logarithmic ? *start : std::abs(known.nominal);
  start_.push_back(unknown(parameter, *start));
  lower_.push_back(given.min ? unknown(parameter, *given.min) : -unbounded);
  upper_.push_back(given.max ? unknown(parameter, *given.max) : unbounded);
  parameters_.push_back(std::move(parameter));
}

double SearchSpace::unknown(const Parameter& parameter, double value) const {
  const double ratio = value / parameter.known.nominal;
  return parameter.is_logarithmic ? std::log(ratio) : ratio;
}

double SearchSpace::free_value(std::size_t j, double x) const {
  const auto& [known, is_logarithmic] = parameters_[j];
  return x == start_[j] ? known.start : known.nominal * (is_logarithmic ? std::exp(x) : x);
}

double SearchSpace::value(std::size_t j, double x) const {
  const FoundParameter& known = parameters_[j].known;
  return std::clamp(free_value(j, x), known.min.value_or(-unbounded),
                    known.max.value_or(unbounded));
}

double SearchSpace::slope(std::size_t j, double x) const {
  const auto& [known, is_logarithmic] = parameters_[j];
  return known.nominal * (is_logarithmic ? std::exp(x) : 1);
}

std::vector<std::string> SearchSpace::names() const {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters_) names.push_back(parameter.known.name);
  return names;
}

std::vector<std::string> SearchSpace::texts(const Point& x) const {
  std::vector<std::string> texts;
  for (std::size_t j = 0; j < x.size(); ++j) texts.push_back(number_text(value(j, x[j])));
  return texts;
}

std::string SearchSpace::described(const Point& x) const {
  std::vector<std::string> parts;
  for (std::size_t j = 0; j < x.size(); ++j)
    parts.push_back(fmt::format("{} = {:.6g}", parameters_[j].known.name, value(j, x[j])));
  return list_some(parts);
}

AtBound SearchSpace::bound(std::size_t j, double x, double tolerance) const {
  const double near = tolerance * std::max(1.0, std::abs(x));
  if (x - lower_[j] <= near) return AtBound::min;
  return upper_[j] - x <= near ? AtBound::max : AtBound::none;
}

std::vector<FoundParameter> SearchSpace::found(const Point& x, double tolerance) const {
  std::vector<FoundParameter> all;
  for (std::size_t j = 0; j < x.size(); ++j) {
    all.push_back(parameters_[j].known);
    all.back().value = value(j, x[j]);
    all.back().at_bound = bound(j, x[j], tolerance);
  }
  return all;
}

const SearchMethod& method_for(const std::string& name, const Study& study,
                               const std::string& key) {
  const SearchMethod& method = find_search_method(name);
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    throw Error(ErrorCode::usage, fmt::format("{}: {}", key, why),
                {.file = study.file.string(), .key = key, .hint = hint});
  };
  for (const StudyParameter& parameter : study.parameters)
    if (method.is_global && !(parameter.min && parameter.max))
      throw refused(parameter,
                    fmt::format("lacks {}: the global method \"{}\" searches between finite bounds",
                                parameter.min   ? "max"
                                : parameter.max ? "min"
                                                : "min and max",
                                name),
                    "Add it, or choose a local method.");
  if (study.parameters.size() < method.least_parameters)
    refuse(fmt::format("\"{}\" requires at least {}", name,
                       counted(method.least_parameters, "parameter")),
           "Use \"nelder-mead\".");
  if (key.starts_with("optimize") && method.least_squares)
    refuse(fmt::format("\"{}\" fits measurements; it cannot minimize a formula", name),
           "Use \"bobyqa\", \"nelder-mead\", or with constraints \"cobyla\" or \"slsqp\".");
  if (key.starts_with("optimize") && !study.optimize->constraints.empty() &&
      !method.takes_constraints) {
    std::vector<std::string> names;
    for (const SearchMethod& other : search_table())
      if (other.takes_constraints) names.emplace_back(other.name);
    refuse(fmt::format("\"{}\" cannot take constraints", name),
           fmt::format("Use one of: {}.", list_some(names)));
  }
  return method;
}

}  // namespace tutti::studies
