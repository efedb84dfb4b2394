// SPDX-License-Identifier: BSD-2-Clause
#include "master/algebraic_loop.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tutti/error.hpp>

namespace tutti::master {
namespace {

constexpr int maximum_newton_steps = 50;
constexpr int maximum_halvings = 12;
constexpr int maximum_sweeps = 500;
constexpr double sufficient_reduction = 1e-3;  // of the residual: the loop is solved
constexpr double residual_over_change = 1000;  // allowed if y is known this accurately

}  // namespace

const Variable& EvaluationSetting::variable(Node node) const {
  const auto& description = *parts.descriptions[point(node).component];
  return description.variables[static_cast<std::size_t>(point(node).variable)];
}

std::string EvaluationSetting::name(Node node) const {
  return fmt::format("{}.{}", instances[point(node).component]->name(), variable(node).name);
}

void EvaluationSetting::set(Node input) const {
  if (const auto wire = wire_to.find(point(input)); wire != wire_to.end())
    move_value(*wire->second);
  if (is_silent(point(input).component)) return;
  const std::int32_t index = point(input).variable;
  call(point(input).component).set_some({&index, 1});
}

void EvaluationSetting::get(std::span<const Node> outputs) const {
  std::map<std::uint32_t, std::vector<std::int32_t>> by_component;
  for (const Node node : outputs) {
    if (is_silent(point(node).component)) continue;
    auto& variables = by_component[point(node).component];
    if (variables.empty() || variables.back() != point(node).variable)
      variables.push_back(point(node).variable);
  }
  for (const auto& [component, variables] : by_component) call(component).get_some(variables);
}

AlgebraicLoop::AlgebraicLoop(const EvaluationSetting& setting, const system::EvaluationBlock& block)
    : setting_(setting) {
  for (const Node node : block.variables) {
    if (setting.variable(node).type == Type::float32) precision_ = of_singles;
    if (!setting.parts.plan.variables[node].is_output) {
      inputs_.push_back(node);
      continue;
    }
    outputs_.push_back(node);
    const models::ValueSet& set = setting.instances[setting.point(node).component]->outputs();
    const models::Scalar& scalar = scalar_at(set, setting.point(node));
    if (scalar.type != Type::float64 && scalar.type != Type::float32) {
      others_.push_back({&set, &scalar, "", node});
      continue;
    }
    unknowns_.push_back(node);
    // The master alone writes there while the loop is solved.
    values_.push_back({const_cast<models::ValueSet*>(&set), &scalar});
    const auto& nominal = setting.variable(node).attributes.nominal;
    scale_.push_back(nominal && *nominal != 0 ? std::abs(*nominal) : 1);
  }
}

void AlgebraicLoop::solve() {
  setting_.get(outputs_);  // the units start there
  y_ = read();
  for (Other& other : others_) other.last.clear();
  residual_.assign(y_.size(), std::numeric_limits<double>::quiet_NaN());
  const Vector begin = y_;
  bool solved = newton();
  if (!solved) {
    y_ = begin;
    solved = sweeps();
    if (solved && !unknowns_.empty() && evaluate(y_)) jacobian(Vector(residual_));
  }
  const std::string free = free_loop();
  if (solved && free.empty()) return;
  if (solved)
    throw Error(ErrorCode::numeric, free,
                {.hint = "Check the signs and factors of its connections."});
  throw Error(ErrorCode::numeric,
              fmt::format("no solution found for the algebraic loop of {} variables: {}{}",
                          outputs_.size(), last_iterate(), free.empty() ? "" : "; " + free),
              {.hint = "Try other start values."});
}

std::string AlgebraicLoop::free_loop() const {
  if (entries_.empty()) return "";
  const solvers::LinearSystem system(unknowns_.size(), entries_);
  const auto free = system.free_direction(precision_.of_gains);
  if (free.empty()) return "";
  return describe_free_loop(free, [&](std::size_t i) { return setting_.name(unknowns_[i]); });
}

std::string AlgebraicLoop::last_iterate() const {
  constexpr std::size_t most_shown = 10;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < unknowns_.size() && i < most_shown; ++i)
    texts.push_back(fmt::format("{} = {} with residual {:.3g}", setting_.name(unknowns_[i]), y_[i],
                                residual_[i]));
  for (const Other& other : others_)
    if (!other.settled && texts.size() < 2 * most_shown)
      texts.push_back(setting_.name(other.node) + " does not settle");
  return fmt::format("{}", fmt::join(texts, ", "));
}

AlgebraicLoop::Vector AlgebraicLoop::read() const {
  Vector y;
  for (const auto& [set, scalar] : values_) y.push_back(set->read(*scalar).real);
  return y;
}

bool AlgebraicLoop::evaluate(const Vector& y) {
  for (std::size_t i = 0; i < y.size(); ++i) values_[i].set->write_real(*values_[i].scalar, y[i]);
  try {
    for (const Node input : inputs_) setting_.set(input);
    setting_.get(outputs_);
  } catch (const Discarded&) {
    return false;
  }
  const Vector g = read();
  residual_.resize(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) residual_[i] = g[i] - y[i];
  return std::all_of(residual_.begin(), residual_.end(), [](double r) { return std::isfinite(r); });
}

bool AlgebraicLoop::others_settled() {
  bool settled = true;
  for (Other& other : others_) {
    std::string now = other.set->written(*other.scalar);
    other.settled = now == other.last;
    settled &= other.settled;
    other.last = std::move(now);
  }
  return settled;
}

double AlgebraicLoop::norm(const Vector& v) const {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += std::pow(v[i] / scale_[i], 2);
  return std::sqrt(sum);
}

bool AlgebraicLoop::is_small(const Vector& change) const {
  for (std::size_t i = 0; i < change.size(); ++i)
    if (!(std::abs(change[i]) <= precision_.tolerance * (scale_[i] + std::abs(y_[i]))))
      return false;
  return true;
}

bool AlgebraicLoop::newton() {
  if (unknowns_.empty() || !evaluate(y_)) return false;
  if (!rows_divided_) divide_rows();
  rows_divided_ = true;
  // The equations of a loop without solution are nearly singular: a huge step ends at a residual
  // that is as large as before, and small only relative to y.
  const Vector begin = y_;
  const double at_begin = norm(residual_);
  const auto has_solved = [&] {
    if (norm(residual_) <= sufficient_reduction * at_begin) return true;
    for (std::size_t i = 0; i < y_.size(); ++i)
      if (!(std::abs(residual_[i]) <=
            residual_over_change * precision_.tolerance * (scale_[i] + std::abs(begin[i]))))
        return false;
    return true;
  };
  for (int step = 0; step < maximum_newton_steps; ++step) {
    const Vector residual = residual_;
    Vector direction(y_.size());
    if (!jacobian(residual)) return false;
    solvers::LinearSystem(y_.size(), entries_).solve(residual, direction);
    const double before = norm(residual);
    double factor = 1;
    Vector next(y_.size());
    for (int halving = 0;; ++halving, factor /= 2) {
      for (std::size_t i = 0; i < y_.size(); ++i) next[i] = y_[i] + factor * direction[i];
      if (evaluate(next) && (norm(residual_) < before || is_small(direction))) break;
      if (halving == maximum_halvings) return false;
    }
    y_ = next;
    if (factor == 1 && is_small(direction) && others_settled()) return has_solved();
  }
  return false;
}

void AlgebraicLoop::divide_rows() {
  std::map<Node, std::size_t> row_of;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) row_of[unknowns_[i]] = i;
  std::vector<std::vector<std::size_t>> derived(unknowns_.size()), others(unknowns_.size());
  for (std::size_t j = 0; j < unknowns_.size(); ++j)
    for (const Node input : setting_.dependencies.successors(unknowns_[j]))
      for (const Node output : setting_.dependencies.successors(input))
        if (const auto row = row_of.find(output); row != row_of.end())
          (can_differentiate(output) ? derived : others)[row->second].push_back(j);
  const auto part = [](const std::vector<std::vector<std::size_t>>& rows) {
    Part made{pattern_of_rows(rows, false), {}};
    for (std::vector<std::size_t> group : solvers::color_columns(made.pattern)) {
      std::erase_if(group, [&](std::size_t j) { return made.pattern.rows_of(j).empty(); });
      if (!group.empty()) made.groups.push_back(std::move(group));
    }
    return made;
  };
  by_derivatives_ = part(derived);
  by_differences_ = part(others);
}

bool AlgebraicLoop::can_differentiate(Node output) const {
  return others_.empty() && setting_.variable(output).type == Type::float64 &&
         !setting_.variable(output).is_array() &&
         setting_.instances[setting_.point(output).component]->differentiate({}, {}, {}, {});
}

bool AlgebraicLoop::jacobian(const Vector& residual) {
  entries_.clear();
  for (std::size_t i = 0; i < y_.size(); ++i) entries_.push_back({i, i, 1});
  for (const auto& group : by_derivatives_.groups) differentiate(group);
  if (by_differences_.groups.empty()) return true;
  const Vector y = y_;
  for (const auto& group : by_differences_.groups)
    if (!difference(group, y, residual)) return false;
  return evaluate(y);
}

void AlgebraicLoop::differentiate(const std::vector<std::size_t>& group) {
  std::map<std::uint32_t, std::pair<std::vector<std::int32_t>, Vector>> fed;        // inputs, seeds
  std::map<std::uint32_t, std::vector<std::pair<std::size_t, std::size_t>>> asked;  // row, column
  for (const std::size_t j : group) {
    for (const std::int64_t i : by_derivatives_.pattern.rows_of(j)) {
      const auto row = static_cast<std::size_t>(i);
      asked[setting_.point(unknowns_[row]).component].emplace_back(row, j);
    }
    for (const Node input : setting_.dependencies.successors(unknowns_[j])) {
      auto& [variables, seeds] = fed[setting_.point(input).component];
      variables.push_back(setting_.point(input).variable);
      seeds.push_back(setting_.wire_to.at(setting_.point(input))->factor);
    }
  }
  for (const auto& [component, places] : asked) {
    std::vector<std::int32_t> outputs;
    for (const auto& [row, column] : places)
      outputs.push_back(setting_.point(unknowns_[row]).variable);
    Vector slopes(places.size());
    const auto& [inputs, seeds] = fed.at(component);
    setting_.call(component).differentiate(outputs, inputs, seeds, slopes);
    for (std::size_t k = 0; k < places.size(); ++k)
      if (slopes[k] != 0) entries_.push_back({places[k].first, places[k].second, -slopes[k]});
  }
}

bool AlgebraicLoop::difference(const std::vector<std::size_t>& group, const Vector& y,
                               const Vector& residual) {
  Vector moved = y;
  for (const std::size_t j : group)
    moved[j] += precision_.increment * std::max(scale_[j], std::abs(y[j]));
  if (!evaluate(moved)) return false;
  for (const std::size_t j : group)
    for (const std::int64_t i : by_differences_.pattern.rows_of(j)) {
      const auto row = static_cast<std::size_t>(i);
      // residual = g - y
      const double change = residual_[row] - residual[row] + (moved[row] - y[row]);
      entries_.push_back({row, j, -change / (moved[j] - y[j])});
    }
  return true;
}

bool AlgebraicLoop::sweeps() {
  for (int sweep = 0; sweep < maximum_sweeps; ++sweep) {
    if (!evaluate(y_)) return false;
    const bool settled = others_settled();
    if (is_small(residual_) && settled) return true;
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += residual_[i];
  }
  return false;
}

}  // namespace tutti::master
