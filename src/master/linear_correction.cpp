// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tutti/error.hpp>

#include "master/correction_block.hpp"
#include "master/free_loop.hpp"
#include "system/dependencies.hpp"

namespace tutti::master {
namespace {

const models::Scalar* scalar_of(const models::ValueSet& set, const system::Point& point) {
  const auto scalars = set.scalars();
  return &*std::find_if(scalars.begin(), scalars.end(), [&](const models::Scalar& s) {
    return s.variable == point.variable && s.element == point.element;
  });
}

}  // namespace

LinearCorrection::LinearCorrection(const Parts& parts) : parts_(parts) {
  const system::Plan& plan = *parts_.plan;
  const system::Graph dependencies(plan.coupled.size(), parts_.dependencies);
  std::vector<std::vector<system::Graph::Node>> inputs(parts_.instances.size());
  for (system::Graph::Node node = 0; node < plan.coupled.size(); ++node)
    if (!plan.variables[node].is_output) inputs[plan.coupled[node].component].push_back(node);
  for (std::uint32_t c = 0; c < parts_.instances.size(); ++c)
    if (c >= parts_.left_out.size() || !parts_.left_out[c]) add_blocks(c, inputs[c], dependencies);
  find_sources();
}

void LinearCorrection::tell_sources(const Log& log) const {
  for (const Block& block : blocks_) {
    const std::string& name = parts_.instances[block.component]->name();
    if (block.source == Block::Source::probing)
      log.info(name,
               "the FMU gives no directional derivatives: the linear correction finds them by tiny "
               "steps that are taken back");
    else if (block.source == Block::Source::learning)
      log.info(name,
               "the FMU gives no directional derivatives and cannot take steps back: the linear "
               "correction estimates them from the run itself (Broyden)");
  }
}

LinearCorrection::~LinearCorrection() = default;

std::vector<std::optional<LinearCorrection::Feeder>> LinearCorrection::find_feeders(
    std::uint32_t component, Nodes inputs) const {
  models::Instance& instance = *parts_.instances[component];
  const double* const first = instance.continuous_inputs().data();
  std::vector<std::optional<Feeder>> feeders;
  for (const system::Graph::Node node : inputs) {
    std::optional<Feeder>& feeder = feeders.emplace_back();
    const system::Point& point = parts_.plan->coupled[node];
    const models::Scalar* const to = scalar_of(instance.inputs(), point);
    const auto curve = static_cast<std::size_t>(
        reinterpret_cast<const double*>(instance.inputs().address(*to)) - first);
    if (to->type != Type::float64 || curve >= instance.continuous_inputs().size()) continue;
    const auto& wires = parts_.wires[component];
    const auto wire =
        std::find_if(wires.begin(), wires.end(), [&](const Wiring::Wire& w) { return w.to == to; });
    if (wire == wires.end() || wire->from->type != Type::float64) continue;
    feeder = Feeder{point.variable,
                    curve,
                    wire->factor,
                    wire->offset,
                    reinterpret_cast<const double*>(wire->from_set->address(*wire->from)),
                    {},
                    nullptr};
  }
  return feeders;
}

LinearCorrection::Block LinearCorrection::make_block(std::uint32_t component, Nodes inputs,
                                                     std::span<const std::optional<Feeder>> feeders,
                                                     const system::Graph& dependencies) {
  models::Instance& instance = *parts_.instances[component];
  Block block{};
  block.component = component;
  std::set<system::Graph::Node> rows;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (!feeders[k]) continue;
    bool matters = false;
    for (const auto output : dependencies.successors(inputs[k])) {
      const models::Scalar* const scalar =
          scalar_of(instance.outputs(), parts_.plan->coupled[output]);
      if (scalar->type != Type::float64) continue;
      matters = true;
      if (!rows.insert(output).second) continue;
      block.rows.push_back(unknowns_.size());
      block.outputs.push_back(scalar->variable);
      // The master alone writes there between steps.
      unknowns_.push_back(
          {component, scalar, const_cast<models::ValueSet*>(&instance.outputs()), {}});
    }
    if (matters) block.inputs.push_back(*feeders[k]);
  }
  block.of_unknowns = block.inputs.size();
  return block;
}

LinearCorrection::Block LinearCorrection::make_followers(
    std::uint32_t component, Nodes inputs, std::span<const std::optional<Feeder>> feeders) const {
  const system::Plan& plan = *parts_.plan;
  const ModelDescription& description = *parts_.descriptions[component];
  models::Instance& instance = *parts_.instances[component];
  const system::RunningDependencies dependencies(description);
  Block block{};
  block.component = component;
  std::vector<bool> matters(inputs.size());
  for (const models::Scalar& scalar : instance.outputs().scalars()) {
    const Variable& variable = description.variables[static_cast<std::size_t>(scalar.variable)];
    const system::Point point{component, scalar.variable, scalar.element};
    if (scalar.type != Type::float64 || variable.causality != Causality::output ||
        variable.variability != Variability::continuous ||
        std::binary_search(plan.coupled.begin(), plan.coupled.end(), point))
      continue;
    const auto known = dependencies.inputs_of(scalar.variable);
    bool depends = false;
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (feeders[k] &&
          (!known || std::binary_search(known->begin(), known->end(), feeders[k]->variable)))
        depends = matters[k] = true;
    if (!depends) continue;
    block.outputs.push_back(scalar.variable);
    block.followers.push_back(
        {component, &scalar, const_cast<models::ValueSet*>(&instance.outputs()), {}});
  }
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (matters[k]) block.inputs.push_back(*feeders[k]);
  return block;
}

void LinearCorrection::choose_source(Block& block) const {
  using enum Block::Source;
  const models::Instance& instance = *parts_.instances[block.component];
  const auto is_array = [&](std::int32_t variable) {
    return parts_.descriptions[block.component]
        ->variables[static_cast<std::size_t>(variable)]
        .is_array();
  };
  const bool has_arrays =
      std::any_of(block.outputs.begin(), block.outputs.end(), is_array) ||
      std::any_of(block.inputs.begin(), block.inputs.end(),
                  [&](const Feeder& input) { return is_array(input.variable); });
  block.source = !has_arrays && parts_.instances[block.component]->differentiate({}, {}, {}, {})
                     ? derivatives
                 : instance.can_go_back() && instance.can_vary_step() ? probing
                                                                      : learning;
}

void LinearCorrection::add_blocks(std::uint32_t component, Nodes inputs,
                                  const system::Graph& dependencies) {
  const auto feeders = find_feeders(component, inputs);
  std::vector<Block> blocks;
  if (Block block = make_block(component, inputs, feeders, dependencies); !block.rows.empty()) {
    choose_source(block);
    blocks.push_back(std::move(block));
  }
  if (Block block = make_followers(component, inputs, feeders); !block.followers.empty()) {
    choose_source(block);
    // Tiny steps serve both; what is learnt of unknowns shall not depend on what is recorded.
    if (!blocks.empty() && block.source == Block::Source::probing &&
        blocks.front().source == Block::Source::probing)
      blocks.front().take_followers(std::move(block));
    else
      blocks.push_back(std::move(block));
  }
  for (Block& block : blocks) {
    block.jacobian.resize(block.row_count() * block.inputs.size());
    for (const Feeder& input : block.inputs) block.input_variables.push_back(input.variable);
    if (block.source == Block::Source::learning) start_from_model(block);
    blocks_.push_back(std::move(block));
  }
}

void LinearCorrection::start_from_model(Block& block) const {
  if (block.component >= parts_.models.size() || !parts_.models[block.component]) return;
  const ComponentModel& model = *parts_.models[block.component];
  const auto index_of = [](const std::vector<ComponentModel::Scalar>& scalars,
                           std::int32_t variable) {
    return static_cast<std::size_t>(
        std::find(scalars.begin(), scalars.end(), ComponentModel::Scalar{variable, 0}) -
        scalars.begin());
  };
  for (std::size_t i = 0; i < block.outputs.size(); ++i)
    for (std::size_t j = 0; j < block.inputs.size(); ++j) {
      const std::size_t row = index_of(model.y, block.outputs[i]);
      const std::size_t column = index_of(model.u, block.inputs[j].variable);
      if (row < model.y.size() && column < model.u.size())
        block.at(i, j) = model.system.d(row, column);
    }
}

/// Which inputs are fed by unknowns, and which derivatives are corrected, too.
void LinearCorrection::find_sources() {
  const auto place = [](const models::ValueSet& set, const models::Scalar& scalar) {
    return reinterpret_cast<const double*>(set.address(scalar));
  };
  std::map<const double*, std::size_t> unknown_at;
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    unknown_at[place(*unknowns_[i].set, *unknowns_[i].scalar)] = i;
  std::map<const double*, std::pair<std::size_t, std::size_t>> slope_at;  // component, index
  for (std::size_t c = 0; c < parts_.instances.size(); ++c)
    for (const models::Scalar& scalar : parts_.instances[c]->outputs().scalars())
      if (const auto index = parts_.derivatives[c].index_of(scalar.variable))
        slope_at[place(parts_.instances[c]->outputs(), scalar)] = {c, *index};
  for (Unknown& unknown : unknowns_)
    unknown.derivative = parts_.derivatives[unknown.component].index_of(unknown.scalar->variable);
  for (Block& block : blocks_)
    for (Feeder& input : block.inputs) {
      if (const auto found = unknown_at.find(input.value); found != unknown_at.end()) {
        input.unknown = found->second;
        continue;
      }
      if (const auto slope = slope_at.find(input.value); slope != slope_at.end()) {
        input.derivatives = &parts_.derivatives[slope->second.first];
        input.derivative = slope->second.second;
      }
    }
}

void LinearCorrection::forget() {
  for (Block& block : blocks_) {
    block.last.clear();
    block.slopes.clear();
  }
}

void LinearCorrection::apply(double t, double h, bool may_step) {
  present_.clear();
  for (Block& block : blocks_) {
    update(block, t, h, may_step);
    const auto part = block.jacobian_of_unknowns();
    present_.insert(present_.end(), part.begin(), part.end());
  }
  if (!unknowns_.empty()) solve_loops(t);
  correct_followers(t);
}

void LinearCorrection::solve_loops(double t) {
  if (!system_ || present_ != factorised_) {
    std::swap(factorised_, present_);
    system_ = factorise(0);
    refuse_free_loops(t);
    for (const int order : {1, 2}) of_derivatives_[order - 1] = factorise(order);
  }
  solve(t);
  // Each derivative of y hangs on that of u as y on u, as long as D changes slowly: without this,
  // the second derivatives would grow with rho(D L) from step to step.
  for (const int order : {1, 2}) solve_derivatives(order, t);
}

/// @pre what feeds inputs is corrected
void LinearCorrection::correct_followers(double t) {
  for (const Block& block : blocks_) {
    if (block.followers.empty()) continue;
    values_.clear();  // what the inputs missed
    for (const Feeder& input : block.inputs)
      values_.push_back(input.offset + input.factor * *input.value -
                        parts_.curves[block.component].seen(input.curve, t));
    if (std::all_of(values_.begin(), values_.end(), [](double missed) { return missed == 0; }))
      continue;
    column_.assign(block.followers.size(), 0);
    if (block.source == Block::Source::derivatives) {
      parts_.note(block.component);
      parts_.instances[block.component]->differentiate(block.outputs, block.input_variables,
                                                       values_, column_);
    } else {
      for (std::size_t i = 0; i < column_.size(); ++i)
        for (std::size_t j = 0; j < values_.size(); ++j)
          column_[i] += block.at(block.rows.size() + i, j) * values_[j];
    }
    for (std::size_t i = 0; i < column_.size(); ++i) {
      const Unknown& follower = block.followers[i];
      follower.set->write_real(*follower.scalar, follower.read() + column_[i]);
    }
  }
}

/// An output whose derivative nobody tells is none of the unknowns of that order.
bool LinearCorrection::tells(const Unknown& unknown, int order) const {
  return order == 0 ||
         (unknown.derivative && (order == 1 || parts_.derivatives[unknown.component].has_second()));
}

/// Nothing: it is that of order 0.
std::unique_ptr<solvers::LinearSystem> LinearCorrection::factorise(int order) const {
  const auto tells_this = [&](const Unknown& unknown) { return tells(unknown, order); };
  if (order > 0 && std::all_of(unknowns_.begin(), unknowns_.end(), tells_this)) return {};
  std::vector<solvers::Entry> entries;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) entries.push_back({i, i, 1});
  for (const Block& block : blocks_)
    for (std::size_t i = 0; i < block.rows.size(); ++i)
      for (std::size_t j = 0; j < block.of_unknowns; ++j)
        if (const Feeder& input = block.inputs[j];
            input.unknown && block.at(i, j) != 0 && tells_this(unknowns_[*input.unknown]))
          entries.push_back({block.rows[i], *input.unknown, -block.at(i, j) * input.factor});
  return std::make_unique<solvers::LinearSystem>(unknowns_.size(), entries);
}

void LinearCorrection::refuse_free_loops(double t) const {
  const auto free = system_->free_direction(precision_of_gains);
  if (free.empty()) return;
  throw Error(ErrorCode::numeric,
              fmt::format("t = {:.13g} s: linear correction: {} (I - D L is singular). Look at the "
                          "signs and factors of its connections.",
                          t, describe_free_loop(free, [&](std::size_t i) {
                            return fmt::format("{}.{}",
                                               parts_.instances[unknowns_[i].component]->name(),
                                               unknowns_[i].scalar->name);
                          })));
}

void LinearCorrection::solve(double t) {
  right_.resize(unknowns_.size());
  solution_.resize(unknowns_.size());
  for (std::size_t i = 0; i < unknowns_.size(); ++i) right_[i] = unknowns_[i].read();
  for (const Block& block : blocks_)
    for (std::size_t j = 0; j < block.of_unknowns; ++j) {
      const Feeder& input = block.inputs[j];
      const double known = input.offset + (input.unknown ? 0 : input.factor * *input.value);
      const double missed = known - parts_.curves[block.component].seen(input.curve, t);
      for (std::size_t i = 0; i < block.rows.size(); ++i)
        right_[block.rows[i]] += block.at(i, j) * missed;
    }
  system_->solve(right_, solution_);
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    if (!std::isfinite(solution_[i]))
      throw Error(ErrorCode::numeric,
                  fmt::format("t = {:.13g} s: linear correction: {}.{} is not finite (NaN or "
                              "infinity)",
                              t, parts_.instances[unknowns_[i].component]->name(),
                              unknowns_[i].scalar->name));
    unknowns_[i].set->write_real(*unknowns_[i].scalar, solution_[i]);
  }
}

void LinearCorrection::solve_derivatives(int order, double t) {
  right_.assign(unknowns_.size(), 0);
  bool any = false;
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (tells(unknowns_[i], order)) {
      const OutputDerivatives& told = parts_.derivatives[unknowns_[i].component];
      right_[i] = told.of_order(order, *unknowns_[i].derivative);
      any = true;
    }
  if (!any) return;
  for (const Block& block : blocks_)
    for (std::size_t j = 0; j < block.of_unknowns; ++j) {
      const Feeder& input = block.inputs[j];
      const InputCurves& curves = parts_.curves[block.component];
      const double seen =
          order == 1 ? curves.seen_slope(input.curve, t) : curves.seen_curvature(input.curve);
      // What nobody tells is what the step has shown.
      double known = 0;  // of an unknown
      if (!input.unknown || !tells(unknowns_[*input.unknown], order)) {
        const bool told =
            input.derivatives != nullptr && (order == 1 || input.derivatives->has_second());
        const Derivatives shown =
            curves.shown(input.curve, input.factor * *input.value + input.offset, t);
        known = told         ? input.factor * input.derivatives->of_order(order, input.derivative)
                : order == 1 ? shown.first
                             : shown.second;
      }
      for (std::size_t i = 0; i < block.rows.size(); ++i)
        right_[block.rows[i]] += block.at(i, j) * (known - seen);
    }
  const auto& own = of_derivatives_[order - 1];
  (own ? own : system_)->solve(right_, solution_);
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (tells(unknowns_[i], order))
      parts_.derivatives[unknowns_[i].component].correct(order, *unknowns_[i].derivative,
                                                         solution_[i]);
}

void LinearCorrection::save(std::vector<double>& into) const {
  into.clear();
  for (const Block& block : blocks_) {
    if (block.source == Block::Source::derivatives) continue;  // found anew after each step
    for (const auto* part : {&block.jacobian, &block.last, &block.slopes}) {
      into.push_back(static_cast<double>(part->size()));
      into.insert(into.end(), part->begin(), part->end());
    }
    into.insert(into.end(), {block.last_time, block.usual_slope});
  }
}

void LinearCorrection::restore(std::span<const double> from) {
  const auto take = [&] {
    const double value = from[0];
    from = from.subspan(1);
    return value;
  };
  for (Block& block : blocks_) {
    if (block.source == Block::Source::derivatives) continue;
    for (auto* part : {&block.jacobian, &block.last, &block.slopes}) {
      const auto count = static_cast<std::size_t>(take());
      part->assign(from.begin(), from.begin() + static_cast<long>(count));
      from = from.subspan(count);
    }
    block.last_time = take();
    block.usual_slope = take();
  }
}

}  // namespace tutti::master
