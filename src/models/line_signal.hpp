// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <vector>

#include "models/input_signal.hpp"

namespace tutti::models {

/// Continuous inputs as straight lines from a point in time on.
class LineSignal final : public InputSignal {
 public:
  void begin(double t, std::span<const double> values, std::span<const double> slopes) {
    start_ = t;
    values_.assign(values.begin(), values.end());
    slopes_.assign(slopes.begin(), slopes.end());
  }
  void write(double t, ValueSet& inputs) override {
    const std::span<double> now = inputs.continuous_doubles();
    for (std::size_t i = 0; i < now.size(); ++i) now[i] = values_[i] + (t - start_) * slopes_[i];
  }
  void write_before(double t, ValueSet& inputs) override { write(t, inputs); }
  double next_jump(double /*t*/) const override { return std::numeric_limits<double>::infinity(); }

 private:
  double start_ = 0;
  std::vector<double> values_, slopes_;
};

}  // namespace tutti::models
