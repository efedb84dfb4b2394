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
/// With `reduce`, outputs of one model are asked for together where that is possible, because a
/// model computes anew when it is asked after an input was set (Ch. Andersson, Methods and Tools
/// for Co-Simulation of Dynamic Systems with the Functional Mock-up Interface, Lund 2016,
/// Algorithm 2). The searches are bounded, so a large system may keep an evaluation too many.
std::vector<EvaluationBlock> evaluation_order(std::span<const CoupledVariable> variables,
                                              std::span<const Graph::Edge> edges,
                                              bool reduce = true);

/// How often the models compute: asking a model costs an evaluation if one of its inputs was set
/// since the last one, or if it is the first (Assumption 5.1 there); outputs that depend on no
/// input cost nothing again. Loops count as setting the inputs of their models.
std::size_t evaluation_count(std::span<const EvaluationBlock> blocks,
                             std::span<const CoupledVariable> variables,
                             std::span<const Graph::Edge> edges);

}  // namespace tutti::system
