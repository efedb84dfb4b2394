// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "stability/coupled_system.hpp"

namespace tutti::stability {

/// Linear models of the components of a cycle. Its unknowns are the outputs y that feed inputs
/// inside the cycle; an input is u = factor y + offset. Offsets play no part in differences.
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
    std::size_t outside = 0;  ///< columns behind `inputs`, driven from outside of the cycle
  };
  std::vector<Part> parts;
  std::size_t size = 0;        ///< of y
  double time = 0;             ///< where the models were made
  std::uint64_t revision = 0;  ///< another one: `follows_lines` has changed
};

/// Constant inputs can add anything to all states over a step: as many of them are independent.
bool constants_suffice(const Subsystem& system);

/// An input over a step: the line between these values of its source.
struct InputLine {
  double start = 0, end = 0;
};

/// An input that something outside of the cycle drives, over a step: what it does, and what the
/// component is shown of that.
struct OutsideLine {
  InputLine real, shown;
};

/// Predicts one step of a cycle from linear models of its components. With v = x' the models are
///   v' = A v + B u' + E e',   y' = C v + D u' + F e' + b,   u' = L y'
/// where only differences to the last measured outputs appear: A, B, C, D need only be Jacobians,
/// and what is at rest is predicted exactly. As one system this has the matrix
///   A + B L (I - D L)^-1 C
/// whose exponential gives the outputs at the end of the step, and what the step adds to the states
/// of each component. The inputs are the lines (or constants) with that effect on the states: least
/// squares, next to the line between the values at the start and at the end. So where lines can
/// have the effect, linear systems are stepped exactly, however stiff they are. Outputs that follow
/// inputs at once are corrected by what the lines are off there. e are inputs from outside of the
/// cycle, lines whose ends are known.
///
/// v and b, the slowly varying slope of what the models lack, are estimated by a Kalman filter from
/// the outputs that the components give. No component steps twice.
class InterfacePredictor {
 public:
  explicit InterfacePredictor(const InterfaceModel& model);
  ~InterfacePredictor();
  InterfacePredictor(const InterfacePredictor&) = delete;
  InterfacePredictor& operator=(const InterfacePredictor&) = delete;

  /// The outputs after a step of h from where they are `now`. False: the algebraic loop is
  /// singular, or the models overflow.
  /// `outside`: of all parts, one after the other.
  bool predict(std::span<const double> now, double h, std::span<double> next,
               std::span<const OutsideLine> outside = {});
  /// How the inputs of all parts get there, one after the other. @pre predict()
  std::span<const InputLine> lines() const;
  /// The components took the step with these inputs, and gave these outputs. @post y are those that
  /// belong to the inputs that they feed: y + D (L y + o - u), where u are the ends of the lines
  void correct(std::span<double> y);
  /// There was an event, or a step was taken without this: the past says nothing.
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
