// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/cluster/loop.hpp"
#include "models/cluster/member_values.hpp"
#include "models/wiring.hpp"
#include "system/cluster.hpp"

namespace tutti::models {

/// Moves values between the members of a cluster, in an order in which each has what it needs:
/// outputs are read, inputs are set, algebraic loops are solved.
class ClusterExchange {
 public:
  struct Setup {
    const system::Cluster& cluster;
    const system::Plan& plan;  ///< of the connections that take part
    /// Between the coupled variables of the plan, as they hold in the mode of the members.
    std::span<const system::Graph::Edge> dependencies;
    Members members;
    /// The order is one in which members are called rarely.
    bool is_continuous = false;
  };
  explicit ClusterExchange(const Setup& setup);

  /// Called before a member is read.
  using BeforeReading = std::function<void(std::size_t member)>;

  /// Outputs that are states need no call of their member.
  /// @param state_of by variable of the whole cluster: index of its first state
  void use_states(const std::map<std::int32_t, std::size_t>& state_of);
  /// @post all inputs are what the connections bring. @throws Discarded if a loop has no solution
  /// @param x states of all members; empty: not known
  void run(std::span<const double> x = {});
  /// The same. Returns whether an input has changed; a change of a continuous one that is below
  /// the precision of loops is none.
  bool run_and_compare();
  /// "member.variable" of the inputs that the last run_and_compare() has changed.
  const std::vector<std::string>& changed() const { return changed_; }
  /// Initialization. `before` may lead to values that make loops unsolvable yet: those with a
  /// member for which `waits` holds are passed once.
  void run_first(const BeforeReading& before, const std::function<bool(std::size_t)>& waits);

  /// Whether the outputs in loops are given, and leave residuals, or are solved for.
  void set_algebraic(bool algebraic) { algebraic_ = algebraic; }
  bool is_algebraic() const { return algebraic_; }
  /// The next search for solutions of the loops starts from the present ones.
  void accept();
  /// Sensitivities are computed anew: the members are at another point.
  void forget_derivatives();

  bool has_loops() const { return !loops_.empty(); }
  /// The real outputs in loops.
  std::size_t unknown_count() const { return unknown_count_; }
  void get_unknowns(std::span<double> z) const;
  void set_unknowns(std::span<const double> z);
  /// @pre algebraic, run() was called: g(z) - z
  void get_residuals(std::span<double> r) const;
  void get_unknown_nominals(std::span<double> nominals) const;
  std::string unknown_name(std::size_t unknown) const;
  /// @throws Error(capability) for a loop through a variable of single precision: its rounding
  /// errors are larger than the increments and tolerances of solvers of algebraic equations
  void require_doubles() const;
  /// Members and variables of the unknowns.
  std::vector<system::Point> unknown_points() const;
  /// The search starts from the solution of another exchange, as far as that has one.
  void start_from(const ClusterExchange& other);

  /// Passes sensitivities on through the connections.
  /// @param dx of the states of all members; empty: the members are asked for those of outputs that
  /// are states
  /// @param dz of the unknowns, if algebraic
  void differentiate(std::span<MemberTangent> tangents, std::span<const double> dx,
                     std::span<const double> dz);
  /// @pre algebraic, differentiate() was called
  void get_residual_tangent(std::span<double> dr) const;

  void save(std::vector<double>& into) const;
  std::span<const double> restore(std::span<const double> from);

 private:
  friend class DirectEvaluation;  // executes the same steps by other means
  enum class Kind : std::uint8_t { read, write, solve };
  struct Step {
    Kind kind{};
    std::size_t index = 0;
  };
  struct Part {
    std::size_t read = 0;
    const Scalar* scalar = nullptr;
  };
  class Builder;
  void perform(const Step& step, std::span<const double> x);
  void write(std::size_t w);
  void solve(std::size_t l);
  void prepare_partial(std::size_t w);
  void gather_tangent(std::size_t w);

  const system::Cluster& cluster_;
  Members members_;
  bool algebraic_ = false;
  std::vector<std::unique_ptr<MemberValues>> reads_, writes_;
  std::vector<std::uint64_t> words_;  ///< the storage of their numbers, in the order of the steps
  std::vector<std::vector<Wiring::Wire>> wires_;  ///< by write
  std::unique_ptr<Wiring> wiring_;
  /// By write: from which read each wire comes.
  std::vector<std::vector<std::size_t>> sources_;
  std::vector<bool> is_partial_;  ///< by write: elements of its arrays have no source here
  std::vector<std::unique_ptr<ClusterLoop>> loops_;
  std::vector<std::vector<std::size_t>> members_of_loop_;
  std::vector<std::vector<std::size_t>> writes_of_loop_;
  std::vector<Step> steps_;
  std::vector<bool> is_last_;  ///< by step: a read of a member that gets no more inputs
  std::size_t unknown_count_ = 0;
  struct StateCopy {
    double* to;
    std::size_t index;  ///< among the doubles of the read
    std::size_t state;
  };
  std::vector<std::vector<StateCopy>> copies_;  ///< by read; empty: the member is asked
  std::vector<std::string> changed_;
  std::vector<ValueSet> before_;  ///< by write: the values before a run
};

}  // namespace tutti::models
