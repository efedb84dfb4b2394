// SPDX-License-Identifier: BSD-2-Clause
#include <cvodes/cvodes.h>

#include <algorithm>

#include "solvers/ode/sundials.hpp"

namespace tutti::solvers {
namespace {

constexpr sundials::Library cvode_library(const char* name) {
  return {
      .name = name,
      .meaning =
          [](int flag) {
            using sundials::Trouble;
            switch (flag) {
              case CV_TOO_MUCH_ACC:
                return Trouble::accuracy;
              case CV_ERR_FAILURE:
                return Trouble::error_test;
              case CV_CONV_FAILURE:
              case CV_LSETUP_FAIL:
              case CV_LSOLVE_FAIL:
                return Trouble::convergence;
              case CV_RHSFUNC_FAIL:
              case CV_FIRST_RHSFUNC_ERR:
              case CV_REPTD_RHSFUNC_ERR:
              case CV_UNREC_RHSFUNC_ERR:
                return Trouble::evaluation;
              case CV_RTFUNC_FAIL:
                return Trouble::roots;
              default:
                return Trouble::other;
            }
          },
      .free = CVodeFree,
      .set_on_message = CVodeSetErrHandlerFn,
      .set_user_data = CVodeSetUserData,
      .set_tolerances = CVodeSVtolerances,
      .set_max_step = CVodeSetMaxStep,
      .set_first_step = CVodeSetInitStep,
      .set_stop_time = CVodeSetStopTime,
      .set_max_error_test_failures = CVodeSetMaxErrTestFails,
      .set_max_convergence_failures = CVodeSetMaxConvFails,
      .set_max_iterations = CVodeSetMaxNonlinIters,
      .set_linear_solver = CVodeSetLinearSolver,
      .set_nonlinear_solver = CVodeSetNonlinearSolver,
      .set_root_directions = CVodeSetRootDirection,
      .set_no_root_warning = CVodeSetNoInactiveRootWarn,
      .get_derivative = CVodeGetDky,
      .get_roots = CVodeGetRootInfo,
      .get_current_time = CVodeGetCurrentTime,
      .get_last_step = CVodeGetLastStep,
      .get_current_step = CVodeGetCurrentStep,
      .get_weights = CVodeGetErrWeights,
      .get_local_errors = CVodeGetEstLocalErrors,
      .count_steps = CVodeGetNumSteps,
      .count_error_test_failures = CVodeGetNumErrTestFails,
      .count_unsolved_steps = CVodeGetNumStepSolveFails,
      .count_root_evaluations = CVodeGetNumGEvals,
      .count_iterations = CVodeGetNumNonlinSolvIters,
      .count_setups = CVodeGetNumLinSolvSetups,
      .count_jacobians = CVodeGetNumJacEvals,
      .count_products = CVodeGetNumJtimesEvals,
      .count_evaluations_for_products = CVodeGetNumLinRhsEvals,
  };
}
constexpr sundials::Library bdf_library = cvode_library("cvode");
constexpr sundials::Library adams_library = cvode_library("cvode-adams");

constexpr const char* iterations[] = {"fixedpoint", "newton"};

/// SUNDIALS CVODE (A. C. Hindmarsh et al., ACM TOMS 31, 2005): BDF of order 1 to 5, or
/// Adams-Moulton methods of order 1 to 12, in Nordsieck form with variable coefficients (CVODE
/// guide, 2.1).
class Cvode final : public sundials::Integrator {
 public:
  Cvode(const sundials::Library& library, OdeProblem& problem, const OdeOptions& options,
        const OptionValues& values, int method);

 private:
  int reinitialize(double since) override { return CVodeReInit(memory(), since, y_vector()); }
  int advance(double end, double& since) override {
    return CVode(memory(), end, y_vector(), &since, CV_ONE_STEP);
  }
  long evaluations() const override {
    long number = 0;
    CVodeGetNumRhsEvals(memory(), &number);
    return number;
  }
  int last_order() const override {
    int order = 0;
    CVodeGetLastOrder(memory(), &order);
    return order;
  }
  int interpolation_degree() const override { return std::max(last_order(), 1); }
  void set_up_krylov();
};

Cvode::Cvode(const sundials::Library& library, OdeProblem& problem, const OdeOptions& options,
             const OptionValues& values, int method)
    : Integrator(library, problem, options, values) {
  if (values.word("iter") == "fixedpoint")
    for (const char* const option : {"linear_solver", "maxkrylov"})
      values.refuse_if_given(option, "with iter = \"fixedpoint\" there are no linear systems",
                             "Set iter = \"newton\" too.");
  set_up(CVodeCreate(method, context()));
  void* const cvode = memory();
  check(CVodeInit(cvode, on_evaluate, 0, y_vector()));
  check(CVodeSetMaxOrd(cvode, values.integer("maxord")));
  check(CVodeSetMaxErrTestFails(cvode, values.integer("maxnef")));
  check(CVodeSetMaxConvFails(cvode, values.integer("maxncf")));
  set_up_roots(CVodeRootInit, on_roots);
  if (values.word("iter") == "newton")
    set_up_newton(values);
  else
    set_up_fixed_point();
  check(CVodeSetMaxNonlinIters(cvode, values.integer("maxcor")));
  if (newton() != nullptr && newton()->is_krylov())
    set_up_krylov();
  else if (newton() != nullptr)
    check(CVodeSetJacFn(cvode, on_jacobian));
  if (method == CV_BDF && values.flag("stablimdet")) check(CVodeSetStabLimDet(cvode, 1));
}

void Cvode::set_up_krylov() {
  if (problem().has_directional_derivatives())
    check(CVodeSetJacTimes(memory(), nullptr, on_product));
  if (problem().has_preconditioner())
    check(CVodeSetPreconditioner(memory(), on_prepare, on_precondition));
}

std::vector<OptionRow> cvode_rows(std::int64_t highest_order, const char* iteration) {
  std::vector<OptionRow> rows{
      sundials::external_events_row(),
      {"iter", std::string(iteration), "How the equations of a step are solved", 0, 0, iterations},
      sundials::Newton::solver_row(),
      sundials::maxcor_row(3),
      sundials::Newton::maxkrylov_row(),
      sundials::maxncf_row(),
      sundials::maxnef_row(20),
      {"maxord", highest_order, "Maximum order", 1, static_cast<double>(highest_order)},
  };
  if (highest_order == 5)
    rows.push_back({"stablimdet", false, "Reduce the order where BDF of order 3 to 5 is unstable"});
  return rows;
}

}  // namespace

std::span<const OptionRow> cvode_bdf_options() {
  static const std::vector<OptionRow> rows = cvode_rows(5, "newton");
  return rows;
}

std::span<const OptionRow> cvode_adams_options() {
  static const std::vector<OptionRow> rows = cvode_rows(12, "fixedpoint");
  return rows;
}

std::unique_ptr<OdeIntegrator> make_cvode_bdf(OdeProblem& problem, const OdeOptions& options) {
  return std::make_unique<Cvode>(bdf_library, problem, options,
                                 OptionValues("cvode", cvode_bdf_options(), options.own), CV_BDF);
}

std::unique_ptr<OdeIntegrator> make_cvode_adams(OdeProblem& problem, const OdeOptions& options) {
  return std::make_unique<Cvode>(adams_library, problem, options,
                                 OptionValues("cvode-adams", cvode_adams_options(), options.own),
                                 CV_ADAMS);
}

}  // namespace tutti::solvers
