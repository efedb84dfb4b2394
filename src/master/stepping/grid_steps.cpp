// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>

#include "base/time_grid.hpp"
#include "master/stepping/controllers.hpp"

namespace tutti::master {
namespace {

using models::StepOutcome;
using Status = StepOutcome::Status;

constexpr int maximum_discards = 20;  // a step halved so often is a millionth of the first

/// Steps from point to point of a grid, as many as fit: errors are not tested, so only steps that a
/// component discards are repeated.
class GridSteps final : public StepController {
 public:
  explicit GridSteps(const TimeGrid& grid) : grid_(grid) { move_to(0); }

  ControlledStep advance(SteppedSystem& system, double t, double limit) override {
    partial_ = {t, 0};
    // An event so near to a point of the grid is at that point: no step of a rounding error's size.
    const double nearness = same_time(t, next_step());
    StepOutcome outcome{Status::done, t};
    // The start of a step does not depend on the number of steps per call, not even in the last
    // bit: from a time that is a grid point only within rounding, a single step leads to the next.
    if (on_grid_ && grid_.is_uniform() && next_point_ < limit - nearness &&
        t == grid_.uniform_point(point_)) {
      const std::uint64_t first = point_, last = grid_.first_point_from(limit - nearness) - 1;
      const double h = next_step();
      bool is_quiet = true;
      try {
        do {
          const std::uint64_t before = point_;
          outcome = system.take_steps(grid_, point_, last);
          if (outcome.is_plain() && point_ == before) {
            outcome = system.step(grid_.uniform_point(point_), h);
            if (outcome.is_plain()) ++point_;
          }
          is_quiet = system.is_quiet(grid_.uniform_point(point_));
        } while (outcome.is_plain() && is_quiet && point_ < last);
      } catch (...) {
        note_batch(first);
        throw;
      }
      note_batch(first);
      t = partial_.time;
      if (outcome.is_plain() && !is_quiet)
        return {{Status::done, t}, next_step(), 0, partial_.steps};
    }
    const bool reaches_point = next_point_ <= limit + nearness;
    const double target =
        are_near(next_point_, limit, nearness) ? limit : std::min(next_point_, limit);
    Rest rest{t, target, on_grid_ && reaches_point ? next_step() : target - t, target};
    if (outcome.is_plain()) outcome = system.step(t, rest.h);
    while (!is_there(system, outcome, rest)) outcome = system.step(rest.t, rest.h);
    // The result is constructed once, in the return statement: copies cost as much as a trivial
    // step.
    double reached = outcome.reached;
    if (are_near(reached, target, same_time(target, rest.h))) reached = target;
    if (reached < target) {
      on_grid_ &= reached == rest.t;
    } else {
      on_grid_ = reaches_point;
      if (reaches_point) move_to(point_ + 1);
    }
    return {{outcome.status, reached}, rest.h, 0, partial_.steps};
  }

  double next_step() const override { return grid_.step(std::min(point_, grid_.step_count() - 1)); }
  double next_point() const override { return next_point_; }
  double meant_point(double t) const override {
    for (const double point : {grid_.point(point_), next_point()})
      if (std::abs(t - point) <= same_time(t, next_step())) return point;
    return t;
  }
  std::optional<Partial> partial() const override { return partial_; }
  void keep(Memory& memory) override {
    memory(point_, on_grid_);
    move_to(point_);
  }

 private:
  void move_to(std::uint64_t point) {
    point_ = point;
    next_point_ = grid_.point(point + 1);
  }

  void note_batch(std::uint64_t first) {
    partial_ = {grid_.point(point_), point_ - first};
    move_to(point_);
  }

  /// The next step: to a point of the grid, or to a limit before it.
  struct Rest {
    double t, target, h, aim;
    int discards = 0;  ///< in a row at t
  };
  /// Whether the step reached the target, or ended otherwise than plainly. If not, it was
  /// discarded, and a shorter one follows.
  bool is_there(const SteppedSystem& system, StepOutcome& outcome, Rest& rest) {
    ++partial_.steps;
    const bool is_discarded = outcome.status == Status::discarded;
    if (!is_discarded && !outcome.is_plain()) return true;
    if (is_discarded && !system.can_vary_step()) refuse_discard(system, rest.t, rest.h);
    const double reached = is_discarded ? outcome.reached : rest.aim;
    if (are_near(reached, rest.target, same_time(rest.target, rest.h))) {
      outcome = {Status::done, rest.target};
      return true;
    }
    const bool stands = reached == rest.t;
    on_grid_ &= stands;
    partial_.time = reached;
    const int discards = stands ? rest.discards + 1 : is_discarded ? rest.discards : 0;
    if (discards > maximum_discards) refuse_discards(system, reached, discards, rest.h);
    const double aim = stands ? reached + rest.h / 2 : rest.target;
    rest = {reached, rest.target, aim - reached, aim, discards};
    return false;
  }

  [[noreturn]] static void refuse_discard(const SteppedSystem& system, double t, double h) {
    throw Error(ErrorCode::fmu,
                fmt::format("{} discarded a step of {:.13g} s, and cannot vary its step size",
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
  std::uint64_t point_ = 0;  ///< the grid point that was reached last
  double next_point_ = 0;    ///< time of the next grid point
  bool on_grid_ = true;      ///< the system is at a grid point
  Partial partial_;
};

}  // namespace

std::unique_ptr<StepController> make_grid_steps(const TimeGrid& grid) {
  return std::make_unique<GridSteps>(grid);
}

}  // namespace tutti::master
