// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <tutti/ode.hpp>
#include <vector>

namespace tutti::solvers {

/// A problem with decreasing time: s = -t, dy/ds = -y'. Integrators use only s.
class ReversedProblem final : public OdeProblem {
 public:
  explicit ReversedProblem(OdeProblem& forward) : p_(forward), slope_(forward.size()) {}

  std::size_t size() const override { return p_.size(); }
  OdeForm form() const override { return p_.form(); }
  bool evaluate(double s, std::span<const double> y, std::span<double> f) override {
    return p_.evaluate(-s, y, f) && negate(f);
  }
  bool evaluate_nonstiff(double s, std::span<const double> y, std::span<double> n) override {
    return p_.evaluate_nonstiff(-s, y, n) && negate(n);
  }
  bool residual(double s, std::span<const double> y, std::span<const double> yp,
                std::span<double> r) override {
    return p_.residual(-s, y, negated(yp), r);
  }
  bool mass(double s, std::span<const double> y, std::span<double> values) override {
    return p_.mass(-s, y, values);
  }
  const SparsityPattern* mass_pattern() const override { return p_.mass_pattern(); }
  bool has_constant_mass() const override { return p_.has_constant_mass(); }
  std::span<const std::uint8_t> algebraic() const override { return p_.algebraic(); }
  const SparsityPattern* jacobian_pattern() const override { return p_.jacobian_pattern(); }
  bool has_jacobian() const override { return p_.has_jacobian(); }
  bool jacobian(double s, std::span<const double> y, std::span<double> values) override {
    return p_.jacobian(-s, y, values) && negate(values);
  }
  bool residual_jacobian(double s, std::span<const double> y, std::span<const double> yp, double c,
                         std::span<double> values) override {
    return p_.residual_jacobian(-s, y, negated(yp), -c, values);
  }
  bool has_directional_derivatives() const override { return p_.has_directional_derivatives(); }
  bool differentiate(double s, std::span<const double> y, std::span<const double> seed,
                     std::span<double> result) override {
    return p_.differentiate(-s, y, seed, result) && negate(result);
  }
  bool has_adjoint_derivatives() const override { return p_.has_adjoint_derivatives(); }
  bool differentiate_adjoint(double s, std::span<const double> y, std::span<const double> seed,
                             std::span<double> result) override {
    return p_.differentiate_adjoint(-s, y, seed, result) && negate(result);
  }
  bool has_time_derivative() const override { return p_.has_time_derivative(); }
  // d/ds (-f(-s)) = df/dt
  bool time_derivative(double s, std::span<const double> y, std::span<double> result) override {
    return p_.time_derivative(-s, y, result);
  }
  bool has_preconditioner() const override { return p_.has_preconditioner(); }
  bool prepare_preconditioner(double s, std::span<const double> y, double gamma) override {
    return p_.prepare_preconditioner(-s, y, -gamma);
  }
  bool precondition(std::span<const double> r, std::span<double> z) override {
    return p_.precondition(r, z);
  }
  std::size_t root_count() const override { return p_.root_count(); }
  int root_direction(std::size_t function) const override { return p_.root_direction(function); }
  bool evaluate_roots(double s, std::span<const double> y, std::span<const double> yp,
                      std::span<double> g) override {
    return p_.evaluate_roots(-s, y, negated(yp), g);
  }

 private:
  static bool negate(std::span<double> values) {
    for (double& value : values) value = -value;
    return true;
  }
  std::span<const double> negated(std::span<const double> yp) {
    for (std::size_t i = 0; i < yp.size(); ++i) slope_[i] = -yp[i];
    return std::span(slope_).first(yp.size());
  }

  OdeProblem& p_;
  std::vector<double> slope_;
};

}  // namespace tutti::solvers
