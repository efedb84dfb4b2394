// SPDX-License-Identifier: BSD-2-Clause
#include "models/me_model.hpp"
#include "base/codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "base/time_grid.hpp"
#include "models/me_linear.hpp"

namespace tutti::models {
namespace {

// The errors of steps add up, so each may have only a fraction of the tolerance: with a tenth, the
// global error is about the tolerance (a bouncing ball's tenth bounce: 1e-7 s at rtol 1e-6).
constexpr double step_share = 0.1;

}  // namespace

std::string MeModel::key_of(const std::string& key) const {
  return fmt::format("{}.{}", options_.is_cluster ? "clusters" : "components." + name(), key);
}

MeModel::MeModel(fmi::Fmu& fmu, Options options, const Log& log)
    : FmuModel(fmu.description(), options), log_(log), options_(std::move(options)) {
  report_.name = options_.solver->name;
  instance_ = fmu.instantiate_model_exchange(options_.fmu);
}

void MeModel::follow(InputSignal* signal) {
  signal_ = signal;
  if (signal != nullptr && !options_.coupled && !options_.solver->fixed_step)
    signal->resolve(options_.rtol);
  if (integration_.problem() != nullptr) integration_.problem()->follow(signal);
}

void MeModel::begin_initialization(const Experiment& experiment) {
  mode_ = Mode::initialization;
  stop_ = experiment.stop.value_or(infinity);
  FmuModel::begin_initialization(experiment);
}

/// Reports a solver failure in terms of the model.
template <class Action>
auto MeModel::explained(const Action& action) {
  try {
    return action();
  } catch (const Discarded& discarded) {
    throw discarded.as(ErrorCode::numeric)
        .within(fmt::format("solver {} has accepted a point that the FMU rejects",
                            options_.solver->name),
                {.time = integration_.time(),
                 .key = options_.solver->fixed_step ? "simulation.step" : key_of("solver.rtol"),
                 .hint = "Try a smaller %key%."});
  } catch (const solvers::OdeFailure& failure) {
    std::string text = fmt::format("component \"{}\": solver {} failed: {}", name(),
                                   options_.solver->name, failure.what());
    const MeProblem& problem = *integration_.problem();
    if (failure.worst_state && problem.state_count() > 0)
      text += fmt::format("; its largest error is in state {}",
                          problem.state_name(*failure.worst_state));
    if (!problem.refusal().empty())
      text += fmt::format("; last rejected by the FMU {}", problem.refusal());
    if (const auto loops = problem.algebraic_names(); !loops.empty())
      text += fmt::format("; its algebraic equations are those of {}", list_some(loops));
    ErrorDetails details{.component = name(), .time = failure.t, .hint = failure.hint};
    if (!failure.key.empty()) details.key = key_of(failure.key);
    throw Error(ErrorCode::numeric, text, std::move(details));
  }
}

void MeModel::end_initialization(const Experiment& experiment) {
  const bool knows_inputs = exit_initialization();
  bool goes_on = settle(experiment.start);
  // FMI 1.0 has no event iteration after inputs were set, except in an event.
  if (goes_on && !knows_inputs) {
    instance_->enter_event_mode();
    inputs_.set_to(*instance_);
    goes_on = settle(experiment.start);
  }
  if (!goes_on) refuse_early_end(experiment.start);

  mode_ = Mode::continuous_time;
  auto problem = std::make_unique<MeProblem>(*instance_, inputs_, structure());
  check_pattern(*problem);
  if (options_.boundary != nullptr)
    problem->couple(*options_.boundary, make_set(options_.boundary->read_inside()));
  problem->follow(signal_);
  solvers::OdeOptions options{.rtol = step_share * options_.rtol,
                              .atol = tolerances(),
                              .max_step = options_.max_step,
                              .first_step = options_.first_step,
                              .own = options_.solver_options};
  const bool watches_time = problem->root_count() > 0 || problem->state_count() == 0;
  if (options.max_step == 0) options.max_step = watches_time ? options_.usual_step : infinity;
  make_integrator(std::move(problem), std::move(options));
  chattering_.last_event = -infinity;
  explained([&] {
    start_after_event(experiment.start);
    show(experiment.start);
  });
}

/// The solver may require derivatives that this FMU does not provide.
void MeModel::make_integrator(std::unique_ptr<MeProblem> problem, solvers::OdeOptions options) {
  try {
    explained([&] {
      integration_.make(std::move(problem), *options_.solver, std::move(options),
                        options_.diagnose);
    });
  } catch (const Error& error) {
    if (error.details().component == name()) throw;
    throw error.within(fmt::format("component \"{}\"", name()),
                       {.component = name(), .key = key_of("solver.name")});
  }
}

bool MeModel::differentiate(std::span<const std::int32_t> unknowns,
                            std::span<const std::int32_t> knowns, std::span<const double> seed,
                            std::span<double> sensitivity) {
  if (FmuModel::differentiate(unknowns, knowns, seed, sensitivity)) return true;
  // FMI 1.0 cannot do this in initialization; the solver of algebraic loops there computes its own
  // differences.
  if (mode_ == Mode::initialization) return false;
  if (unknowns.empty()) return true;
  // FMI 2.0, 3.2.1 and 3.0, 3.2.3: in continuous-time mode only continuous inputs may be set.
  const bool discrete_too =
      mode_ == Mode::event || instance_->description().version == FmiVersion::v1;
  feed_through_.differentiate(*instance_, {unknowns, knowns, seed, sensitivity}, discrete_too,
                              [&](std::span<const std::int32_t> some) { return make_set(some); });
  return true;
}

LinearEquations MeModel::linearize(const LinearQuestion& question) {
  return explained([&] {
    const double t = integration_.time();
    const std::vector<double> x = {
        integration_.states().begin(),
        integration_.states().begin() +
            static_cast<std::ptrdiff_t>(instance_->continuous_state_count())};
    LinearEquations result = models::linearize(*instance_, structure(), t, x, question);
    show(t);
    return result;
  });
}

StepOutcome MeModel::step(double t, double h) {
  return explained(
      [&] { return options_.coupled ? step_coupled(t, h) : step_to(target_of(t, h)); });
}

/// The inputs have changed, so the integrator restarts: in every step, because a repeated step must
/// give the same results. Unless the user disables this.
StepOutcome MeModel::step_coupled(double t, double h) {
  using Status = StepOutcome::Status;
  if (!inputs_.empty()) {
    curve_.begin(t, continuous_inputs());
    follow(curve_.is_constant_next() ? nullptr : &curve_);
  }
  if (options_.boundary != nullptr) {
    std::vector<double> unused;
    options_.boundary->begin(t, h, unused);
  }
  // Before the first step, the integrator does not have the arriving waves.
  const bool starts_lines = options_.boundary != nullptr && !std::exchange(lines_started_, true);
  // The end of the last step may differ by a rounding error from the start of this one.
  const bool is_ahead = options_.runs_ahead && integration_.reached() > t;
  const bool goes_on = is_ahead || std::abs(integration_.reached() - t) <= same_time(t, h);
  if (inputs_cause_event(t)) {
    integration_.set_root();
    if (!handle_own_event(t)) return {Status::terminated, t};
  } else if ((options_.restarts_at_points && !options_.runs_ahead) || !goes_on || starts_lines) {
    start_integrator(t);
  }
  const double target = target_of(t, h);
  for (;;) {
    const bool meets_event =
        next_event_ && *next_event_ > integration_.time() && *next_event_ < target;
    const double end = meets_event ? *next_event_ : target;
    // Where a wave jumps, the equations are smooth on either side.
    const double jump = options_.boundary != nullptr
                            ? options_.boundary->next_jump(integration_.reached())
                            : infinity;
    const bool meets_jump = jump < end;
    const StepOutcome outcome = step_to(meets_jump ? jump : end);
    if (outcome.status == Status::terminated) return outcome;
    if (outcome.is_plain() && meets_jump) {
      start_integrator(jump);
      show(jump);
      accept_boundary(jump);
      continue;
    }
    if (outcome.is_plain() && !meets_event) break;
    if (!handle_own_event(outcome.reached)) return {Status::terminated, outcome.reached};
    if (outcome.reached >= target) break;
  }
  if (const double now = integration_.time(); !inputs_.empty() && now >= chattering_.blind_until)
    indicators_.note(*integration_.problem(), now, integration_.states());
  return {Status::done, t + h};
}

StepOutcome MeModel::step_to(double target) {
  while (integration_.reached() <= target) {
    if (!integration_.is_completed())
      if (const auto outcome = complete_integrator_step()) return *outcome;
    if (integration_.reached() == target) break;
    step_integrator(horizon(target));
    const double reached = integration_.reached();
    if (progress_ && !options_.coupled && !progress_(std::min(reached, target)) &&
        reached < target) {
      show(reached);
      return {StepOutcome::Status::early, reached};
    }
  }
  show(target);
  return {StepOutcome::Status::done, target};
}

/// An integrator that continues over communication points may fail at a jump, or at a kink of a
/// table: then it restarts.
void MeModel::step_integrator(double limit) {
  try {
    integration_.step(limit);
  } catch (const solvers::OdeFailure&) {
    const bool has_past = signal_ != nullptr && !(options_.coupled && options_.restarts_at_points);
    if (!has_past || !integration_.go_back_to_step()) throw;
    start_integrator(integration_.reached());
    integration_.step(limit);
  }
}

std::optional<StepOutcome> MeModel::complete_integrator_step() {
  integration_.go_to(integration_.reached());
  integration_.complete();
  accept_boundary(integration_.reached());
  const fmi::IntegratorStep said = instance_->completed_integrator_step(expects_rollback_);
  step_event_ = said.enter_event_mode;
  if (!said.terminate && !said.enter_event_mode && !integration_.has_root()) return {};
  outputs_.get_from(*instance_);
  return StepOutcome{said.terminate ? StepOutcome::Status::terminated : StepOutcome::Status::event,
                     integration_.reached()};
}

/// Sends every accepted step of the integrator, not only those that end at communication points.
void MeModel::accept_boundary(double t) {
  if (options_.boundary != nullptr)
    options_.boundary->accept(t, true, integration_.problem()->slopes_inside());
}

/// One-sided differences along the solution, forward: an FMU need not support times before a
/// completed step.
template <class Read>
std::optional<double> MeModel::read_ahead(const Read& read) {
  constexpr double part = 1e-6;  // of a step: somewhat more than the root of the rounding error
  const double t = integration_.time();
  MeProblem& problem = *integration_.problem();
  const std::vector<double>& x = integration_.states();
  const double ahead = std::max(part * options_.usual_step, 4 * time_resolution(t));
  if (t + ahead > stop_) return {};  // no step follows
  std::vector<double> slope(problem.size()), moved = x;
  if (!problem.evaluate(t, x, slope)) return {};
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += ahead * slope[i];
  ValueSet::Values present;
  outputs_.save(present);
  {
    const SolvedUnknowns solved(*instance_);
    problem.move_to(t + ahead, moved);
    outputs_.get_from(*instance_);
    read();
  }
  problem.move_to(t, x);
  outputs_.restore(present);
  return ahead;
}

std::optional<double> MeModel::look_ahead(double t, double /*h*/, std::vector<double>& ahead) {
  InputSignal* const signal = signal_;
  curve_.begin(t, continuous_inputs());
  if (!curve_.is_constant_next()) follow(&curve_);
  std::optional<double> distance;
  try {
    distance = read_ahead([&] {
      ahead.clear();
      for (const std::uint64_t bits : outputs_.doubles())
        ahead.push_back(std::bit_cast<double>(bits));
    });
  } catch (const Discarded&) {
    integration_.problem()->move_to(t, integration_.states());
    outputs_.get_from(*instance_);
  }
  follow(signal);
  return distance ? std::optional(t + *distance) : std::nullopt;
}

void MeModel::get_output_derivatives(std::span<const std::int32_t> variables,
                                     std::uint32_t /*order*/, std::span<double> values) {
  std::ranges::fill(values, 0.0);
  const auto read = [&](std::vector<double>& into) {
    for (const std::int32_t variable : variables) {
      const auto scalars = outputs_.scalars();
      const auto scalar = std::ranges::find(scalars, variable, &Scalar::variable);
      into.push_back(outputs_.read(*scalar).real);
    }
  };
  std::vector<double> before, after;
  read(before);
  const auto ahead = read_ahead([&] { read(after); });
  if (!ahead) return;
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = (after[k] - before[k]) / *ahead;
}

double MeModel::target_of(double t, double h) const {
  const double target = t + h;
  const auto means = [&](double time) { return std::abs(target - time) <= same_time(t, h); };
  if (next_event_ && means(*next_event_)) return *next_event_;
  if (signal_ != nullptr)
    if (const double jump = signal_->next_jump(t); means(jump)) return jump;
  return means(stop_) ? stop_ : target;
}

double MeModel::horizon(double target) const {
  // A method with fixed steps stops at every communication point; so do all methods while inputs
  // are constant, because they may change there.
  const bool follows_inputs = !options_.coupled && signal_ != nullptr;
  if (options_.solver->fixed_step || !(follows_inputs || options_.runs_ahead)) return target;
  const double reached = integration_.reached();
  double limit = stop_;
  if (next_event_ && *next_event_ > reached) limit = std::min(limit, *next_event_);
  if (!follows_inputs) return std::max(limit, target);
  limit = std::min(limit, signal_->next_jump(reached));
  return std::min(std::max(limit, target), signal_->next_knot(reached));
}

/// Between steps the inputs are those that the master wrote, not those inside the last step.
void MeModel::begin_event() {
  if (options_.coupled) follow(nullptr);
  instance_->enter_event_mode();
  mode_ = Mode::event;
}

bool MeModel::handle_event(double t) {
  if (options_.coupled) follow(nullptr);
  return handle_own_event(t);
}

bool MeModel::handle_own_event(double t) {
  return explained([&] {
    count_event(t);
    instance_->enter_event_mode();
    inputs_.set_to(*instance_);
    return end_event(t);
  });
}

bool MeModel::end_event(double t) {
  return explained([&] {
    if (!settle(t)) {
      outputs_.get_from(*instance_);
      return false;
    }
    start_after_event(t);
    show(t);
    accept_boundary(t);
    return true;
  });
}

void MeModel::check_pattern(const MeProblem& problem) {
  const std::string complaint = problem.pattern_complaint();
  if (complaint.empty() || std::exchange(has_complained_, true)) return;
  log_.warning(name(),
               fmt::format("{}, which breaks the rule run-dependencies "
                           "(providesPerElementDependencies, FMI 3.0, 2.2.10); every derivative "
                           "is assumed to depend on every state",
                           complaint));
}

void MeModel::start_after_event(double t) {
  if (integration_.problem()->update_pattern()) {
    check_pattern(*integration_.problem());
    integration_.make_again(tolerances());
  }
  integration_.problem()->start(t);
  if (options_.coupled || chattering_.blind_until > t)
    indicators_.note(*integration_.problem(), t, integration_.states());
  start_integrator(t);
}

void MeModel::start_integrator(double t) {
  MeProblem& problem = *integration_.problem();
  problem.start(t);
  if (chattering_.blind_until > t && !indicators_.empty())
    problem.look_away(chattering_.blind_until, indicators_.values());
  if (!problem.algebraic().empty()) {  // inputs may have jumped since they were solved for
    const SolvedUnknowns solved(*instance_);
    problem.move_to(t, integration_.states());
    integration_.take_states(*instance_);
  }
  integration_.start(t);
}

struct MeModel::Saved final : SavedState {
  fmi::FmuState fmu;
  ValueSet::Values outputs;
  std::optional<double> next_event;
  double time = 0;
  Chattering chattering;
  std::vector<double> indicators;
  std::uint64_t choice = 0;  ///< of the integrator
};

// The FMU is saved at the time of the master, not at that of the integrator.
void MeModel::save(Snapshot& into) {
  auto& saved = writable<Saved>(into);
  instance_->save_state(saved.fmu);
  outputs_.save(saved.outputs);
  saved.next_event = next_event_;
  saved.time = integration_.time();
  saved.chattering = chattering_;
  saved.indicators = indicators_.values();
  saved.choice = integration_.integrator()->choice();
}

// The history of the integrator is lost, except for its choice of a method: it restarts from here.
void MeModel::restore(const Snapshot& from) {
  const auto& saved = static_cast<const Saved&>(*from);
  instance_->restore_state(saved.fmu);
  outputs_.restore(saved.outputs);
  next_event_ = saved.next_event;
  chattering_ = saved.chattering;
  indicators_.restore(saved.indicators);
  integration_.take_states(*instance_);
  mode_ = Mode::continuous_time;
  integration_.set_time(saved.time);
  integration_.integrator()->restore_choice(saved.choice);
  start_integrator(saved.time);
}

std::string MeModel::write_state(const Snapshot& from) {
  const auto& saved = static_cast<const Saved&>(*from);
  const Chattering& c = saved.chattering;
  return Packer()(instance_->serialize_state(saved.fmu), saved.outputs, saved.next_event,
                  saved.time, saved.indicators, c.last_event, c.close_events, c.blind_until,
                  c.has_occurred, saved.choice)
      .bytes();
}

Snapshot MeModel::read_state(std::string_view bytes) {
  auto saved = std::make_unique<Saved>();
  Chattering& c = saved->chattering;
  Unpacker in(bytes);
  saved->fmu = instance_->deserialize_state(in.take<std::vector<std::uint8_t>>());
  in(saved->outputs, saved->next_event, saved->time, saved->indicators, c.last_event,
     c.close_events, c.blind_until, c.has_occurred, saved->choice);
  return saved;
}

void MeModel::show(double t) {
  integration_.go_to(t);
  outputs_.get_from(*instance_);
}

std::vector<double> MeModel::tolerances() {
  std::vector<double> atol(std::max<std::size_t>(instance_->continuous_state_count(), 1), 1.0);
  if (instance_->continuous_state_count() > 0) instance_->get_nominals(atol);
  for (double& tolerance : atol) tolerance = step_share * options_.atol * std::abs(tolerance);
  return atol;
}

std::optional<SolverStatistics> MeModel::solver_statistics() const {
  SolverStatistics report = report_;
  if (const auto* const integrator = integration_.integrator()) {
    static_cast<OdeStatistics&>(report) = integration_.statistics();
    report.note = integrator->note();
    report.diagnosis = integration_.diagnosis();
  }
  return report;
}

}  // namespace tutti::models
