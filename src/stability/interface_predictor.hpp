// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "stability/coupled_system.hpp"

namespace tutti::stability {

/// Linear models of the components of a cycle. Its unknowns are the outputs y that feed inputs
/// inside the cycle; an input is u = factor y + offset. Offsets cancel in differences.
struct InterfaceModel {
  struct Input {
    std::size_t source = 0;  ///< index in y
    double factor = 1;
  };
  struct Part {
    Subsystem system;
    std::vector<Input> inputs;         ///< the columns of B and D
    std::vector<std::size_t> outputs;  ///< in y: the rows of C and D
    bool follows_lines = false;        ///< otherwise its inputs are constant over a step
    std::vector<double> slopes;        ///< x' at the start; empty: not known
    std::size_t outside = 0;           ///< columns after `inputs`, driven from outside the cycle
  };
  std::vector<Part> parts;
  std::size_t size = 0;        ///< of y
  double time = 0;             ///< at which the models were made
  std::uint64_t revision = 0;  ///< increases when `follows_lines` changes
};

/// Constant inputs can produce any increment of the states over a step: there are enough
/// independent ones.
bool constants_suffice(const Subsystem& system);

/// An input over a step: the line between these values of its source.
struct InputLine {
  double start = 0, end = 0;
};

/// An input driven from outside the cycle, over a step: its true line, and the values that the
/// component gets.
struct OutsideLine {
  InputLine real, shown;
};

/// Predicts one step of a cycle from linear models of its components. With v = x' the models are
///   v' = A v + B u' + E e',   y' = C v + D u' + F e' + b,   u' = L y'
/// where only differences to the last measured outputs appear: A, B, C, D need only be Jacobians,
/// and a system at rest is predicted exactly. The complete system has the matrix
///   A + B L (I - D L)^-1 C
/// whose exponential gives the outputs at the end of the step, and the increments of the states of
/// each component. The inputs are the lines (or constants) with that effect on the states: least
/// squares, next to the line between the values at the start and at the end. If lines can have this
/// effect, linear systems are solved exactly, even stiff ones. Outputs with direct feed-through are
/// corrected by the errors of the lines at the end. e are inputs from outside the cycle, lines
/// whose ends are known.
///
/// v and b, the slowly varying slope of the model error, are estimated by a Kalman filter from the
/// outputs of the components. No component steps twice.
class InterfacePredictor {
 public:
  explicit InterfacePredictor(const InterfaceModel& model);
  ~InterfacePredictor();
  InterfacePredictor(const InterfacePredictor&) = delete;
  InterfacePredictor& operator=(const InterfacePredictor&) = delete;

  /// The outputs after a step of h from their values `now`. False: the algebraic loop is singular,
  /// or the models overflow. `outside`: of all parts, concatenated.
  bool predict(std::span<const double> now, double h, std::span<double> next,
               std::span<const OutsideLine> outside = {});
  /// The lines of the inputs of all parts, concatenated. @pre predict()
  std::span<const InputLine> lines() const;
  /// The components took the step with these inputs and returned these outputs. @post y are
  /// consistent with the inputs that they drive: y + D (L y + o - u), where u are the ends of the
  /// lines
  void correct(std::span<double> y);
  /// Discards the history, after an event or a step without this predictor.
  void forget();

  void save(std::vector<double>& into) const;
  void restore(std::span<const double> from);

 private:
  struct Response;
  struct Part;
  struct Step;
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace tutti::stability
