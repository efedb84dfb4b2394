// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tutti/ode.hpp>
#include <vector>

#include "ode_problems.h"

/// The test problems for integrators.
namespace bench {

struct TestProblem {
  std::string_view name;
  OdeRightHandSide rhs = nullptr;
  std::vector<double> start;
  std::vector<double> points;        ///< where errors are measured; the last one is the end
  std::vector<double> atol;          ///< for rtol = 1; one for all components, or one per component
  std::size_t stride = 1;            ///< errors are measured of components 0, stride, 2 stride, ...
  bool is_dae = false;               ///< the last row is algebraic
  bool bounces = false;              ///< an event at y[0] = 0: y[1] changes sign, and loses a tenth
  tutti::SparsityPattern pattern{};  ///< of the Jacobian; empty: full, the problem is small
  /// The solution at a point, if known; else nullptr.
  std::vector<double> (*exact)(const TestProblem& problem, double t) = nullptr;
};

/// Nothing: unknown name. `size` is for the Brusselator: any even number.
std::optional<TestProblem> find_problem(std::string_view name, std::size_t size);
std::vector<std::string_view> problem_names();

/// A problem for Tutti that counts every evaluation.
class CountedProblem final : public tutti::OdeProblem {
 public:
  /// @param exact_jacobian otherwise it comes from differences, made by the solver
  CountedProblem(const TestProblem& problem, tutti::OdeForm form, bool exact_jacobian);

  /// Evaluations of f, and for an exact Jacobian the number that differences would need.
  std::uint64_t evaluations() const { return evaluations_; }

  std::size_t size() const override { return p_.start.size(); }
  tutti::OdeForm form() const override { return form_; }
  bool evaluate(double t, std::span<const double> y, std::span<double> f) override;
  bool residual(double t, std::span<const double> y, std::span<const double> yp,
                std::span<double> r) override;
  bool mass(double t, std::span<const double> y, std::span<double> values) override;
  const tutti::SparsityPattern* mass_pattern() const override { return &diagonal_; }
  std::span<const std::uint8_t> algebraic() const override { return algebraic_; }
  const tutti::SparsityPattern* jacobian_pattern() const override {
    return p_.pattern.column_start.empty() ? nullptr : &p_.pattern;
  }
  bool has_jacobian() const override { return exact_jacobian_; }
  bool jacobian(double t, std::span<const double> y, std::span<double> values) override;
  bool has_time_derivative() const override { return exact_jacobian_; }
  bool time_derivative(double t, std::span<const double> y, std::span<double> result) override;
  std::size_t root_count() const override { return p_.bounces ? 1 : 0; }
  int root_direction(std::size_t) const override { return -1; }
  bool evaluate_roots(double t, std::span<const double> y, std::span<const double> yp,
                      std::span<double> g) override;
  tutti::AfterEvent handle_event(tutti::OdeEvent& event) override;

 private:
  void find_groups();

  const TestProblem& p_;
  tutti::OdeForm form_;
  bool exact_jacobian_;
  tutti::SparsityPattern diagonal_, full_;
  std::vector<std::uint8_t> algebraic_;
  std::vector<std::vector<std::size_t>> groups_;  ///< columns without a common row
  std::vector<double> moved_, sum_, f_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace bench
