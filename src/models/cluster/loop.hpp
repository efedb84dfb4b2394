// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/cluster/member_values.hpp"
#include "models/wiring.hpp"
#include "solvers/linear/linear_system.hpp"

namespace tutti::models {

/// An algebraic loop between members of a cluster: z = g(z), where z are the real outputs in it.
/// Newton's method from the last accepted solution; (I - dg/dz) is used again while it converges.
/// Values of other types follow along and must settle.
class ClusterLoop {
 public:
  using Reads = std::span<const std::unique_ptr<MemberValues>>;
  /// An input in the loop, and the unknown that drives it; no_unknown: a value of another type, or
  /// from outside of the loop.
  struct Input {
    std::size_t write = 0, scalar = 0;  ///< index among the writes of the loop, and in their values
    std::size_t unknown = no_unknown;
    double factor = 1;
  };
  static constexpr std::size_t no_unknown = static_cast<std::size_t>(-1);

  /// @param reads, writes of the loop; they stay where they are
  /// @param first_wire number of the first write in the wiring
  ClusterLoop(Members members, std::vector<MemberValues*> reads, std::vector<MemberValues*> writes,
              const Wiring& wiring, std::vector<std::size_t> wires, std::vector<Input> inputs);

  /// From the accepted solution. @throws Discarded if no solution is found
  void solve();
  /// One pass: inputs from the present outputs, then the outputs.
  void pass();
  void accept() { accepted_ = z_; }
  /// The search starts from what the members report.
  void start();

  std::size_t size() const { return unknowns_.size(); }
  std::span<const double> unknowns() const { return z_; }
  void set_unknowns(std::span<const double> z) { z_.assign(z.begin(), z.end()); }
  /// The members get z; residual() is g(z) - z.
  void evaluate();
  std::span<const double> residual() const { return residual_; }
  double nominal(std::size_t unknown) const { return scale_[unknown]; }
  /// "member.variable"
  std::string name(std::size_t unknown) const;
  bool is_double(std::size_t unknown) const { return unknowns_[unknown].is_double; }

  /// Members and variables of the unknowns.
  void add_points(std::vector<system::Point>& points) const;

  /// The present derivatives belong to another point.
  void forget_derivatives() { is_fresh_ = false; }
  /// d of the unknowns, from d of everything outside of the loop, and passes them on.
  void differentiate(std::span<MemberTangent> tangents);
  /// The unknowns are given with their d; residual_tangent() is d(g(z) - z).
  void differentiate_residual(std::span<MemberTangent> tangents, std::span<const double> dz);
  std::span<const double> residual_tangent() const { return residual_tangent_; }

  /// What it remembers between points.
  void save(std::vector<double>& into) const;
  std::span<const double> restore(std::span<const double> from);

 private:
  struct Unknown {
    MemberValues* read;
    std::size_t scalar, index;  ///< in the set, and among its doubles
    bool is_double;
  };
  void write_unknowns();
  void read_outputs();
  /// The same as pass(), but each member sees what those before it made of theirs.
  void pass_in_turn();
  bool solve_reals();
  /// The residual is nothing but rounding errors of the unknowns.
  bool is_rounded() const;
  /// I - dg/dz where the members are.
  void compute_jacobian();
  void make_system();
  bool others_settled();
  void pass_on(std::span<MemberTangent> tangents, std::span<const double> dz);
  [[noreturn]] void refuse() const;

  Members members_;
  std::vector<MemberValues*> reads_, writes_;
  const Wiring& wiring_;
  std::vector<std::size_t> wires_;
  std::vector<Input> inputs_;
  std::vector<Unknown> unknowns_;
  std::vector<double> scale_, z_, accepted_, residual_, change_, residual_tangent_;
  std::vector<std::pair<MemberValues*, std::size_t>> others_;
  std::vector<std::string> known_others_;
  std::vector<solvers::Entry> entries_;
  std::unique_ptr<solvers::LinearSystem> system_;  ///< null: to be computed
  bool is_restored_ = false;
  bool is_fresh_ = false;  ///< it belongs to the present point
};

}  // namespace tutti::models
