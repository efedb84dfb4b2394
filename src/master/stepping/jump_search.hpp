// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <optional>

#include "master/memory.hpp"

namespace tutti::master {

/// Finds jumps and kinks in the couplings. A step that fails although a shorter one from the same
/// start has hardly any error has something in its rest that shorter steps do not make smooth: the
/// rest is halved until it is as short as a step may be, instead of being approached by steps that
/// grow and fail again. Behind it the step is what it was before.
class JumpSearch {
 public:
  /// `h`, or the part of it that is to be tried while something is searched for.
  double limited(double t, double h, double min) const;
  /// A step from t on did not converge.
  void not_converged(double t, double h) { failed(t, h, 0, false); }
  /// A step from t on had too large an error, which shrinks with this power of the step where
  /// everything is smooth.
  void too_wrong(double t, double h, double error, double power = 2) {
    power_ = power;
    failed(t, h, error, true);
  }
  /// A step from t on was accepted, `forced` if only because it was the shortest.
  /// Answers the step that was usual before, if what was searched for is passed.
  std::optional<double> accepted(double t, double h, double error, bool forced);
  /// Something is known to be ahead, not only suspected.
  bool is_certain() const { return state_ == State::certain; }

  void keep(Memory& memory) {
    memory(state_, end_, size_, error_, power_, usual_, accepted_, last_found_);
  }

 private:
  /// After an error that was too large the next accepted step decides; after a step that did not
  /// converge, one that ends at the same time and is not longer than the accepted one.
  enum class State { idle, wrong, unconverged, certain };
  static constexpr double nowhere = std::numeric_limits<double>::infinity();

  void failed(double t, double h, double error, bool by_error);

  State state_ = State::idle;
  double end_ = nowhere;         // it is before this time
  double size_ = 0, error_ = 0;  // of the step that failed
  double power_ = 2;
  double usual_ = 0;     // step before the search
  double accepted_ = 0;  // last step that was accepted
  double last_found_ = -nowhere;
};

}  // namespace tutti::master
