// SPDX-License-Identifier: BSD-2-Clause
#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solvers/ode/arkode_tables.hpp"
#include "solvers/ode/components.hpp"
#include "solvers/ode/sundials.hpp"

namespace tutti::solvers {
namespace {

using arkode::Family;

sundials::Trouble arkode_meaning(int flag) {
  using sundials::Trouble;
  switch (flag) {
    case ARK_TOO_MUCH_ACC:
      return Trouble::accuracy;
    case ARK_ERR_FAILURE:
      return Trouble::error_test;
    case ARK_CONV_FAILURE:
    case ARK_LSETUP_FAIL:
    case ARK_LSOLVE_FAIL:
      return Trouble::convergence;
    case ARK_RHSFUNC_FAIL:
    case ARK_FIRST_RHSFUNC_ERR:
    case ARK_REPTD_RHSFUNC_ERR:
    case ARK_UNREC_RHSFUNC_ERR:
      return Trouble::evaluation;
    case ARK_RTFUNC_FAIL:
      return Trouble::roots;
    default:
      return Trouble::other;
  }
}

/// ERKStep for explicit methods, which needs fewer evaluations than ARKStep for the same; ARKStep
/// for the others.
struct Stepper {
  sundials::Library library;
  int (*evolve)(void*, double, N_Vector, double*, int);
  int (*reset)(void*, double, N_Vector);
  int (*root_init)(void*, int, ARKRootFn);
  int (*set_interpolant)(void*, int);
  int (*set_degree)(void*, int);
};

constexpr Stepper erk_stepper = {
    .library =
        {
            .name = "arkode-explicit",
            .meaning = arkode_meaning,
            .free = ERKStepFree,
            .set_on_message = ERKStepSetErrHandlerFn,
            .set_user_data = ERKStepSetUserData,
            .set_tolerances = ERKStepSVtolerances,
            .set_max_step = ERKStepSetMaxStep,
            .set_first_step = ERKStepSetInitStep,
            .set_stop_time = ERKStepSetStopTime,
            .set_max_error_test_failures = ERKStepSetMaxErrTestFails,
            .set_max_convergence_failures = nullptr,
            .set_max_iterations = nullptr,
            .set_linear_solver = nullptr,
            .set_nonlinear_solver = nullptr,
            .set_root_directions = ERKStepSetRootDirection,
            .set_no_root_warning = ERKStepSetNoInactiveRootWarn,
            .get_derivative = ERKStepGetDky,
            .get_roots = ERKStepGetRootInfo,
            .get_current_time = ERKStepGetCurrentTime,
            .get_last_step = ERKStepGetLastStep,
            .get_current_step = ERKStepGetCurrentStep,
            .get_weights = ERKStepGetErrWeights,
            .get_local_errors = ERKStepGetEstLocalErrors,
            .count_steps = ERKStepGetNumSteps,
            .count_error_test_failures = ERKStepGetNumErrTestFails,
            .count_unsolved_steps = nullptr,
            .count_root_evaluations = ERKStepGetNumGEvals,
            .count_iterations = nullptr,
            .count_setups = nullptr,
            .count_jacobians = nullptr,
            .count_products = nullptr,
            .count_evaluations_for_products = nullptr,
        },
    .evolve = ERKStepEvolve,
    .reset = ERKStepReset,
    .root_init = ERKStepRootInit,
    .set_interpolant = ERKStepSetInterpolantType,
    .set_degree = ERKStepSetInterpolantDegree,
};

constexpr Stepper additive_stepper(const char* name) {
  return {
      .library =
          {
              .name = name,
              .meaning = arkode_meaning,
              .free = ARKStepFree,
              .set_on_message = ARKStepSetErrHandlerFn,
              .set_user_data = ARKStepSetUserData,
              .set_tolerances = ARKStepSVtolerances,
              .set_max_step = ARKStepSetMaxStep,
              .set_first_step = ARKStepSetInitStep,
              .set_stop_time = ARKStepSetStopTime,
              .set_max_error_test_failures = ARKStepSetMaxErrTestFails,
              .set_max_convergence_failures = ARKStepSetMaxConvFails,
              .set_max_iterations = ARKStepSetMaxNonlinIters,
              .set_linear_solver = ARKStepSetLinearSolver,
              .set_nonlinear_solver = ARKStepSetNonlinearSolver,
              .set_root_directions = ARKStepSetRootDirection,
              .set_no_root_warning = ARKStepSetNoInactiveRootWarn,
              .get_derivative = ARKStepGetDky,
              .get_roots = ARKStepGetRootInfo,
              .get_current_time = ARKStepGetCurrentTime,
              .get_last_step = ARKStepGetLastStep,
              .get_current_step = ARKStepGetCurrentStep,
              .get_weights = ARKStepGetErrWeights,
              .get_local_errors = ARKStepGetEstLocalErrors,
              .count_steps = ARKStepGetNumSteps,
              .count_error_test_failures = ARKStepGetNumErrTestFails,
              .count_unsolved_steps = ARKStepGetNumStepSolveFails,
              .count_root_evaluations = ARKStepGetNumGEvals,
              .count_iterations = ARKStepGetNumNonlinSolvIters,
              .count_setups = ARKStepGetNumLinSolvSetups,
              .count_jacobians = ARKStepGetNumJacEvals,
              .count_products = ARKStepGetNumJtimesEvals,
              .count_evaluations_for_products = ARKStepGetNumLinRhsEvals,
          },
      .evolve = ARKStepEvolve,
      .reset = ARKStepReset,
      .root_init = ARKStepRootInit,
      .set_interpolant = ARKStepSetInterpolantType,
      .set_degree = ARKStepSetInterpolantDegree,
  };
}
constexpr Stepper explicit_stepper = additive_stepper("arkode-explicit");
constexpr Stepper implicit_stepper = additive_stepper("arkode-implicit");
constexpr Stepper imex_stepper = additive_stepper("arkode-imex");

constexpr const char* interpolants[] = {"hermite", "lagrange"};
// In the order of ARKStepSetPredictorMethod (ARKODE guide, 2.10.5).
constexpr const char* predictors[] = {"trivial", "maximum-order", "variable-order", "cutoff-order"};

/// SUNDIALS ARKODE (D. R. Reynolds et al., ARKODE: a flexible IVP solver infrastructure for
/// one-step methods, ACM TOMS 49, 2023): Runge-Kutta methods with embedded ones for the error;
/// explicit, diagonally implicit, or pairs of both for y' = f + n.
class Arkode final : public sundials::Integrator {
 public:
  Arkode(const Stepper& stepper, OdeProblem& problem, const OdeOptions& options,
         const OptionValues& values, Family kind, const arkode::Table& table);

 private:
  int reinitialize(double since) override {
    check(stepper_.library.set_first_step(memory(), options().first_step));
    return is_explicit() ? ERKStepReInit(memory(), on_evaluate, since, y_vector())
                         : ARKStepReInit(memory(), explicit_part(), on_evaluate, since, y_vector());
  }
  int advance(double end, double& since) override;
  int step_smaller(double end, double& since, double h);
  long evaluations() const override {
    long of_explicit = 0, of_implicit = 0;
    if (is_erk())
      ERKStepGetNumRhsEvals(memory(), &of_explicit);
    else
      ARKStepGetNumRhsEvals(memory(), &of_explicit, &of_implicit);
    return of_explicit + of_implicit;
  }
  int last_order() const override { return order_; }
  int interpolation_degree() const override { return std::max(degree_, 1); }

  bool is_explicit() const { return kind_ == Family::explicit_method; }
  bool is_erk() const { return &stepper_ == &erk_stepper; }
  bool is_split() const { return problem().form() == OdeForm::split; }
  ARKRhsFn explicit_part() const {
    return is_explicit() ? on_evaluate : is_split() ? on_nonstiff : nullptr;
  }
  ARKRhsFn implicit_part() const { return is_explicit() ? nullptr : on_evaluate; }
  void choose_table(const arkode::Table& table);
  void set_up_interpolation(const OptionValues& values);
  void set_up_implicit(const OptionValues& values);
  static int on_nonstiff(double t, N_Vector y, N_Vector n, void* self);

  const Stepper& stepper_;
  Family kind_;
  int order_ = 0, degree_ = 0, most_retries_;
};

Arkode::Arkode(const Stepper& stepper, OdeProblem& problem, const OdeOptions& options,
               const OptionValues& values, Family kind, const arkode::Table& table)
    : Integrator(stepper.library, problem, options, values),
      stepper_(stepper),
      kind_(kind),
      most_retries_(values.integer("maxncf")) {
  set_up(is_erk() ? ERKStepCreate(on_evaluate, 0, y_vector(), context())
                  : ARKStepCreate(explicit_part(), implicit_part(), 0, y_vector(), context()));
  choose_table(table);
  check(stepper_.library.set_max_error_test_failures(memory(), values.integer("maxnef")));
  set_up_interpolation(values);
  set_up_roots(stepper_.root_init, on_roots);
  if (!is_explicit()) set_up_implicit(values);
}

void Arkode::choose_table(const arkode::Table& table) {
  order_ = table.order;
  if (is_erk()) {
    check(ERKStepSetTableNum(memory(), table.explicit_part));
    return;
  }
  // Without a nonstiff part, only the implicit method of a pair is used.
  const bool has_explicit_part = is_explicit() || is_split();
  check(ARKStepSetTableNum(memory(), table.implicit_part,
                           has_explicit_part ? table.explicit_part : ARKODE_ERK_NONE));
}

void Arkode::set_up_interpolation(const OptionValues& values) {
  if (values.word("interpolation") == "lagrange")
    check(stepper_.set_interpolant(memory(), ARK_INTERP_LAGRANGE));
  const int wanted = values.integer("interpolation_degree");
  if (wanted > order_ - 1)
    refuse_option(stepper_.library.name, "interpolation_degree",
                  fmt::format("option interpolation_degree is {}, but the method is of order {}; "
                              "expected at most {}.",
                              wanted, order_, order_ - 1));
  degree_ = std::min(wanted == 0 ? ARK_INTERP_MAX_DEGREE : wanted, order_ - 1);
  check(stepper_.set_degree(memory(), degree_));
}

void Arkode::set_up_implicit(const OptionValues& values) {
  check(ARKStepSetMaxConvFails(memory(), most_retries_));
  set_up_newton(values);
  check(ARKStepSetMaxNonlinIters(memory(), values.integer("maxcor")));
  // f of a stage is deduced from its value, not evaluated: evaluation multiplies the error of
  // Newton's method by the largest eigenvalue, and the error test then requires steps that resolve
  // the fast part.
  check(ARKStepSetDeduceImplicitRhs(memory(), 1));
  // ARKODE judges the first iteration of a stage by the convergence rate of stages before. With an
  // exact Jacobian that falls without limit, and a first iteration with the factors of another step
  // size then counts as converged (6.4.1: error 3e-3 at rtol 1e-8). With 1 the rate never falls.
  check(ARKStepSetNonlinCRDown(memory(), 1));
  const auto* const predictor = std::ranges::find(predictors, values.word("predictor"));
  check(ARKStepSetPredictorMethod(memory(), static_cast<int>(predictor - predictors)));
  if (!newton()->is_krylov()) {
    check(ARKStepSetJacFn(memory(), on_jacobian));
    return;
  }
  if (problem().has_directional_derivatives())
    check(ARKStepSetJacTimes(memory(), nullptr, on_product));
  if (problem().has_preconditioner())
    check(ARKStepSetPreconditioner(memory(), on_prepare, on_precondition));
}

int Arkode::advance(double end, double& since) {
  const double start = since;
  int flag = stepper_.evolve(memory(), end, y_vector(), &since, ARK_ONE_STEP);
  for (int tries = 0; tries < most_retries_ && !has_thrown() &&
                      (flag == ARK_UNREC_RHSFUNC_ERR || flag == ARK_RHSFUNC_FAIL);
       ++tries) {
    double h = 0;
    if (stepper_.library.get_current_step(memory(), &h) < 0 || !(h > 0))
      break;  // it failed at the start
    since = start;
    flag = step_smaller(end, since, h / 4);
  }
  return flag;
}

/// ARKODE fails where an explicit stage cannot be computed; a smaller step may avoid that point.
int Arkode::step_smaller(double end, double& since, double h) {
  note_rejected_evaluation(4 * h);
  check(stepper_.reset(memory(), since, y_vector()));
  check(stepper_.library.set_first_step(memory(), h));
  check(stepper_.library.set_stop_time(memory(), end));
  return stepper_.evolve(memory(), end, y_vector(), &since, ARK_ONE_STEP);
}

int Arkode::on_nonstiff(double t, N_Vector y, N_Vector n, void* self) {
  auto& me = static_cast<Arkode&>(*static_cast<Integrator*>(self));
  return me.counting_refusals(me.guarded([&] {
    return me.problem().evaluate_nonstiff(me.time(t), sundials::view(y), sundials::view(n)) &&
           has_only_finite(sundials::view(n));
  }));
}

arkode::Table table_of(Family kind, const OptionValues& values) {
  return arkode::find_table(kind, values.word("table"), values.integer("order"));
}

std::vector<OptionRow> arkode_rows(Family kind) {
  std::vector<OptionRow> rows{
      sundials::external_events_row(),
      {"interpolation", std::string("hermite"),
       "Family of dense output; lagrange does not amplify errors of stiff problems", 0, 0,
       interpolants},
      {"interpolation_degree", std::int64_t{0},
       "Degree of the dense output; 0: that of the method less 1, at most 5", 0, 5},
      sundials::maxncf_row(),
      sundials::maxnef_row(20),
      // Of the usual implicit methods, the one of order 5 takes a third of the steps of that of
      // order 4 for van der Pol's equation at 1e-6, and is L-stable.
      {"order", std::int64_t{kind == Family::implicit_method ? 5 : 4},
       "Order of the method, where table does not name one",
       static_cast<double>(arkode::lowest_order(kind)),
       static_cast<double>(arkode::highest_order(kind))},
      {"table", std::string(), "Coefficients by name; empty: the usual ones of this order", 0, 0,
       arkode::table_names(kind)},
  };
  if (kind == Family::explicit_method) return rows;
  rows.push_back(sundials::Newton::solver_row());
  rows.push_back(sundials::maxcor_row(3));
  rows.push_back(sundials::Newton::maxkrylov_row());
  rows.push_back({"predictor", std::string("trivial"), "How the iteration for a stage starts", 0, 0,
                  predictors});
  std::ranges::sort(rows, std::ranges::less{},
                    [](const OptionRow& row) { return std::string_view(row.name); });
  return rows;
}

}  // namespace

std::span<const OptionRow> arkode_explicit_options() {
  static const std::vector<OptionRow> rows = arkode_rows(Family::explicit_method);
  return rows;
}
std::span<const OptionRow> arkode_implicit_options() {
  static const std::vector<OptionRow> rows = arkode_rows(Family::implicit_method);
  return rows;
}
std::span<const OptionRow> arkode_imex_options() {
  static const std::vector<OptionRow> rows = arkode_rows(Family::imex);
  return rows;
}

std::unique_ptr<OdeIntegrator> make_arkode_explicit(OdeProblem& problem,
                                                    const OdeOptions& options) {
  const OptionValues values("arkode-explicit", arkode_explicit_options(), options.own);
  const arkode::Table table = table_of(Family::explicit_method, values);
  const Stepper& stepper =
      arkode::is_right_in_erkstep(table.explicit_part) ? erk_stepper : explicit_stepper;
  return std::make_unique<Arkode>(stepper, problem, options, values, Family::explicit_method,
                                  table);
}
std::unique_ptr<OdeIntegrator> make_arkode_implicit(OdeProblem& problem,
                                                    const OdeOptions& options) {
  const OptionValues values("arkode-implicit", arkode_implicit_options(), options.own);
  return std::make_unique<Arkode>(implicit_stepper, problem, options, values,
                                  Family::implicit_method,
                                  table_of(Family::implicit_method, values));
}
std::unique_ptr<OdeIntegrator> make_arkode_imex(OdeProblem& problem, const OdeOptions& options) {
  const OptionValues values("arkode-imex", arkode_imex_options(), options.own);
  return std::make_unique<Arkode>(imex_stepper, problem, options, values, Family::imex,
                                  table_of(Family::imex, values));
}

}  // namespace tutti::solvers
