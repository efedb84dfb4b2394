// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/sundials_newton.hpp"

#include <fmt/format.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <tutti/error.hpp>

namespace tutti::solvers::sundials {
namespace {

constexpr std::size_t least_sparse_size = 30;  // below, dense elimination is faster in any case
constexpr const char* linear_solvers[] = {"auto", "band", "dense", "krylov", "sparse"};

}  // namespace

OptionRow Newton::solver_row() {
  return {"linear_solver",
          std::string("auto"),
          "How linear systems are solved: auto takes sparse for large sparse Jacobians, else dense",
          0,
          0,
          linear_solvers};
}

OptionRow Newton::maxkrylov_row() {
  return {"maxkrylov", std::int64_t{5}, "Maximum dimension of the Krylov space of GMRES", 1, 1000};
}

Newton::Newton(std::string_view solver, OdeProblem& problem, const OptionValues& values, N_Vector y,
               SUNContext context)
    : problem_(problem), jacobian_(problem) {
  const std::string& kind = values.word("linear_solver");
  if ((kind == "band" || kind == "sparse") && jacobian_.pattern() == nullptr)
    throw Error(
        ErrorCode::usage,
        fmt::format("solver {}: linear_solver = \"{}\" needs the sparsity pattern of the Jacobian, "
                    "and the problem has none.",
                    solver, kind),
        {.key = "solver.linear_solver", .hint = "Try \"dense\" or \"krylov\"."});
  if (kind == "krylov")
    make_krylov(values.integer("maxkrylov"), y, context);
  else if (kind == "band")
    make_band(y, context);
  else if (kind == "sparse" || (kind == "auto" && prefers_sparse()))
    make_sparse(y, context);
  else
    make_dense(y, context);
}

bool Newton::prefers_sparse() const {
  const SparsityPattern* const pattern = jacobian_.pattern();
  const std::size_t n = problem_.size();
  return pattern != nullptr && n >= least_sparse_size && pattern->entry_count() < n * n / 4;
}

bool Newton::is_sparse() const {
  return matrix_ != nullptr && SUNMatGetID(matrix_.get()) == SUNMATRIX_SPARSE;
}

void Newton::make_dense(N_Vector y, SUNContext context) {
  const auto n = static_cast<sunindextype>(problem_.size());
  matrix_.reset(made(SUNDenseMatrix(n, n, context)));
  solver_.reset(made(SUNLinSol_Dense(y, matrix_.get(), context)));
  if (jacobian_.pattern() != nullptr) values_.resize(jacobian_.value_count());
}

void Newton::make_band(N_Vector y, SUNContext context) {
  const SparsityPattern& pattern = *jacobian_.pattern();
  sunindextype upper = 0, lower = 0;
  for (std::size_t j = 0; j < pattern.column_count(); ++j)
    for (const std::int64_t row : pattern.rows_of(j)) {
      const auto below = row - static_cast<std::int64_t>(j);
      lower = std::max(lower, static_cast<sunindextype>(below));
      upper = std::max(upper, static_cast<sunindextype>(-below));
    }
  matrix_.reset(
      made(SUNBandMatrix(static_cast<sunindextype>(problem_.size()), upper, lower, context)));
  solver_.reset(made(SUNLinSol_Band(y, matrix_.get(), context)));
  values_.resize(jacobian_.value_count());
}

void Newton::make_sparse(N_Vector y, SUNContext context) {
  const auto n = static_cast<sunindextype>(problem_.size());
  const auto entries = static_cast<sunindextype>(jacobian_.value_count());
  matrix_.reset(made(SUNSparseMatrix(n, n, entries, CSC_MAT, context)));
  solver_.reset(made(SUNLinSol_KLU(y, matrix_.get(), context)));
}

void Newton::make_krylov(int dimension, N_Vector y, SUNContext context) {
  const int side = problem_.has_preconditioner() ? SUN_PREC_LEFT : SUN_PREC_NONE;
  solver_.reset(made(SUNLinSol_SPGMR(y, side, dimension, context)));
}

std::span<double> Newton::values_in(SUNMatrix matrix) {
  if (!values_.empty()) return values_;
  double* const data = SUNMatGetID(matrix) == SUNMATRIX_DENSE ? SUNDenseMatrix_Data(matrix)
                                                              : SUNSparseMatrix_Data(matrix);
  return {data, jacobian_.value_count()};
}

/// Copies the values from values_ where the matrix has another order.
void Newton::arrange(SUNMatrix matrix) const {
  const SparsityPattern* const pattern = jacobian_.pattern();
  if (pattern == nullptr) return;
  if (SUNMatGetID(matrix) == SUNMATRIX_SPARSE) {
    std::ranges::copy(pattern->column_start, SUNSparseMatrix_IndexPointers(matrix));
    std::ranges::copy(pattern->row_index, SUNSparseMatrix_IndexValues(matrix));
    return;
  }
  const bool is_band = SUNMatGetID(matrix) == SUNMATRIX_BAND;
  const double* value = values_.data();
  for (std::size_t j = 0; j < pattern->column_count(); ++j) {
    const auto column = static_cast<sunindextype>(j);
    // The column of a band matrix points to its diagonal.
    double* const target =
        is_band ? SUNBandMatrix_Column(matrix, column) : SUNDenseMatrix_Column(matrix, column);
    const std::int64_t first = is_band ? column : 0;
    for (const std::int64_t row : pattern->rows_of(j)) target[row - first] = *value++;
  }
}

}  // namespace tutti::solvers::sundials
