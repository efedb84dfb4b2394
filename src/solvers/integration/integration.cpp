// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <tutti/error.hpp>
#include <tutti/integrate.hpp>

#include "base/infinity.hpp"
#include "base/text.hpp"
#include "solvers/integration/diagnosis.hpp"
#include "solvers/integration/event_guard.hpp"
#include "solvers/integration/reversed_problem.hpp"
#include "solvers/ode/consistent_start.hpp"
#include "solvers/ode/ode.hpp"

namespace tutti {
namespace {

// Successive events at one time: the handler does not make progress.
constexpr int most_stuck_events = 1000;

const char* form_text(OdeForm form) {
  switch (form) {
    case OdeForm::explicit_ode:
      return "y' = f(t, y)";
    case OdeForm::mass_matrix:
      return "M y' = f(t, y)";
    case OdeForm::implicit:
      return "F(t, y, y') = 0";
    case OdeForm::split:
      return "y' = f(t, y) + n(t, y)";
  }
  return "";
}

[[noreturn]] void refuse(std::string text, std::string key, std::string hint = "") {
  throw Error(ErrorCode::usage, std::move(text), {.key = std::move(key), .hint = std::move(hint)});
}

/// The field of OdeSettings for a key of a solver, "solver.max-step".
std::string field_of(const std::string& key) {
  constexpr std::string_view prefix = "solver.";
  if (!key.starts_with(prefix)) return key;
  const std::string name = key.substr(prefix.size());
  if (name == "rtol") return name;
  if (name == "name") return "solver";
  if (name == "max-step") return "max_step";
  if (name == "first-step") return "first_step";
  return "options." + name;
}

std::unique_ptr<solvers::OdeIntegrator> make_integrator(const solvers::OdeEntry& entry,
                                                        OdeProblem& problem,
                                                        const solvers::OdeOptions& options) {
  try {
    return entry.make(problem, options);
  } catch (const Error& error) {
    ErrorRecord record = error.record();
    record.details.key = field_of(record.details.key);
    throw Error(std::move(record));
  }
}

const solvers::OdeEntry& solver_named(const std::string& name, OdeForm form) {
  const solvers::OdeEntry* const entry = solvers::find_ode_integrator(name);
  if (entry == nullptr) ode_solver(name);  // throws
  if (!entry->solves(form)) {
    std::vector<std::string_view> able;
    for (const solvers::OdeEntry& other : solvers::ode_integrators())
      if (other.solves(form)) able.emplace_back(other.name);
    refuse(fmt::format("solver {} does not solve {}.", name, form_text(form)), "solver",
           fmt::format("Use one of: {}.", fmt::join(able, ", ")));
  }
  return *entry;
}

}  // namespace

/// Time of the solver is `sign` times that of the user.
struct Integration::State {
  State(OdeProblem& problem, OdeSettings given, bool backward);

  void start(double t, std::span<const double> y, std::span<const double> yp);
  OdePoint step(double limit);
  void interpolate(double t, std::span<double> y);
  void interpolate_derivative(double t, std::span<double> yp);

  OdeProblem& problem;  ///< of the user
  OdeSettings settings;
  double sign;
  std::size_t size;
  std::optional<solvers::ReversedProblem> reversed;
  OdeProblem& solved;  ///< that of the solver
  solvers::StepDiagnosis diagnosis;
  const solvers::OdeEntry& entry;
  std::unique_ptr<solvers::OdeIntegrator> integrator;

  double t = 0;           ///< of the user
  double step_start = 0;  ///< where the last step began
  std::vector<double> y, yp;
  double next_event = infinity;  ///< time event, of the solver
  bool is_started = false;
  bool must_restart = false;  ///< before the next step: the states have changed since the last one
  std::uint64_t steps = 0;
  OdeEventRecord event;
  OdeEventCounts counts;
  std::vector<std::string> warnings;

 private:
  template <class Action>
  auto explained(const Action& action);
  void check_tolerances();
  void check_in_step(double at) const;
  void read_point();
  void find_next_event();
  bool handle_event();
  void count_event();
  void make_consistent(bool is_first, bool yp_is_given = false);
  void restart();
  void turn_slopes();  ///< between y' of the user and of the solver

  solvers::EventGuard guard_;
};

Integration::State::State(OdeProblem& user, OdeSettings given, bool backward)
    : problem(user),
      settings(std::move(given)),
      sign(backward ? -1 : 1),
      size(user.size()),
      reversed(backward ? std::make_optional<solvers::ReversedProblem>(user) : std::nullopt),
      solved(backward ? static_cast<OdeProblem&>(*reversed) : user),
      diagnosis(size, sign),
      entry(solver_named(settings.solver, user.form())),
      guard_(user.root_count()) {
  if (size == 0) refuse("the problem has no states", "size");
  solvers::check_patterns(user);
  check_tolerances();
  solvers::OdeOptions options;
  options.rtol = settings.rtol;
  options.atol = settings.atol;
  options.max_step = settings.max_step;
  options.first_step = settings.first_step;
  options.own = settings.options;
  if (settings.diagnose) options.monitor = &diagnosis;
  integrator = make_integrator(entry, solved, options);
  if (entry.fixed_step &&
      !(solvers::OptionValues(entry.name, entry.options, settings.options).number("h") > 0))
    refuse(fmt::format("solver {} takes steps of a fixed size", entry.name), "options.h",
           "Set the option h.");
}

void Integration::State::check_tolerances() {
  std::vector<double>& atol = settings.atol;
  if (atol.size() == 1) atol.assign(size, atol.front());
  if (atol.size() != size)
    refuse(fmt::format("atol has {} numbers for {} states", atol.size(), size), "atol",
           "Use one number for all states, or one for each.");
  const auto bad = std::ranges::find_if(atol, [](double a) { return !(a > 0 && a < infinity); });
  if (bad != atol.end())
    refuse(fmt::format("atol of state {} is {}; it must be positive: at zero the relative "
                       "tolerance allows no error at all",
                       bad - atol.begin(), number_text(*bad)),
           "atol");
  if (!(settings.rtol >= 0 && settings.rtol < 1))
    refuse(fmt::format("rtol is {}; expected a number from 0 to 1", number_text(settings.rtol)),
           "rtol");
  if (!(settings.max_step > 0)) refuse("max_step must be positive", "max_step");
  if (!(settings.first_step >= 0)) refuse("first_step must not be negative", "first_step");
}

/// Reports a failure of the solver or the problem in terms of the user.
template <class Action>
auto Integration::State::explained(const Action& action) {
  try {
    return action();
  } catch (const solvers::OdeFailure& failure) {
    std::string text = fmt::format("solver {} failed: {}", entry.name, failure.what());
    if (failure.worst_state) text += fmt::format("; the worst state is {}", *failure.worst_state);
    throw Error(ErrorCode::numeric, text,
                {.time = sign * failure.t, .key = field_of(failure.key), .hint = failure.hint});
  } catch (const Error&) {
    throw;
  } catch (const std::exception& thrown) {
    // The exception of the user is nested.
    std::throw_with_nested(Error(
        ErrorCode::numeric,
        fmt::format("solver {}: a function of the problem threw: {}", entry.name, thrown.what()),
        {.time = t}));
  }
}

void Integration::State::start(double at, std::span<const double> y0, std::span<const double> yp0) {
  if (!yp0.empty() && problem.form() != OdeForm::implicit)
    refuse("y' is given, but only implicit problems have start values for y'", "yp0");
  if (y0.size() != size || (!yp0.empty() && yp0.size() != size))
    refuse(fmt::format("there are {} start values for {} states", y0.size(), size), "y0");
  if (!std::isfinite(at)) refuse("the start time is not finite", "t0");
  const auto bad = std::ranges::find_if_not(y0, [](double v) { return std::isfinite(v); });
  if (bad != y0.end())
    refuse(fmt::format("the start value of state {} is not finite", bad - y0.begin()), "y0");
  t = step_start = at;
  y.assign(y0.begin(), y0.end());
  if (problem.form() == OdeForm::implicit) {
    yp.assign(yp0.begin(), yp0.end());
    yp.resize(size);
  }
  is_started = true;
  make_consistent(true, !yp0.empty());
  restart();
  find_next_event();
}

void Integration::State::turn_slopes() {
  if (sign < 0)
    for (double& slope : yp) slope = -slope;
}

/// The states of a DAE after a start or an event: algebraic components and derivatives follow from
/// the others.
void Integration::State::make_consistent(bool is_first, bool yp_is_given) {
  const OdeForm form = problem.form();
  if (!settings.consistent || (form != OdeForm::implicit && form != OdeForm::mass_matrix)) return;
  constexpr double way = 1;  // only scales y' against y
  std::vector<double> slopes_of_mass_form;
  std::vector<double>& slopes = form == OdeForm::implicit ? yp : slopes_of_mass_form;
  turn_slopes();
  const std::string warning = explained([&] {
    return solvers::find_consistent_start(solved, sign * t, sign * t + way, y, slopes,
                                          {.rtol = settings.rtol,
                                           .atol = settings.atol,
                                           .yp_is_given = yp_is_given,
                                           .checks_index = is_first});
  });
  turn_slopes();
  if (!warning.empty()) warnings.push_back(warning);
}

void Integration::State::restart() {
  turn_slopes();
  explained([&] { integrator->start(sign * t, y, yp); });
  turn_slopes();
  must_restart = false;
}

void Integration::State::find_next_event() {
  const double next = explained([&] { return problem.next_time_event(t); });
  next_event = std::isinf(next) ? infinity : sign * next;
  if (next_event > sign * t) return;
  throw Error(ErrorCode::usage,
              fmt::format("next_time_event({}) returned {}, which is not in the future",
                          number_text(t), number_text(next)),
              {.time = t, .hint = "Return infinity if there is none."});
}

OdePoint Integration::State::step(double limit) {
  if (!is_started) throw std::logic_error("Integration::step() before start()");
  if (!(sign * limit > sign * t))
    refuse(fmt::format("the limit {} is not after t = {}", number_text(limit), number_text(t)),
           "limit");
  if (steps >= settings.max_steps)
    throw Error(ErrorCode::numeric,
                fmt::format("solver {}: {} steps were not enough; the last one was "
                            "{:.3g} long",
                            entry.name, steps, std::abs(t - step_start)),
                {.time = t, .key = "max_steps", .hint = "Set diagnose to see what limits them."});
  if (problem.size() != size)
    throw Error(ErrorCode::numeric,
                fmt::format("solver {}: the problem has {} states now, {} before", entry.name,
                            problem.size(), size),
                {.time = t});
  if (must_restart) restart();
  const double end = std::min(sign * limit, next_event);
  const auto done = explained([&] { return integrator->step(end); });
  ++steps;
  step_start = t;
  t = sign * done.t;
  read_point();
  event.time_event = done.t >= next_event;
  event.step_event = explained([&] { return problem.is_step_event(t, y); });
  if (done.root)
    event.roots.assign(integrator->roots().begin(), integrator->roots().end());
  else
    std::fill(event.roots.begin(), event.roots.end(), 0);
  if (done.root || event.time_event || event.step_event)
    return {handle_event() ? OdePoint::Kind::event : OdePoint::Kind::stopped, t};
  return {t == limit ? OdePoint::Kind::limit : OdePoint::Kind::step, t};
}

void Integration::State::read_point() {
  explained([&] {
    integrator->interpolate(sign * t, y);
    if (!yp.empty()) integrator->interpolate_derivative(sign * t, yp);
  });
  turn_slopes();
}

/// False: the handler requests to end.
bool Integration::State::handle_event() {
  event.t = t;
  event.roots.resize(problem.root_count());
  event.before = y;
  count_event();
  OdeEvent shown{.t = t,
                 .y = y,
                 .yp = yp,
                 .roots = event.roots,
                 .time_event = event.time_event,
                 .step_event = event.step_event};
  const AfterEvent after = explained([&] { return problem.handle_event(shown); });
  must_restart = true;
  if (after == AfterEvent::go_on) {
    make_consistent(false);
    find_next_event();  // the handler may have set another one
  }
  event.after = y;
  return after == AfterEvent::go_on;
}

void Integration::State::count_event() {
  const bool is_state = std::ranges::any_of(event.roots, [](int root) { return root != 0; });
  ++(is_state ? counts.state : event.time_event ? counts.time : counts.step);
  if (const auto function = guard_.note(t, steps, event.roots))
    warnings.push_back(
        fmt::format("t = {:.13g}: event function {} triggers repeatedly, at most {} steps apart "
                    "(chattering). Let the handler switch the function off.",
                    t, *function, solvers::EventGuard::steps_between));
  if (guard_.stuck_events() < most_stuck_events) return;
  throw Error(ErrorCode::numeric,
              fmt::format("solver {}: {} events without progress of time", entry.name,
                          guard_.stuck_events()),
              {.time = t,
               .hint = "Let the handler change the states so that the event does not trigger again "
                       "immediately, or switch the function on later by a step event."});
}

void Integration::State::check_in_step(double at) const {
  if (sign * at >= sign * step_start && sign * at <= sign * t) return;
  refuse(fmt::format("t = {} is not in the last step, which is from {} to {}", number_text(at),
                     number_text(step_start), number_text(t)),
         "t");
}

void Integration::State::interpolate(double at, std::span<double> result) {
  check_in_step(at);
  explained([&] { integrator->interpolate(sign * at, result); });
}

void Integration::State::interpolate_derivative(double at, std::span<double> result) {
  check_in_step(at);
  explained([&] { integrator->interpolate_derivative(sign * at, result); });
  if (sign < 0)
    for (double& slope : result) slope = -slope;
}

Integration::Integration(OdeProblem& problem, OdeSettings settings, bool backward)
    : state_(std::make_unique<State>(problem, std::move(settings), backward)) {}
Integration::~Integration() = default;
Integration::Integration(Integration&&) noexcept = default;
Integration& Integration::operator=(Integration&&) noexcept = default;

void Integration::start(double t, std::span<const double> y, std::span<const double> yp) {
  state_->start(t, y, yp);
}
OdePoint Integration::step(double limit) { return state_->step(limit); }
double Integration::time() const { return state_->t; }
std::span<const double> Integration::states() const { return state_->y; }
std::span<const double> Integration::derivatives() const { return state_->yp; }
void Integration::interpolate(double t, std::span<double> y) { state_->interpolate(t, y); }
void Integration::interpolate_derivative(double t, std::span<double> yp) {
  state_->interpolate_derivative(t, yp);
}
int Integration::interpolation_degree() const { return state_->integrator->interpolation_degree(); }
const OdeEventRecord& Integration::last_event() const { return state_->event; }
OdeStatistics Integration::statistics() const { return state_->integrator->statistics(); }
OdeEventCounts Integration::event_counts() const { return state_->counts; }
const OdeDiagnosis& Integration::diagnosis() const { return state_->diagnosis.found(); }
std::string Integration::solver_note() const {
  const std::string chosen = state_->integrator->note();
  return chosen.empty() ? state_->entry.name : fmt::format("{} ({})", state_->entry.name, chosen);
}
const std::vector<std::string>& Integration::warnings() const { return state_->warnings; }

}  // namespace tutti
