// SPDX-License-Identifier: BSD-2-Clause
// How outputs depend on inputs: told by the FMU, probed, or learnt.
#include <algorithm>
#include <cmath>

#include "base/time_grid.hpp"
#include "master/correction_block.hpp"

namespace tutti::master {
namespace {

// How much of a step is taken to see what an input does: enough to be one, and no more.
constexpr double part_of_step = 1e-6;
// Of a difference quotient: the root of the rounding error.
constexpr double increment = 1.5e-8;

}  // namespace

void LinearCorrection::update(Block& block, double t, double h, bool may_step) {
  parts_.note(block.component);
  switch (block.source) {
    case Block::Source::derivatives:
      if (!block.rows.empty()) differentiate(block);
      return;
    case Block::Source::probing:
      if (may_step) probe(block, t, h);  // else what was known before must do
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
/// allow to read outputs again after inputs were set, without a step.
void LinearCorrection::probe(Block& block, double t, double h) {
  models::Instance& instance = *parts_.instances[block.component];
  const InputCurves& curves = parts_.curves[block.component];
  const auto inputs = instance.continuous_inputs();
  const double tiny = std::max(part_of_step * h, 4 * time_resolution(t));
  if (t + tiny > *parts_.stop) return;  // what was known before must do
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
  if (base.empty()) return;  // what was known before must do
  for (std::size_t j = 0; j < block.inputs.size(); ++j) {
    const Feeder& input = block.inputs[j];
    const double by = increment * std::max(1.0, std::abs(seen[input.curve]));
    const std::vector<double> moved = outputs_with(&input, by);
    for (std::size_t i = 0; i < moved.size(); ++i) block.at(i, j) = (moved[i] - base[i]) / by;
  }
}

/// Broyden's update with how the changes of inputs and outputs change from step to step. Those of
/// the outputs also come from the states; but states move on steadily, and what an unstable
/// coupling does to inputs goes back and forth, or grows. While inputs are smooth, there is nothing
/// to learn: their changes cannot be told from those of the states, and there is nothing to correct
/// either.
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
