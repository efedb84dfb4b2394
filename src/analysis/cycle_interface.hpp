// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <tutti/system.hpp>

#include "analysis/linearization.hpp"
#include "fmi/shape.hpp"
#include "system/plan.hpp"

namespace tutti::analysis {

/// The continuous real couplings inside one cycle. Inputs and outputs of the components are in
/// calling sequence.
struct CycleInterface {
  struct Scalar {
    std::size_t part = 0;  ///< position of its component in the calling sequence
    std::string name;      ///< component.variable
  };
  std::vector<std::uint32_t> components;                     ///< in calling sequence
  std::vector<std::string> names;                            ///< of the components
  std::vector<std::vector<LinearizationTask::Scalar>> u, y;  ///< by position
  /// By position: continuous inputs with other sources, outside or discrete. Not in L; linear
  /// models have columns for them after those of u, or none.
  std::vector<std::vector<LinearizationTask::Scalar>> outside;
  std::vector<Scalar> inputs, outputs;  ///< all of them
  stability::SparseMatrix l;            ///< u = L y; units and factors
  std::size_t other_links = 0;          ///< of discrete values: not in the linear model
};

/// By component: all driven continuous inputs.
using DrivenInputs = std::vector<std::vector<LinearizationTask::Scalar>>;
DrivenInputs find_driven(const system::Plan& plan,
                         std::span<const ModelDescription* const> descriptions);

CycleInterface find_interface(const System& system, const system::Plan& plan,
                              std::span<const ModelDescription* const> descriptions,
                              std::span<const fmi::StructuralValues> structures,
                              const DrivenInputs& driven, const system::Stage& stage);

/// The same for one component outside cycles: its driven continuous inputs and its continuous
/// outputs. No couplings.
CycleInterface find_interface_alone(const System& system,
                                    std::span<const ModelDescription* const> descriptions,
                                    const DrivenInputs& driven, std::uint32_t component);

/// Whether the single component of `one` is in `interface` with all its variables.
bool covers(const CycleInterface& interface, const CycleInterface& one);

}  // namespace tutti::analysis
