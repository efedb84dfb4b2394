// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>
#include <tutti/linearize.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "results/mat4.hpp"

namespace tutti {
namespace {

constexpr std::uint64_t most_in_csv = 10'000'000;
// One dense matrix of the whole model besides the sparse ones: 8 MB.
constexpr std::uint64_t most_in_whole = 1'000'000;

struct PlacedMatrix {
  const LinearMatrix* matrix;
  std::uint32_t first_row, first_column;
};
/// [A B; C D]
std::vector<PlacedMatrix> whole(const LinearModel& model) {
  return {{&model.a, 0, 0},
          {&model.b, 0, model.a.columns},
          {&model.c, model.a.rows, 0},
          {&model.d, model.a.rows, model.a.columns}};
}
std::uint64_t whole_rows(const LinearModel& model) {
  return std::uint64_t{model.a.rows} + model.d.rows;
}
std::uint64_t whole_columns(const LinearModel& model) {
  return std::uint64_t{model.a.columns} + model.d.columns;
}

// CSV

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

void append_row(std::string& out, const std::string& name, const std::string& unit, double value,
                std::span<const double> entries) {
  out += fmt::format("{},{},", in_quotes(name), in_quotes(unit));
  append_number(out, value);
  for (const double entry : entries) {
    out += ',';
    append_number(out, entry);
  }
  out += '\n';
}

/// A row for each derivative and output, a column for each state and input; and a row with the
/// values of these.
std::string csv_text(const LinearModel& model) {
  const std::uint64_t rows = whole_rows(model), columns = whole_columns(model);
  if (rows * columns > most_in_csv)
    throw Error(ErrorCode::usage,
                fmt::format("the model has {} x {} values, too many for a CSV file", rows, columns),
                {.hint = "Write a .mat or .json file, which are sparse."});
  std::vector<double> values(rows * columns);
  for (const auto& [matrix, first_row, first_column] : whole(model))
    for (const LinearMatrix::Entry& entry : matrix->entries)
      values[(first_row + entry.row) * columns + first_column + entry.column] = entry.value;
  std::string out = "\"name\",\"unit\",\"value\"";
  std::vector<double> point;
  for (const auto* const variables : {&model.states, &model.inputs})
    for (const LinearVariable& variable : *variables) {
      out += ',' + in_quotes(variable.name);
      point.push_back(variable.value);
    }
  out += '\n';
  append_row(out, "time", "s", model.time, point);
  std::span<const double> rest = values;
  for (const LinearVariable& state : model.states) {
    append_row(out, fmt::format("der({})", state.name), "", state.derivative, rest.first(columns));
    rest = rest.subspan(columns);
  }
  for (const LinearVariable& output : model.outputs) {
    append_row(out, output.name, output.unit, output.value, rest.first(columns));
    rest = rest.subspan(columns);
  }
  return out;
}

// MAT

void append_matrix(std::string& out, std::string_view name, const LinearMatrix& matrix) {
  std::vector<results::MatElement> elements;
  for (const LinearMatrix::Entry& entry : matrix.entries)
    elements.push_back({entry.row, entry.column, entry.value});
  std::ranges::sort(elements, [](const auto& one, const auto& other) {
    return std::pair(one.column, one.row) < std::pair(other.column, other.row);
  });
  results::append_mat_sparse(out, name, matrix.rows, matrix.columns, elements);
}

void append_variables(std::string& out, const std::string& prefix,
                      const std::vector<LinearVariable>& variables) {
  std::vector<std::string> names, units;
  std::vector<double> values;
  for (const LinearVariable& variable : variables) {
    names.push_back(variable.name);
    units.push_back(variable.unit);
    values.push_back(variable.value);
  }
  results::append_mat_text(out, prefix + "_names", names);
  results::append_mat_text(out, prefix + "_units", units);
  results::append_mat_numbers(out, prefix + "0", values.size(), 1, values);
}

/// Beside the sparse matrices those of Dymola's linear files: ABCD, nx and xuyName.
std::string mat_text(const LinearModel& model) {
  std::string out;
  const double nx = model.a.rows;
  results::append_mat_numbers(out, "nx", 1, 1, {&nx, 1});
  const std::uint64_t rows = whole_rows(model), columns = whole_columns(model);
  if (rows * columns <= most_in_whole) {
    std::vector<double> all(rows * columns);
    for (const auto& [matrix, first_row, first_column] : whole(model))
      for (const LinearMatrix::Entry& entry : matrix->entries)
        all[(first_column + entry.column) * rows + first_row + entry.row] = entry.value;
    results::append_mat_numbers(out, "ABCD", rows, columns, all);
  }
  std::vector<std::string> names;
  for (const auto* const variables : {&model.states, &model.inputs, &model.outputs})
    for (const LinearVariable& variable : *variables) names.push_back(variable.name);
  results::append_mat_text(out, "xuyName", names);
  append_matrix(out, "A", model.a);
  append_matrix(out, "B", model.b);
  append_matrix(out, "C", model.c);
  append_matrix(out, "D", model.d);
  append_variables(out, "x", model.states);
  append_variables(out, "u", model.inputs);
  append_variables(out, "y", model.outputs);
  std::vector<double> derivatives;
  for (const LinearVariable& state : model.states) derivatives.push_back(state.derivative);
  results::append_mat_numbers(out, "dx0", derivatives.size(), 1, derivatives);
  results::append_mat_numbers(out, "t0", 1, 1, {&model.time, 1});
  return out;
}

}  // namespace

void write_linear_model(const LinearModel& model, const std::filesystem::path& file) {
  const std::string extension = lower_case(file.extension().string());
  if (extension == ".json")
    write_whole_file(file, linear_model_json(model));
  else if (extension == ".csv")
    write_whole_file(file, csv_text(model));
  else if (extension == ".mat")
    write_whole_file(file, mat_text(model));
  else
    throw Error(
        ErrorCode::usage,
        fmt::format("\"{}\": a linear model is written as .json, .csv or .mat", file.string()),
        {.key = "output"});
}

}  // namespace tutti
