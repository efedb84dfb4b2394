// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_nvector.h>

#include <cstdint>

namespace tutti::solvers::sundials {

/// The meaning of a negative flag.
enum class Trouble : std::uint8_t { accuracy, error_test, convergence, evaluation, roots, other };

/// The functions that have another name in each library.
struct Library {
  using OnMessage = void (*)(int, const char*, const char*, char*, void*);
  const char* name;
  Trouble (*meaning)(int flag);
  void (*free)(void** memory);
  int (*set_on_message)(void*, OnMessage, void* user_data);
  int (*set_user_data)(void*, void*);
  int (*set_tolerances)(void*, double rtol, N_Vector atol);
  int (*set_max_step)(void*, double);
  int (*set_first_step)(void*, double);
  int (*set_stop_time)(void*, double);
  int (*set_max_error_test_failures)(void*, int);
  int (*set_max_convergence_failures)(void*, int);
  int (*set_max_iterations)(void*, int);
  int (*set_linear_solver)(void*, SUNLinearSolver, SUNMatrix);
  int (*set_nonlinear_solver)(void*, SUNNonlinearSolver);
  int (*set_root_directions)(void*, int*);
  int (*set_no_root_warning)(void*);
  int (*get_derivative)(void*, double t, int k, N_Vector);
  int (*get_roots)(void*, int*);
  int (*get_current_time)(void*, double*);
  int (*get_last_step)(void*, double*);
  int (*get_current_step)(void*, double*);
  int (*get_weights)(void*, N_Vector);
  int (*get_local_errors)(void*, N_Vector);
  int (*count_steps)(void*, long*);
  int (*count_error_test_failures)(void*, long*);
  int (*count_unsolved_steps)(void*, long*);
  int (*count_root_evaluations)(void*, long*);
  int (*count_iterations)(void*, long*);
  int (*count_setups)(void*, long*);
  int (*count_jacobians)(void*, long*);
  int (*count_products)(void*, long*);
  int (*count_evaluations_for_products)(void*, long*);
};

}  // namespace tutti::solvers::sundials
