// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>

#include "master/coupled_parts.hpp"
#include "master/free_loop.hpp"
#include "master/wiring.hpp"
#include "solvers/linear/linear_system.hpp"
#include "solvers/linear/sparsity.hpp"

namespace tutti::master {

/// The data that the evaluation blocks of the plan work on.
struct EvaluationSetting {
  using Node = system::Graph::Node;

  const CoupledParts& parts;
  std::span<const std::unique_ptr<models::Instance>> instances;
  std::atomic<std::uint32_t>& called;                    ///< records the component that is called
  std::map<system::Point, const Wiring::Wire*> wire_to;  ///< by target input
  system::Graph dependencies;                            ///< at initialization, or later
  std::vector<bool> silent = {};  ///< components that are not called; empty: all are called

  models::Instance& call(std::size_t component) const {
    called.store(static_cast<std::uint32_t>(component), std::memory_order_relaxed);
    return *instances[component];
  }
  bool is_silent(std::size_t component) const { return !silent.empty() && silent[component]; }
  const system::Point& point(Node node) const { return parts.plan.coupled[node]; }
  const Variable& variable(Node node) const;
  /// "component.variable"
  std::string name(Node node) const;
  /// Sets the input to the value of its wire.
  void set(Node input) const;
  /// Reads the outputs, with one call for each component.
  void get(std::span<const Node> outputs) const;
};

/// An algebraic loop: y = g(y), where y are the real outputs in it. Values of other types are
/// updated with them and must settle.
class AlgebraicLoop {
 public:
  /// The setting must outlive the loop.
  AlgebraicLoop(const EvaluationSetting& setting, const system::EvaluationBlock& block);

  /// Newton's method first, then plain sweeps. The loop may be solved repeatedly.
  /// @throws Error(numeric) that names the members of a loop without solution, or of gain 1
  void solve();

 private:
  using Node = system::Graph::Node;
  using Vector = std::vector<double>;
  /// Relative to value and nominal value: of a change and of the increment of a difference
  /// quotient; of the quotient.
  struct Precision {
    double tolerance, increment, of_gains;
  };
  struct Real {
    models::ValueSet* set;
    const models::Scalar* scalar;
  };
  struct Other {
    const models::ValueSet* set;
    const models::Scalar* scalar;
    std::string last;
    Node node;
    bool settled = false;
  };
  /// Part of dg/dy: some rows, and columns that share none of these rows.
  struct Part {
    SparsityPattern pattern;
    std::vector<std::vector<std::size_t>> groups;
  };

  static constexpr Precision of_doubles = {1e-9, 1e-7, precision_of_gains};
  static constexpr Precision of_singles = {1e-6, 3e-4, 1e-3};  // floats are rounded to 6e-8

  /// The unknowns that entries_ do not determine, for a message; "" if all are determined.
  std::string free_loop() const;
  /// Where the search ended, for a message.
  std::string last_iterate() const;
  Vector read() const;
  /// residual_ = g(y) - y. False: it cannot be computed at this y.
  bool evaluate(const Vector& y);
  bool others_settled();
  double norm(const Vector& v) const;
  bool is_small(const Vector& change) const;
  /// Solves (I - dg/dy) d = g(y) - y and steps along d as far as the residual shrinks.
  bool newton();
  /// Rows of FMUs with directional derivatives, and the other rows.
  void divide_rows();
  bool can_differentiate(Node output) const;
  /// entries_ = I - dg/dy
  bool jacobian(const Vector& residual);
  /// One call of each FMU that reads an unknown of the group.
  void differentiate(const std::vector<std::size_t>& group);
  /// One evaluation of the loop.
  bool difference(const std::vector<std::size_t>& group, const Vector& y, const Vector& residual);
  bool sweeps();

  const EvaluationSetting& setting_;
  std::vector<Node> inputs_, outputs_, unknowns_;
  std::vector<Real> values_;
  Precision precision_ = of_doubles;
  Vector scale_, y_, residual_;
  std::vector<Other> others_;
  Part by_derivatives_, by_differences_;
  bool rows_divided_ = false;
  std::vector<solvers::Entry> entries_;
};

}  // namespace tutti::master
