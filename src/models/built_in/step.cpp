// SPDX-License-Identifier: BSD-2-Clause
#include "models/built_in/models.hpp"

namespace tutti::models {
namespace {

class Step final : public BuiltInModel {
 public:
  explicit Step(const BuiltInTask& task) {
    const std::string& unit = task.settings.unit;
    output("y", y_, {.unit = unit, .description = "Step", .depends_on = no_inputs()});
    tunable("height", height_, "Height of the jump", unit);
    tunable("offset", offset_, "Value before the jump", unit);
    tunable("start", start_, "Time of the jump", "s");
  }
  void evaluate(const Moment& now) override {
    y_ = now.passed < start_ ? offset_ : offset_ + height_;
  }
  double next_jump(double t) const override {
    return start_ > t ? start_ : BuiltInModel::next_jump(t);
  }
  std::uint32_t derivative_order() const override { return 2; }

 private:
  double y_ = 0, height_ = 1, offset_ = 0, start_ = 0;
};

constexpr std::string_view step_settings[] = {"unit"};

}  // namespace

constinit const BuiltInEntry step_entry = {
    .name = "step",
    .summary = "One jump",
    .equation = "y = offset before start, offset + height from there on",
    .settings = step_settings,
    .make = make_built_in<Step>};

}  // namespace tutti::models
