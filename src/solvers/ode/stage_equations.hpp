// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <vector>

#include "solvers/linear/lu.hpp"
#include "solvers/linear/pencil.hpp"
#include "solvers/ode/jacobian.hpp"
#include "solvers/ode/ode.hpp"

namespace tutti::solvers {

/// The interface of an implicit one-step method to a problem of any form: the residual
///
///   r(t, y, v) = f(t, y) - M(t, y) v    or    -F(t, y, v) of an implicit problem,
///
/// which is zero on a solution with v = y', its derivatives J = dr/dy and M = -dr/dv at the start
/// of a step, and linear systems with c M - J. A collocation method applied to y' = v, 0 = F(t, y,
/// v) (size 2n, mass matrix diag(I, 0)) needs only these systems of size n after elimination of y.
class StageEquations {
 public:
  using View = std::span<const double>;

  /// @param counts of evaluations, Jacobians and factorizations; must outlive this object
  StageEquations(OdeProblem& problem, double rtol, OdeStatistics& counts,
                 Storage storage = Storage::automatic);

  /// Whether there can be algebraic equations.
  bool has_mass() const { return form_ != OdeForm::explicit_ode; }
  /// The problem may have changed: a constant M is evaluated again.
  void forget() { y_ = {}; }

  /// Sets the start of the following steps; y must stay valid. False: f or M cannot be computed.
  bool start(double t, View y);
  /// f at the start. @pre the problem is not implicit
  View start_value() const { return f_; }
  bool residual(double t, View y, View v, std::span<double> r);
  /// r at the start; costs an evaluation of implicit problems only.
  bool start_residual(View v, std::span<double> r);
  /// result = M x, with M of the start. @pre the problem is not implicit
  void times_mass(View x, std::span<double> result) const;

  /// J, and M of an implicit problem, at the start. `v` is y' there as far as it is known,
  /// `tolerances` those of the components. False: they cannot be computed.
  bool linearize(View v, double h, View tolerances);
  /// False: the matrix is singular.
  bool factorize(double c);
  bool factorize(std::complex<double> c);
  /// A first step that changes y by about a hundredth, where y' is not known (y of algebraic
  /// equations may change abruptly: the steps are shorter then). Leaves J at the start. Nothing: J
  /// cannot be computed.
  std::optional<double> first_size(double room, View tolerances, std::span<double> slope);
  /// After several singular matrices.
  [[noreturn]] void fail_singular(double h) const;
  void solve(std::span<double> x) { real_.solve(x); }
  void solve(std::span<std::complex<double>> x) { complex_->solve(x); }
  /// The component of the last residual that was not finite, if any.
  std::optional<std::size_t> not_finite() const { return not_finite_; }
  /// Number of right-hand sides evaluated for differences.
  std::uint64_t jacobian_evaluations() const;

 private:
  /// -M(t, y) v, and f(t, y) where J comes from differences: so J contains the derivative of M,
  /// too.
  class WithFrozenSlope final : public OdeProblem {
   public:
    explicit WithFrozenSlope(OdeProblem& problem);
    std::size_t size() const override { return problem_.size(); }
    const SparsityPattern* jacobian_pattern() const override { return problem_.jacobian_pattern(); }
    bool evaluate(double t, View y, std::span<double> f) override;
    bool includes_f() const { return includes_f_; }
    std::vector<double> v;

   private:
    OdeProblem& problem_;
    bool includes_f_;
    std::vector<double> mass_;
  };

  /// Stores the first one that is not.
  bool are_finite(View values);
  void choose_increments(View tolerances);
  void choose_slope_increments(View v, double h);
  bool linearize_implicit(View v, double h);
  bool linearize_mass(View v);

  OdeProblem& problem_;
  OdeStatistics& counts_;
  double rtol_;
  OdeForm form_;
  bool has_constant_mass_;
  MatrixShape mass_shape_, jacobian_shape_;
  Pencil pencil_;
  Jacobian jacobian_;
  std::optional<WithFrozenSlope> frozen_;
  std::optional<Jacobian> frozen_jacobian_;
  Lu<double> real_;
  std::optional<Lu<std::complex<double>>> complex_;  ///< of methods that need it
  double t_ = 0;
  View y_;
  std::vector<double> f_;
  std::vector<double> mass_, stage_mass_;     ///< values of M at the start and elsewhere
  std::vector<double> j_values_, more_;       ///< values of J; of dr/dv, or a part of J
  std::vector<double> increments_, scratch_;  ///< of the components
  std::size_t singular_component_ = 0;
  std::optional<std::size_t> not_finite_;
};

}  // namespace tutti::solvers
