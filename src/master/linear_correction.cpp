// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tutti/error.hpp>

#include "master/correction_block.hpp"

namespace tutti::master {

LinearCorrection::LinearCorrection(const Parts& parts) : parts_(parts) {
  const system::Plan& plan = *parts_.plan;
  const system::Graph dependencies(plan.coupled.size(), parts_.dependencies);
  std::vector<std::vector<system::Graph::Node>> inputs(parts_.instances.size());
  for (system::Graph::Node node = 0; node < plan.coupled.size(); ++node)
    if (!plan.variables[node].is_output) inputs[plan.coupled[node].component].push_back(node);
  for (std::uint32_t c = 0; c < parts_.instances.size(); ++c) add_block(c, inputs[c], dependencies);
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

void LinearCorrection::add_block(std::uint32_t component,
                                 std::span<const system::Graph::Node> inputs,
                                 const system::Graph& dependencies) {
  const system::Plan& plan = *parts_.plan;
  models::Instance& instance = *parts_.instances[component];
  const auto scalar_of = [](const models::ValueSet& set, const system::Point& point) {
    const auto scalars = set.scalars();
    return &*std::find_if(scalars.begin(), scalars.end(), [&](const models::Scalar& s) {
      return s.variable == point.variable && s.element == point.element;
    });
  };
  Block block{};
  block.component = component;
  std::set<system::Graph::Node> rows;
  bool has_arrays = false;
  const double* const first = instance.continuous_inputs().data();
  for (const system::Graph::Node node : inputs) {
    const system::Point& point = plan.coupled[node];
    const models::Scalar* const to = scalar_of(instance.inputs(), point);
    const auto curve = static_cast<std::size_t>(
        reinterpret_cast<const double*>(instance.inputs().address(*to)) - first);
    if (to->type != Type::float64 || curve >= instance.continuous_inputs().size()) continue;
    const auto& wires = parts_.wires[component];
    const auto wire =
        std::find_if(wires.begin(), wires.end(), [&](const Wiring::Wire& w) { return w.to == to; });
    if (wire == wires.end() || wire->from->type != Type::float64) continue;
    bool matters = false;
    for (const auto output : dependencies.successors(node)) {
      const system::Point& reached = plan.coupled[output];
      const models::Scalar* const scalar = scalar_of(instance.outputs(), reached);
      if (scalar->type != Type::float64) continue;
      matters = true;
      has_arrays |= parts_.descriptions[component]
                        ->variables[static_cast<std::size_t>(reached.variable)]
                        .is_array();
      if (!rows.insert(output).second) continue;
      block.rows.push_back(unknowns_.size());
      block.outputs.push_back(scalar->variable);
      // The master alone writes there between steps.
      unknowns_.push_back(
          {component, scalar, const_cast<models::ValueSet*>(&instance.outputs()), {}});
    }
    if (!matters) continue;
    has_arrays |= parts_.descriptions[component]
                      ->variables[static_cast<std::size_t>(point.variable)]
                      .is_array();
    block.inputs.push_back({point.variable,
                            curve,
                            wire->factor,
                            wire->offset,
                            reinterpret_cast<const double*>(wire->from_set->address(*wire->from)),
                            {},
                            nullptr});
  }
  if (block.rows.empty()) return;
  using enum Block::Source;
  block.source = !has_arrays && instance.differentiate({}, {}, {}, {}) ? derivatives
                 : instance.can_go_back() && instance.can_vary_step()  ? probing
                                                                       : learning;
  block.jacobian.resize(block.rows.size() * block.inputs.size());
  blocks_.push_back(std::move(block));
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
  if (unknowns_.empty()) return;
  present_.clear();
  for (Block& block : blocks_) {
    update(block, t, h, may_step);
    present_.insert(present_.end(), block.jacobian.begin(), block.jacobian.end());
  }
  if (!system_ || present_ != factorised_) {
    std::swap(factorised_, present_);
    system_ = factorise(0);
    for (const int order : {1, 2}) of_derivatives_[order - 1] = factorise(order);
  }
  solve(t);
  // Each derivative of y hangs on that of u as y on u, as long as D changes slowly: without this,
  // the second derivatives would grow with rho(D L) from step to step.
  for (const int order : {1, 2}) solve_derivatives(order, t);
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
      for (std::size_t j = 0; j < block.inputs.size(); ++j)
        if (const Feeder& input = block.inputs[j];
            input.unknown && block.at(i, j) != 0 && tells_this(unknowns_[*input.unknown]))
          entries.push_back({block.rows[i], *input.unknown, -block.at(i, j) * input.factor});
  return std::make_unique<solvers::LinearSystem>(unknowns_.size(), entries);
}

void LinearCorrection::solve(double t) {
  right_.resize(unknowns_.size());
  solution_.resize(unknowns_.size());
  for (std::size_t i = 0; i < unknowns_.size(); ++i) right_[i] = unknowns_[i].read();
  for (const Block& block : blocks_)
    for (std::size_t j = 0; j < block.inputs.size(); ++j) {
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
                  fmt::format("t = {:.13g} s: linear correction: there is no value for {}.{}: the "
                              "equations of the algebraic loop are singular (I - D L)",
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
    for (std::size_t j = 0; j < block.inputs.size(); ++j) {
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
