// SPDX-License-Identifier: BSD-2-Clause
#include "analysis/linear_model/elimination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tutti/error.hpp>

#include "base/text.hpp"

namespace tutti::analysis {
namespace {

using solvers::Entry;
/// By column: row and value.
using Columns = std::vector<std::vector<std::pair<std::size_t, double>>>;

// Of the terms of an equation: what rounding leaves of a sum that is zero.
constexpr double singular = 1e-12;

/// The block-diagonal matrices of all parts, by columns.
struct Blocks {
  Columns a, b, c, d;
  std::size_t states = 0, inputs = 0, outputs = 0;
};

Blocks stack(const LinearNetwork& network, bool only_adjusting = false) {
  Blocks all;
  for (const LinearNetwork::Part& part : network.parts) {
    const std::size_t states = part.equations->states.size();
    all.a.resize(all.states + states);
    all.c.resize(all.states + states);
    all.b.resize(all.inputs + part.inputs);
    all.d.resize(all.inputs + part.inputs);
    const auto add = [](Columns& to, const std::vector<Entry>& entries, std::size_t first_row,
                        std::size_t first_column) {
      for (const Entry& entry : entries)
        to[first_column + entry.column].emplace_back(first_row + entry.row, entry.value);
    };
    add(all.a, part.equations->a, all.states, all.states);
    add(all.b, part.equations->b, all.states, all.inputs);
    add(all.c, part.equations->c, all.outputs, all.states);
    if (part.adjusts || !only_adjusting) add(all.d, part.equations->d, all.outputs, all.inputs);
    all.states += states;
    all.inputs += part.inputs;
    all.outputs += part.outputs;
  }
  return all;
}

/// u = L D u + r
class Loops {
 public:
  Loops(const LinearNetwork& network, const Columns& d, std::size_t outputs)
      : network_(network), links_of_(outputs) {
    for (const LinearNetwork::Link& link : network.links) links_of_[link.output].push_back(&link);
    std::vector<Entry> entries;
    for (std::size_t j = 0; j < d.size(); ++j)
      for (const auto& [output, value] : d[j])
        for (const LinearNetwork::Link* const link : links_of_[output])
          if (link->factor * value != 0) entries.push_back({link->input, j, -link->factor * value});
    if (entries.empty()) return;
    for (std::size_t j = 0; j < d.size(); ++j) entries.push_back({j, j, 1});
    system_ = std::make_unique<solvers::LinearSystem>(d.size(), entries);
    refuse_singular();
  }
  /// Inputs, from what is added to the outputs.
  std::map<std::size_t, double> transfer(
      const std::vector<std::pair<std::size_t, double>>& outputs) const {
    std::map<std::size_t, double> inputs;
    for (const auto& [output, value] : outputs)
      for (const LinearNetwork::Link* const link : links_of_[output])
        inputs[link->input] += link->factor * value;
    return inputs;
  }
  std::vector<std::pair<std::size_t, double>> solve(const std::map<std::size_t, double>& right) {
    if (!system_ || right.empty()) return {right.begin(), right.end()};
    right_.assign(network_.input_count(), 0);
    x_.resize(right_.size());
    for (const auto& [input, value] : right) right_[input] = value;
    system_->solve(right_, x_);
    std::vector<std::pair<std::size_t, double>> result;
    for (std::size_t j = 0; j < x_.size(); ++j)
      if (x_[j] != 0) result.emplace_back(j, x_[j]);
    return result;
  }

 private:
  void refuse_singular() const {
    const std::vector<double> free = system_->free_direction(singular);
    if (free.empty()) return;
    std::vector<std::string> names;
    for (std::size_t j = 0; j < free.size(); ++j)
      if (free[j] != 0) names.push_back(network_.input_names[j]);
    throw Error(
        ErrorCode::numeric,
        fmt::format("the algebraic loop of {} is singular: its equations do not determine these "
                    "inputs, or contradict each other",
                    list_some(names)),
        {.hint = "Check the connections for a loop with gain 1, or change the model so that a "
                 "state or a small delay lies in the loop."});
  }

  const LinearNetwork& network_;
  std::vector<std::vector<const LinearNetwork::Link*>> links_of_;  ///< by output
  std::unique_ptr<solvers::LinearSystem> system_;  ///< null: there is no loop or chain
  std::vector<double> right_, x_;                  ///< scratch
};

/// Adds matrix times vector to a column.
void add_product(const Columns& matrix, const std::vector<std::pair<std::size_t, double>>& by,
                 std::map<std::size_t, double>& to) {
  for (const auto& [column, value] : by)
    for (const auto& [row, entry] : matrix[column]) to[row] += entry * value;
}

void add_column(LinearMatrix& matrix, std::size_t column,
                const std::map<std::size_t, double>& values) {
  for (const auto& [row, value] : values)
    if (value != 0)
      matrix.entries.push_back(
          {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column), value});
}

LinearMatrix make_matrix(std::size_t rows, std::size_t columns) {
  return {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns), {}};
}

void sort(LinearMatrix& matrix) {
  std::ranges::sort(matrix.entries, [](const auto& one, const auto& other) {
    return std::pair(one.row, one.column) < std::pair(other.row, other.column);
  });
}

}  // namespace

CoupledMatrices eliminate(const LinearNetwork& network, const std::vector<std::size_t>& external,
                          const std::vector<std::size_t>& outputs) {
  const Blocks blocks = stack(network);
  Loops loops(network, blocks.d, blocks.outputs);
  std::vector<std::vector<std::size_t>> chosen(blocks.outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) chosen[outputs[i]].push_back(i);
  const auto select = [&](const std::map<std::size_t, double>& y) {
    std::map<std::size_t, double> result;
    for (const auto& [output, value] : y)
      for (const std::size_t i : chosen[output]) result[i] = value;
    return result;
  };
  CoupledMatrices result{
      make_matrix(blocks.states, blocks.states), make_matrix(blocks.states, external.size()),
      make_matrix(outputs.size(), blocks.states), make_matrix(outputs.size(), external.size())};
  for (std::size_t j = 0; j < blocks.states; ++j) {
    const auto u = loops.solve(loops.transfer(blocks.c[j]));
    std::map<std::size_t, double> dx(blocks.a[j].begin(), blocks.a[j].end());
    std::map<std::size_t, double> y(blocks.c[j].begin(), blocks.c[j].end());
    add_product(blocks.b, u, dx);
    add_product(blocks.d, u, y);
    add_column(result.a, j, dx);
    add_column(result.c, j, select(y));
  }
  for (std::size_t j = 0; j < external.size(); ++j) {
    const auto u = loops.solve({{external[j], 1.0}});
    std::map<std::size_t, double> dx, y;
    add_product(blocks.b, u, dx);
    add_product(blocks.d, u, y);
    add_column(result.b, j, dx);
    add_column(result.d, j, select(y));
  }
  for (LinearMatrix* const matrix : {&result.a, &result.b, &result.c, &result.d}) sort(*matrix);
  return result;
}

std::vector<double> solve_inputs(const LinearNetwork& network, std::vector<double> residual) {
  const Blocks blocks = stack(network, true);
  Loops loops(network, blocks.d, blocks.outputs);
  std::map<std::size_t, double> right;
  for (std::size_t j = 0; j < residual.size(); ++j)
    if (residual[j] != 0) right[j] = residual[j];
  std::ranges::fill(residual, 0.0);
  for (const auto& [input, value] : loops.solve(right)) residual[input] = value;
  return residual;
}

}  // namespace tutti::analysis
