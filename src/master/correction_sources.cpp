// SPDX-License-Identifier: BSD-2-Clause
// How outputs depend on inputs: told by the FMU, probed, or learnt.
#include <algorithm>
#include <cmath>

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
      return differentiate(block);
    case Block::Source::probing:
      if (may_step) probe(block, t, h);  // else what was known before must do
      return;
    case Block::Source::learning:
      return learn(block, t);
  }
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
  const double tiny = part_of_step * h;
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
    if (outcome.status != models::StepOutcome::Status::discarded)
      for (const std::size_t row : block.rows) values.push_back(unknowns_[row].read());
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
  constexpr double rough = 0.5;       // a change of slope, over what slopes have been
  constexpr double forgetting = 0.9;  // of these, in a step
  const InputCurves& curves = parts_.curves[block.component];
  const std::size_t count = block.inputs.size();
  std::vector<double> values;
  for (const Feeder& input : block.inputs) values.push_back(curves.seen(input.curve, t));
  for (const std::size_t row : block.rows) values.push_back(unknowns_[row].read());
  if (!block.last.empty()) {
    std::vector<double> slopes(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      slopes[i] = (values[i] - block.last[i]) / (t - block.last_time);
    double size = 0;
    for (std::size_t j = 0; j < count; ++j) size = std::max(size, std::abs(slopes[j]));
    block.usual_slope = std::max(size, forgetting * block.usual_slope);
    if (!block.slopes.empty()) {
      std::vector<double> change(values.size());
      double length = 0, most = 0;
      for (std::size_t i = 0; i < values.size(); ++i) change[i] = slopes[i] - block.slopes[i];
      for (std::size_t j = 0; j < count; ++j) {
        length += change[j] * change[j];
        most = std::max(most, std::abs(change[j]));
      }
      if (most > rough * block.usual_slope)
        for (std::size_t i = 0; i < block.rows.size(); ++i) {
          double rest = change[count + i];
          for (std::size_t j = 0; j < count; ++j) rest -= block.at(i, j) * change[j];
          for (std::size_t j = 0; j < count; ++j) block.at(i, j) += rest * change[j] / length;
        }
    }
    block.slopes = std::move(slopes);
  }
  block.last = std::move(values);
  block.last_time = t;
}

}  // namespace tutti::master
