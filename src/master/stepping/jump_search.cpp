// SPDX-License-Identifier: BSD-2-Clause
#include "master/stepping/jump_search.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::master {
namespace {

constexpr double rounding = 1e-9;
/// A tenth of what the power of the step suggests is not smooth.
constexpr double unexplained = 0.1;

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
  // A failure without an error tells nothing of how it shrinks.
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
  // Where one follows upon the other, the step grows as usual: it would only fail again.
  const bool is_first = reached - last_found_ > usual_;
  if (found) last_found_ = reached;
  return found && is_first ? std::optional(usual_) : std::nullopt;
}

}  // namespace tutti::master
