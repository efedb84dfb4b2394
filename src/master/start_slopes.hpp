// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "master/assembly.hpp"
#include "master/input_curves.hpp"

namespace tutti::master {

/// The slopes of extrapolated inputs in the first step of a run, where they have no past. Constant
/// inputs would err by h^2 u'/2 once, which limits order 2 of a method of one pass to errors of
/// h^2; lines whose slopes are known to h err by h^3, and so does the run.
///
/// The components that feed inputs look ahead over the step (Instance::look_ahead): first with
/// constant inputs, then with the slopes that the others have computed. Without feed-through the
/// slopes after one pass are known to h; with feed-through they converge as an iteration does, or
/// are abandoned. The first look-ahead of each component is repeated: if the result differs, the
/// rollback is incomplete, and the run does not continue after it.
class StartSlopes {
 public:
  /// `curves` by component. `proceeds` is called before each call; false: the run must end.
  StartSlopes(const Assembly& assembly, std::span<InputCurves> curves,
              std::function<bool()> proceeds);

  /// Some input is extrapolated with order 2.
  bool are_needed() const { return are_needed_; }
  /// These inputs are fed by components that can look ahead.
  bool are_possible() const { return are_possible_; }

  /// 1. Takes the inputs of all components at the start.
  void note_start();
  /// 2. Takes the inputs from outside at the end of a step of h.
  void note_ends(double h);
  /// 3. @post the curves start with the slopes. False: they do not converge or a component provides
  /// none, and the curves are unchanged. @throws RunAgain if an FMU fails or its rollback is
  /// incomplete
  bool find(double t, double h);

 private:
  /// From an output to an input of another component.
  struct Link {
    std::size_t output;  ///< index among the doubles of its component
    std::uint32_t to;
    std::size_t input;  ///< index among the continuous ones there
    double factor;
    bool is_needed;
    double slope = 0;
  };
  void add_links(std::uint32_t to);
  /// All components that feed inputs, or those whose inputs differ from those of their last
  /// look-ahead.
  enum class Pass { shows_nothing, interrupted, complete };
  Pass look_around(bool is_first, double t, double h);
  bool feeds_needed(std::uint32_t component) const;
  /// False: the component cannot look ahead.
  bool look_ahead(std::uint32_t component, double t, double h, bool is_first);
  /// Predicts the outputs into ahead_. Returns their time.
  std::optional<double> ask(std::uint32_t component, double t, double h);
  void check_second_look(std::uint32_t component, double t, double h,
                         std::optional<double> reached);
  void start_curves();
  /// After its look-ahead. Returns the largest relative change of a slope.
  double take_slopes(std::uint32_t component, double h);

  const Assembly& assembly_;
  std::span<InputCurves> curves_;
  std::function<bool()> proceeds_;
  std::vector<std::vector<Link>> links_;  ///< by the component that they come from
  bool are_needed_ = false, are_possible_ = true;
  std::vector<std::vector<double>> start_, slopes_;  ///< of continuous inputs, by component
  std::vector<std::vector<double>> seen_;  ///< slopes_ of the last look-ahead, by component
  double change_ = 0;                      ///< relative change of slopes in the last pass
  std::vector<double> ahead_;     ///< outputs at the end of a look-ahead, then their slopes
  std::vector<double> at_first_;  ///< outputs at the end of the first look-ahead
};

}  // namespace tutti::master
