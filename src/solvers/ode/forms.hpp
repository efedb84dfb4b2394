// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "solvers/ode/jacobian.hpp"

namespace tutti::solvers {

/// y' = f, or M y' = f, as F(t, y, y') = M y' - f = 0, for methods of this form. Its Jacobian is c
/// M - J where J is known without differences; dM/dy is neglected then, which Newton's method
/// tolerates. Otherwise it comes from differences of F.
class ImplicitForm final : public OdeProblem {
 public:
  /// @pre the form is explicit_ode or mass_matrix
  explicit ImplicitForm(OdeProblem& problem);

  std::size_t size() const override { return size_; }
  OdeForm form() const override { return OdeForm::implicit; }
  bool residual(double t, std::span<const double> y, std::span<const double> yp,
                std::span<double> r) override;
  std::span<const std::uint8_t> algebraic() const override;
  const SparsityPattern* jacobian_pattern() const override {
    return pattern_.column_start.empty() ? nullptr : &pattern_;
  }
  bool has_jacobian() const override;
  bool residual_jacobian(double t, std::span<const double> y, std::span<const double> yp, double c,
                         std::span<double> values) override;
  bool has_preconditioner() const override { return problem_.has_preconditioner(); }
  bool prepare_preconditioner(double t, std::span<const double> y, double gamma) override {
    return problem_.prepare_preconditioner(t, y, gamma);
  }
  bool precondition(std::span<const double> r, std::span<double> z) override {
    return problem_.precondition(r, z);
  }
  std::size_t root_count() const override { return problem_.root_count(); }
  int root_direction(std::size_t i) const override { return problem_.root_direction(i); }
  bool evaluate_roots(double t, std::span<const double> y, std::span<const double>,
                      std::span<double> g) override {
    return problem_.evaluate_roots(t, y, {}, g);
  }

 private:
  bool has_mass() const { return problem_.form() == OdeForm::mass_matrix; }
  void find_patterns();
  bool update_mass(double t, std::span<const double> y);
  void add_mass_times(std::span<const double> yp, std::span<double> r) const;

  OdeProblem& problem_;
  std::size_t size_;
  Jacobian jacobian_;        ///< of f
  SparsityPattern pattern_;  ///< of c M - J; empty: full
  std::vector<double> mass_, jacobian_values_;
  std::vector<std::size_t> mass_places_, jacobian_places_;  ///< of their values in c M - J
  std::vector<std::uint8_t> none_;                          ///< no component is algebraic
  bool knows_mass_ = false;
};

}  // namespace tutti::solvers
