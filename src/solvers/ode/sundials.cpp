// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/sundials.hpp"

#include <fmt/format.h>
#include <sundials/sundials_version.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "solvers/ode/components.hpp"

namespace tutti::solvers {

std::string sundials_version() {
  char text[32] = "";
  SUNDIALSGetVersion(text, sizeof text);
  return text;
}

}  // namespace tutti::solvers

namespace tutti::solvers::sundials {
namespace {

constexpr double no_stop = std::numeric_limits<double>::quiet_NaN();
constexpr int most_stuck_steps = 20;
constexpr double coarse = 1e5;  // rounding errors of the time: below, another origin is needed
constexpr int root_return = 2;  // CV_ROOT_RETURN, IDA_ROOT_RETURN, ARK_ROOT_RETURN

std::uint64_t number_from(int (*count)(void*, long*), void* memory) {
  long number = 0;
  if (count != nullptr) count(memory, &number);
  return static_cast<std::uint64_t>(number);
}

}  // namespace

OptionRow external_events_row() {
  return {"external_event_detection", false,
          "Locate events by Tutti on the dense output, instead of by the library"};
}
OptionRow maxnef_row(std::int64_t default_value) {
  return {"maxnef", default_value, "Maximum number of error test failures in one step", 1, 1000};
}
OptionRow maxncf_row() {
  return {"maxncf", std::int64_t{10}, "Maximum number of convergence failures in one step", 1,
          1000};
}
OptionRow maxcor_row(std::int64_t default_value) {
  return {"maxcor", default_value, "Maximum number of iterations for the equations of a step", 1,
          100};
}

Integrator::Integrator(const Library& library, OdeProblem& problem, const OdeOptions& options,
                       const OptionValues& values)
    : library_(library),
      problem_(problem),
      options_(options),
      y_(made(N_VNew_Serial(static_cast<sunindextype>(problem.size()), context_.handle))),
      atol_(made(N_VClone(y_.get()))),
      weights_(made(N_VClone(y_.get()))),
      errors_(made(N_VClone(y_.get()))),
      shell_(made(N_VNewEmpty_Serial(static_cast<sunindextype>(problem.size()), context_.handle))),
      locator_(problem),
      solution_([this](double t, std::span<double> y, std::span<double> yp) {
        interpolate(t, y);
        if (!yp.empty()) interpolate_derivative(t, yp);
      }),
      locates_roots_(locator_.is_needed() && values.flag("external_event_detection")),
      least_increment_(problem.size()),
      roots_(problem.root_count()),
      has_left_zero_(roots_.size()) {
  set_atol(options.atol);
  N_VConst(0, y_.get());
  if (problem.form() == OdeForm::implicit) {
    yp_.reset(made(N_VClone(y_.get())));
    N_VConst(0, yp_.get());
  }
}

Integrator::~Integrator() {
  if (memory_ != nullptr) library_.free(&memory_);
}

void Integrator::set_up(void* memory) {
  memory_ = made(memory);
  check(library_.set_on_message(memory_, on_message, this));
  check(library_.set_user_data(memory_, this));
  if (std::isfinite(options_.max_step)) check(library_.set_max_step(memory_, options_.max_step));
  if (options_.first_step > 0) check(library_.set_first_step(memory_, options_.first_step));
}

void Integrator::set_root_directions() {
  // An indicator that remains zero is normal for a model at rest.
  check(library_.set_no_root_warning(memory_));
  std::vector<int> directions(problem_.root_count());
  for (std::size_t i = 0; i < directions.size(); ++i) directions[i] = problem_.root_direction(i);
  check(library_.set_root_directions(memory_, directions.data()));
}

void Integrator::set_up_newton(const OptionValues& values) {
  newton_ = std::make_unique<Newton>(library_.name, problem_, values, y_.get(), context_.handle);
  check(library_.set_linear_solver(memory_, newton_->solver(), newton_->matrix()));
}

void Integrator::set_up_fixed_point() {
  nonlinear_.reset(made(SUNNonlinSol_FixedPoint(y_.get(), 0, context_.handle)));
  check(library_.set_nonlinear_solver(memory_, nonlinear_.get()));
}

void Integrator::check(int flag) const {
  if (flag < 0) throw std::logic_error(fmt::format("{}: {}", library_.name, message_));
}

void Integrator::on_message(int, const char*, const char*, char* text, void* self) {
  static_cast<Integrator*>(self)->message_ = text;
}

void Integrator::set_atol(std::span<const double> atol) {
  std::ranges::copy(atol, view(atol_.get()).begin());
}

void Integrator::start(double t, std::span<const double> y, std::span<const double> yp) {
  std::ranges::copy(y, view(y_.get()).begin());
  if (yp_ && !yp.empty()) std::ranges::copy(yp, view(yp_.get()).begin());
  std::ranges::fill(has_left_zero_, std::uint8_t{0});
  restart(t);
  if (locates_roots_) locator_.start(t, y, yp_ ? view(yp_.get()) : std::span<double>());
}

void Integrator::restart(double t) {
  if (starts_ > 0 && !is_fresh_) before_ += counted();
  check(reinitialize(t));
  stop_ = no_stop;
  check(library_.set_tolerances(memory_, options_.rtol, atol_.get()));
  t_ = shown_ = since_ = t;
  origin_ = 0;
  is_fresh_ = true;
  reported_ = {};
  refusals_ = 0;
  ++starts_;
}

/// Where the interval is only a few rounding errors of the time, time is counted from the start,
/// because the libraries reject such steps, although states may change.
void Integrator::choose_origin(double limit) {
  if (!is_fresh_ || limit - t_ > coarse * unit_roundoff * std::abs(t_)) return;
  origin_ = t_;
  since_ = 0;
  check(reinitialize(since_));
  stop_ = no_stop;
}

OdeIntegrator::Step Integrator::step(double limit) {
  if (shown_ < t_) return until(std::min(limit, t_));  // the rest of a step, after a root
  choose_origin(limit);
  const double end = limit - origin_, before = since_;
  // The libraries reject intervals of a few rounding errors, in which nothing changes.
  if (end - since_ <= 16 * unit_roundoff * std::max(std::abs(since_), std::abs(end))) {
    restart(limit);
    return locates_roots_ ? until(limit) : Step{limit, false};
  }
  if (end != stop_) check(library_.set_stop_time(memory_, end));
  stop_ = end;
  is_fresh_ = false;
  const int flag = advance(end, since_);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (flag < 0) fail(flag);
  if (since_ >= end) stop_ = no_stop;  // the libraries clear it there
  // The rest may be less than the resolution of the caller's time.
  const double reached = origin_ + since_;
  t_ = since_ >= end ? limit : std::max(t_, std::min(reached, std::nextafter(limit, t_)));
  shown_ = t_;
  check_progress(since_ - before);
  if (options_.monitor != nullptr) report_step(since_ - before);
  if (locates_roots_) return until(t_);
  if (flag == root_return) check(library_.get_roots(memory_, roots_.data()));
  return {t_, flag == root_return};
}

/// The libraries only warn when t + h = t.
void Integrator::check_progress(double h) {
  if (h > 4 * unit_roundoff * std::abs(since_)) {
    stuck_ = 0;
    is_refused_ = false;
  } else if (++stuck_ >= most_stuck_steps) {
    throw OdeFailure(
        t_, is_refused_
                ? "the derivatives cannot be computed or are not finite here"
                : fmt::format(
                      "no progress of time: {} successive steps of the size of a rounding error",
                      most_stuck_steps));
  }
}

/// The part of the last step up to `end`, for the caller.
OdeIntegrator::Step Integrator::until(double end) {
  const std::optional<double> root = locator_.look(end, solution_);
  shown_ = root.value_or(end);
  return {shown_, root.has_value()};
}

std::span<const int> Integrator::roots() const {
  return locates_roots_ ? locator_.directions() : std::span<const int>(roots_);
}

void Integrator::interpolate(double t, std::span<double> y) {
  if (t == t_) {
    std::copy_n(N_VGetArrayPointer(y_.get()), y.size(), y.begin());
    return;
  }
  N_VSetArrayPointer(y.data(), shell_.get());
  const int flag = library_.get_derivative(memory_, t - origin_, 0, shell_.get());
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  // ARKODE evaluates the right-hand side for interpolants of degree 4 and 5.
  if (library_.meaning(flag) == Trouble::evaluation) fail(flag);
  check(flag);
}

void Integrator::interpolate_derivative(double t, std::span<double> yp) {
  if (yp_ && t == t_) {
    std::copy_n(N_VGetArrayPointer(yp_.get()), yp.size(), yp.begin());
    return;
  }
  N_VSetArrayPointer(yp.data(), shell_.get());
  check(library_.get_derivative(memory_, t - origin_, 1, shell_.get()));
}

OdeStatistics Integrator::counted() const {
  const auto number = [this](auto count) { return number_from(count, memory_); };
  OdeStatistics now;
  now.steps = number(library_.count_steps);
  now.evaluations = static_cast<std::uint64_t>(evaluations());
  now.error_test_failures = number(library_.count_error_test_failures);
  now.convergence_failures = number(library_.count_unsolved_steps);
  if (newton_ || nonlinear_) now.newton_iterations = number(library_.count_iterations);
  if (newton_) {
    now.jacobians = number(library_.count_jacobians);
    now.factorizations = newton_->is_krylov() ? 0 : number(library_.count_setups);
    now.jacobian_products = number(library_.count_products);
    now.jacobian_evaluations = number(library_.count_evaluations_for_products);
  }
  if (needs_roots()) now.root_evaluations = number(library_.count_root_evaluations);
  return now;
}

OdeStatistics Integrator::statistics() const {
  OdeStatistics sum = before_;
  // Some counts of the libraries are those of the last start until the first step.
  if (!is_fresh_) sum += counted();
  if (newton_) sum.jacobian_evaluations += newton_->evaluations();
  if (locates_roots_) sum.root_evaluations = locator_.evaluations();
  sum.starts = starts_;
  return sum;
}

/// The libraries do not report the sizes of rejected steps or their errors.
void Integrator::report_step(double h) {
  const OdeStatistics now = counted();
  const auto report = [&](std::uint64_t number, std::uint64_t known, Rejection why) {
    for (; known < number; ++known) options_.monitor->rejected(t_, h, why, {});
  };
  report(now.error_test_failures, reported_.error_test_failures, Rejection::error_test);
  // They count failed evaluations as iterations that did not converge.
  const std::uint64_t failures = now.convergence_failures - reported_.convergence_failures;
  const std::uint64_t refused = std::min(failures, std::exchange(refusals_, 0));
  report(refused, 0, Rejection::evaluation);
  report(failures, refused, Rejection::convergence);
  if (now.steps > reported_.steps) {  // not the rest of a step after a root
    double size = h;
    library_.get_last_step(memory_, &size);
    measure_errors();
    options_.monitor->accepted(t_, size, last_order(), view(errors_.get()));
  }
  reported_ = now;
}

void Integrator::note_rejected_evaluation(double h) {
  ++before_.convergence_failures;
  is_refused_ = true;
  refusals_ = 0;
  if (options_.monitor != nullptr) options_.monitor->rejected(t_, h, Rejection::evaluation, {});
}

/// errors_: of the last step or attempt, against the tolerances.
void Integrator::measure_errors() const {
  library_.get_local_errors(memory_, errors_.get());
  library_.get_weights(memory_, weights_.get());
  N_VProd(errors_.get(), weights_.get(), errors_.get());
}

void Integrator::fail(int flag) {
  double h = 0;
  library_.get_current_step(memory_, &h);
  const Trouble trouble = library_.meaning(flag);
  std::string why, hint, key;
  switch (trouble) {
    case Trouble::accuracy:
      why = "the tolerances are too tight for this machine's arithmetic";
      hint = "Try a larger %key%.", key = "solver.rtol";
      break;
    case Trouble::error_test:
      why = fmt::format("the error cannot be kept below the tolerance even at h = {:.3g} s", h);
      hint = "Try a larger %key%.", key = "solver.rtol";
      break;
    case Trouble::convergence:
      why = fmt::format("its iteration does not converge even at h = {:.3g} s", h);
      hint = newton_ ? "Try another %key%." : "Try %key% = cvode: the model may be stiff.";
      key = newton_ ? "solver.rtol" : "solver.name";
      if (const char* const other = try_when_not_converging()) hint = other, key.clear();
      break;
    case Trouble::evaluation:
      why = "the derivatives cannot be computed or are not finite here";
      break;
    case Trouble::roots:
      why = "the event indicators cannot be computed here";
      break;
    case Trouble::other:
      why = message_;
  }
  double reached = since_;
  library_.get_current_time(memory_, &reached);
  OdeFailure failure(origin_ + reached, why, hint, key);
  if (trouble != Trouble::error_test && trouble != Trouble::convergence) throw failure;
  measure_errors();
  const std::span<double> scaled = view(errors_.get());
  failure.worst_state = worst_component(scaled);
  if (options_.monitor != nullptr)
    options_.monitor->rejected(
        origin_ + reached, h,
        trouble == Trouble::error_test ? Rejection::error_test : Rejection::convergence, scaled);
  throw failure;
}

}  // namespace tutti::solvers::sundials
