// SPDX-License-Identifier: BSD-2-Clause
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <tutti/error.hpp>
#include <utility>

#include "solvers/ode/jacobian.hpp"
#include "solvers/ode/ode.hpp"

namespace tutti::solvers {
namespace {

constexpr double roundoff = std::numeric_limits<double>::epsilon();
constexpr int most_stuck_steps = 20;
constexpr double coarse = 1e5;  // rounding errors of the time: so few need another origin
constexpr std::size_t least_sparse_size = 30;  // below, dense elimination is faster in any case

template <auto Free>
struct Freeing {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using OwnedVector = std::unique_ptr<_generic_N_Vector, Freeing<N_VDestroy>>;
using OwnedMatrix = std::unique_ptr<_generic_SUNMatrix, Freeing<SUNMatDestroy>>;
using LinearSolver = std::unique_ptr<_generic_SUNLinearSolver, Freeing<SUNLinSolFree>>;
using NonlinearSolver = std::unique_ptr<_generic_SUNNonlinearSolver, Freeing<SUNNonlinSolFree>>;

template <class Handle>
Handle made(Handle handle) {
  if (!handle) throw std::bad_alloc();
  return handle;
}

std::span<double> view(N_Vector v) {
  return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))};
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

struct Memory {
  explicit Memory(void* made_memory) : handle(made(made_memory)) {}
  ~Memory() { CVodeFree(&handle); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void* handle;
};

void check(int flag, const std::string& message) {
  if (flag < 0) throw std::logic_error(fmt::format("CVODE: {}", message));
}

/// How the equations of a step are solved: by Newton's method with a Jacobian of ours, or by
/// functional iteration.
class Corrector {
 public:
  explicit Corrector(OdeProblem& problem)
      : problem_(problem), jacobian_(problem), least_increment_(problem.size()) {}

  /// These return what CVODE says.
  int use_newton(void* cvode, N_Vector y, SUNContext context);
  int use_fixed_point(void* cvode, N_Vector y, SUNContext context);
  bool is_newton() const { return linear_ != nullptr; }
  std::uint64_t evaluations() const { return jacobian_.evaluations(); }
  /// The Jacobian at a point. False: it cannot be computed there.
  bool fill(void* cvode, double t, N_Vector y, N_Vector f, SUNMatrix matrix, N_Vector scratch);

 private:
  bool is_sparse() const;

  OdeProblem& problem_;
  Jacobian jacobian_;
  OwnedMatrix matrix_;
  LinearSolver linear_;
  NonlinearSolver nonlinear_;
  std::vector<double> least_increment_;
};

bool Corrector::is_sparse() const {
  const SparsityPattern* const pattern = problem_.jacobian_pattern();
  const std::size_t n = problem_.size();
  return pattern != nullptr && n >= least_sparse_size && pattern->entry_count() < n * n / 4;
}

int Corrector::use_newton(void* cvode, N_Vector y, SUNContext context) {
  const auto n = static_cast<sunindextype>(problem_.size());
  if (is_sparse()) {
    const auto entries = static_cast<sunindextype>(problem_.jacobian_pattern()->entry_count());
    matrix_.reset(made(SUNSparseMatrix(n, n, entries, CSC_MAT, context)));
    linear_.reset(made(SUNLinSol_KLU(y, matrix_.get(), context)));
  } else {
    matrix_.reset(made(SUNDenseMatrix(n, n, context)));
    linear_.reset(made(SUNLinSol_Dense(y, matrix_.get(), context)));
  }
  return CVodeSetLinearSolver(cvode, linear_.get(), matrix_.get());
}

int Corrector::use_fixed_point(void* cvode, N_Vector y, SUNContext context) {
  nonlinear_.reset(made(SUNNonlinSol_FixedPoint(y, 0, context)));
  return CVodeSetNonlinearSolver(cvode, nonlinear_.get());
}

bool Corrector::fill(void* cvode, double t, N_Vector y, N_Vector f, SUNMatrix matrix,
                     N_Vector scratch) {
  // The increments of CVODE's own difference quotients (CVODE guide, section 2.2.2).
  double h = 0;
  check(CVodeGetCurrentStep(cvode, &h), "no step");
  check(CVodeGetErrWeights(cvode, scratch), "no weights");
  const double norm = N_VWrmsNorm(f, scratch);
  const double least =
      norm > 0 ? 1000 * std::abs(h) * roundoff * static_cast<double>(problem_.size()) * norm : 1;
  const std::span<double> weights = view(scratch);
  for (std::size_t j = 0; j < weights.size(); ++j) least_increment_[j] = least / weights[j];

  if (SUNMatGetID(matrix) == SUNMATRIX_DENSE) {
    realtype** const columns = SUNDenseMatrix_Cols(matrix);
    return jacobian_.evaluate(
        t, view(y), view(f), least_increment_,
        [&](std::size_t i, std::size_t j, double value) { columns[j][i] = value; });
  }
  const SparsityPattern& pattern = *problem_.jacobian_pattern();
  std::ranges::copy(pattern.column_start, SUNSparseMatrix_IndexPointers(matrix));
  std::ranges::copy(pattern.row_index, SUNSparseMatrix_IndexValues(matrix));
  realtype* const data = SUNSparseMatrix_Data(matrix);
  return jacobian_.evaluate(
      t, view(y), view(f), least_increment_, [&](std::size_t i, std::size_t j, double value) {
        const auto rows = pattern.rows_of(j);
        const auto place = std::ranges::lower_bound(rows, static_cast<std::int64_t>(i));
        data[pattern.column_start[j] + (place - rows.begin())] = value;
      });
}

/// SUNDIALS CVODE (A. C. Hindmarsh et al., ACM TOMS 31, 2005): BDF with Newton iteration, or Adams
/// with functional iteration.
class Cvode final : public OdeIntegrator {
 public:
  Cvode(OdeProblem& problem, const OdeOptions& options, int method);

  void start(double t, std::span<const double> y) override;
  Step step(double limit) override;
  void interpolate(double t, std::span<double> y) override;
  void set_atol(std::span<const double> atol) override {
    std::ranges::copy(atol, view(atol_.get()).begin());
  }
  OdeStatistics statistics() const override;

 private:
  static int on_evaluate(realtype t, N_Vector y, N_Vector f, void* self);
  static int on_roots(realtype t, N_Vector y, realtype* g, void* self);
  static int on_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix matrix, void* self,
                         N_Vector scratch, N_Vector, N_Vector);
  static void on_message(int, const char*, const char*, char* text, void* self) {
    static_cast<Cvode*>(self)->message_ = text;
  }
  /// Runs a function of the problem for CVODE, which is C: an exception waits outside.
  template <class Action>
  int guarded(const Action& action) {
    if (thrown_) return -1;  // the first one is the one to tell
    try {
      return action() ? 0 : 1;
    } catch (...) {
      thrown_ = std::current_exception();
      return -1;
    }
  }
  void choose_origin(double limit);
  void check(int flag) const { solvers::check(flag, message_); }
  [[noreturn]] void fail(int flag) const;

  OdeProblem& problem_;
  OdeOptions options_;
  Context context_;
  OwnedVector y_, atol_;
  Memory memory_;
  Corrector corrector_;
  bool is_fresh_ = false;  ///< there was no step since the start
  double t_ = 0;
  double origin_ = 0;     ///< from which CVODE counts the time...
  double since_ = 0;      ///< ...where it is
  int stuck_ = 0;         ///< steps in a row that led nowhere
  OdeStatistics before_;  ///< of the starts before the present one
  std::uint64_t starts_ = 0;
  std::string message_;
  std::exception_ptr thrown_;
};

Cvode::Cvode(OdeProblem& problem, const OdeOptions& options, int method)
    : problem_(problem),
      options_(options),
      y_(made(N_VNew_Serial(static_cast<sunindextype>(problem.size()), context_.handle))),
      atol_(made(N_VClone(y_.get()))),
      memory_(CVodeCreate(method, context_.handle)),
      corrector_(problem) {
  set_atol(options.atol);
  N_VConst(0, y_.get());
  void* const cvode = memory_.handle;
  check(CVodeSetErrHandlerFn(cvode, on_message, this));
  check(CVodeInit(cvode, on_evaluate, 0, y_.get()));
  check(CVodeSetUserData(cvode, this));
  check(CVodeSVtolerances(cvode, options.rtol, atol_.get()));
  if (std::isfinite(options.max_step)) check(CVodeSetMaxStep(cvode, options.max_step));
  if (problem.root_count() > 0) {
    check(CVodeRootInit(cvode, static_cast<int>(problem.root_count()), on_roots));
    // An indicator that stays at zero is usual for a model at rest.
    check(CVodeSetNoInactiveRootWarn(cvode));
  }
  check(method == CV_BDF ? corrector_.use_newton(cvode, y_.get(), context_.handle)
                         : corrector_.use_fixed_point(cvode, y_.get(), context_.handle));
  if (corrector_.is_newton()) check(CVodeSetJacFn(cvode, on_jacobian));
}

void Cvode::start(double t, std::span<const double> y) {
  if (starts_ > 0) before_ = statistics();
  std::ranges::copy(y, view(y_.get()).begin());
  check(CVodeReInit(memory_.handle, t, y_.get()));
  check(CVodeSVtolerances(memory_.handle, options_.rtol, atol_.get()));
  t_ = since_ = t;
  origin_ = 0;
  is_fresh_ = true;
  ++starts_;
}

/// Where doubles are coarse against the way to go, time is counted from the start: CVODE does not
/// step over a few rounding errors of its time, but states move there.
void Cvode::choose_origin(double limit) {
  if (!is_fresh_ || limit - t_ > coarse * roundoff * std::abs(t_)) return;
  origin_ = t_;
  since_ = 0;
  check(CVodeReInit(memory_.handle, since_, y_.get()));
}

OdeIntegrator::Step Cvode::step(double limit) {
  choose_origin(limit);
  is_fresh_ = false;
  const double end = limit - origin_, before = since_;
  // CVODE refuses distances of a few rounding errors; nothing can happen there.
  if (end - since_ <= 16 * roundoff * std::max(std::abs(since_), std::abs(end))) {
    const std::span<double> y = view(y_.get());
    start(limit, std::vector<double>(y.begin(), y.end()));
    return {limit, false};
  }
  check(CVodeSetStopTime(memory_.handle, end));
  const int flag = CVode(memory_.handle, end, y_.get(), &since_, CV_ONE_STEP);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (flag < 0) fail(flag);
  // What is left may be less than the time of the caller can tell.
  const double reached = origin_ + since_;
  t_ = since_ >= end ? limit : std::max(t_, std::min(reached, std::nextafter(limit, t_)));
  // CVODE itself only warns when t + h = t.
  stuck_ = since_ - before <= 4 * roundoff * std::abs(since_) ? stuck_ + 1 : 0;
  if (stuck_ >= most_stuck_steps)
    throw OdeFailure(t_, fmt::format("time does not move on: {} steps in a row of a rounding "
                                     "error's size",
                                     most_stuck_steps));
  return {t_, flag == CV_ROOT_RETURN};
}

void Cvode::interpolate(double t, std::span<double> y) {
  if (t == t_) {
    std::copy_n(N_VGetArrayPointer(y_.get()), y.size(), y.begin());
    return;
  }
  const OwnedVector result(
      made(N_VMake_Serial(static_cast<sunindextype>(y.size()), y.data(), context_.handle)));
  check(CVodeGetDky(memory_.handle, t - origin_, 0, result.get()));
}

OdeStatistics Cvode::statistics() const {
  long steps = 0, evaluations = 0, failures = 0, unconverged = 0, jacobians = 0, roots = 0;
  void* const cvode = memory_.handle;
  CVodeGetNumSteps(cvode, &steps);
  CVodeGetNumRhsEvals(cvode, &evaluations);
  CVodeGetNumErrTestFails(cvode, &failures);
  CVodeGetNumStepSolveFails(cvode, &unconverged);
  if (corrector_.is_newton()) CVodeGetNumJacEvals(cvode, &jacobians);
  if (problem_.root_count() > 0) CVodeGetNumGEvals(cvode, &roots);
  const auto add = [](std::uint64_t before, long now) {
    return before + static_cast<std::uint64_t>(now);
  };
  OdeStatistics sum;
  sum.steps = add(before_.steps, steps);
  sum.evaluations = add(before_.evaluations, evaluations);
  sum.error_test_failures = add(before_.error_test_failures, failures);
  sum.convergence_failures = add(before_.convergence_failures, unconverged);
  sum.jacobians = add(before_.jacobians, jacobians);
  sum.root_evaluations = add(before_.root_evaluations, roots);
  sum.jacobian_evaluations = corrector_.evaluations();
  sum.starts = starts_;
  return sum;
}

int Cvode::on_evaluate(realtype t, N_Vector y, N_Vector f, void* self) {
  auto& me = *static_cast<Cvode*>(self);
  return me.guarded([&] { return me.problem_.evaluate(me.origin_ + t, view(y), view(f)); });
}

// CVODE cannot go back from here, so a point that cannot be computed ends the integration.
int Cvode::on_roots(realtype t, N_Vector y, realtype* g, void* self) {
  auto& me = *static_cast<Cvode*>(self);
  return me.guarded([&] {
    return me.problem_.evaluate_roots(me.origin_ + t, view(y), {g, me.problem_.root_count()});
  });
}

int Cvode::on_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix matrix, void* self,
                       N_Vector scratch, N_Vector, N_Vector) {
  auto& me = *static_cast<Cvode*>(self);
  return me.guarded(
      [&] { return me.corrector_.fill(me.memory_.handle, me.origin_ + t, y, f, matrix, scratch); });
}

void Cvode::fail(int flag) const {
  double h = 0;
  CVodeGetCurrentStep(memory_.handle, &h);
  std::string why, hint, key;
  switch (flag) {
    case CV_TOO_MUCH_ACC:
      why = "the tolerances are too tight for this machine's arithmetic";
      hint = "Try a larger %key%.", key = "solver.rtol";
      break;
    case CV_ERR_FAILURE:
      why = fmt::format("the error cannot be held below the tolerance even at h = {:.3g} s", h);
      hint = "Try a larger %key%.", key = "solver.rtol";
      break;
    case CV_CONV_FAILURE:
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL:
      why = fmt::format("its iteration does not converge even at h = {:.3g} s", h);
      hint = corrector_.is_newton() ? "Try another %key%."
                                    : "Try %key% = cvode: the model may be stiff.";
      key = corrector_.is_newton() ? "solver.rtol" : "solver.name";
      break;
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
      why = "the derivatives cannot be computed or are not finite here";
      break;
    case CV_RTFUNC_FAIL:
      why = "the event indicators cannot be computed here";
      break;
    default:
      why = message_;
  }
  double reached = since_;
  CVodeGetCurrentTime(memory_.handle, &reached);
  reached += origin_;
  OdeFailure failure(reached, why, hint, key);
  if (flag != CV_ERR_FAILURE && flag != CV_CONV_FAILURE) throw failure;
  const OwnedVector errors(made(N_VClone(y_.get()))), weights(made(N_VClone(y_.get())));
  CVodeGetEstLocalErrors(memory_.handle, errors.get());
  CVodeGetErrWeights(memory_.handle, weights.get());
  N_VProd(errors.get(), weights.get(), errors.get());
  const std::span<double> scaled = view(errors.get());
  const auto worst = std::ranges::max_element(
      scaled, [](double a, double b) { return std::abs(a) < std::abs(b); });
  failure.worst_state = static_cast<std::size_t>(worst - scaled.begin());
  throw failure;
}

}  // namespace

std::string sundials_version() {
  char text[32] = "";
  SUNDIALSGetVersion(text, sizeof text);
  return text;
}

std::unique_ptr<OdeIntegrator> make_cvode_bdf(OdeProblem& problem, const OdeOptions& options) {
  return std::make_unique<Cvode>(problem, options, CV_BDF);
}

std::unique_ptr<OdeIntegrator> make_cvode_adams(OdeProblem& problem, const OdeOptions& options) {
  return std::make_unique<Cvode>(problem, options, CV_ADAMS);
}

}  // namespace tutti::solvers
