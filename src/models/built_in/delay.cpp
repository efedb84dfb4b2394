// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "base/time_grid.hpp"
#include "models/built_in/models.hpp"

namespace tutti::models {
namespace {

/// Samples of the input at communication points, with linear interpolation. Two samples at one time
/// are a jump.
class Delay final : public BuiltInModel {
 public:
  explicit Delay(const BuiltInTask& task) {
    const std::string& unit = task.settings.unit;
    input("u", u_, {.unit = unit, .description = "Input"});
    output("y", y_, {.unit = unit, .description = "Delayed input", .depends_on = no_inputs()});
    parameter("delay", delay_, {.unit = "s", .description = "Delay"});
  }
  void check() const override {
    if (!(delay_ > 0))
      refuse_parameter("delay", fmt::format("delay = {} must be positive. Set it with set = {{ "
                                            "delay = 0.1 }}",
                                            delay_));
  }
  void start(double t) override { samples_ = {t, u_}; }
  void remember(double t) override {
    const std::size_t last = count() - 1;
    // An event may differ from the end of the step before it by rounding.
    const bool is_later = time(last) < t - 4 * time_resolution(t);
    if (!is_later && value(last) == u_) return;
    // At the start there is no value before a jump, and a jump has only two sides.
    const bool replaces = !is_later && (last == 0 || time(last - 1) == time(last));
    if (replaces)
      samples_.back() = u_;
    else
      samples_.insert(samples_.end(), {is_later ? t : time(last), u_});
  }
  void evaluate(const Moment& now) override {
    const std::size_t passed = passed_at(now.passed);
    if (passed == 0) {
      y_ = value(0);
    } else if (passed == count()) {
      y_ = value(passed - 1);
    } else {
      const double from = time(passed - 1), to = time(passed);
      const double part = std::clamp((now.t - delay_ - from) / (to - from), 0.0, 1.0);
      y_ = value(passed - 1) + part * (value(passed) - value(passed - 1));
    }
    forget(passed);
  }
  double next_jump(double t) const override {
    for (std::size_t i = 1; i < count(); ++i)
      if (time(i) == time(i - 1) && time(i) + delay_ > t) return time(i) + delay_;
    return BuiltInModel::next_jump(t);
  }
  std::vector<double>* memory() override { return &samples_; }

 private:
  std::size_t count() const { return samples_.size() / 2; }
  double time(std::size_t i) const { return samples_[2 * i]; }
  double value(std::size_t i) const { return samples_[2 * i + 1]; }
  /// The number of samples, from the first one, that have reached the output.
  std::size_t passed_at(double t) const {
    std::size_t low = 0, high = count();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (time(middle) + delay_ <= t)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  /// Removes samples that are no longer needed, many at a time.
  void forget(std::size_t passed) {
    if (passed < 2 || passed - 1 < count() / 2) return;
    samples_.erase(samples_.begin(),
                   samples_.begin() + static_cast<std::ptrdiff_t>(2 * (passed - 1)));
  }

  double u_ = 0, y_ = 0, delay_ = 0;
  std::vector<double> samples_ = {0, 0};  ///< time, value, time, value, ...
};

constexpr std::string_view delay_settings[] = {"unit"};

}  // namespace

constinit const BuiltInEntry delay_entry = {
    .name = "delay",
    .summary = "A signal that arrives later",
    .equation = "y(time) = u(time - delay), and u at the start until the delay has passed",
    .settings = delay_settings,
    .make = make_built_in<Delay>};

}  // namespace tutti::models
