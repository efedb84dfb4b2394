// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <tutti/steady.hpp>

#include "base/text.hpp"

namespace tutti {
namespace {

/// Aligned columns; numbers are aligned on the left like text.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths.resize(std::max(widths.size(), c + 1));
      widths[c] = std::max(widths[c], row[c].size());
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += fmt::format("  {:<{}}", row[c], widths[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string digits(double value) { return fmt::format("{:.9g}", value); }

std::string values_table(std::string_view title, std::string_view start,
                         const std::vector<SteadyValue>& values) {
  if (values.empty()) return {};
  std::vector<std::vector<std::string>> rows = {
      {std::string(title), "value", "unit", std::string(start), ""}};
  for (const SteadyValue& value : values)
    rows.push_back({printable(value.name), digits(value.value), printable(value.unit),
                    digits(value.start), value.is_determined ? "" : "undetermined"});
  return "\n" + aligned(rows);
}

std::string residual_table(const SteadyState& state) {
  constexpr std::size_t most = 10;
  std::vector<std::vector<std::string>> rows = {
      {"residual", "value", "unit", "counts as zero up to"}};
  for (const SteadyResidual& residual : state.residuals) {
    if (rows.size() > most) break;
    rows.push_back({printable(residual.name), digits(residual.value), printable(residual.unit),
                    residual.allowed > 0 ? fmt::format("{:.2g}", residual.allowed) : ""});
  }
  return rows.size() == 1 ? "" : "\n" + aligned(rows);
}

std::string work_of(const SteadyState& state) {
  std::string text =
      state.iterations == 0 ? "" : counted(state.iterations, "iteration") + " of Newton's method";
  if (state.steps > 0)
    text += fmt::format("{}{} of the pseudo-transient", text.empty() ? "" : ", then ",
                        counted(state.steps, "step"));
  return text.empty() ? "no iteration" : text;
}

std::string stability_of(const SteadyState& state) {
  if (!state.abscissa) return {};
  const double s = *state.abscissa;
  switch (state.stability) {
    case Stability::stable:
      return fmt::format("  stable: the largest real part of the eigenvalues is {:.4g} 1/s\n", s);
    case Stability::unstable:
      return fmt::format(
          "  unstable: the largest real part of the eigenvalues is {:.4g} 1/s, and "
          "small deviations grow\n",
          s);
    default:
      return "  neither stable nor unstable: the largest real part of the eigenvalues is zero\n";
  }
}

}  // namespace

std::string steady_text(const SteadyState& state) {
  std::string text;
  if (state.found)
    text = fmt::format("Steady state at t = {} s, after {}\n{}", state.time, work_of(state),
                       stability_of(state));
  else
    text = fmt::format("No steady state found, after {}\n  {}\n", work_of(state),
                       printable(state.failure));
  if (!state.found) text += residual_table(state);
  text += values_table("state", "start value", state.states);
  text += values_table("free input", "start value", state.inputs);
  text += values_table("fixed", "given", state.fixed);
  if (!state.findings.empty()) text += '\n';
  for (const std::string& finding : state.findings) text += "  " + printable(finding) + '\n';
  if (!state.found)
    text +=
        "\n  Try other start values of states (--set), another free input (--free), or a run: "
        "its end is a start for the search.\n";
  else if (state.is_verified)
    text += "\n  A fresh instance that starts from these values stays there.\n";
  return text;
}

}  // namespace tutti
