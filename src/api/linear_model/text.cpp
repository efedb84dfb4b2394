// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/linearize.hpp>

#include "base/text.hpp"

namespace tutti {
namespace {

constexpr std::size_t most_shown_rows = 12, most_shown_columns = 8, most_shown_poles = 40;

std::string number(double value) { return fmt::format("{:.6g}", value); }

/// Columns of text, each as wide as its longest cell; the first one aligned to the left.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t k = 0; k < row.size(); ++k)
      line += k == 0 ? fmt::format("{:<{}}", row[k], widths[k])
                     : fmt::format("  {:>{}}", row[k], widths[k]);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return out;
}

std::string matrix_text(std::string_view name, const LinearMatrix& matrix,
                        const std::vector<LinearVariable>& rows,
                        const std::vector<LinearVariable>& columns,
                        std::string_view row_format = "{}") {
  if (matrix.rows == 0 || matrix.columns == 0) return "";
  std::string out = fmt::format("\n{} ({} x {}, {} nonzero)\n", name, matrix.rows, matrix.columns,
                                matrix.entries.size());
  if (matrix.rows > most_shown_rows || matrix.columns > most_shown_columns) return out;
  std::vector<std::vector<std::string>> cells(1, {""});
  for (const LinearVariable& column : columns) cells[0].push_back(printable(column.name));
  for (std::uint32_t i = 0; i < matrix.rows; ++i) {
    cells.push_back({fmt::format(fmt::runtime(row_format), printable(rows[i].name))});
    for (std::uint32_t j = 0; j < matrix.columns; ++j) cells.back().push_back(number(matrix(i, j)));
  }
  return out + table(cells);
}

std::string variables_text(std::string_view title, const std::vector<LinearVariable>& variables,
                           bool states) {
  if (variables.empty()) return fmt::format("\nno {}s\n", title);
  std::string out = fmt::format("\n{}\n", counted(variables.size(), title));
  std::vector<std::vector<std::string>> cells(1, {"", "value"});
  if (states) cells[0].emplace_back("derivative");
  cells[0].emplace_back("unit");
  for (std::size_t k = 0; k < std::min(variables.size(), most_shown_rows); ++k) {
    const LinearVariable& variable = variables[k];
    cells.push_back({printable(variable.name), number(variable.value)});
    if (states) cells.back().push_back(number(variable.derivative));
    cells.back().push_back(printable(variable.unit));
  }
  out += table(cells);
  if (variables.size() > most_shown_rows)
    out += fmt::format("  ... ({} in all)\n", variables.size());
  return out;
}

std::string shares_text(const std::vector<Share>& shares) {
  std::vector<std::string> parts;
  for (const Share& share : shares)
    if (share.weight >= 0.05)
      parts.push_back(fmt::format("{} {:.0f} %", printable(share.name), 100 * share.weight));
  if (parts.size() > 4) parts.resize(4);
  return list_some(parts);
}

std::string poles_text(const LinearModel& model) {
  if (!model.has_states || model.states.empty()) return "";
  const LinearPoles found = poles(model);
  if (!found.omitted.empty()) return fmt::format("\nno poles: {}\n", found.omitted);
  std::vector<std::vector<std::string>> cells = {
      {"pole (1/s)", "frequency (Hz)", "damping", "time constant (s)", "participation"}};
  const bool several = model.components.size() > 1;
  std::size_t shown = 0, hidden = 0;
  for (const LinearPole& pole : found.poles) {
    if (pole.value.imag() < 0) continue;  // shown with the other one
    if (shown == most_shown_poles) {
      ++hidden;
      continue;
    }
    ++shown;
    const std::string value =
        pole.value.imag() == 0
            ? number(pole.value.real())
            : fmt::format("{} +- {}i", number(pole.value.real()), number(pole.value.imag()));
    const auto& shares = several ? pole.components : pole.states;
    cells.push_back({value, number(pole.frequency), number(pole.damping),
                     number(pole.time_constant), shares.empty() ? "-" : shares_text(shares)});
  }
  std::string out = "\npoles\n" + table(cells);
  if (hidden > 0) out += fmt::format("  ... ({} more)\n", hidden);
  return out;
}

}  // namespace

std::string linear_model_text(const LinearModel& model) {
  std::string out =
      fmt::format("{}: linear model at t = {} s, {}, {}, {}\n", printable(model.system),
                  number_text(model.time), counted(model.states.size(), "state"),
                  counted(model.inputs.size(), "input"), counted(model.outputs.size(), "output"));
  for (const LinearPart& part : model.components) {
    const std::string name = part.name.empty() ? "derivatives" : printable(part.name);
    out += fmt::format("  {}: {}\n", name, part.source);
    for (const std::string& note : part.notes) out += fmt::format("    {}\n", printable(note));
  }
  for (const std::string& note : model.notes) out += fmt::format("note: {}\n", printable(note));
  if (model.has_states) out += variables_text("state", model.states, true);
  out += variables_text("input", model.inputs, false);
  out += variables_text("output", model.outputs, false);
  out += matrix_text("A", model.a, model.states, model.states, "der({})");
  out += matrix_text("B", model.b, model.states, model.inputs, "der({})");
  out += matrix_text("C", model.c, model.outputs, model.states);
  out += matrix_text("D", model.d, model.outputs, model.inputs);
  return out + poles_text(model);
}

}  // namespace tutti
