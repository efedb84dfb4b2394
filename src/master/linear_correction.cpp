// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>

#include "base/time_grid.hpp"
#include "master/correction_block.hpp"
#include "master/free_loop.hpp"

namespace tutti::master {
namespace {

// Fraction of a step that probes the effect of an input: a valid step, but no more.
constexpr double part_of_step = 1e-6;
// Increment of a difference quotient: the square root of the rounding error.
constexpr double increment = 1.5e-8;

}  // namespace

void LinearCorrection::report_sources(const Log& log) const {
  for (const Block& block : blocks_) {
    const std::string& name = parts_.instances[block.component]->name();
    if (block.source == Block::Source::probing)
      log.info(name,
               "the FMU provides no directional derivatives: the linear correction computes them "
               "by tiny steps that are rolled back");
    else if (block.source == Block::Source::learning)
      log.info(name,
               "the FMU provides no directional derivatives and cannot roll back: the linear "
               "correction estimates them during the run (Broyden)");
  }
}

LinearCorrection::~LinearCorrection() = default;

void LinearCorrection::forget() {
  for (Block& block : blocks_) {
    block.last.clear();
    block.slopes.clear();
  }
}

void LinearCorrection::apply(double t, double h, bool may_step) {
  present_.clear();
  for (Block& block : blocks_) {
    block.before = block.jacobian;
    update(block, t, h, may_step);
    const auto part = block.jacobian_of_unknowns();
    present_.insert(present_.end(), part.begin(), part.end());
  }
  if (!unknowns_.empty()) solve_loops(t);
  correct_followers(t);
  if (parts_.atol > 0 || parts_.rtol > 0) find_doubts(t);
}

/// @pre all outputs are corrected
void LinearCorrection::find_doubts(double t) {
  for (Block& block : blocks_) {
    if (block.source == Block::Source::learning) continue;
    std::fill(block.doubts.begin(), block.doubts.end(), 0.0);
    for (std::size_t j = 0; j < block.inputs.size(); ++j) {
      const Feeder& input = block.inputs[j];
      const double missed = input.offset + input.factor * *input.value -
                            parts_.curves[block.component].seen(input.curve, t);
      for (std::size_t i = 0; i < block.row_count(); ++i) {
        const std::size_t k = i * block.inputs.size() + j;
        const Unknown& output = i < block.rows.size() ? unknowns_[block.rows[i]]
                                                      : block.followers[i - block.rows.size()];
        const double doubt = std::abs((block.jacobian[k] - block.before[k]) * missed) / 4;
        if (doubt > 0)
          block.doubts[j] = std::max(block.doubts[j],
                                     doubt / (parts_.atol + parts_.rtol * std::abs(output.read())));
      }
    }
  }
}

const double* LinearCorrection::doubt(std::size_t component, std::size_t curve) const {
  const double* found = nullptr;
  for (const Block& block : blocks_) {
    if (block.component != component) continue;
    // Followers that a directional derivative corrects have no D.
    if (block.source == Block::Source::learning || block.rows.empty()) return nullptr;
    for (std::size_t j = 0; j < block.inputs.size(); ++j)
      if (block.inputs[j].curve == curve) found = &block.doubts[j];
  }
  return found;
}

void LinearCorrection::solve_loops(double t) {
  if (!system_ || present_ != factorised_) {
    std::swap(factorised_, present_);
    system_ = factorise(0);
    refuse_free_loops(t);
    for (const int order : {1, 2}) of_derivatives_[order - 1] = factorise(order);
  }
  solve(t);
  // Each derivative of y depends on that of u as y on u, as long as D changes slowly: without this,
  // the second derivatives would grow with rho(D L) from step to step.
  for (const int order : {1, 2}) solve_derivatives(order, t);
}

/// @pre outputs that feed inputs are corrected
void LinearCorrection::correct_followers(double t) {
  for (const Block& block : blocks_) {
    if (block.followers.empty()) continue;
    values_.clear();  // the errors of the inputs
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

/// An output whose FMU provides no derivative of that order is no unknown of that order.
bool LinearCorrection::has_derivative(const Unknown& unknown, int order) const {
  return order == 0 ||
         (unknown.derivative && (order == 1 || parts_.derivatives[unknown.component].has_second()));
}

/// Empty: it equals that of order 0.
std::unique_ptr<solvers::LinearSystem> LinearCorrection::factorise(int order) const {
  const auto has_this = [&](const Unknown& unknown) { return has_derivative(unknown, order); };
  if (order > 0 && std::all_of(unknowns_.begin(), unknowns_.end(), has_this)) return {};
  std::vector<solvers::Entry> entries;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) entries.push_back({i, i, 1});
  for (const Block& block : blocks_)
    for (std::size_t i = 0; i < block.rows.size(); ++i)
      for (std::size_t j = 0; j < block.of_unknowns; ++j)
        if (const Feeder& input = block.inputs[j];
            input.unknown && block.at(i, j) != 0 && has_this(unknowns_[*input.unknown]))
          entries.push_back({block.rows[i], *input.unknown, -block.at(i, j) * input.factor});
  return std::make_unique<solvers::LinearSystem>(unknowns_.size(), entries);
}

void LinearCorrection::refuse_free_loops(double t) const {
  const auto free = system_->free_direction(precision_of_gains);
  if (free.empty()) return;
  throw Error(ErrorCode::numeric,
              fmt::format("linear correction: {} (I - D L is singular)",
                          describe_free_loop(free,
                                             [&](std::size_t i) {
                                               return fmt::format(
                                                   "{}.{}",
                                                   parts_.instances[unknowns_[i].component]->name(),
                                                   unknowns_[i].scalar->name);
                                             })),
              {.time = t, .hint = "Check the signs and factors of its connections."});
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
      throw Error(
          ErrorCode::numeric,
          fmt::format("linear correction: {}.{} is not finite (NaN or infinity)",
                      parts_.instances[unknowns_[i].component]->name(), unknowns_[i].scalar->name),
          {.component = parts_.instances[unknowns_[i].component]->name(),
           .variable = unknowns_[i].scalar->name,
           .time = t});
    unknowns_[i].set->write_real(*unknowns_[i].scalar, solution_[i]);
  }
}

void LinearCorrection::solve_derivatives(int order, double t) {
  right_.assign(unknowns_.size(), 0);
  bool any = false;
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (has_derivative(unknowns_[i], order)) {
      const OutputDerivatives& derivatives = parts_.derivatives[unknowns_[i].component];
      right_[i] = derivatives.of_order(order, *unknowns_[i].derivative);
      any = true;
    }
  if (!any) return;
  for (const Block& block : blocks_)
    for (std::size_t j = 0; j < block.of_unknowns; ++j) {
      const Feeder& input = block.inputs[j];
      const InputCurves& curves = parts_.curves[block.component];
      const double seen =
          order == 1 ? curves.seen_slope(input.curve, t) : curves.seen_curvature(input.curve);
      // A derivative that no FMU provides is that of the step.
      double known = 0;  // of an unknown
      if (!input.unknown || !has_derivative(unknowns_[*input.unknown], order)) {
        const bool is_given =
            input.derivatives != nullptr && (order == 1 || input.derivatives->has_second());
        const Derivatives shown =
            curves.shown(input.curve, input.factor * *input.value + input.offset, t);
        known = is_given     ? input.factor * input.derivatives->of_order(order, input.derivative)
                : order == 1 ? shown.first
                             : shown.second;
      }
      for (std::size_t i = 0; i < block.rows.size(); ++i)
        right_[block.rows[i]] += block.at(i, j) * (known - seen);
    }
  const auto& own = of_derivatives_[order - 1];
  (own ? own : system_)->solve(right_, solution_);
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (has_derivative(unknowns_[i], order))
      parts_.derivatives[unknowns_[i].component].correct(order, *unknowns_[i].derivative,
                                                         solution_[i]);
}

void LinearCorrection::keep(Memory& memory) {
  for (Block& block : blocks_)
    memory(block.jacobian, block.last, block.slopes, block.last_time, block.usual_slope);
}

void LinearCorrection::update(Block& block, double t, double h, bool may_step) {
  parts_.note(block.component);
  switch (block.source) {
    case Block::Source::derivatives:
      if (!block.rows.empty()) differentiate(block);
      return;
    case Block::Source::probing:
      if (may_step) probe(block, t, h);  // else the last estimate is used
      return;
    case Block::Source::learning:
      return learn(block, t);
  }
}

void LinearCorrection::read_outputs(const Block& block, std::vector<double>& into) const {
  for (const std::size_t row : block.rows) into.push_back(unknowns_[row].read());
  for (const Unknown& follower : block.followers) into.push_back(follower.read());
}

void LinearCorrection::differentiate(Block& block) {
  models::Instance& instance = *parts_.instances[block.component];
  column_.resize(block.outputs.size());
  const double seed = 1;
  for (std::size_t j = 0; j < block.inputs.size(); ++j) {
    instance.differentiate(block.outputs, {&block.inputs[j].variable, 1}, {&seed, 1}, column_);
    for (std::size_t i = 0; i < column_.size(); ++i) block.at(i, j) = column_[i];
  }
}

/// D from steps so short that the states do not move. FMI 2.0, 4.2.2 and FMI 3.0, 4.2.1 do not
/// allow reading outputs again after inputs were set, without a step.
void LinearCorrection::probe(Block& block, double t, double h) {
  models::Instance& instance = *parts_.instances[block.component];
  const InputCurves& curves = parts_.curves[block.component];
  const auto inputs = instance.continuous_inputs();
  const double tiny = std::max(part_of_step * h, 4 * time_resolution(t));
  if (t + tiny > *parts_.stop) return;  // the last estimate is used
  std::vector<double> seen(inputs.size());
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = curves.seen(i, t);
  instance.save(block.state);
  const auto outputs_with = [&](const Feeder* moved, double by) {
    std::copy(seen.begin(), seen.end(), inputs.begin());
    if (moved != nullptr) inputs[moved->curve] += by;
    if (instance.follows_curves()) instance.set_curves({}, {});
    const models::StepOutcome outcome = instance.step(t, tiny);
    std::vector<double> values;
    if (outcome.status != models::StepOutcome::Status::discarded) read_outputs(block, values);
    instance.restore(block.state);
    return values;
  };
  const std::vector<double> base = outputs_with(nullptr, 0);
  if (base.empty()) return;  // the last estimate is used
  for (std::size_t j = 0; j < block.inputs.size(); ++j) {
    const Feeder& input = block.inputs[j];
    const double by = increment * std::max(1.0, std::abs(seen[input.curve]));
    const std::vector<double> moved = outputs_with(&input, by);
    for (std::size_t i = 0; i < moved.size(); ++i) block.at(i, j) = (moved[i] - base[i]) / by;
  }
}

/// Broyden's update with the differences of the slopes of inputs and outputs between steps. Outputs
/// also follow the states; but states change steadily, while an unstable coupling makes inputs
/// oscillate or grow. While inputs are smooth, there is nothing to learn: their effect cannot be
/// separated from that of the states, and there is nothing to correct either.
void LinearCorrection::learn(Block& block, double t) {
  constexpr double forgetting = 0.9;  // of slopes, in a step
  const InputCurves& curves = parts_.curves[block.component];
  const std::size_t count = block.inputs.size();
  values_.clear();
  for (const Feeder& input : block.inputs) values_.push_back(curves.seen(input.curve, t));
  read_outputs(block, values_);
  if (!block.last.empty()) {
    column_.resize(values_.size());  // their slopes
    for (std::size_t i = 0; i < values_.size(); ++i)
      column_[i] = (values_[i] - block.last[i]) / (t - block.last_time);
    double size = 0;
    for (std::size_t j = 0; j < count; ++j) size = std::max(size, std::abs(column_[j]));
    block.usual_slope = std::max(size, forgetting * block.usual_slope);
    if (!block.slopes.empty()) {
      for (std::size_t i = 0; i < column_.size(); ++i)
        block.slopes[i] = column_[i] - block.slopes[i];
      take_secant(block, block.slopes);
    }
    block.slopes.assign(column_.begin(), column_.end());
  }
  block.last.assign(values_.begin(), values_.end());
  block.last_time = t;
}

void LinearCorrection::take_secant(Block& block, std::span<const double> change) {
  constexpr double rough = 0.5;  // a change of slope, over what slopes have been
  const std::size_t count = block.inputs.size();
  double length = 0, most = 0;
  for (const double slope : change.first(count)) {
    length += slope * slope;
    most = std::max(most, std::abs(slope));
  }
  if (!(most > rough * block.usual_slope)) return;
  for (std::size_t i = 0; i < block.row_count(); ++i) {
    double rest = change[count + i];
    for (std::size_t j = 0; j < count; ++j) rest -= block.at(i, j) * change[j];
    for (std::size_t j = 0; j < count; ++j) block.at(i, j) += rest * change[j] / length;
  }
}

}  // namespace tutti::master
