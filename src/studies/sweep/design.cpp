// SPDX-License-Identifier: BSD-2-Clause
#include "studies/sweep/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "studies/sweep/keyed_random.hpp"
#include "system/names.hpp"

namespace tutti::studies {
namespace {

/// The number of values of a parameter in a grid.
std::uint64_t point_count(const StudyParameter& parameter) {
  return parameter.values.empty() ? parameter.points : parameter.values.size();
}

/// At u = 0 the minimum, at u = 1 the maximum.
double between(const StudyParameter& parameter, double max, double u) {
  const double min = *parameter.min;
  return parameter.scale == ParameterScale::logarithmic ? min * std::pow(max / min, u)
                                                        : min + u * (max - min);
}

double grid_point(const StudyParameter& parameter, std::uint64_t point) {
  if (point == 0) return *parameter.min;
  if (point + 1 == parameter.points) return *parameter.max;  // without rounding errors
  return between(parameter, *parameter.max,
                 static_cast<double>(point) / static_cast<double>(parameter.points - 1));
}

std::string text_of(double value, bool is_integer) {
  constexpr double largest = 9e18;
  if (is_integer && std::abs(value) < largest)
    return fmt::format("{}", static_cast<std::int64_t>(value));
  return number_text(value);
}

}  // namespace

SweepDesign::SweepDesign(const Study& study, const std::vector<ParameterInfo>& parameters)
    : settings_(*study.sweep), has_indices_(study.sweep->indices) {
  system::Problems problems;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter =
        parameters_.emplace_back(study.parameters[i], parameters[i].is_integer);
    problems.attempt([&] { check_integer(parameter); });
  }
  problems.raise();
  const std::uint64_t count = parameters_.size();
  switch (settings_.design) {
    case Design::grid:
      runs_ = 1;
      for (const Parameter& parameter : parameters_) runs_ *= point_count(parameter.given);
      break;
    case Design::list:
      runs_ = parameters_.front().given.values.size();
      break;
    default:
      runs_ = settings_.samples * block();
  }
  if (settings_.design != Design::sobol) return;
  const std::uint64_t dimensions = has_indices_ ? 2 * count : count;
  if (dimensions > SobolSequence::max_dimensions)
    throw Error(ErrorCode::usage,
                fmt::format("the design \"sobol\" has at most {} parameters{}, not {}",
                            SobolSequence::max_dimensions / (has_indices_ ? 2 : 1),
                            has_indices_ ? " with indices" : "", count),
                {.file = study.file.string(), .hint = "Use the design \"random\"."});
  sequence_ = std::make_unique<SobolSequence>(dimensions, settings_.seed);
}

/// Samples of a range of integers are integers; the points of a grid must be.
void SweepDesign::check_integer(const Parameter& parameter) const {
  const StudyParameter& given = parameter.given;
  if (!parameter.is_integer || !given.values.empty() || settings_.design != Design::grid) return;
  for (std::uint64_t k = 0; k < given.points; ++k) {
    const double value = grid_point(given, k);
    if (std::nearbyint(value) != value)
      throw Error(ErrorCode::usage,
                  fmt::format("parameter \"{}\" is an integer, but point {} of its grid is {}",
                              printable(given.name), k + 1, value),
                  system::where(given.place,
                                {.hint = "Choose another number of points, or list the values."}));
  }
}

std::string SweepDesign::grid_value(const Parameter& parameter, std::uint64_t point) const {
  const StudyParameter& given = parameter.given;
  if (!given.values.empty()) return given.values[point];
  return text_of(grid_point(given, point), parameter.is_integer);
}

std::string SweepDesign::sampled_value(const Parameter& parameter, double u) const {
  const StudyParameter& given = parameter.given;
  if (!given.values.empty()) {
    const std::size_t count = given.values.size();
    const auto index = static_cast<std::size_t>(u * static_cast<double>(count));
    return given.values[std::min(index, count - 1)];
  }
  if (!parameter.is_integer)
    return text_of(std::clamp(between(given, *given.max, u), *given.min, *given.max), false);
  const double value = std::floor(between(given, *given.max + 1, u));
  return text_of(std::clamp(value, *given.min, *given.max), true);
}

/// Coordinates of a sample in the unit cube; with indices those of A, then those of B.
std::vector<double> SweepDesign::sample(std::uint64_t number) const {
  std::vector<double> u(parameters_.size() * (has_indices_ ? 2 : 1));
  if (sequence_) {
    sequence_->point(number, u);
    return u;
  }
  const bool is_hypercube = settings_.design == Design::latin_hypercube;
  for (std::size_t k = 0; k < u.size(); ++k) {
    u[k] = unit_number(random_bits(settings_.seed, k, number));
    if (!is_hypercube) continue;
    // A random point in a cell; each cell of a parameter has one sample.
    const std::uint64_t cell = permuted(settings_.seed, k, number, settings_.samples);
    u[k] = (static_cast<double>(cell) + u[k]) / static_cast<double>(settings_.samples);
  }
  return u;
}

std::vector<std::string> SweepDesign::row(std::uint64_t run) const {
  const std::size_t count = parameters_.size();
  std::vector<std::string> values(count);
  if (settings_.design == Design::list) {
    for (std::size_t i = 0; i < count; ++i) values[i] = parameters_[i].given.values[run];
    return values;
  }
  if (settings_.design == Design::grid) {  // the last parameter changes from run to run
    for (std::size_t i = count; i-- > 0;) {
      const std::uint64_t points = point_count(parameters_[i].given);
      values[i] = grid_value(parameters_[i], run % points);
      run /= points;
    }
    return values;
  }
  const std::uint64_t matrix = run % block();  // 0: A, 1: B, 2 + i: column i from B
  const std::vector<double> u = sample(run / block());
  for (std::size_t i = 0; i < count; ++i) {
    const bool from_b = matrix == 1 || matrix == i + 2;
    values[i] = sampled_value(parameters_[i], u[from_b ? count + i : i]);
  }
  return values;
}

}  // namespace tutti::studies
