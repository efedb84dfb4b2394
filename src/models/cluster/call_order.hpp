// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

#include "system/evaluation_order.hpp"

namespace tutti::models {

/// The coupled variables of several models that are evaluated again and again.
struct CoupledModels {
  std::span<const system::CoupledVariable> variables;
  std::span<const system::Graph::Edge> dependencies;
  /// By variable: an output that is a state, whose value is known without a call.
  std::vector<bool> is_state;
};

/// An order with few calls: that of system::evaluation_order(), or one in which outputs are read,
/// where possible, when all inputs of their model are known. These are then set in one call, and
/// the model computes its equations once.
std::vector<system::EvaluationBlock> order_of_calls(const CoupledModels& models);

/// Calls that set inputs, calls that get outputs, and computations of the equations, derivatives
/// included, in one evaluation; loops count nothing.
std::size_t call_cost(std::span<const system::EvaluationBlock> blocks, const CoupledModels& models);

}  // namespace tutti::models
