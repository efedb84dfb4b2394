// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tutti/model_description.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "system/plan.hpp"

namespace tutti::system {

/// The dependencies of the variables of a model in initialization mode.
class InitialDependencies {
 public:
  explicit InitialDependencies(const ModelDescription& description);

  /// Sorted indices of the inputs that the variable depends on; nothing: on all of them, because
  /// the model description does not list dependencies.
  ///
  /// They are listed in InitialUnknowns (FMI 2.0, 2.2.8; FMI 3.0, 2.4.8). Otherwise the
  /// dependencies of Outputs apply, states replaced by what they depend on; FMI 1.0 has only these
  /// (DirectDependency).
  std::optional<std::vector<std::int32_t>> inputs_of(std::int32_t variable) const;

 private:
  const ModelDescription& description_;
  std::vector<const Unknown*> initial_, output_;  // by variable; null: none
};

/// Their dependencies at communication points: in event mode, continuous-time mode and between
/// steps.
class RunningDependencies {
 public:
  explicit RunningDependencies(const ModelDescription& description);

  /// The same, from Outputs (FMI 2.0, 2.2.8; FMI 3.0, 2.4.8; FMI 1.0: DirectDependency) and
  /// Derivatives. A continuous state depends on no input.
  std::optional<std::vector<std::int32_t>> inputs_of(std::int32_t variable) const;

 private:
  const ModelDescription& description_;
  std::vector<const Unknown*> rows_;  // by variable; null: none
  std::vector<bool> is_state_;        // by variable
};

/// Edges of the graph of coupled scalars from the inputs of each component to its outputs that
/// depend on them, after `edges`.
/// @param Dependencies InitialDependencies or RunningDependencies
template <class Dependencies>
void add_feed_through(const Plan& plan, std::span<const ModelDescription* const> descriptions,
                      std::vector<Graph::Edge>& edges);

/// Plan::dependencies at communication points: connections, then feed-through, in the order in
/// which values are exchanged.
std::vector<Graph::Edge> running_dependencies(
    const Plan& plan, std::span<const ModelDescription* const> descriptions);

/// The algebraic loops at communication points, as nodes of Plan::coupled. Outputs whose
/// dependencies are not listed in their model description count as independent.
std::vector<std::vector<Graph::Node>> listed_loops(
    const Plan& plan, std::span<const ModelDescription* const> descriptions);

/// Whether any of these inputs may change inside a step: continuous doubles may.
bool any_moves(const ModelDescription& description, std::span<const std::int32_t> inputs);

/// Whether a co-simulation FMU can follow inputs that change inside a step. FMI 1.0 and 2.0 get
/// input derivatives before the step; FMI 3.0 requests values inside the step, for inputs that
/// allow it.
bool follows_inputs(const ModelDescription& description, std::span<const std::int32_t> inputs);
/// Whether a component can: model exchange always does.
bool follows_inputs(const Component& component, const ModelDescription& description,
                    std::span<const std::int32_t> inputs);

}  // namespace tutti::system
