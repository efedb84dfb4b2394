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
/// and 6). Outputs y of a step were computed with extrapolated inputs u^. With the consistent
/// inputs u = L y + o they would be, linearised at the end of the step with D = dy/du,
///   (I - D L) y = y^ + D (o - u^)
/// and the same for their time derivatives. One step of Newton's method; exact where y is linear in
/// u. Recorded outputs z without connections follow from that solution: z = z^ + D (u - u^).
class LinearCorrection {
 public:
  struct Parts {
    const system::Plan* plan = nullptr;
    std::span<const system::Graph::Edge> dependencies;  ///< of its nodes, during the run
    std::span<const ModelDescription* const> descriptions;
    std::span<const std::unique_ptr<models::Instance>> instances;
    std::span<const std::vector<Wiring::Wire>> wires;  ///< by component
    std::span<const InputCurves> curves;               ///< by component
    std::span<OutputDerivatives> derivatives;          ///< by component
    std::function<void(std::size_t component)> note;   ///< called before each call of the component
    /// By component, where known: learning starts from their D. Empty: no models.
    std::span<const std::optional<ComponentModel>> models;
    std::span<const bool> left_out;  ///< by component: corrected elsewhere
    const double* stop = nullptr;    ///< no step ends later
    double atol = 0, rtol = 0;       ///< of outputs, for doubt(); 0: unused
  };
  explicit LinearCorrection(const Parts& parts);
  ~LinearCorrection();
  LinearCorrection(const LinearCorrection&) = delete;
  LinearCorrection& operator=(const LinearCorrection&) = delete;

  /// Reports the components whose FMU provides no directional derivatives.
  void report_sources(const Log& log) const;
  /// All components are at t, the end of a step of h. @post their outputs are corrected.
  /// @throws Error(numeric) if I - D L is singular
  /// `may_step`: the components are ready for another step.
  void apply(double t, double h, bool may_step);
  /// The uncertainty of the last correction, relative to the tolerance of the worst output: where D
  /// changes by dD in a step, an input error e of at most half its change in the step leaves output
  /// errors of at most dD e/4. Null: the change of D is unknown, or the input is not corrected.
  const double* doubt(std::size_t component, std::size_t curve) const;
  /// An event: changes there do not show how outputs depend on inputs.
  void forget();

  /// The Jacobians, for a checkpoint.
  void keep(Memory& memory);

 private:
  struct Unknown;
  struct Feeder;
  struct Block;

  /// `inputs` are the coupled ones of the component.
  using Nodes = std::span<const system::Graph::Node>;
  /// By node; empty: not a real input that a real output feeds.
  std::vector<std::optional<Feeder>> find_feeders(std::uint32_t component, Nodes inputs) const;
  void add_blocks(std::uint32_t component, Nodes inputs, const system::Graph& dependencies);
  Block make_block(std::uint32_t component, Nodes inputs,
                   std::span<const std::optional<Feeder>> feeders,
                   const system::Graph& dependencies);
  /// Of the outputs without connections.
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
  bool has_derivative(const Unknown& unknown, int order) const;
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
      solution_;  ///< scratch: no allocation in the step loop
  /// I - D L for the values, and for the derivatives that FMUs provide, if not all do.
  std::unique_ptr<solvers::LinearSystem> system_, of_derivatives_[2];
};

}  // namespace tutti::master
