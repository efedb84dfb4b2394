// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <tutti/log.hpp>

#include "master/coupled_parts.hpp"
#include "master/input_curves.hpp"
#include "master/wiring.hpp"
#include "solvers/linear/linear_system.hpp"
#include "system/plan.hpp"

namespace tutti::master {

/// Linear correction (C. Andersson, Methods and Tools for Co-Simulation, Lund 2016, Algorithms 5
/// and 6). Outputs y of a step were computed with inputs u^ that had been extrapolated. What they
/// would be with the inputs u = L y + o that belong to them is, linearised at the end of the step
/// with D = dy/du,
///   (I - D L) y = y^ + D (o - u^)
/// and the same for their time derivatives. One step of Newton's method; exact where y is linear in
/// u. Recorded outputs z that feed nothing follow from that solution: z = z^ + D (u - u^).
class LinearCorrection {
 public:
  struct Parts {
    const system::Plan* plan = nullptr;
    std::span<const system::Graph::Edge> dependencies;  ///< of its nodes, while time runs
    std::span<const ModelDescription* const> descriptions;
    std::span<const std::unique_ptr<models::Instance>> instances;
    std::span<const std::vector<Wiring::Wire>> wires;  ///< by component
    std::span<const InputCurves> curves;               ///< by component
    std::span<OutputDerivatives> derivatives;          ///< by component
    std::function<void(std::size_t component)> note;   ///< is called next
    /// By component, where they are known: what is learnt starts from their D. None: no
    /// component's.
    std::span<const std::optional<ComponentModel>> models;
    std::span<const bool> left_out;  ///< by component: it is corrected by others
    const double* stop = nullptr;    ///< nobody steps beyond
    double atol = 0, rtol = 0;       ///< of outputs, for doubt(); 0: nobody asks
  };
  explicit LinearCorrection(const Parts& parts);
  ~LinearCorrection();
  LinearCorrection(const LinearCorrection&) = delete;
  LinearCorrection& operator=(const LinearCorrection&) = delete;

  /// Reports the components whose derivatives the FMU does not give.
  void report_sources(const Log& log) const;
  /// All components are at t, the end of a step of h. @post their outputs are corrected.
  /// @throws Error(numeric) if I - D L is singular
  /// `may_step`: the components are ready for another step.
  void apply(double t, double h, bool may_step);
  /// How far the last correction is not to be trusted, over the tolerance of the output that is
  /// worst: where D changes by dD in a step, an input that was off by e, at most half of what it
  /// moves in the step, leaves outputs wrong by at most dD e/4. Null: it is not known how D
  /// changes, or the input is none of those.
  const double* doubt(std::size_t component, std::size_t curve) const;
  /// There was an event: what changes there says nothing about how outputs depend on inputs.
  void forget();

  /// The Jacobians, for a checkpoint.
  void keep(Memory& memory);

 private:
  struct Unknown;
  struct Feeder;
  struct Block;

  /// `inputs` are the coupled ones of the component.
  using Nodes = std::span<const system::Graph::Node>;
  /// By node; nothing: not a real input that a real output feeds.
  std::vector<std::optional<Feeder>> find_feeders(std::uint32_t component, Nodes inputs) const;
  void add_blocks(std::uint32_t component, Nodes inputs, const system::Graph& dependencies);
  Block make_block(std::uint32_t component, Nodes inputs,
                   std::span<const std::optional<Feeder>> feeders,
                   const system::Graph& dependencies);
  /// Of the outputs that feed nothing.
  Block make_followers(std::uint32_t component, Nodes inputs,
                       std::span<const std::optional<Feeder>> feeders) const;
  void choose_source(Block& block) const;
  void start_from_model(Block& block) const;
  void find_sources();
  void read_outputs(const Block& block, std::vector<double>& into) const;
  void update(Block& block, double t, double h, bool may_step);
  void differentiate(Block& block);
  void probe(Block& block, double t, double h);
  void learn(Block& block, double t);
  /// `change`: of the slopes of inputs, then outputs.
  static void take_secant(Block& block, std::span<const double> change);
  std::unique_ptr<solvers::LinearSystem> factorise(int order) const;
  bool tells(const Unknown& unknown, int order) const;
  /// @throws Error(numeric) if I - D L is singular
  void refuse_free_loops(double t) const;
  void solve_loops(double t);
  void solve(double t);
  void solve_derivatives(int order, double t);
  void correct_followers(double t);
  void find_doubts(double t);

  Parts parts_;
  std::vector<Unknown> unknowns_;
  std::vector<Block> blocks_;
  std::vector<double> factorised_;  ///< the values of D for which this was done
  std::vector<double> present_, column_, values_, right_,
      solution_;  ///< scratch: this is in the step loop
  /// I - D L for the values, and for the derivatives that FMUs tell, if not all of them do.
  std::unique_ptr<solvers::LinearSystem> system_, of_derivatives_[2];
};

}  // namespace tutti::master
