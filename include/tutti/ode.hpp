// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <tutti/export.hpp>
#include <vector>

/// Problems for integrators: differential equations with their events.
///
/// Notation: t time, y states, y' = dy/dt, f right-hand side, F residual, M mass matrix,
/// J = df/dy, g event functions whose zeros are events.
namespace tutti {

/// Where a matrix can differ from zero, by columns: those of column j are in the rows
/// row_index[column_start[j]] to row_index[column_start[j + 1] - 1], ascending.
struct SparsityPattern {
  std::size_t row_count = 0;
  std::vector<std::int64_t> column_start;
  std::vector<std::int64_t> row_index;

  std::size_t column_count() const { return column_start.size() - 1; }
  std::size_t entry_count() const { return row_index.size(); }
  std::span<const std::int64_t> rows_of(std::size_t column) const {
    const auto first = static_cast<std::size_t>(column_start[column]);
    const auto last = static_cast<std::size_t>(column_start[column + 1]);
    return std::span(row_index).subspan(first, last - first);
  }
};

/// The pattern from the columns that each row depends on, by default with the diagonal. @pre every
/// column number is below rows.size(): the matrix is square
TUTTI_API SparsityPattern pattern_of_rows(std::span<const std::vector<std::size_t>> rows,
                                          bool with_diagonal = true);

enum class OdeForm : std::uint8_t {
  explicit_ode,  ///< y' = f(t, y)
  mass_matrix,   ///< M(t, y) y' = f(t, y); M may be singular: a DAE of index 1
  implicit,      ///< F(t, y, y') = 0
  split,         ///< y' = f(t, y) + n(t, y): f is stiff, n is not
};

/// An event, for its handler, which may change the states.
struct OdeEvent {
  double t = 0;
  std::span<double> y;
  std::span<double> yp;  ///< y', of an implicit problem; the handler may leave it to the solver
  std::span<const int>
      roots;  ///< by event function: 1: it became positive, -1: it became non-positive, 0: neither
  bool time_event = false;  ///< next_time_event() has been reached
  bool step_event = false;  ///< is_step_event() returned true
};

enum class AfterEvent : std::uint8_t { go_on, stop };

/// A problem as a class; OdeFunctions makes one from lambdas. A function that returns false or
/// writes NaN cannot be evaluated at this point: a smaller step may help. An exception ends the
/// integration and reaches the caller. Switches, modes and parameters are members of the class;
/// they may change in handle_event() only.
///
/// The functions of a form other than that of form() are never called.
class TUTTI_API OdeProblem {
 public:
  virtual ~OdeProblem() = default;
  virtual std::size_t size() const = 0;  ///< at least 1
  virtual OdeForm form() const { return OdeForm::explicit_ode; }

  /// f(t, y)
  virtual bool evaluate(double t, std::span<const double> y, std::span<double> f);
  /// n(t, y) of a split problem
  virtual bool evaluate_nonstiff(double t, std::span<const double> y, std::span<double> n);
  /// F(t, y, y') of an implicit problem
  virtual bool residual(double t, std::span<const double> y, std::span<const double> yp,
                        std::span<double> r);
  /// M(t, y): the values of mass_pattern(), or of the whole matrix, column by column. If M changes
  /// with y, jacobian_pattern() should cover where M y' depends on y.
  virtual bool mass(double t, std::span<const double> y, std::span<double> values);
  virtual const SparsityPattern* mass_pattern() const { return nullptr; }
  virtual bool has_constant_mass() const { return true; }
  /// Components whose derivatives do not appear: 1; the others 0. Empty: unknown (implicit), or
  /// none. Used to find consistent start values; can be excluded from the error test.
  virtual std::span<const std::uint8_t> algebraic() const { return {}; }

  // The Jacobian: J = df/dy, or dF/dy + c dF/dy' of an implicit problem. Without any of these it
  // comes from differences.
  /// Where it can differ from zero; null: everywhere.
  virtual const SparsityPattern* jacobian_pattern() const { return nullptr; }
  virtual bool has_jacobian() const { return false; }
  /// The values of the pattern, or of the whole matrix, column by column.
  virtual bool jacobian(double t, std::span<const double> y, std::span<double> values);
  virtual bool residual_jacobian(double t, std::span<const double> y, std::span<const double> yp,
                                 double c, std::span<double> values);
  virtual bool has_directional_derivatives() const { return false; }
  /// result = J(t, y) seed
  virtual bool differentiate(double t, std::span<const double> y, std::span<const double> seed,
                             std::span<double> result);
  /// Used for the matrix where rows need fewer calls than columns.
  virtual bool has_adjoint_derivatives() const { return false; }
  /// result = seed J(t, y): the transposed product
  virtual bool differentiate_adjoint(double t, std::span<const double> y,
                                     std::span<const double> seed, std::span<double> result);
  /// Any of these: the matrix does not come from differences.
  bool has_exact_jacobian() const {
    return has_jacobian() || has_directional_derivatives() || has_adjoint_derivatives();
  }
  /// df/dt, for Rosenbrock methods; zero if f does not depend on t.
  virtual bool has_time_derivative() const { return false; }
  virtual bool time_derivative(double t, std::span<const double> y, std::span<double> result);

  /// A preconditioner P near I - gamma J for Krylov methods, of an implicit problem near
  /// dF/dy + gamma dF/dy': prepared occasionally...
  virtual bool has_preconditioner() const { return false; }
  virtual bool prepare_preconditioner(double t, std::span<const double> y, double gamma);
  /// ...and applied often: solves P z = r.
  virtual bool precondition(std::span<const double> r, std::span<double> z);

  // Events. An event function triggers when g changes from <= 0 to > 0, or back. One that is zero
  // at a start, of the run or after an event, does not trigger before it has left zero.
  virtual std::size_t root_count() const { return 0; }
  /// 1: only when it becomes positive; -1: only when it becomes non-positive; 0: both
  virtual int root_direction(std::size_t /*function*/) const { return 0; }
  /// y' is given for implicit problems only.
  virtual bool evaluate_roots(double t, std::span<const double> y, std::span<const double> yp,
                              std::span<double> g);
  /// The first one after t, in the direction of the integration; infinity: none. Called at the
  /// start and after each event.
  virtual double next_time_event(double /*t*/) { return std::numeric_limits<double>::infinity(); }
  /// Called after each accepted step: true if handle_event() should be called.
  virtual bool is_step_event(double /*t*/, std::span<const double> /*y*/) { return false; }
  virtual AfterEvent handle_event(OdeEvent& /*event*/) { return AfterEvent::go_on; }
};

/// A problem as functions. One of `rhs` and `residual` is needed; with `mass` or `nonstiff`
/// beside `rhs` the problem has that form. Values that cannot be computed are NaN.
struct OdeFunctions {
  using View = std::span<const double>;
  using Out = std::span<double>;
  std::size_t size = 0;
  std::function<void(double t, View y, Out f)> rhs{};
  std::function<void(double t, View y, Out n)> nonstiff{};
  std::function<void(double t, View y, View yp, Out r)> residual{};
  std::function<void(double t, View y, Out values)> mass{};
  SparsityPattern mass_pattern{};  ///< empty: full
  bool constant_mass = true;
  std::vector<std::uint8_t> algebraic{};
  std::function<void(double t, View y, Out values)> jacobian{};
  std::function<void(double t, View y, View yp, double c, Out values)> residual_jacobian{};
  std::function<void(double t, View y, View seed, Out result)> jacobian_times{};
  SparsityPattern jacobian_pattern{};  ///< empty: full
  std::function<void(double t, View y, Out result)> time_derivative{};
  std::function<void(double t, View y, double gamma)> prepare_preconditioner{};
  std::function<void(View r, Out z)> precondition{};
  std::size_t root_count = 0;
  std::vector<int> root_directions{};  ///< empty: both directions
  std::function<void(double t, View y, View yp, Out g)> roots{};
  std::function<double(double t)> next_time_event{};
  std::function<bool(double t, View y)> is_step_event{};
  std::function<AfterEvent(OdeEvent& event)> handle_event{};
};
/// @throws Error if functions are missing or incompatible
TUTTI_API std::unique_ptr<OdeProblem> make_problem(OdeFunctions functions);

}  // namespace tutti
