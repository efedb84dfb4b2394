// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <numbers>

#include "models/built_in/models.hpp"

namespace tutti::models {
namespace {

class Sine final : public BuiltInModel {
 public:
  explicit Sine(const BuiltInTask& task) {
    const std::string& unit = task.settings.unit;
    output("y", y_, {.unit = unit, .description = "Sine wave", .depends_on = no_inputs()});
    tunable("amplitude", amplitude_, "Amplitude", unit);
    tunable("frequency", frequency_, "Frequency", "Hz");
    tunable("phase", phase_, "Phase at time 0", "rad");
    tunable("offset", offset_, "Mean value", unit);
  }
  void evaluate(const Moment& now) override {
    y_ = offset_ + amplitude_ * std::sin(omega() * now.t + phase_);
  }
  std::uint32_t derivative_order() const override { return 2; }
  double derivative(std::size_t /*output*/, std::uint32_t order, const Moment& now) const override {
    const double angle = omega() * now.t + phase_;
    if (order == 1) return amplitude_ * omega() * std::cos(angle);
    return -amplitude_ * omega() * omega() * std::sin(angle);
  }

 private:
  double omega() const { return 2 * std::numbers::pi * frequency_; }

  double y_ = 0, amplitude_ = 1, frequency_ = 1, phase_ = 0, offset_ = 0;
};

constexpr std::string_view sine_settings[] = {"unit"};

}  // namespace

constinit const BuiltInEntry sine_entry = {
    .name = "sine",
    .summary = "A sine wave",
    .equation = "y = offset + amplitude sin(2 pi frequency time + phase)",
    .settings = sine_settings,
    .make = make_built_in<Sine>};

}  // namespace tutti::models
