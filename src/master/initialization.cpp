// SPDX-License-Identifier: BSD-2-Clause
#include "master/initialization.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tutti/error.hpp>

#include "solvers/linear/linear_system.hpp"
#include "solvers/linear/sparsity.hpp"

namespace tutti::master {
namespace {

using system::EvaluationBlock;
using Node = system::Graph::Node;

constexpr int most_newton_steps = 50;
constexpr int most_halvings = 12;
constexpr int most_sweeps = 500;
// Of a change, and of a difference quotient, against value and nominal value.
struct Precision {
  double tolerance, increment;
};
constexpr Precision of_doubles = {1e-9, 1e-7};
constexpr Precision of_singles = {1e-6, 3e-4};  // they are rounded to 6e-8

/// What the blocks of the plan work on.
struct Setting {
  const CoupledParts& parts;
  std::span<const std::unique_ptr<models::Instance>> instances;
  std::atomic<std::uint32_t>& called;
  std::map<system::Point, const Wiring::Wire*> wire_to;  ///< by the input that it leads to
  system::Graph dependencies;                            ///< those of the plan
  std::vector<bool> silent = {};  ///< components that are not asked; none: all are

  models::Instance& call(std::size_t component) const {
    called.store(static_cast<std::uint32_t>(component), std::memory_order_relaxed);
    return *instances[component];
  }

  bool is_silent(std::size_t component) const { return !silent.empty() && silent[component]; }
  const system::Point& point(Node node) const { return parts.plan.coupled[node]; }
  const Variable& variable(Node node) const {
    const auto& description = *parts.descriptions[point(node).component];
    return description.variables[static_cast<std::size_t>(point(node).variable)];
  }
  std::string name(Node node) const {
    return fmt::format("{}.{}", instances[point(node).component]->name(), variable(node).name);
  }
  void set(Node input) const {
    if (const auto wire = wire_to.find(point(input)); wire != wire_to.end())
      move_value(*wire->second);
    if (is_silent(point(input).component)) return;
    const std::int32_t index = point(input).variable;
    call(point(input).component).set_some({&index, 1});
  }
  void get(std::span<const Node> outputs) const {
    std::map<std::uint32_t, std::vector<std::int32_t>> by_component;
    for (const Node node : outputs) {
      if (is_silent(point(node).component)) continue;
      auto& variables = by_component[point(node).component];
      if (variables.empty() || variables.back() != point(node).variable)
        variables.push_back(point(node).variable);
    }
    for (const auto& [component, variables] : by_component) call(component).get_some(variables);
  }
};

/// An algebraic loop: y = g(y), where y are the real outputs in it. Values of other types follow
/// along and must settle.
class Loop {
 public:
  Loop(const Setting& setting, const EvaluationBlock& block) : setting_(setting) {
    for (const Node node : block.variables) {
      if (setting.variable(node).type == Type::float32) precision_ = of_singles;
      if (!setting.parts.plan.variables[node].is_output) {
        inputs_.push_back(node);
        continue;
      }
      outputs_.push_back(node);
      const models::ValueSet& set = setting.instances[setting.point(node).component]->outputs();
      const auto scalars = set.scalars();
      const auto scalar =
          std::find_if(scalars.begin(), scalars.end(), [&](const models::Scalar& s) {
            return s.variable == setting.point(node).variable &&
                   s.element == setting.point(node).element;
          });
      if (scalar->type != Type::float64 && scalar->type != Type::float32) {
        others_.push_back({&set, &*scalar, "", node});
        continue;
      }
      unknowns_.push_back(node);
      // The master alone writes there while the loop is solved.
      values_.push_back({const_cast<models::ValueSet*>(&set), &*scalar});
      const auto& nominal = setting.variable(node).attributes.nominal;
      scale_.push_back(nominal && *nominal != 0 ? std::abs(*nominal) : 1);
    }
  }

  void solve() {
    setting_.get(outputs_);  // where the units start
    y_ = read();
    residual_.assign(y_.size(), std::numeric_limits<double>::quiet_NaN());
    if (newton() || sweeps()) return;
    throw Error(ErrorCode::numeric,
                fmt::format("the algebraic loop of {} variables has no solution that could be "
                            "found: {}. Try other start values.",
                            outputs_.size(), whereabouts()));
  }

 private:
  using Vector = std::vector<double>;
  struct Real {
    models::ValueSet* set;
    const models::Scalar* scalar;
  };
  struct Other {
    const models::ValueSet* set;
    const models::Scalar* scalar;
    std::string last;
    Node node;
    bool settled = false;
  };

  /// Where the search ended, for a message.
  std::string whereabouts() const {
    constexpr std::size_t most_shown = 10;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < unknowns_.size() && i < most_shown; ++i)
      texts.push_back(fmt::format("{} = {} with residual {:.3g}", setting_.name(unknowns_[i]),
                                  y_[i], residual_[i]));
    for (const Other& other : others_)
      if (!other.settled && texts.size() < 2 * most_shown)
        texts.push_back(setting_.name(other.node) + " does not settle");
    return fmt::format("{}", fmt::join(texts, ", "));
  }
  Vector read() const {
    Vector y;
    for (const auto& [set, scalar] : values_) y.push_back(set->read(*scalar).real);
    return y;
  }
  /// residual_ = g(y) - y. False: it cannot be computed there.
  bool evaluate(const Vector& y) {
    for (std::size_t i = 0; i < y.size(); ++i) values_[i].set->write_real(*values_[i].scalar, y[i]);
    try {
      for (const Node input : inputs_) setting_.set(input);
      setting_.get(outputs_);
    } catch (const fmi::Discarded&) {
      return false;
    }
    const Vector g = read();
    residual_.resize(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) residual_[i] = g[i] - y[i];
    return std::all_of(residual_.begin(), residual_.end(),
                       [](double r) { return std::isfinite(r); });
  }
  bool others_settled() {
    bool settled = true;
    for (Other& other : others_) {
      std::string now = other.set->written(*other.scalar);
      other.settled = now == other.last;
      settled &= other.settled;
      other.last = std::move(now);
    }
    return settled;
  }
  double norm(const Vector& v) const {
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += std::pow(v[i] / scale_[i], 2);
    return std::sqrt(sum);
  }
  bool is_small(const Vector& change) const {
    for (std::size_t i = 0; i < change.size(); ++i)
      if (!(std::abs(change[i]) <= precision_.tolerance * (scale_[i] + std::abs(y_[i]))))
        return false;
    return true;
  }

  /// (I - dg/dy) d = g(y) - y, as far along d as the residual shrinks.
  bool newton() {
    if (unknowns_.empty() || !evaluate(y_)) return false;
    divide_rows();
    for (int step = 0; step < most_newton_steps; ++step) {
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
        if (halving == most_halvings) return false;
      }
      y_ = next;
      if (factor == 1 && is_small(direction) && others_settled()) return true;
    }
    return false;
  }

  /// Part of dg/dy: some of its rows, and columns of which no two have one of these in common.
  struct Part {
    solvers::SparsityPattern pattern;
    std::vector<std::vector<std::size_t>> groups;
  };
  /// Rows of FMUs that can differentiate, and the others.
  void divide_rows() {
    std::map<Node, std::size_t> row_of;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) row_of[unknowns_[i]] = i;
    std::vector<std::vector<std::size_t>> derived(unknowns_.size()), others(unknowns_.size());
    for (std::size_t j = 0; j < unknowns_.size(); ++j)
      for (const Node input : setting_.dependencies.successors(unknowns_[j]))
        for (const Node output : setting_.dependencies.successors(input))
          if (const auto row = row_of.find(output); row != row_of.end())
            (can_differentiate(output) ? derived : others)[row->second].push_back(j);
    const auto part = [](const std::vector<std::vector<std::size_t>>& rows) {
      Part made{solvers::pattern_of_rows(rows, false), {}};
      for (std::vector<std::size_t> group : solvers::color_columns(made.pattern)) {
        std::erase_if(group, [&](std::size_t j) { return made.pattern.rows_of(j).empty(); });
        if (!group.empty()) made.groups.push_back(std::move(group));
      }
      return made;
    };
    by_derivatives_ = part(derived);
    by_differences_ = part(others);
  }
  bool can_differentiate(Node output) const {
    return others_.empty() && setting_.variable(output).type == Type::float64 &&
           !setting_.variable(output).is_array() &&
           setting_.instances[setting_.point(output).component]->differentiate({}, {}, {}, {});
  }

  /// entries_ = I - dg/dy
  bool jacobian(const Vector& residual) {
    entries_.clear();
    for (std::size_t i = 0; i < y_.size(); ++i) entries_.push_back({i, i, 1});
    for (const auto& group : by_derivatives_.groups) differentiate(group);
    if (by_differences_.groups.empty()) return true;
    const Vector y = y_;
    for (const auto& group : by_differences_.groups)
      if (!difference(group, y, residual)) return false;
    return evaluate(y);
  }

  /// A call of each FMU that reads an unknown of the group.
  void differentiate(const std::vector<std::size_t>& group) {
    std::map<std::uint32_t, std::pair<std::vector<std::int32_t>, Vector>> fed;  // inputs, seeds
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

  /// An evaluation of the loop.
  bool difference(const std::vector<std::size_t>& group, const Vector& y, const Vector& residual) {
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

  bool sweeps() {
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      if (!evaluate(y_)) return false;
      const bool settled = others_settled();
      if (is_small(residual_) && settled) return true;
      for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += residual_[i];
    }
    return false;
  }

  const Setting& setting_;
  std::vector<Node> inputs_, outputs_, unknowns_;
  std::vector<Real> values_;
  Precision precision_ = of_doubles;
  Vector scale_, y_, residual_;
  std::vector<Other> others_;
  Part by_derivatives_, by_differences_;
  std::vector<solvers::Entry> entries_;
};

void set_externals(const Setting& setting, const std::vector<std::vector<Wiring::Wire>>& wires) {
  for (std::size_t c = 0; c < wires.size(); ++c) {
    std::vector<std::int32_t> variables;
    for (const Wiring::Wire& wire : wires[c]) {
      const bool external = std::any_of(
          setting.parts.externals.begin(), setting.parts.externals.end(),
          [&](const ExternalSignals& signals) { return signals.values.get() == wire.from_set; });
      if (!external) continue;
      move_value(wire);
      if (variables.empty() || variables.back() != wire.to->variable)
        variables.push_back(wire.to->variable);
    }
    if (!variables.empty() && !setting.is_silent(c)) setting.call(c).set_some(variables);
  }
}

/// FMI 1.0 has no mode in which outputs could be asked for again after another input.
void warn_of_fmi1(const Setting& setting, const EvaluationBlock& block, const Log& log) {
  for (const Node node : block.variables)
    if (setting.parts.descriptions[setting.point(node).component]->version == FmiVersion::v1) {
      log.warning(
          setting.instances[setting.point(node).component]->name(),
          fmt::format("{} is in an algebraic loop, which cannot be solved at the start with "
                      "FMI 1.0: the first values may not agree",
                      setting.name(node)));
      return;
    }
}

Setting make_setting(const CoupledParts& parts,
                     std::span<const std::unique_ptr<models::Instance>> instances,
                     const std::vector<std::vector<Wiring::Wire>>& wires,
                     std::atomic<std::uint32_t>& called) {
  Setting setting{
      parts, instances, called, {}, {parts.plan.coupled.size(), parts.plan.dependencies}};
  for (std::uint32_t c = 0; c < wires.size(); ++c)
    for (const Wiring::Wire& wire : wires[c])
      setting.wire_to[{c, wire.to->variable, wire.to->element}] = &wire;
  return setting;
}

void evaluate(const Setting& setting, const EvaluationBlock& block) {
  switch (block.kind) {
    case EvaluationBlock::Kind::set:
      return setting.set(block.variables.front());
    case EvaluationBlock::Kind::get:
      return setting.get(block.variables);
    case EvaluationBlock::Kind::solve:
      return Loop(setting, block).solve();
  }
}

}  // namespace

void initialize_together(const CoupledParts& parts,
                         std::span<const std::unique_ptr<models::Instance>> instances,
                         const std::vector<std::vector<Wiring::Wire>>& wires,
                         const models::Experiment& experiment, std::atomic<std::uint32_t>& called,
                         const Log& log) {
  const Setting setting = make_setting(parts, instances, wires, called);
  for (std::size_t c = 0; c < instances.size(); ++c)
    setting.call(c).begin_initialization(experiment);
  set_externals(setting, wires);
  std::size_t loops = 0;
  for (const EvaluationBlock& block : parts.plan.evaluations) {
    if (block.kind == EvaluationBlock::Kind::solve) {
      warn_of_fmi1(setting, block, log);
      ++loops;
    }
    evaluate(setting, block);
  }
  if (loops > 0)
    log.write({Severity::debug, "", "", fmt::format("initialization solved {} loops", loops)});
  for (std::size_t c = 0; c < instances.size(); ++c) setting.call(c).end_initialization(experiment);
}

bool agree_together(const CoupledParts& parts,
                    std::span<const std::unique_ptr<models::Instance>> instances,
                    const std::vector<std::vector<Wiring::Wire>>& wires, double t,
                    std::atomic<std::uint32_t>& called) {
  Setting setting = make_setting(parts, instances, wires, called);
  for (const auto& instance : instances) setting.silent.push_back(!instance->has_event_mode());
  const auto for_all = [&](const auto& action) {
    bool all = true;
    for (std::size_t c = 0; c < instances.size(); ++c)
      if (!setting.silent[c]) all &= action(setting.call(c));
    return all;
  };
  for_all([](models::Instance& instance) {
    instance.begin_event();
    return true;
  });
  set_externals(setting, wires);
  for (const EvaluationBlock& block : parts.plan.evaluations) evaluate(setting, block);
  return for_all([&](models::Instance& instance) { return instance.end_event(t); });
}

}  // namespace tutti::master
