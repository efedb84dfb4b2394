// SPDX-License-Identifier: BSD-2-Clause
#include "master/stepping/attempts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>

#include "master/stepping/controllers.hpp"

namespace tutti::master {
namespace {

constexpr double rounding = 1e-9;
/// A tenth of what the power of the step suggests is not smooth.
constexpr double unexplained = 0.1;

constexpr int maximum_cuts = 20;    // of one step, before it is made much shorter
constexpr double small_rest = 0.1;  // of a step

}  // namespace

double JumpSearch::limited(double t, double h, double min) const {
  const double rest = end_ - t;
  if (state_ != State::certain && state_ != State::unconverged) return h;
  // The error of a step over a kink shrinks with its size, and may be small enough for the rest.
  const bool is_passable = state_ == State::unconverged || error_ * rest <= size_;
  return std::min(h, std::max(min, is_passable ? rest : rest / 2));
}

void JumpSearch::failed(double t, double h, double error, bool by_error) {
  if (state_ == State::idle) {
    usual_ = h;
    state_ = by_error ? State::wrong : State::unconverged;
  } else if (state_ == State::unconverged && h <= accepted_ * (1 + rounding)) {
    state_ = State::certain;
  }
  end_ = t + h;
  size_ = h;
  // A failure without an error does not show how the error shrinks.
  error_ = by_error ? error : nowhere;
}

std::optional<double> JumpSearch::accepted(double t, double h, double error, bool forced) {
  accepted_ = h;
  if (state_ == State::idle) return std::nullopt;
  if (state_ == State::wrong) {
    const double smooth = error_ * std::pow(h / size_, power_);
    state_ = forced || error < unexplained * smooth ? State::certain : State::idle;
  }
  const double reached = t + h;
  if (!forced && reached < end_ - rounding * h) return std::nullopt;
  const bool found = state_ == State::certain;
  state_ = State::idle;
  end_ = nowhere;
  // After consecutive jumps the step grows as usual: the earlier size would only fail again.
  const bool is_first = reached - last_found_ > usual_;
  if (found) last_found_ = reached;
  return found && is_first ? std::optional(usual_) : std::nullopt;
}

bool imitates_mastersim(ControlVariant variant) {
  return variant == ControlVariant::mastersim || variant == ControlVariant::mastersim_2018;
}

Attempts::Attempts(const ControlSettings& settings, double h, bool searches)
    : next(h),
      searches_(searches),
      imitates_mastersim_(imitates_mastersim(settings.variant)),
      shares_rest_(settings.variant == ControlVariant::tutti),
      tests_inputs_(step_control_of(settings).tests_errors && !imitates_mastersim_ &&
                    settings.variant != ControlVariant::pyfmi),
      min_(settings.min.value()),
      shrink_(settings.shrink.value_or(searches ? half : 0.2)) {}

double Attempts::choose(SteppedSystem& system, double t, double limit) const {
  if (tests_inputs_) {
    const double end = std::min(limit, t + next * (1 + small_rest));
    const double straight = system.coupled_inputs().limit(t, end, min_);
    if (straight < end) limit = straight;
  }
  const double rest = limit - t;
  if (next * (1 + 1e-9) >= rest) return rest;
  return shares_rest_ && next * (1 + small_rest) >= rest ? rest / 2 : next;
}

SteppedSystem::Attempt Attempts::try_step(SteppedSystem& system, double t, double h,
                                          const Checkpoint* given, const Checkpoint& states,
                                          double excess) {
  try {
    return system.attempt(t, h, given, excess);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::numeric) throw;
    system.restore(states);
    throw StepFailed(error);
  }
}

models::StepOutcome Attempts::succeed(SteppedSystem& system, double t, double& h,
                                      const Checkpoint& states, ControlCounts& counts,
                                      double excess) {
  using Failure = SteppedSystem::Attempt::Failure;
  const std::uint64_t before = counts.convergence_failures;
  for (int cuts = 0;; excess = 0) {
    const SteppedSystem::Attempt attempt = try_step(system, t, h, &states, states, excess);
    if (attempt.failure == Failure::none) {
      if (searches_ && counts.convergence_failures > before) search.not_converged(t, h / half);
      return attempt.outcome;
    }
    system.restore(states);
    if (attempt.failure == Failure::cut && attempt.cut > t && ++cuts <= maximum_cuts) {
      h = std::min(h, attempt.cut - t);
      continue;
    }
    if (attempt.ends_run) return {models::StepOutcome::Status::terminated, t};
    ++counts.convergence_failures;
    // MASTERSIM does not reduce the step to the minimum, only to five times the minimum.
    const double shorter = h * shrink_;
    if (imitates_mastersim_ ? shorter < min_ : h <= min_) give_up(t, h);
    h = imitates_mastersim_ ? shorter : std::max(min_, shorter);
  }
}

bool Attempts::is_to_be_halved(double t, double h, double error, double factor, double power) {
  if (!searches_ || (factor >= half && !search.is_certain())) return false;
  search.too_wrong(t, h, error, power);
  return true;
}

void Attempts::accepted(double t, double h, double error, bool forced) {
  if (!searches_) return;
  if (const auto usual = search.accepted(t, h, error, forced)) next = std::max(next, *usual);
}

void Attempts::give_up(double t, double h) const {
  throw StepFailed(
      fmt::format("a step of {:.13g} s fails, and the next shorter one would be below the minimum, "
                  "{:.13g} s",
                  h, min_),
      {.time = t,
       .key = "simulation.control.min",
       .hint = "Try another method (newton), a smaller %key%, or a larger control.fall-back, below "
               "which cycles do not iterate."});
}

void Attempts::refuse_error(double t, double h, double error, bool is_jump) {
  const std::string what = std::isfinite(error)
                               ? fmt::format("is {:.3g} times the tolerance", error)
                               : "is not known: coupled values are not finite (NaN or infinity)";
  if (is_jump)
    throw StepFailed(fmt::format("the error of a step of {:.13g} s, the minimum, {}, as that of "
                                 "longer ones: a coupled value jumps there",
                                 h, what),
                     {.time = t,
                      .key = "simulation.control.at-min",
                      .hint = "Try control.at-min = \"continue\"."});
  throw StepFailed(
      fmt::format("the error of a step of {:.13g} s, the minimum, {}", h, what),
      {.time = t,
       .key = "simulation.control.min",
       .hint = "Try a smaller %key%, a larger control.atol and rtol, or control.at-min = "
               "\"continue\"."});
}

}  // namespace tutti::master
