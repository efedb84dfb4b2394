// SPDX-License-Identifier: BSD-2-Clause
// CVODE called from C, and nothing else: the baseline of tutti::integrate().
//   plain_cvode van-der-pol|brusselator STATES END    prints steps, evaluations and the first state
// The calls are those of the solver `cvode` with its defaults: BDF, Newton's method, a dense
// matrix, one step at a time up to a stop time. The matrix of the Brusselator comes from
// differences. Van der Pol's steps depend on the last digits of differences; exact ones make both
// sides equal.
#if __has_include(<cvodes/cvodes.h>) && defined(TUTTI_CVODES)
#include <cvodes/cvodes.h>
#else
#include <cvode/cvode.h>
#endif
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "ode_problems.h"

struct Problem {
  OdeRightHandSide rhs;
  size_t size;
};

static int evaluate(realtype t, N_Vector y, N_Vector f, void* data) {
  const struct Problem* const problem = data;
  problem->rhs(problem->size, t, N_VGetArrayPointer(y), N_VGetArrayPointer(f));
  return 0;
}

static int jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix matrix, void* data, N_Vector a,
                    N_Vector b, N_Vector c) {
  (void)t, (void)f, (void)data, (void)a, (void)b, (void)c;
  ode_van_der_pol_jacobian(N_VGetArrayPointer(y), SUNDenseMatrix_Data(matrix));
  return 0;
}

static void check(int flag, const char* what) {
  if (flag >= 0) return;
  fprintf(stderr, "plain_cvode: %s\n", what);
  exit(1);
}

static void start(const struct Problem* problem, double* y) {
  if (problem->rhs == ode_van_der_pol) {
    y[0] = 2;
    y[1] = -0.6;
    return;
  }
  const size_t cells = problem->size / 2;
  for (size_t i = 0; i < cells; ++i) {
    const double x = (double)(i + 1) / (double)(cells + 1);
    y[2 * i] = 1 + sin(2 * 3.14159265358979323846 * x);
    y[2 * i + 1] = 3;
  }
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  struct Problem problem = {strcmp(argv[1], "brusselator") == 0 ? ode_brusselator : ode_van_der_pol,
                            (size_t)atol(argv[2])};
  const double end = atof(argv[3]);
  const sunindextype n = (sunindextype)problem.size;

  SUNContext context = NULL;
  check(SUNContext_Create(NULL, &context), "context");
  N_Vector y = N_VNew_Serial(n, context), atol_of = N_VClone(y);
  start(&problem, N_VGetArrayPointer(y));
  N_VConst(1e-6, atol_of);
  void* cvode = CVodeCreate(CV_BDF, context);
  check(CVodeInit(cvode, evaluate, 0, y), "init");
  check(CVodeSetUserData(cvode, &problem), "user data");
  check(CVodeSVtolerances(cvode, 1e-6, atol_of), "tolerances");
  SUNMatrix matrix = SUNDenseMatrix(n, n, context);
  SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
  check(CVodeSetLinearSolver(cvode, linear, matrix), "linear solver");
  if (problem.rhs == ode_van_der_pol) check(CVodeSetJacFn(cvode, jacobian), "Jacobian");
  check(CVodeSetStopTime(cvode, end), "stop time");
  double t = 0;
  while (t < end) check(CVode(cvode, end, y, &t, CV_ONE_STEP), "step");

  long steps = 0, evaluations = 0, for_jacobian = 0;
  CVodeGetNumSteps(cvode, &steps);
  CVodeGetNumRhsEvals(cvode, &evaluations);
  CVodeGetNumLinRhsEvals(cvode, &for_jacobian);
  printf("%ld %ld %.17g\n", steps, evaluations + for_jacobian, N_VGetArrayPointer(y)[0]);
  CVodeFree(&cvode);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(atol_of);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return 0;
}
