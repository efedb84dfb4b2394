// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <cmath>

#include "models/built_in/models.hpp"

namespace tutti::models {
namespace {

class Pulse final : public BuiltInModel {
 public:
  explicit Pulse(const BuiltInTask& task) {
    const std::string& unit = task.settings.unit;
    output("y", y_, {.unit = unit, .description = "Pulses", .depends_on = no_inputs()});
    tunable("height", height_, "Height of a pulse", unit);
    tunable("period", period_, "Time from pulse to pulse", "s");
    tunable("width", width_, "Width of a pulse as a fraction of the period, between 0 and 1");
    tunable("offset", offset_, "Value between pulses", unit);
    tunable("start", start_, "Start of the first pulse", "s");
  }
  void check() const override {
    if (!(period_ > 0))
      refuse_parameter("period", fmt::format("period = {} must be positive", period_));
    if (!(width_ > 0 && width_ < 1))
      refuse_parameter("width", fmt::format("width = {} must be between 0 and 1", width_));
  }
  void evaluate(const Moment& now) override {
    y_ = now.passed >= start_ && now.passed < falls(pulse_at(now.passed)) ? offset_ + height_
                                                                          : offset_;
  }
  double next_jump(double t) const override {
    if (t < start_) return start_;
    const double pulse = pulse_at(t);
    return t < falls(pulse) ? falls(pulse) : rises(pulse + 1);
  }
  std::uint32_t derivative_order() const override { return 2; }

 private:
  double rises(double pulse) const { return start_ + pulse * period_; }
  double falls(double pulse) const { return start_ + (pulse + width_) * period_; }
  /// The number of the pulse that started last. Rounding must not contradict rises().
  double pulse_at(double t) const {
    double pulse = std::floor((t - start_) / period_);
    if (rises(pulse) > t) --pulse;
    if (rises(pulse + 1) <= t) ++pulse;
    return pulse;
  }

  double y_ = 0, height_ = 1, period_ = 1, width_ = 0.5, offset_ = 0, start_ = 0;
};

constexpr std::string_view pulse_settings[] = {"unit"};

}  // namespace

constinit const BuiltInEntry pulse_entry = {
    .name = "pulse",
    .summary = "Rectangular pulses",
    .equation =
        "y = offset + height in the first width * period of each period from start on, "
        "offset elsewhere",
    .settings = pulse_settings,
    .make = make_built_in<Pulse>};

}  // namespace tutti::models
