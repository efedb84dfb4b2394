// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/estimate.hpp>

#include "base/text.hpp"

namespace tutti {
namespace studies {
namespace {

/// Lines of aligned columns; the first one is left-aligned.
class AlignedRows {
 public:
  void add(std::vector<std::string> row) {
    widths_.resize(std::max(widths_.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], row[i].size());
    rows_.push_back(std::move(row));
  }
  std::string text() const {
    std::string text;
    for (const std::vector<std::string>& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (widths_[i] == 0) continue;
        line += i == 0 ? fmt::format("  {:<{}}", row[i], widths_[i])
                       : fmt::format("  {:>{}}", row[i], widths_[i]);
      }
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
};

std::string short_text(double value) {
  return std::isnan(value) ? "" : fmt::format("{:.4g}", value);
}

/// With enough digits that the interval differs from the value.
std::string value_text(double value, double error) {
  if (!(error > 0) || value == 0) return fmt::format("{:.7g}", value);
  const double digits = std::ceil(std::log10(std::abs(value) / error)) + 2;
  return fmt::format("{:#.{}g}", value, static_cast<int>(std::clamp(digits, 6.0, 12.0)));
}

std::string heading_of(const SearchSummary& search) {
  std::string how;
  switch (search.end) {
    case SearchOutcome::converged:
      how = "converged";
      break;
    case SearchOutcome::limit:
      how = "ended at its limit";
      break;
    case SearchOutcome::interrupted:
      how = "was interrupted";
      break;
    case SearchOutcome::failed:
      how = "failed";
      break;
  }
  const std::string iterations =
      search.iterations > 0 ? counted(search.iterations, "iteration") + ", " : "";
  const std::string failed =
      search.failed_evaluations > 0 ? fmt::format(" ({} failed)", search.failed_evaluations) : "";
  return fmt::format("{} {}: {}{}{}, {} in {:.2g} s{}\n", search.method, how, iterations,
                     counted(search.evaluations, "evaluation"), failed, counted(search.runs, "run"),
                     search.seconds,
                     search.jobs > 1 ? fmt::format(", {} at the same time", search.jobs) : "");
}

std::string objective_line(const SearchSummary& search, const std::string& name) {
  std::string text = fmt::format("{}: {:.6g}", name, search.objective);
  if (!std::isnan(search.start_objective))
    text += fmt::format(" (at the start {:.6g})", search.start_objective);
  return text + "\n";
}

std::string notes_of(const SearchSummary& search) {
  std::string text;
  for (const std::string& note : search.notes) text += fmt::format("note: {}\n", printable(note));
  return text;
}

std::string bound_text(AtBound bound) {
  return bound == AtBound::none ? "" : fmt::format("at {}", to_string(bound));
}

std::string parameters_of(const EstimateReport& report) {
  AlignedRows rows;
  rows.add({"parameter", "value", "95 % interval", "relative", "start", "unit", ""});
  for (std::size_t j = 0; j < report.search.parameters.size(); ++j) {
    const FoundParameter& parameter = report.search.parameters[j];
    const ParameterAccuracy accuracy =
        j < report.accuracy.size() ? report.accuracy[j] : ParameterAccuracy{};
    const double half = (accuracy.high - accuracy.low) / 2;
    const bool is_known = !std::isnan(half);
    rows.add({printable(parameter.name), value_text(parameter.value, half),
              is_known ? fmt::format("{} to {}", value_text(accuracy.low, half),
                                     value_text(accuracy.high, half))
                       : "",
              is_known && parameter.value != 0
                  ? fmt::format("{:.2g} %", 100 * half / std::abs(parameter.value))
                  : "",
              short_text(parameter.start), printable(parameter.unit),
              bound_text(parameter.at_bound)});
  }
  return rows.text();
}

std::string correlations_of(const EstimateReport& report) {
  const std::size_t n = report.correlations.size();
  constexpr std::size_t most = 12;
  if (n < 2 || n > most) return "";
  AlignedRows rows;
  std::vector<std::string> head = {"correlation"};
  for (std::size_t j = 0; j + 1 < n; ++j)
    head.push_back(printable(report.search.parameters[j].name));
  rows.add(head);
  for (std::size_t i = 1; i < n; ++i) {
    std::vector<std::string> row = {printable(report.search.parameters[i].name)};
    for (std::size_t j = 0; j < i; ++j) {
      const double value = report.correlations[i][j];
      row.push_back(std::isnan(value) ? "-" : fmt::format("{:.3f}", value));
    }
    rows.add(row);
  }
  return "\n" + rows.text();
}

std::string signals_of(const EstimateReport& report) {
  AlignedRows rows;
  const bool is_one = report.experiments == 1;
  const bool misses = std::ranges::any_of(
      report.signals, [](const FittedSignal& signal) { return signal.missing > 0; });
  rows.add({"signal", is_one ? "" : "experiment", "samples", misses ? "missing" : "", "rms", "mean",
            "largest", "at t", "fit", "unit"});
  for (const FittedSignal& signal : report.signals)
    rows.add({printable(signal.formula), is_one ? "" : std::to_string(signal.experiment + 1),
              std::to_string(signal.times.size()), misses ? std::to_string(signal.missing) : "",
              short_text(signal.rms), short_text(signal.mean), short_text(signal.largest),
              fmt::format("{:.6g}", signal.time_of_largest),
              std::isnan(signal.fit) ? "" : fmt::format("{:.4f}", signal.fit),
              printable(signal.unit)});
  return "\n" + rows.text();
}

}  // namespace
}  // namespace studies

std::string report_text(const EstimateReport& report) {
  using namespace studies;
  const SearchSummary& search = report.search;
  std::string text = heading_of(search);
  if (!search.parameters.empty()) {
    text += objective_line(search, fmt::format("objective ({})", to_string(report.objective)));
    text += "\n" + parameters_of(report) + correlations_of(report) + signals_of(report);
    text += "\n";
  }
  return text + notes_of(search);
}

std::string report_text(const OptimizeReport& report) {
  using namespace studies;
  const SearchSummary& search = report.search;
  std::string text = heading_of(search);
  if (search.parameters.empty()) return text + notes_of(search);
  text += objective_line(search, fmt::format("{} {}", report.maximize ? "maximum of" : "minimum of",
                                             printable(report.objective)));
  AlignedRows parameters;
  parameters.add({"parameter", "value", "start", "unit", ""});
  for (const FoundParameter& parameter : search.parameters)
    parameters.add({printable(parameter.name), value_text(parameter.value, 0),
                    short_text(parameter.start), printable(parameter.unit),
                    bound_text(parameter.at_bound)});
  text += "\n" + parameters.text();
  if (!report.constraints.empty()) {
    AlignedRows constraints;
    constraints.add({"constraint", "left", "right", ""});
    for (const ReachedConstraint& one : report.constraints)
      constraints.add({printable(one.formula), fmt::format("{:.6g}", one.left),
                       fmt::format("{:.6g}", one.right),
                       !one.is_satisfied ? "violated"
                       : one.is_active   ? "active"
                                         : "satisfied"});
    text += "\n" + constraints.text();
  }
  return text + "\n" + notes_of(search);
}

std::vector<NamedValue> values_of(const SearchSummary& search) {
  std::vector<NamedValue> values;
  for (const FoundParameter& parameter : search.parameters)
    values.push_back({parameter.name, number_text(parameter.value)});
  return values;
}

std::string comment_of(const SearchSummary& search, const std::string& study) {
  std::string text = fmt::format("Result of the study {}: {}", study, studies::heading_of(search));
  text += fmt::format("objective {:.9g}", search.objective);
  return text;
}

}  // namespace tutti
