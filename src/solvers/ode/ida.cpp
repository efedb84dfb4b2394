// SPDX-License-Identifier: BSD-2-Clause
#include <idas/idas.h>

#include <algorithm>

#include "solvers/ode/components.hpp"
#include "solvers/ode/consistent_start.hpp"
#include "solvers/ode/forms.hpp"
#include "solvers/ode/sundials.hpp"

namespace tutti::solvers {
namespace {

constexpr sundials::Library ida_library = {
    .name = "ida",
    .meaning =
        [](int flag) {
          using sundials::Trouble;
          switch (flag) {
            case IDA_TOO_MUCH_ACC:
              return Trouble::accuracy;
            case IDA_ERR_FAIL:
              return Trouble::error_test;
            case IDA_CONV_FAIL:
            case IDA_LSETUP_FAIL:
            case IDA_LSOLVE_FAIL:
              return Trouble::convergence;
            case IDA_RES_FAIL:
            case IDA_FIRST_RES_FAIL:
            case IDA_REP_RES_ERR:
              return Trouble::evaluation;
            case IDA_RTFUNC_FAIL:
              return Trouble::roots;
            default:
              return Trouble::other;
          }
        },
    .free = IDAFree,
    .set_on_message = IDASetErrHandlerFn,
    .set_user_data = IDASetUserData,
    .set_tolerances = IDASVtolerances,
    .set_max_step = IDASetMaxStep,
    .set_first_step = IDASetInitStep,
    .set_stop_time = IDASetStopTime,
    .set_max_error_test_failures = IDASetMaxErrTestFails,
    .set_max_convergence_failures = IDASetMaxConvFails,
    .set_max_iterations = IDASetMaxNonlinIters,
    .set_linear_solver = IDASetLinearSolver,
    .set_nonlinear_solver = IDASetNonlinearSolver,
    .set_root_directions = IDASetRootDirection,
    .set_no_root_warning = IDASetNoInactiveRootWarn,
    .get_derivative = IDAGetDky,
    .get_roots = IDAGetRootInfo,
    .get_current_time = IDAGetCurrentTime,
    .get_last_step = IDAGetLastStep,
    .get_current_step = IDAGetCurrentStep,
    .get_weights = IDAGetErrWeights,
    .get_local_errors = IDAGetEstLocalErrors,
    .count_steps = IDAGetNumSteps,
    .count_error_test_failures = IDAGetNumErrTestFails,
    .count_unsolved_steps = IDAGetNumStepSolveFails,
    .count_root_evaluations = IDAGetNumGEvals,
    .count_iterations = IDAGetNumNonlinSolvIters,
    .count_setups = IDAGetNumLinSolvSetups,
    .count_jacobians = IDAGetNumJacEvals,
    .count_products = IDAGetNumJtimesEvals,
    .count_evaluations_for_products = IDAGetNumLinResEvals,
};

std::unique_ptr<ImplicitForm> form_for_ida(OdeProblem& problem) {
  return problem.form() == OdeForm::implicit ? nullptr : std::make_unique<ImplicitForm>(problem);
}

/// Constructed before the integrator, which refers to it.
struct IdaForm {
  explicit IdaForm(OdeProblem& problem)
      : given(problem), form(form_for_ida(problem)), implicit(form ? *form : problem) {}
  OdeProblem& given;
  std::unique_ptr<ImplicitForm> form;
  OdeProblem& implicit;
};

/// SUNDIALS IDA (A. C. Hindmarsh et al., ACM TOMS 31, 2005): BDF of order 1 to 5 in fixed leading
/// coefficient form, for F(t, y, y') = 0 (IDA guide, 2.1; K. E. Brenan, S. L. Campbell, L. R.
/// Petzold, Numerical Solution of Initial-Value Problems in Differential-Algebraic Equations,
/// 1996).
class Ida final : private IdaForm, public sundials::Integrator {
 public:
  Ida(OdeProblem& problem, const OdeOptions& options, const OptionValues& values);

  void start(double t, std::span<const double> y, std::span<const double> yp) override;

 private:
  int reinitialize(double since) override {
    return IDAReInit(memory(), since, y_vector(), yp_vector());
  }
  int advance(double end, double& since) override {
    return IDASolve(memory(), end, &since, y_vector(), yp_vector(), IDA_ONE_STEP);
  }
  long evaluations() const override {
    long number = 0;
    IDAGetNumResEvals(memory(), &number);
    return number;
  }
  int last_order() const override {
    int order = 0;
    IDAGetLastOrder(memory(), &order);
    return order;
  }
  int interpolation_degree() const override { return std::max(last_order(), 1); }
  const char* try_when_not_converging() const override {
    return "Check that the algebraic equations determine the algebraic components (index 1), or "
           "try another rtol.";
  }
  void set_up_jacobian();
  void set_id(double t);

  static int on_residual(double t, N_Vector y, N_Vector yp, N_Vector r, void* self);
  static int on_ida_roots(double t, N_Vector y, N_Vector yp, double* g, void* self);
  static int on_ida_jacobian(double t, double c, N_Vector y, N_Vector yp, N_Vector r,
                             SUNMatrix matrix, void* self, N_Vector scratch, N_Vector, N_Vector);
  static int on_ida_prepare(double t, N_Vector y, N_Vector yp, N_Vector r, double c, void* self);
  static int on_ida_precondition(double t, N_Vector y, N_Vector yp, N_Vector r, N_Vector right,
                                 N_Vector z, double c, double delta, void* self);

  bool suppresses_algebraic_;
  double direction_;
  sundials::Vector id_;  ///< 1: differential
  std::vector<double> start_y_, start_yp_;
};

Ida::Ida(OdeProblem& problem, const OdeOptions& options, const OptionValues& values)
    : IdaForm(problem),
      Integrator(ida_library, implicit, options, values),
      suppresses_algebraic_(values.flag("suppress_alg")),
      direction_(values.number("tout1")),
      id_(sundials::made(N_VClone(y_vector()))) {
  set_up(IDACreate(context()));
  void* const ida = memory();
  check(IDAInit(ida, on_residual, 0, y_vector(), yp_vector()));
  check(IDASetMaxOrd(ida, values.integer("maxord")));
  check(IDASetMaxErrTestFails(ida, values.integer("maxnef")));
  check(IDASetMaxConvFails(ida, values.integer("maxncf")));
  set_up_roots(IDARootInit, on_ida_roots);
  set_up_newton(values);
  check(IDASetMaxNonlinIters(ida, values.integer("maxcor")));
  set_up_jacobian();
}

void Ida::set_up_jacobian() {
  if (!newton()->is_krylov())
    check(IDASetJacFn(memory(), on_ida_jacobian));
  else if (implicit.has_preconditioner())
    check(IDASetPreconditioner(memory(), on_ida_prepare, on_ida_precondition));
}

void Ida::start(double t, std::span<const double> y, std::span<const double> yp) {
  start_y_.assign(y.begin(), y.end());
  start_yp_.assign(yp.begin(), yp.end());
  if (yp.empty()) {
    start_yp_.assign(y.size(), 0);
    find_consistent_start(given, t, t + direction_, start_y_, start_yp_,
                          {.rtol = options().rtol, .atol = atol()});
  }
  if (suppresses_algebraic_) set_id(t);
  Integrator::start(t, start_y_, start_yp_);
}

void Ida::set_id(double t) {
  const std::span<const std::uint8_t> known = implicit.algebraic();
  const auto algebraic =
      known.empty() ? find_algebraic(implicit, t, start_y_, start_yp_, options().rtol, atol())
                    : std::vector<std::uint8_t>(known.begin(), known.end());
  std::ranges::transform(algebraic, sundials::view(id_.get()).begin(),
                         [](std::uint8_t is_algebraic) { return is_algebraic != 0 ? 0.0 : 1.0; });
  check(IDASetId(memory(), id_.get()));
  check(IDASetSuppressAlg(memory(), 1));
}

int Ida::on_residual(double t, N_Vector y, N_Vector yp, N_Vector r, void* self) {
  auto& me = static_cast<Ida&>(*static_cast<Integrator*>(self));
  return me.counting_refusals(me.guarded([&] {
    return me.implicit.residual(me.time(t), sundials::view(y), sundials::view(yp),
                                sundials::view(r)) &&
           has_only_finite(sundials::view(r));
  }));
}

int Ida::on_ida_roots(double t, N_Vector y, N_Vector yp, double* g, void* self) {
  auto& me = static_cast<Ida&>(*static_cast<Integrator*>(self));
  return me.guarded([&] { return me.evaluate_roots(t, y, yp, g); });
}

int Ida::on_ida_jacobian(double t, double c, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix matrix,
                         void* self, N_Vector scratch, N_Vector, N_Vector) {
  using sundials::view;
  auto& me = static_cast<Ida&>(*static_cast<Integrator*>(self));
  return me.guarded([&] {
    const std::span<const double> increments = me.least_increments(r, yp, scratch);
    return me.newton()->fill(matrix, [&](Jacobian& jacobian, std::span<double> values) {
      return jacobian.evaluate(me.time(t), view(y), view(yp), c, view(r), increments, values) &&
             has_only_finite(values);
    });
  });
}

// The preconditioner of a problem is near dF/dy' + gamma dF/dy, that of IDA near dF/dy + c dF/dy'.
int Ida::on_ida_prepare(double t, N_Vector y, N_Vector, N_Vector, double c, void* self) {
  auto& me = static_cast<Ida&>(*static_cast<Integrator*>(self));
  return me.guarded(
      [&] { return me.implicit.prepare_preconditioner(me.time(t), sundials::view(y), 1 / c); });
}

int Ida::on_ida_precondition(double, N_Vector, N_Vector, N_Vector, N_Vector right, N_Vector z,
                             double c, double, void* self) {
  auto& me = static_cast<Ida&>(*static_cast<Integrator*>(self));
  return me.guarded([&] {
    if (!me.implicit.precondition(sundials::view(right), sundials::view(z))) return false;
    N_VScale(1 / c, z, z);
    return true;
  });
}

}  // namespace

std::span<const OptionRow> ida_options() {
  static const std::vector<OptionRow> rows{
      sundials::external_events_row(),
      sundials::Newton::solver_row(),
      sundials::maxcor_row(4),
      sundials::Newton::maxkrylov_row(),
      sundials::maxncf_row(),
      sundials::maxnef_row(10),
      {"maxord", std::int64_t{5}, "Maximum order", 1, 5},
      {"suppress_alg", false, "Leave the algebraic components out of the error test"},
      {"tout1", 1e-4, "Time from the start that scales the search for consistent values", 1e-300,
       1e300},
  };
  return rows;
}

std::unique_ptr<OdeIntegrator> make_ida(OdeProblem& problem, const OdeOptions& options) {
  return std::make_unique<Ida>(problem, options, OptionValues("ida", ida_options(), options.own));
}

}  // namespace tutti::solvers
