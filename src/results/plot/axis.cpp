// SPDX-License-Identifier: BSD-2-Clause
#include "results/plot/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti::results {
namespace {

/// The smallest of 1, 2, 5 times a power of ten that is not below the number.
double round_step(double least, int& exponent) {
  exponent = static_cast<int>(std::floor(std::log10(least)));
  for (const double mantissa : {1.0, 2.0, 5.0}) {
    const double step = mantissa * std::pow(10, exponent);
    if (step >= least * (1 - 1e-9)) return step;
  }
  return std::pow(10, ++exponent);
}

/// Numbers up to 99999 and down to a step of 0.001 are easier to read without an exponent.
int label_exponent(double magnitude, int step_exponent) {
  const int of_magnitude = magnitude > 0 ? static_cast<int>(std::floor(std::log10(magnitude))) : 0;
  if (of_magnitude >= 5 && of_magnitude - step_exponent < 5) return of_magnitude / 3 * 3;
  if (of_magnitude <= -3) return -((2 - of_magnitude) / 3 * 3);
  return 0;
}

/// Multiples of the step within the range, as whole numbers: no sum of rounding errors.
std::vector<double> multiples(const Axis& axis, double step) {
  constexpr double slack = 1e-9;
  const double first = std::ceil(axis.low / step - slack);
  const double last = std::floor(axis.high / step + slack);
  std::vector<double> result;
  for (double n = first; n <= last && result.size() < 100; ++n)
    result.push_back(n + 0.0);  // -0 is 0
  return result;
}

void add_linear_ticks(Axis& axis, double most) {
  int step_exponent = 0;
  double step = 0;
  std::vector<double> at;
  for (double count = std::max(most, 2.0); at.size() < 2 && count < 100; count *= 1.5) {
    step = round_step((axis.high - axis.low) / count, step_exponent);
    at = multiples(axis, step);  // a single tick does not show the scale
  }
  const double magnitude = std::max(std::abs(axis.low), std::abs(axis.high));
  axis.exponent = label_exponent(magnitude, step_exponent);
  const double factor = std::pow(10, -axis.exponent);
  const int decimals = std::clamp(axis.exponent - step_exponent, 0, 15);
  for (const double n : at)
    axis.ticks.push_back({n * step, fmt::format("{:.{}f}", n * step * factor, decimals)});
}

std::string decade_label(int exponent) {
  if (exponent >= 0 && exponent <= 4) return fmt::format("{:.0f}", std::pow(10, exponent));
  if (exponent < 0 && exponent >= -3)
    return fmt::format("{:.{}f}", std::pow(10, exponent), -exponent);
  return power_of_ten(exponent);
}

/// False if the range has fewer than two decades to label: linear ticks are better then.
bool add_log_ticks(Axis& axis, double most) {
  const double low = std::log10(axis.low), high = std::log10(axis.high);
  const int first = static_cast<int>(std::ceil(low - 1e-9));
  const int last = static_cast<int>(std::floor(high + 1e-9));
  if (last - first < 1) return false;
  const int room = std::max(2, static_cast<int>(most));
  int every = 1;
  while ((last - first) / every + 1 > room) ++every;
  const bool plain = first >= -3 && last <= 4;
  for (int n = first - 1; n <= last; ++n) {
    const bool named = n >= first && n % every == 0;
    if (named)
      axis.ticks.push_back({std::pow(10, n), plain ? decade_label(n) : power_of_ten(n)});
    else if (n >= first)
      axis.minor.push_back(std::pow(10, n));
    for (int digit = 2; digit <= 9 && every == 1; ++digit) {
      const double value = digit * std::pow(10, n);
      if (value >= axis.low && value <= axis.high) axis.minor.push_back(value);
    }
  }
  return true;
}

/// Makes a range that can be divided: without overflow and with a positive width.
void make_sound(Axis& axis) {
  constexpr double most = 1e300, least = 1e-290;
  axis.low = std::clamp(axis.low, -most, most);
  axis.high = std::clamp(axis.high, -most, most);
  const double magnitude = std::max(std::abs(axis.low), std::abs(axis.high));
  if (axis.high - axis.low > std::max(1e-12 * magnitude, least)) return;  // more than rounding
  const double middle = (axis.low + axis.high) / 2;
  const double half = magnitude > least ? 0.1 * magnitude : 1;
  axis.low = axis.log ? std::max(middle - half, least) : middle - half;
  axis.high = middle + half;
}

}  // namespace

double Axis::position(double value) const {
  if (!log) return (value - low) / (high - low);
  if (!(value > 0)) return std::numeric_limits<double>::quiet_NaN();
  return std::log(value / low) / std::log(high / low);
}

Axis make_axis(double low, double high, bool log, double most, double margin) {
  Axis axis;
  axis.low = low;
  axis.high = high;
  axis.log = log;
  make_sound(axis);
  if (log) {
    const double ratio = std::pow(axis.high / axis.low, margin);
    axis.low /= ratio;
    axis.high *= ratio;
  } else {
    const double air = (axis.high - axis.low) * margin;
    axis.low -= air;
    axis.high += air;
  }
  if (!log || !add_log_ticks(axis, most)) add_linear_ticks(axis, most);
  return axis;
}

void keep_whole_numbers(Axis& axis) {
  std::erase_if(axis.ticks,
                [](const Tick& tick) { return std::nearbyint(tick.value) != tick.value; });
  for (Tick& tick : axis.ticks) tick.label = fmt::format("{:.0f}", tick.value);
  axis.exponent = 0;
}

std::string power_of_ten(int exponent) {
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
  return text;
}

}  // namespace tutti::results
