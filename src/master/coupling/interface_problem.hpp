// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "stability/interface_predictor.hpp"

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

/// A cycle as a coupling method sees it: the real coupling variables as one vector x, whose values
/// at t + h must solve x = S(x), where S(x) are the outputs of the components with inputs from x.
/// Values of other types are updated with them; a method only learns whether they changed.
class InterfaceProblem {
 public:
  virtual ~InterfaceProblem() = default;
  virtual std::size_t size() const = 0;
  virtual double step_size() const = 0;  ///< h

  /// All components from t to t + h, each with inputs from x: result = S(x). The first pass of a
  /// step starts from the present state; every later pass first rolls back to t.
  virtual Pass evaluate(std::span<const double> x, std::span<double> result) = 0;
  /// The same one component after the other, each with the new outputs of those before it; x gets
  /// the new values.
  virtual Pass sweep(std::span<double> x) = 0;
  /// The present x(t), and t.
  virtual void read(std::span<double> /*x*/) const {}
  virtual double time() const { return 0; }
  /// Linear models of the components, by parts in calling sequence; null: no models.
  virtual const stability::InterfaceModel* model() { return nullptr; }
  /// Of the present step: the inputs of its parts from outside the cycle.
  virtual std::span<const stability::OutsideLine> outside() { return {}; }
  /// evaluate() with the inputs of the components along these lines, as in the model.
  virtual Pass evaluate_along(std::span<const stability::InputLine> /*lines*/,
                              std::span<const double> x, std::span<double> result) {
    return evaluate(x, result);
  }
  /// Sets the outputs to x. Until the next step nothing else is known of them.
  virtual void write(std::span<const double> /*x*/) {}

  /// Values that are not real are the same as after the previous pass.
  virtual bool others_settled() const = 0;

  /// J = dS/dx at x, by differences of repeated steps. @pre result = S(x)
  /// Calls store(row, column, value) for each entry that can be nonzero.
  using Store = std::function<void(std::size_t row, std::size_t column, double value)>;
  virtual void sensitivities(std::span<const double> x, std::span<const double> result,
                             const Store& store) = 0;

  /// The norm of a change relative to the tolerance; at most 1: converged.
  virtual double change(std::span<const double> before, std::span<const double> after) const = 0;
  /// The largest change of one unknown near this value that is within the tolerance.
  virtual double tolerance(std::size_t unknown, double value) const = 0;
};

}  // namespace tutti::master
