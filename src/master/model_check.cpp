// SPDX-License-Identifier: BSD-2-Clause
#include "master/model_check.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::master {

ModelCheck::ModelCheck(const stability::CoupledSystem& parts, std::vector<const double*> outputs,
                       double span)
    : outputs_(std::move(outputs)),
      range_(outputs_.size()),
      off_(outputs_.size()),
      inputs_(parts.inputs()),
      models_(parts, span) {
  for (const double* value : outputs_) start_.push_back(value == nullptr ? 0 : *value);
  before_ = start_;
}

void ModelCheck::step(double h, std::span<const double> mean, std::span<const double> at_start,
                      std::span<const double> at_end) {
  const double part = models_.left_after(h) / h;  // of the step: the models are not yet there
  for (std::size_t j = 0; j < inputs_.size(); ++j)
    inputs_[j] = at_end[j] - part * (at_end[j] - at_start[j]);
  models_.step(h, mean, inputs_);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i] == nullptr) continue;
    const double now = *outputs_[i];
    const double change = now - part * (now - before_[i]) - start_[i];
    before_[i] = now;
    if (part >= 1) continue;
    range_[i] = std::max(range_[i], std::abs(change));
    const double off = std::abs(models_.present()[i] - change);
    if (off > off_[i] || std::isnan(off)) off_[i] = off;  // and a NaN stays
  }
}

bool ModelCheck::fits(std::size_t output) const {
  constexpr double near = 0.1, rounding = 1e-6;
  return off_[output] <= near * range_[output] + rounding * std::abs(start_[output]);
}

}  // namespace tutti::master
