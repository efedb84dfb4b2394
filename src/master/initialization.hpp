// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/algebraic_loop.hpp"
#include "master/assembly.hpp"

namespace tutti::master {

/// Finds consistent start values of all coupled variables, in the order of the plan: sequences are
/// evaluated once, algebraic loops are solved.
/// Then the components leave initialization in calling sequence, each with the values that those
/// before it have after leaving. False: in a cycle, a value has changed since a component with an
/// event mode got it, so an event must follow.
/// @pre the values from outside are set
/// @throws Error that names the members of a loop without solution, with their residuals
bool initialize_together(const Assembly& assembly, const models::Experiment& experiment);

/// The inputs of a component that come from outside.
struct ExternalWires {
  std::uint32_t component;
  std::vector<const Wiring::Wire*> wires;
  std::vector<std::int32_t> variables;
};

/// The same at communication points, in the order of the dependencies there, for components with an
/// event mode: their outputs become consistent with their present inputs (C. Andersson, Methods and
/// Tools for Co-Simulation, Lund 2016, Algorithm 4; FMI 3.0, 4.2.1: inputs and outputs may be set
/// and read in event mode). The other components keep their outputs.
class ConsistentOutputs {
 public:
  /// The assembly must outlive it.
  ConsistentOutputs(const Assembly& assembly,
                    std::span<const system::Graph::Edge> running_dependencies);
  ConsistentOutputs(const ConsistentOutputs&) = delete;
  ConsistentOutputs& operator=(const ConsistentOutputs&) = delete;

  /// False: a model asks to end the run. @pre all components are initialized and at t
  bool update(double t);

 private:
  EvaluationSetting setting_;
  std::vector<ExternalWires> externals_;
  std::vector<system::EvaluationBlock> blocks_;
  std::vector<std::unique_ptr<AlgebraicLoop>> loops_;  ///< by block; null: no loop
};

}  // namespace tutti::master
