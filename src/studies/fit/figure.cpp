// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>
#include <tutti/estimate.hpp>

#include "base/text.hpp"

namespace tutti {
namespace {

constexpr std::size_t most_panels_of_fit = 20;

void widen(FigurePanel& panel, const std::vector<double>& values) {
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    panel.low = std::min(panel.low, value);
    panel.high = std::max(panel.high, value);
  }
}

FigurePanel panel_of(const FittedSignal& signal, bool is_one) {
  FigurePanel panel;
  panel.unit = printable(signal.unit);
  const std::string experiment =
      is_one ? "" : fmt::format(", experiment {}", signal.experiment + 1);
  const bool has_curve = !signal.curve.empty();
  panel.curves.push_back({.name = printable(signal.formula) + experiment,
                          .times = has_curve ? signal.curve_times : signal.times,
                          .values = has_curve ? signal.curve : signal.simulated});
  panel.curves.push_back({.name = "measured",
                          .dots = true,
                          .color = 1,
                          .times = signal.times,
                          .values = signal.measured});
  panel.low = panel.high = signal.measured.front();
  for (const FigureCurve& curve : panel.curves) widen(panel, curve.values);
  return panel;
}

}  // namespace

Figure figure_of(const EstimateReport& report) {
  if (report.search.parameters.empty()) throw Error(ErrorCode::usage, "there is no result to draw");
  Figure figure;
  figure.first_name = "fit";
  figure.from = std::numeric_limits<double>::infinity();
  figure.to = -figure.from;
  for (const FittedSignal& signal : report.signals) {
    if (figure.panels.size() == most_panels_of_fit) {
      figure.notes.push_back(fmt::format("{} more signals are not in the picture",
                                         report.signals.size() - most_panels_of_fit));
      break;
    }
    figure.panels.push_back(panel_of(signal, report.experiments == 1));
    const std::vector<double>& times = figure.panels.back().curves.front().times;
    figure.from = std::min(figure.from, times.front());
    figure.to = std::max(figure.to, times.back());
  }
  return figure;
}

}  // namespace tutti
