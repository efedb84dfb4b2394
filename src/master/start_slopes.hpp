// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "master/assembly.hpp"
#include "master/input_curves.hpp"

namespace tutti::master {

/// How extrapolated inputs move in the first step of a run, where they have no past. Constant
/// inputs would err by h^2 u'/2 once, which limits order 2 of a method of one pass to errors of
/// h^2; lines whose slopes are known to h err by h^3, and so does the run.
///
/// The components that feed inputs look ahead over the step (Instance::look_ahead): first with
/// constant inputs, then with lines of the slopes that the others have shown. Without feed-through
/// the slopes after one pass are known to h; with feed-through they converge as an iteration would,
/// or are given up. The first look of each component is repeated: one that sees something else
/// then has kept a trace of it, so no step of the run is taken after such looks.
class StartSlopes {
 public:
  /// `curves` by component. `proceeds` is asked before each call; false: the run is to end.
  StartSlopes(const Assembly& assembly, std::span<InputCurves> curves,
              std::function<bool()> proceeds);

  /// Some input is extrapolated with order 2.
  bool are_needed() const { return are_needed_; }
  /// Those are fed by components that can look ahead.
  bool are_possible() const { return are_possible_; }

  /// 1. The inputs of all components are those of the start.
  void note_start();
  /// 2. Those that come from outside are those of the end of a step of h.
  void note_ends(double h);
  /// 3. @post the curves start with the slopes. False: they do not converge or a component shows
  /// none, and the curves know nothing of them. @throws RunAgain if an FMU fails or keeps a trace
  bool find(double t, double h);

 private:
  /// From an output to an input of another component.
  struct Link {
    std::size_t output;  ///< among the doubles of its component
    std::uint32_t to;
    std::size_t input;  ///< among the continuous ones there
    double factor;
    bool is_needed;
    double slope = 0;
  };
  void add_links(std::uint32_t to);
  /// All components that feed inputs, or those whose inputs move otherwise than in their last look.
  enum class Pass { shows_nothing, interrupted, complete };
  Pass look_around(bool is_first, double t, double h);
  bool feeds_needed(std::uint32_t component) const;
  /// False: nothing is known of the component.
  bool look_ahead(std::uint32_t component, double t, double h, bool is_first);
  /// ahead_ gets what the outputs will be. Returns the time that they belong to.
  std::optional<double> ask(std::uint32_t component, double t, double h);
  void check_second_look(std::uint32_t component, double t, double h,
                         std::optional<double> reached);
  void start_curves();
  /// After a look of its own. Returns the largest change of a slope, relative to the slope.
  double take_slopes(std::uint32_t component, double h);

  const Assembly& assembly_;
  std::span<InputCurves> curves_;
  std::function<bool()> proceeds_;
  std::vector<std::vector<Link>> links_;  ///< by the component that they come from
  bool are_needed_ = false, are_possible_ = true;
  std::vector<std::vector<double>> start_, slopes_;  ///< of continuous inputs, by component
  std::vector<std::vector<double>> seen_;            ///< slopes_ of the last look, by component
  double change_ = 0;             ///< of slopes in the last pass, relative to them
  std::vector<double> ahead_;     ///< outputs at the end of a look, then their slopes
  std::vector<double> at_first_;  ///< outputs at the end of the first look
};

}  // namespace tutti::master
