// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_nvector.h>

#include <limits>
#include <memory>
#include <new>

#include "solvers/ode/jacobian.hpp"
#include "solvers/ode/options.hpp"

namespace tutti::solvers::sundials {

constexpr double unit_roundoff = std::numeric_limits<double>::epsilon();

template <auto Free>
struct Freeing {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Vector = std::unique_ptr<_generic_N_Vector, Freeing<N_VDestroy>>;
using Matrix = std::unique_ptr<_generic_SUNMatrix, Freeing<SUNMatDestroy>>;
using LinearSolver = std::unique_ptr<_generic_SUNLinearSolver, Freeing<SUNLinSolFree>>;
using NonlinearSolver = std::unique_ptr<_generic_SUNNonlinearSolver, Freeing<SUNNonlinSolFree>>;

template <class Handle>
Handle made(Handle handle) {
  if (!handle) throw std::bad_alloc();
  return handle;
}

/// All vectors are serial; their values are accessible without virtual calls.
inline std::span<double> view(N_Vector v) {
  const auto& content = *static_cast<const _N_VectorContent_Serial*>(v->content);
  return {content.data, static_cast<std::size_t>(content.length)};
}

struct Context {
  Context() {
    if (SUNContext_Create(nullptr, &handle) != 0) throw std::bad_alloc();
  }
  ~Context() { SUNContext_Free(&handle); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  SUNContext handle = nullptr;
};

/// The linear systems of Newton's method: a matrix filled by Jacobian, with dense, band or sparse
/// elimination (KLU); or products with the Jacobian and GMRES.
class Newton {
 public:
  /// @param solver for messages. @throws Error if the problem does not support the choice
  Newton(std::string_view solver, OdeProblem& problem, const OptionValues& values, N_Vector y,
         SUNContext context);

  SUNLinearSolver solver() const { return solver_.get(); }
  SUNMatrix matrix() const { return matrix_.get(); }  ///< null: GMRES
  bool is_krylov() const { return matrix_ == nullptr; }
  bool is_sparse() const;
  std::uint64_t evaluations() const { return jacobian_.evaluations(); }

  /// Fills a matrix of this kind. `evaluate(jacobian, values)` computes the values; false if not
  /// possible.
  template <class Evaluate>
  bool fill(SUNMatrix matrix, const Evaluate& evaluate) {
    if (!evaluate(jacobian_, values_in(matrix))) return false;
    arrange(matrix);
    return true;
  }

  /// linear_solver and maxkrylov
  static OptionRow solver_row();
  static OptionRow maxkrylov_row();

 private:
  bool prefers_sparse() const;
  void make_dense(N_Vector y, SUNContext context);
  void make_band(N_Vector y, SUNContext context);
  void make_sparse(N_Vector y, SUNContext context);
  void make_krylov(int dimension, N_Vector y, SUNContext context);
  std::span<double> values_in(SUNMatrix matrix);
  void arrange(SUNMatrix matrix) const;

  OdeProblem& problem_;
  Jacobian jacobian_;
  Matrix matrix_;
  LinearSolver solver_;
  std::vector<double> values_;  ///< of the pattern, where the matrix has another order
};

}  // namespace tutti::solvers::sundials
