// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace tutti::master {

/// How a pass through the components of a cycle over [t, t + h] ended.
struct Pass {
  enum class Status {
    done,       ///< all components are at t + h
    cut,        ///< one of them ended its step at `reached`
    terminated  ///< one of them asks to end the run there
  };
  Status status = Status::done;
  double reached = 0;
};

/// What a coupling method sees of a cycle: the real coupling variables as one vector x, whose
/// values at t + h are to solve x = S(x), where S(x) are the outputs that the components give when
/// their inputs are taken from x. Values of other types follow along; of them a method only learns
/// whether they changed.
class InterfaceProblem {
 public:
  virtual ~InterfaceProblem() = default;
  virtual std::size_t size() const = 0;

  /// All components from t to t + h, each with inputs from x: result = S(x). The first pass of a
  /// step starts where the components are; every later one goes back to t before.
  virtual Pass evaluate(std::span<const double> x, std::span<double> result) = 0;
  /// The same one component after the other, each with what those before it gave; x takes the new
  /// values.
  virtual Pass sweep(std::span<double> x) = 0;
  /// Values that are not real are the same as after the pass before.
  virtual bool others_settled() const = 0;

  /// J = dS/dx at x, by differences of steps that are repeated. @pre result = S(x)
  /// Calls store(row, column, value) for what can differ from zero.
  using Store = std::function<void(std::size_t row, std::size_t column, double value)>;
  virtual void sensitivities(std::span<const double> x, std::span<const double> result,
                             const Store& store) = 0;

  /// The size of a change against the tolerance; at most 1: converged.
  virtual double change(std::span<const double> before, std::span<const double> after) const = 0;
};

}  // namespace tutti::master
