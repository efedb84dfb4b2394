// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "system/graph.hpp"

namespace tutti::system {

/// A coupled scalar of one model, at initialization.
struct CoupledVariable {
  std::uint32_t model = 0;
  bool is_output = false;
};

/// A step of initialization.
struct EvaluationBlock {
  enum class Kind {
    set,   ///< one input: from the output that feeds it
    get,   ///< outputs of one model, in one call
    solve  ///< an algebraic loop
  };
  Kind kind{};
  std::vector<Graph::Node> variables;
};

/// The order in which the coupled variables can be computed. Edges lead from an input to the
/// outputs of its model that depend on it, and from an output to the inputs that it feeds.
///
/// With `reduce`, outputs of one model are read together where possible, because a model recomputes
/// its outputs when they are read after an input was set (Ch. Andersson, Methods and Tools for
/// Co-Simulation of Dynamic Systems with the Functional Mock-up Interface, Lund 2016, Algorithm 2).
/// The searches are bounded, so a large system may have more evaluations than necessary.
std::vector<EvaluationBlock> evaluation_order(std::span<const CoupledVariable> variables,
                                              std::span<const Graph::Edge> edges,
                                              bool reduce = true);

/// Number of model evaluations: reading outputs costs an evaluation if it is the first, or if an
/// input was set since the last one (Assumption 5.1 there); outputs that depend on no input are
/// evaluated once. Loops count as setting the inputs of their models.
std::size_t evaluation_count(std::span<const EvaluationBlock> blocks,
                             std::span<const CoupledVariable> variables,
                             std::span<const Graph::Edge> edges);

}  // namespace tutti::system
