// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tutti/error.hpp>
#include <tutti/linearize.hpp>

#include "base/text.hpp"
#include "solvers/linear/lu.hpp"
#include "solvers/linear/pencil.hpp"

namespace tutti {
namespace {

using Complex = std::complex<double>;

constexpr std::size_t most_curves = 7;  // colours that are easy to distinguish

struct FrequencyRange {
  double min = 0, max = 0;
};

/// A decade around the poles, without those at zero.
FrequencyRange around_poles(const LinearModel& model) {
  const LinearPoles found = poles(model);
  if (!found.omitted.empty())
    throw Error(ErrorCode::usage,
                fmt::format("the range of frequencies must be given: {}", found.omitted),
                {.key = "frequencies", .hint = "Set %key%, for example 0.01:100."});
  double slowest = std::numeric_limits<double>::infinity(), fastest = 0;
  for (const LinearPole& pole : found.poles) fastest = std::max(fastest, pole.frequency);
  for (const LinearPole& pole : found.poles)
    if (pole.frequency > 1e-9 * fastest) slowest = std::min(slowest, pole.frequency);
  if (fastest == 0) return {0.01, 100};
  return {slowest / 10, fastest * 10};
}

FrequencyRange range_of(const LinearModel& model, const FrequencyOptions& options) {
  FrequencyRange range;
  if (!options.min || !options.max) range = around_poles(model);
  if (options.min) range.min = *options.min;
  if (options.max) range.max = *options.max;
  if (!(range.min > 0) || !(range.max > range.min) || !std::isfinite(range.max))
    throw Error(ErrorCode::usage,
                fmt::format("frequencies from {} to {} Hz: expected a positive minimum below the "
                            "maximum",
                            number_text(range.min), number_text(range.max)),
                {.key = "frequencies"});
  if (options.points < 2)
    throw Error(ErrorCode::usage, "a frequency response needs at least 2 points");
  return range;
}

std::vector<double> logarithmic(const FrequencyRange& range, std::size_t points) {
  std::vector<double> frequencies;
  const double ratio = std::log(range.max / range.min);
  for (std::size_t k = 0; k < points; ++k)
    frequencies.push_back(
        range.min * std::exp(ratio * static_cast<double>(k) / static_cast<double>(points - 1)));
  frequencies.back() = range.max;
  return frequencies;
}

/// (s I - A)^-1 B for one s after the other.
class Resolvent {
 public:
  explicit Resolvent(const LinearModel& model)
      : model_(model),
        pattern_(pattern_of(model.a)),
        pencil_(model.a.rows, {}, solvers::MatrixShape::stored(&pattern_)),
        lu_(model.a.rows, pencil_.pattern()) {
    for (std::size_t j = 0; j < pattern_.column_count(); ++j)
      for (const std::int64_t row : pattern_.rows_of(j))
        values_.push_back(model.a(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(j)));
  }
  bool move_to(Complex s) {
    pencil_.fill<Complex>(s, {}, values_, lu_.values());
    return lu_.factorize();
  }
  std::vector<Complex> column(std::uint32_t input) {
    std::vector<Complex> x(model_.a.rows);
    for (const LinearMatrix::Entry& entry : model_.b.entries)
      if (entry.column == input) x[entry.row] = entry.value;
    lu_.solve(x);
    return x;
  }

 private:
  static SparsityPattern pattern_of(const LinearMatrix& a) {
    std::vector<std::vector<std::size_t>> rows(a.rows);
    for (const LinearMatrix::Entry& entry : a.entries) rows[entry.row].push_back(entry.column);
    return pattern_of_rows(rows);
  }

  const LinearModel& model_;
  SparsityPattern pattern_;
  solvers::Pencil pencil_;
  solvers::Lu<Complex> lu_;
  std::vector<double> values_;
};

double decibels(Complex value) { return 20 * std::log10(std::abs(value)); }

/// Degrees, continued without jumps of a turn.
std::vector<double> phases(const std::vector<Complex>& values) {
  std::vector<double> result;
  for (const Complex value : values) {
    double degrees = std::arg(value) * 180 / std::numbers::pi;
    if (!result.empty() && std::isfinite(result.back()))
      degrees += 360 * std::round((result.back() - degrees) / 360);
    result.push_back(degrees);
  }
  return result;
}

FigurePanel panel_of(const std::string& unit) {
  FigurePanel panel;
  panel.unit = unit;
  panel.low = std::numeric_limits<double>::infinity();
  panel.high = -panel.low;
  return panel;
}

void add_curve(FigurePanel& panel, const std::string& name, const std::vector<double>& frequencies,
               std::vector<double> values) {
  FigureCurve curve;
  curve.name = printable(name);
  curve.color = panel.curves.size();
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) continue;
    curve.times.push_back(frequencies[k]);
    curve.values.push_back(values[k]);
    panel.low = std::min(panel.low, values[k]);
    panel.high = std::max(panel.high, values[k]);
  }
  panel.curves.push_back(std::move(curve));
}

}  // namespace

FrequencyResponse frequency_response(const LinearModel& model, const FrequencyOptions& options) {
  if (!model.has_states)
    throw Error(ErrorCode::capability,
                "there is no frequency response: the states of a component are unknown");
  if (model.inputs.empty() || model.outputs.empty())
    throw Error(ErrorCode::usage, fmt::format("there is no frequency response: the model has no {}",
                                              model.inputs.empty() ? "inputs" : "outputs"));
  FrequencyResponse response;
  response.frequencies = logarithmic(range_of(model, options), options.points);
  response.values.assign(
      model.outputs.size(),
      std::vector(model.inputs.size(), std::vector<Complex>(response.frequencies.size())));
  for (const LinearMatrix::Entry& entry : model.d.entries)
    std::ranges::fill(response.values[entry.row][entry.column], Complex(entry.value));
  if (model.states.empty()) return response;
  Resolvent resolvent(model);
  for (std::size_t k = 0; k < response.frequencies.size(); ++k) {
    const double w = 2 * std::numbers::pi * response.frequencies[k];
    const bool is_regular = resolvent.move_to({0, w});
    for (std::uint32_t j = 0; j < model.inputs.size(); ++j) {
      const std::vector<Complex> x =
          is_regular
              ? resolvent.column(j)
              : std::vector<Complex>(model.states.size(), std::numeric_limits<double>::quiet_NaN());
      for (const LinearMatrix::Entry& entry : model.c.entries)
        response.values[entry.row][j][k] += entry.value * x[entry.column];
    }
  }
  return response;
}

Figure bode_figure(const LinearModel& model, const FrequencyOptions& options) {
  const FrequencyResponse response = frequency_response(model, options);
  Figure figure;
  figure.title = printable(
      fmt::format("{}: frequency response at t = {} s", model.system, number_text(model.time)));
  figure.time_name = "frequency";
  figure.time_unit = "Hz";
  figure.first_name = printable(model.system);
  figure.log_x = true;
  figure.from = response.frequencies.front();
  figure.to = response.frequencies.back();
  figure.panels = {panel_of("dB"), panel_of("deg")};
  std::size_t omitted = 0, zero = 0;
  for (std::size_t i = 0; i < model.outputs.size(); ++i)
    for (std::size_t j = 0; j < model.inputs.size(); ++j) {
      const std::vector<Complex>& values = response.values[i][j];
      if (std::ranges::all_of(values, [](Complex v) { return v == Complex(); })) {
        ++zero;
        continue;
      }
      if (figure.panels[0].curves.size() == most_curves) {
        ++omitted;
        continue;
      }
      const std::string name = fmt::format("{} / {}", model.outputs[i].name, model.inputs[j].name);
      std::vector<double> magnitudes;
      for (const Complex value : values) magnitudes.push_back(decibels(value));
      add_curve(figure.panels[0], name, response.frequencies, std::move(magnitudes));
      add_curve(figure.panels[1], name, response.frequencies, phases(values));
    }
  if (figure.panels[0].curves.empty())
    throw Error(ErrorCode::usage,
                "there is nothing to draw: no chosen output responds to a chosen input");
  if (omitted > 0)
    figure.notes.push_back(fmt::format(
        "{} further pairs of input and output are not drawn: choose inputs and outputs", omitted));
  if (zero > 0)
    figure.notes.push_back(
        fmt::format("{} pairs are not drawn: the output does not respond", zero));
  return figure;
}

}  // namespace tutti
