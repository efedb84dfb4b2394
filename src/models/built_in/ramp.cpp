// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "models/built_in/models.hpp"

namespace tutti::models {
namespace {

class Ramp final : public BuiltInModel {
 public:
  explicit Ramp(const BuiltInTask& task) {
    const std::string& unit = task.settings.unit;
    output("y", y_, {.unit = unit, .description = "Ramp", .depends_on = no_inputs()});
    tunable("height", height_, "Change from start to end", unit);
    tunable("duration", duration_, "Time from start to end", "s");
    tunable("offset", offset_, "Value before the ramp", unit);
    tunable("start", start_, "Start of the ramp", "s");
  }
  void check() const override {
    if (!(duration_ > 0))
      refuse_parameter(
          "duration",
          fmt::format("duration = {} must be positive; for a jump use type \"step\"", duration_));
  }
  void evaluate(const Moment& now) override {
    y_ = offset_ + height_ * std::clamp((now.t - start_) / duration_, 0.0, 1.0);
  }
  std::uint32_t derivative_order() const override { return 2; }
  double derivative(std::size_t /*output*/, std::uint32_t order, const Moment& now) const override {
    const bool rises = now.t >= start_ && now.t < start_ + duration_;
    return order == 1 && rises ? height_ / duration_ : 0;
  }

 private:
  double y_ = 0, height_ = 1, duration_ = 1, offset_ = 0, start_ = 0;
};

constexpr std::string_view ramp_settings[] = {"unit"};

}  // namespace

constinit const BuiltInEntry ramp_entry = {
    .name = "ramp",
    .summary = "A straight line from one value to another",
    .equation = "y = offset + height (time - start) / duration, between offset and offset + height",
    .settings = ramp_settings,
    .make = make_built_in<Ramp>};

}  // namespace tutti::models
