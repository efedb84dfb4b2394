// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>
#include <tutti/ode.hpp>

#include "solvers/ode/ode.hpp"

namespace tutti {

bool OdeProblem::evaluate(double, std::span<const double>, std::span<double>) { return false; }
bool OdeProblem::evaluate_nonstiff(double, std::span<const double>, std::span<double>) {
  return false;
}
bool OdeProblem::residual(double, std::span<const double>, std::span<const double>,
                          std::span<double>) {
  return false;
}
bool OdeProblem::mass(double, std::span<const double>, std::span<double>) { return false; }
bool OdeProblem::jacobian(double, std::span<const double>, std::span<double>) { return false; }
bool OdeProblem::residual_jacobian(double, std::span<const double>, std::span<const double>, double,
                                   std::span<double>) {
  return false;
}
bool OdeProblem::differentiate(double, std::span<const double>, std::span<const double>,
                               std::span<double>) {
  return false;
}
bool OdeProblem::differentiate_adjoint(double, std::span<const double>, std::span<const double>,
                                       std::span<double>) {
  return false;
}
bool OdeProblem::time_derivative(double, std::span<const double>, std::span<double>) {
  return false;
}
bool OdeProblem::prepare_preconditioner(double, std::span<const double>, double) { return false; }
bool OdeProblem::precondition(std::span<const double>, std::span<double>) { return false; }
bool OdeProblem::evaluate_roots(double, std::span<const double>, std::span<const double>,
                                std::span<double>) {
  return false;
}

namespace {

/// A problem of function objects. Empty ones are not called.
class FunctionProblem final : public OdeProblem {
 public:
  explicit FunctionProblem(OdeFunctions functions) : f_(std::move(functions)) {}
  std::size_t size() const override { return f_.size; }
  OdeForm form() const override {
    return f_.residual   ? OdeForm::implicit
           : f_.mass     ? OdeForm::mass_matrix
           : f_.nonstiff ? OdeForm::split
                         : OdeForm::explicit_ode;
  }
  bool evaluate(double t, std::span<const double> y, std::span<double> f) override {
    f_.rhs(t, y, f);
    return true;
  }
  bool evaluate_nonstiff(double t, std::span<const double> y, std::span<double> n) override {
    f_.nonstiff(t, y, n);
    return true;
  }
  bool residual(double t, std::span<const double> y, std::span<const double> yp,
                std::span<double> r) override {
    f_.residual(t, y, yp, r);
    return true;
  }
  bool mass(double t, std::span<const double> y, std::span<double> values) override {
    f_.mass(t, y, values);
    return true;
  }
  const SparsityPattern* mass_pattern() const override { return known(f_.mass_pattern); }
  bool has_constant_mass() const override { return f_.constant_mass; }
  std::span<const std::uint8_t> algebraic() const override { return f_.algebraic; }
  const SparsityPattern* jacobian_pattern() const override { return known(f_.jacobian_pattern); }
  bool has_jacobian() const override { return f_.jacobian || f_.residual_jacobian; }
  bool jacobian(double t, std::span<const double> y, std::span<double> values) override {
    f_.jacobian(t, y, values);
    return true;
  }
  bool residual_jacobian(double t, std::span<const double> y, std::span<const double> yp, double c,
                         std::span<double> values) override {
    f_.residual_jacobian(t, y, yp, c, values);
    return true;
  }
  bool has_directional_derivatives() const override { return bool{f_.jacobian_times}; }
  bool differentiate(double t, std::span<const double> y, std::span<const double> seed,
                     std::span<double> result) override {
    f_.jacobian_times(t, y, seed, result);
    return true;
  }
  bool has_time_derivative() const override { return bool{f_.time_derivative}; }
  bool time_derivative(double t, std::span<const double> y, std::span<double> result) override {
    f_.time_derivative(t, y, result);
    return true;
  }
  bool has_preconditioner() const override { return bool{f_.precondition}; }
  bool prepare_preconditioner(double t, std::span<const double> y, double gamma) override {
    if (f_.prepare_preconditioner) f_.prepare_preconditioner(t, y, gamma);
    return true;
  }
  bool precondition(std::span<const double> r, std::span<double> z) override {
    f_.precondition(r, z);
    return true;
  }
  std::size_t root_count() const override { return f_.root_count; }
  int root_direction(std::size_t i) const override {
    return f_.root_directions.empty() ? 0 : f_.root_directions[i];
  }
  bool evaluate_roots(double t, std::span<const double> y, std::span<const double> yp,
                      std::span<double> g) override {
    f_.roots(t, y, yp, g);
    return true;
  }
  double next_time_event(double t) override {
    return f_.next_time_event ? f_.next_time_event(t) : OdeProblem::next_time_event(t);
  }
  bool is_step_event(double t, std::span<const double> y) override {
    return f_.is_step_event && f_.is_step_event(t, y);
  }
  AfterEvent handle_event(OdeEvent& event) override {
    return f_.handle_event ? f_.handle_event(event) : AfterEvent::go_on;
  }

 private:
  static const SparsityPattern* known(const SparsityPattern& pattern) {
    return pattern.column_start.empty() ? nullptr : &pattern;
  }
  OdeFunctions f_;
};

[[noreturn]] void refuse_functions(const char* text) {
  throw Error(ErrorCode::usage,
              std::string("the functions of a problem are inconsistent:  ") + text);
}

/// Columns in order, rows of a column ascending and inside of a square matrix.
bool is_square_pattern(const SparsityPattern& pattern, std::size_t n) {
  const auto& start = pattern.column_start;
  if (pattern.row_count != n || start.size() != n + 1 || start.front() != 0 ||
      start.back() != static_cast<std::int64_t>(pattern.row_index.size()) ||
      !std::ranges::is_sorted(start))
    return false;
  for (std::size_t j = 0; j < n; ++j) {
    std::int64_t before = -1;
    for (const std::int64_t row : pattern.rows_of(j)) {
      if (row <= before || row >= static_cast<std::int64_t>(n)) return false;
      before = row;
    }
  }
  return true;
}

}  // namespace

std::unique_ptr<OdeProblem> make_problem(OdeFunctions functions) {
  const OdeFunctions& f = functions;
  if (f.size == 0) refuse_functions("size is 0. Set it to the number of states.");
  if (bool{f.rhs} == bool{f.residual}) refuse_functions("one of rhs and residual is needed.");
  if ((f.mass || f.nonstiff) && !f.rhs) refuse_functions("mass and nonstiff need rhs.");
  if (f.mass && f.nonstiff) refuse_functions("mass and nonstiff cannot be combined.");
  if (f.jacobian && f.residual) refuse_functions("use residual_jacobian with residual.");
  if (f.residual_jacobian && f.rhs) refuse_functions("use jacobian with rhs.");
  if (f.residual && (f.jacobian_times || f.time_derivative))
    refuse_functions("jacobian_times and time_derivative need rhs.");
  if (f.prepare_preconditioner && !f.precondition)
    refuse_functions("prepare_preconditioner needs precondition.");
  if ((f.root_count > 0) != bool{f.roots})
    refuse_functions("root_count and roots need each other.");
  if (!f.root_directions.empty() && f.root_directions.size() != f.root_count)
    refuse_functions("root_directions has one entry for each event function.");
  auto problem = std::make_unique<FunctionProblem>(std::move(functions));
  solvers::check_patterns(*problem);
  return problem;
}

namespace solvers {

void check_patterns(const OdeProblem& problem) {
  const std::size_t n = problem.size();
  for (const SparsityPattern* const pattern : {problem.jacobian_pattern(), problem.mass_pattern()})
    if (pattern != nullptr && !is_square_pattern(*pattern, n))
      refuse_functions(
          "a sparsity pattern is not that of a square matrix of the problem's size, with ascending "
          "rows in each column. pattern_of_rows() makes one.");
  if (!problem.algebraic().empty() && problem.algebraic().size() != n)
    refuse_functions("algebraic has one entry for each component.");
}

void OdeIntegrator::interpolate_derivative(double t, std::span<double>) {
  throw OdeFailure(t, "this solver does not interpolate derivatives");
}

bool OdeEntry::solves(OdeForm form) const {
  return forms.empty() ? form == OdeForm::explicit_ode
                       : std::ranges::find(forms, form) != forms.end();
}

}  // namespace solvers
}  // namespace tutti
