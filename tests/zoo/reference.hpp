// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "zoo/collocation.hpp"
#include "zoo/system.hpp"

namespace zoo {

/// The solution of a system as a whole: all states in one vector, loops solved by Newton's method,
/// events located, steps of order 9 that are halved until they agree. Between steps polynomials.
class Reference {
 public:
  /// `tolerance` is that of a step; the solution is better than ten times it.
  explicit Reference(const System& system, double tolerance = 1e-11);

  /// Outputs of all parts, as "part.variable".
  const std::vector<std::string>& names() const { return names_; }
  /// The largest absolute value of an output.
  double largest(std::size_t output) const { return largest_[output]; }
  /// How far `value` is from the output at the nearest time within `shift` of t.
  double distance(std::size_t output, double t, double shift, double value) const;
  double at(std::size_t output, double t) const;
  std::size_t steps() const { return steps_.size(); }

 private:
  friend class Solver;
  /// Values of all outputs at the start and at the stages.
  struct Step {
    double t, h;
    std::vector<double> values;  ///< of output k at node i: [k * nodes + i]
  };
  static constexpr std::size_t nodes = stages + 1;
  std::size_t step_at(double t) const;
  double value(const Step& step, std::size_t output, double t) const;

  std::vector<std::string> names_;
  std::vector<Step> steps_;
  std::vector<double> largest_;
  double rounding_ = 0;  ///< of times: nearer than this to a jump, both sides are right
};

}  // namespace zoo
