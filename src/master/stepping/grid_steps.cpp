// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>
#include <utility>

#include "base/time_resolution.hpp"
#include "master/stepping/controllers.hpp"

namespace tutti::master {
namespace {

using models::StepOutcome;
using Status = StepOutcome::Status;

constexpr int maximum_discards = 20;  // a step halved so often is a millionth of the first

/// Steps from point to point of a grid, as many as fit: nothing is tested, so nothing is repeated
/// but what a component discards.
class GridSteps final : public StepController {
 public:
  explicit GridSteps(const TimeGrid& grid) : grid_(grid) { move_to(0); }

  ControlledStep advance(SteppedSystem& system, double t, double limit) override {
    partial_ = {t, 0};
    // An event so near to a point of the grid is at that point: no step of a rounding error's size.
    const double nearness = same_time(t, next_step());
    if (on_grid_ && grid_.is_uniform() && next_point() < limit - nearness) {
      const std::uint64_t end = grid_.first_point_from(limit - nearness);
      if (point_ + 1 < end) {
        const StepOutcome outcome = take_whole_steps(system, end - 1);
        t = partial_.time;
        if (!outcome.is_plain()) return step_to(system, t, limit, nearness, &outcome);
        if (point_ + 1 < end) return {{Status::done, t}, next_step(), 0, partial_.steps};
      }
    }
    return step_to(system, t, limit, nearness);
  }

  double next_step() const override { return grid_.step(std::min(point_, grid_.step_count() - 1)); }
  double next_point() const override { return next_point_; }
  double meant_point(double t) const override {
    for (const double point : {grid_.point(point_), next_point()})
      if (std::abs(t - point) <= same_time(t, next_step())) return point;
    return t;
  }
  std::optional<Partial> partial() const override { return partial_; }
  void save(Memory& into) const override {
    into = {static_cast<double>(point_), on_grid_ ? 1.0 : 0.0};
  }
  void restore(const Memory& from) override {
    move_to(static_cast<std::uint64_t>(from[0]));
    on_grid_ = from[1] != 0;
  }

 private:
  void move_to(std::uint64_t point) {
    point_ = point;
    next_point_ = grid_.point(point + 1);
  }

  /// A batch, up to this point of the grid.
  StepOutcome take_whole_steps(SteppedSystem& system, std::uint64_t last) {
    const std::uint64_t first = point_;
    const auto note = [&] {
      partial_ = {grid_.point(point_), point_ - first};
      move_to(point_);
    };
    try {
      const StepOutcome outcome = system.take_steps(grid_, point_, last);
      note();
      return outcome;
    } catch (...) {
      note();
      throw;
    }
  }

  /// To the limit, or the next point of the grid, if that comes before. A step that is discarded is
  /// followed by a shorter one. `first`: the outcome of the first step, if it was taken already.
  ControlledStep step_to(SteppedSystem& system, double t, double limit, double nearness,
                         const StepOutcome* first = nullptr) {
    const double point = next_point();
    const bool reaches_point = point <= limit + nearness;
    const double target = are_near(point, limit, nearness) ? limit : std::min(point, limit);
    double h = on_grid_ && reaches_point ? next_step() : target - t;
    double aim = target;
    for (int discards = 0;;) {
      const StepOutcome outcome =
          first != nullptr ? *std::exchange(first, nullptr) : system.step(t, h);
      ++partial_.steps;
      const bool is_discarded = outcome.status == Status::discarded;
      if (!is_discarded && !outcome.is_plain()) return ended(outcome, t, h, target, reaches_point);
      if (is_discarded && !system.can_vary_step()) refuse_discard(system, t, h);
      const double before = t;
      t = is_discarded ? outcome.reached : aim;
      if (are_near(t, target, same_time(target, h))) t = target;
      if (t == target) return ended({Status::done, target}, before, h, target, reaches_point);
      on_grid_ &= t == before;
      partial_.time = t;
      if (!is_discarded) discards = 0;
      aim = target;
      if (t == before) {
        if (++discards > maximum_discards) refuse_discards(system, t, discards, h);
        aim = t + h / 2;
      }
      h = aim - t;
    }
  }

  /// A step from t that was meant to lead to the target. The answer is written once, where it is
  /// returned: copies of it cost as much as a trivial step.
  ControlledStep ended(StepOutcome outcome, double t, double h, double target, bool reaches_point) {
    double reached = outcome.reached;
    if (are_near(reached, target, same_time(target, h))) reached = target;
    if (reached < target) {
      on_grid_ &= reached == t;
    } else {
      on_grid_ = reaches_point;
      if (reaches_point) move_to(point_ + 1);
    }
    return {{outcome.status, reached}, h, 0, partial_.steps};
  }

  [[noreturn]] static void refuse_discard(const SteppedSystem& system, double t, double h) {
    throw Error(ErrorCode::fmu,
                fmt::format("{} discarded a step of {:.13g} s, and it cannot take steps of another "
                            "size",
                            system.name(), h),
                {.time = t, .key = "simulation.step", .hint = "Try another %key%."});
  }
  [[noreturn]] static void refuse_discards(const SteppedSystem& system, double t, int count,
                                           double h) {
    throw Error(ErrorCode::fmu,
                fmt::format("{} discards every step, {} in a row, the last of {:.3g} s",
                            system.name(), count, h),
                {.time = t});
  }

  TimeGrid grid_;
  std::uint64_t point_ = 0;  ///< of the grid that was reached last
  double next_point_ = 0;    ///< after it
  bool on_grid_ = true;      ///< the system is there
  Partial partial_;
};

}  // namespace

std::unique_ptr<StepController> make_grid_steps(const TimeGrid& grid) {
  return std::make_unique<GridSteps>(grid);
}

}  // namespace tutti::master
