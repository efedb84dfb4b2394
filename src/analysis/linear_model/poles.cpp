// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <tutti/error.hpp>
#include <tutti/linearize.hpp>

#include "stability/modes.hpp"

namespace tutti {
namespace {

constexpr std::uint32_t most_states = 1000;  // a dense eigenvalue problem of some seconds
constexpr double least_share = 0.01;
constexpr std::size_t most_shares = 8;

std::vector<Share> largest(const std::map<std::string, double>& weights) {
  std::vector<Share> shares;
  for (const auto& [name, weight] : weights)
    if (weight >= least_share) shares.push_back({name, weight});
  std::ranges::stable_sort(shares,
                           [](const Share& a, const Share& b) { return a.weight > b.weight; });
  if (shares.size() > most_shares) shares.resize(most_shares);
  return shares;
}

LinearPole describe(const stability::Mode& mode, const LinearModel& model) {
  LinearPole pole;
  pole.value = mode.value;
  const double magnitude = std::abs(mode.value);
  pole.frequency = magnitude / (2 * std::numbers::pi);
  pole.damping = mode.value.real() != 0 ? -mode.value.real() / magnitude : 0;
  pole.time_constant =
      mode.value.real() != 0 ? -1 / mode.value.real() : std::numeric_limits<double>::infinity();
  std::map<std::string, double> components, states;
  for (std::size_t i = 0; i < mode.participation.size(); ++i) {
    components[model.states[i].component] += mode.participation[i];
    states[model.states[i].name] += mode.participation[i];
  }
  pole.components = largest(components);
  pole.states = largest(states);
  return pole;
}

}  // namespace

double LinearMatrix::operator()(std::uint32_t row, std::uint32_t column) const {
  const auto found = std::ranges::lower_bound(
      entries, std::pair(row, column), {},
      [](const Entry& entry) { return std::pair(entry.row, entry.column); });
  const bool is_there = found != entries.end() && found->row == row && found->column == column;
  return is_there ? found->value : 0;
}

std::vector<double> LinearMatrix::dense() const {
  std::vector<double> values(std::size_t{rows} * columns);
  for (const Entry& entry : entries)
    values[std::size_t{entry.row} * columns + entry.column] = entry.value;
  return values;
}

LinearPoles poles(const LinearModel& model) {
  if (!model.has_states) return {{}, "the states of a component are unknown"};
  if (model.a.rows > most_states)
    return {{},
            fmt::format("the model has {} states, and poles are computed for at most {}",
                        model.a.rows, most_states)};
  LinearPoles result;
  const stability::Matrix a(model.a.rows, model.a.columns, model.a.dense());
  for (const stability::Mode& mode : stability::find_modes(a))
    result.poles.push_back(describe(mode, model));
  return result;
}

}  // namespace tutti
