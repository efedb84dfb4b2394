// SPDX-License-Identifier: BSD-2-Clause
#include "session/steady/steady_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/fmu_model.hpp"

namespace tutti::session {
namespace {

using solvers::Entry;

constexpr int most_reopened = 500;  ///< an FMU that fails more often cannot be evaluated

/// Increment of a difference: about the root of the rounding error.
double increment_for(double value, double nominal) { return 1e-7 * (std::abs(value) + nominal); }

}  // namespace

SteadyEquations::SteadyEquations(WholeModel& model, const SteadyOptions& options, Look look)
    : model_(model), look_(std::move(look)) {
  choose_free(options.free);
  open();
  name_states();
  choose_fixed(options.fixed);
  check_counts();
  initial_.resize(size());
  instance_->get_continuous_states(std::span(initial_).first(states_.size()));
  inputs_.get_from(*instance_);
  for (std::size_t k = 0; k < free_.size(); ++k)
    initial_[states_.size() + k] = *inputs_.double_of(free_[k].variable, free_[k].element);
  present_.assign(initial_.begin() + static_cast<std::ptrdiff_t>(states_.size()), initial_.end());
}

SteadyEquations::~SteadyEquations() = default;

void SteadyEquations::open() {
  look_();
  instance_ = model_.make_instance();
  problem_ = std::make_unique<models::MeProblem>(*instance_, inputs_);
  jacobian_ = std::make_unique<solvers::Jacobian>(*problem_);
  x_.assign(problem_->size(), 0);
  f_.assign(problem_->size(), 0);
  problem_->start(model_.time());
  indicators_ = {};
  std::vector<double> x(problem_->size());
  if (problem_->state_count() > 0) instance_->get_continuous_states(x);
  inputs_.get_from(*instance_);
  indicators_.note(*problem_, model_.time(), x);
}

std::vector<double> SteadyEquations::start() const {
  std::vector<double> z = initial_;
  for (std::size_t k = 0; k < fixed_.size(); ++k)
    if (fixed_state_[k] >= 0) z[static_cast<std::size_t>(fixed_state_[k])] = targets_[k];
  return z;
}

std::span<const double> SteadyEquations::states_of(std::span<const double> z) {
  std::ranges::copy(z.first(states_.size()), x_.begin());
  return x_;
}

/// Inputs change with the next evaluation. True: tunable parameters have changed, in an event.
bool SteadyEquations::move_inputs(std::span<const double> u) {
  if (std::ranges::equal(u, present_)) return false;
  for (std::size_t k = 0; k < free_.size(); ++k)
    *inputs_.double_of(free_[k].variable, free_[k].element) = u[k];
  present_.assign(u.begin(), u.end());
  return has_tunable_;
}

void SteadyEquations::settle() {
  instance_->enter_event_mode();
  if (!inputs_.empty()) inputs_.set_to(*instance_);
  if (models::settle_discrete_states(*instance_, model_.time()).terminate)
    throw Error(ErrorCode::fmu, "a component requests to end the run in an event of the search");
  instance_->enter_continuous_time_mode();
  if (problem_->update_pattern()) jacobian_ = std::make_unique<solvers::Jacobian>(*problem_);
}

bool SteadyEquations::compute(std::span<const double> z, std::span<double> r) {
  const std::size_t n = states_.size();
  if (move_inputs(z.subspan(n))) settle();
  if (!problem_->evaluate(model_.time(), states_of(z), f_)) {
    refusal_ = problem_->refusal();
    return false;
  }
  std::ranges::copy(std::span(f_).first(n), r.begin());
  if (n == 0) problem_->move_to(model_.time(), x_);
  if (fixed_.empty()) return true;
  outputs_.get_from(*instance_);
  for (std::size_t k = 0; k < fixed_.size(); ++k)
    r[n + k] = *outputs_.double_of(fixed_[k].variable, fixed_[k].element) - targets_[k];
  return true;
}

bool SteadyEquations::evaluate(std::span<const double> z, std::span<double> r) {
  look_();
  for (const double value : z)
    if (!std::isfinite(value)) return false;
  try {
    return compute(z, r);
  } catch (const Discarded& discarded) {
    refusal_ = discarded.what();
    return false;
  } catch (const Error& error) {
    return reopen(error);
  }
}

/// After an error an instance can only be freed. A new one takes its place at the last accepted
/// point. Returns false.
bool SteadyEquations::reopen(const Error& error) {
  if (error.code() == ErrorCode::interrupted || ++reopened_ > most_reopened) throw Error(error);
  refusal_ = error.what();
  problem_.reset();
  jacobian_.reset();
  instance_.reset();
  open();
  present_.clear();
  if (accepted_.empty()) return false;
  std::vector<double> r(size());
  if (compute(accepted_, r)) settle();
  return false;
}

bool SteadyEquations::linearize(std::span<const double> z, std::span<const double> r,
                                std::vector<Entry>& jacobian) {
  constexpr double least = 1e-7;
  const std::size_t n = states_.size();
  if (n > 0) {
    std::vector<double> increments(n), values(jacobian_->value_count());
    for (std::size_t j = 0; j < n; ++j) increments[j] = least * states_[j].nominal;
    try {
      if (move_inputs(z.subspan(n))) settle();
      if (!jacobian_->evaluate(model_.time(), z.first(n), r.first(n), increments, values))
        return by_columns(z, r, jacobian);
    } catch (const Error& error) {
      reopen(error);
      return by_columns(z, r, jacobian);
    }
    const SparsityPattern* const pattern = jacobian_->pattern();
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t from =
          pattern != nullptr ? static_cast<std::size_t>(pattern->column_start[j]) : j * n;
      const std::size_t count = pattern != nullptr ? pattern->rows_of(j).size() : n;
      for (std::size_t p = 0; p < count; ++p)
        if (const double value = values[from + p]; value != 0)
          jacobian.push_back(
              {pattern != nullptr ? static_cast<std::size_t>(pattern->rows_of(j)[p]) : p, j,
               value});
    }
  }
  for (std::size_t k = 0; k < fixed_.size(); ++k)
    if (fixed_state_[k] >= 0)
      jacobian.push_back({n + k, static_cast<std::size_t>(fixed_state_[k]), 1});
  const bool has_output = std::ranges::find(fixed_state_, -1) != fixed_state_.end();
  for (std::size_t j = has_output ? 0 : n; j < size(); ++j)
    if (!add_column(j, j < n ? n : 0, z, r, jacobian)) return false;
  return true;
}

/// At the edge of its domain a model may have values on one side only.
bool SteadyEquations::by_columns(std::span<const double> z, std::span<const double> r,
                                 std::vector<Entry>& jacobian) {
  for (std::size_t k = 0; k < fixed_.size(); ++k)
    if (fixed_state_[k] >= 0)
      jacobian.push_back({states_.size() + k, static_cast<std::size_t>(fixed_state_[k]), 1});
  for (std::size_t j = 0; j < size(); ++j)
    if (!add_column(j, 0, z, r, jacobian)) return false;
  return true;
}

/// By a difference, forward or else backward.
bool SteadyEquations::add_column(std::size_t j, std::size_t first_row, std::span<const double> z,
                                 std::span<const double> r, std::vector<Entry>& jacobian) {
  const std::size_t n = states_.size();
  std::vector<double> moved(z.begin(), z.end()), there(size());
  const double by = increment_for(z[j], nominal(j));
  for (const double sign : {1.0, -1.0}) {
    moved[j] = z[j] + sign * by;
    if (!evaluate(moved, there)) continue;
    for (std::size_t i = first_row; i < size(); ++i) {
      if (i >= n && fixed_state_[i - n] >= 0) continue;
      const double slope = (there[i] - r[i]) / (moved[j] - z[j]);
      if (slope != 0) jacobian.push_back({i, j, slope});
    }
    return true;
  }
  return false;
}

double SteadyEquations::jacobian_error() const {
  // Inside, an FMU may use differences for its directional derivatives, too.
  constexpr double of_derivatives = 1e-11, of_differences = 1e-9;
  return problem_->has_exact_jacobian() && free_.empty() ? of_derivatives : of_differences;
}

/// The event iteration at z. True: derivatives or states have changed.
bool SteadyEquations::update(std::vector<double>& z) {
  constexpr double same = 1e-12;
  const std::size_t n = states_.size();
  std::vector<double> before(size()), after(size());
  if (!evaluate(z, before)) return false;
  const std::vector<double> old = z;
  settle();
  if (n > 0) instance_->get_continuous_states(std::span(z).first(n));
  const bool is_known = evaluate(z, after);
  indicators_.note(*problem_, model_.time(), states_of(z));
  accepted_ = z;
  const auto differ = [](double a, double b) {
    return std::abs(a - b) > same * (std::abs(a) + std::abs(b));
  };
  return !is_known || !std::ranges::equal(old, z, std::not_fn(differ)) ||
         !std::ranges::equal(before, after, std::not_fn(differ));
}

bool SteadyEquations::accept(std::vector<double>& z) {
  try {
    std::vector<double> r(size());
    if (!evaluate(z, r)) return false;
    accepted_ = z;
    const fmi::IntegratorStep said = instance_->completed_integrator_step(true);
    if (said.terminate)
      throw Error(ErrorCode::fmu, "a component requests to end the run in the search");
    const bool crossed =
        !indicators_.empty() && indicators_.differ(*problem_, model_.time(), states_of(z));
    return (crossed || said.enter_event_mode) && update(z);
  } catch (const Error& error) {
    return reopen(error);
  }
}

bool SteadyEquations::confirm(std::vector<double>& z) { return update(z); }

TimeDependence SteadyEquations::time_dependence(std::span<const double> z,
                                                std::span<const double> r,
                                                std::span<const double> allowed) {
  constexpr int samples = 8;
  const std::size_t n = states_.size();
  TimeDependence found;
  std::vector<bool> is_named(n);
  const double t = model_.time(), span = model_.stop() - t;
  std::vector<double> here(size());
  if (!evaluate(z, here)) return found;  // the inputs are those of z again
  for (int k = 1; k <= samples && n > 0; ++k) {
    look_();
    try {
      if (!problem_->evaluate(t + span * scattered_part(k), states_of(z), f_)) continue;
    } catch (const Discarded&) {
      continue;
    } catch (const Error& error) {
      reopen(error);
      found.failure = fmt::format("the equations cannot be evaluated later: {}", error.what());
      return found;
    }
    for (std::size_t i = 0; i < n; ++i)
      if (!is_named[i] && std::abs(f_[i] - r[i]) > 10 * allowed[i]) {
        is_named[i] = true;
        found.states.push_back(states_[i].name);
      }
  }
  evaluate(z, here);
  return found;
}

}  // namespace tutti::session
