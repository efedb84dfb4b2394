// SPDX-License-Identifier: BSD-2-Clause
#include "analysis/linearization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/model_probe.hpp"
#include "stability/identification.hpp"

namespace tutti::analysis {
namespace {

// Of the simulated time. Limits are counts of steps and simulated time, never wall time: what is
// fitted does not depend on the machine.
constexpr double shortest_of_span = 1e-9, longest_of_span = 0.25, least_of_span = 1e-3;
constexpr double all_runs_of_span = 2;

/// An FMU that is stepped repeatedly from its start: its state is restored, or each run has a new
/// instance.
class FmuPlant final : public stability::Plant {
 public:
  FmuPlant(fmi::Fmu& fmu, const LinearizationTask& task, bool restores)
      : fmu_(fmu), task_(task), restores_(restores), probe_(fmu.description(), task) {
    for (std::size_t j = 0; j < task.u.size(); ++j) inputs_.push_back(probe_.value(j));
    if (!restores && fmu.description().co_simulation->only_once_per_process)
      throw Error(ErrorCode::capability,
                  "its state cannot be restored, and it can be instantiated only once per process");
    make();
  }

  std::vector<double> start() override {
    go_to_start();
    return probe_.read(*instance_);
  }

  std::vector<double> run(std::span<const double> steps, std::span<const double> moves,
                          std::size_t reverse_every) override {
    std::vector<double> values;
    try {
      go_to_start();
      double t = task_.experiment.start, sign = 1;
      for (std::size_t k = 0; k < steps.size(); ++k) {
        if (reverse_every > 0 && k > 0 && k % reverse_every == 0) sign = -sign;
        for (std::size_t j = 0; j < inputs_.size(); ++j)
          probe_.write(j, inputs_[j] + sign * moves[j]);
        probe_.set_inputs(*instance_, false);
        if (!instance_->do_step(t, steps[k], restores_).is_plain()) break;
        t += steps[k];
        if (task_.sign_of_life) task_.sign_of_life(t);
        const std::vector<double> y = probe_.read(*instance_);
        if (!std::ranges::all_of(y, [](double v) { return std::isfinite(v); })) break;
        values.insert(values.end(), y.begin(), y.end());
      }
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      refusal = error.what();
      remove();
    }
    return values;
  }

  std::string refusal;  ///< of the last step that was refused

 private:
  void make() {
    remove();
    fmi::CoSimulationOptions options;
    options.name = task_.name;
    instance_ = fmu_.instantiate_co_simulation(options);
    for (std::size_t j = 0; j < inputs_.size(); ++j) probe_.write(j, inputs_[j]);
    probe_.begin(*instance_);
    instance_->exit_initialization();
    is_at_start_ = true;
    if (restores_) instance_->save_state(state_);
  }
  void remove() {
    state_ = {};  // it must be freed before the instance
    instance_.reset();
  }
  void go_to_start() {
    if (instance_ && restores_)
      instance_->restore_state(state_);
    else if (!instance_ || !is_at_start_)
      make();
    is_at_start_ = false;
  }

  fmi::Fmu& fmu_;
  const LinearizationTask& task_;
  bool restores_;
  ModelProbe probe_;
  std::vector<double> inputs_;
  fmi::Owned<fmi::CoSimulation> instance_;
  fmi::FmuState state_;
  bool is_at_start_ = false;
};

stability::IdentificationOptions options_for(const ModelDescription& description,
                                             const LinearizationTask& task) {
  const ModelProbe probe(description, task);
  stability::IdentificationOptions options;
  options.most_steps = maximum_fitted_steps;
  for (std::size_t j = 0; j < task.u.size(); ++j) options.input_sizes.push_back(probe.size(j));
  const double start = task.experiment.start;
  const double span = task.experiment.stop.value_or(start + 1) - start;
  const auto runs = static_cast<double>(2 * task.u.size() + 4);
  options.duration = std::min(longest_of_span, all_runs_of_span / runs) * span;
  options.shortest_step = std::max(
      std::min(shortest_of_span * span, task.step.value_or(span) / 1e3), 4e-12 * std::abs(start));
  options.least_duration = std::min(task.step.value_or(least_of_span * span), options.duration);
  if (!description.co_simulation->can_vary_step) {
    options.only_step = description.co_simulation->fixed_internal_step;
    if (!options.only_step) options.only_step = task.step;
    if (!options.only_step) options.only_step = description.default_experiment.step;
    if (!options.only_step)
      throw Error(ErrorCode::capability, "it cannot vary its step, and its step is unknown");
    options.duration = span;
  }
  return options;
}

/// In a fit, zeros are small numbers, and other values are as accurate as the noise allows.
/// @param first by output and input, the response after the first and shortest step
void take_known_feed_through(Linearization& result, const ModelDescription& description,
                             const LinearizationTask& task, const Linearization& known,
                             const stability::Matrix& first) {
  for (std::size_t i = 0; i < task.y.size(); ++i)
    for (std::size_t j = 0; j < task.u.size(); ++j) {
      const bool excluded = is_excluded(description, task.y[i].variable, task.u[j].variable);
      if (!excluded && known.uncertain[i * task.u.size() + j]) continue;
      const double exact = excluded ? 0 : known.system.d(i, j);
      double& fitted = result.system.d(i, j);
      if (std::abs(fitted - exact) <= 0.02 * (std::abs(first(i, j)) + std::abs(exact)))
        fitted = exact;
    }
}

/// A run that is repeated after another one, from the restored state, must be the same: not every
/// FMU with this capability restores all of its state.
void check_restoring(stability::Plant& plant, const stability::IdentificationOptions& options) {
  std::vector<double> steps, still(options.input_sizes.size()), moved = options.input_sizes;
  constexpr std::size_t count = 20;
  for (std::size_t k = 0; k < count; ++k)
    steps.push_back(options.only_step.value_or(options.duration * 1e-3 *
                                               std::pow(10.0, 0.1 * static_cast<double>(k))));
  for (double& move : moved) move *= 1e-3;
  const std::vector<double> before = plant.run(steps, still, 0);
  const std::vector<double> other = plant.run(steps, moved, 0);
  const std::vector<double> after = plant.run(steps, still, 0);
  if (before.size() != after.size())
    throw Error(ErrorCode::fmu, "a run from its restored state is not reproducible");
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double response = i < other.size() ? std::abs(other[i] - before[i]) : 0;
    if (std::abs(after[i] - before[i]) > 1e-3 * response + 1e-9 * std::abs(before[i]))
      throw Error(ErrorCode::fmu, "a run from its restored state is not reproducible");
  }
}

Linearization fit_runs(fmi::Fmu& fmu, const LinearizationTask& task, const Linearization& known,
                       bool restores) {
  FmuPlant plant(fmu, task, restores);
  try {
    return fit_small_steps(plant, fmu.description(), task, known, restores);
  } catch (const Error& error) {
    if (plant.refusal.empty() || error.code() != ErrorCode::numeric) throw;
    throw Error(ErrorCode::numeric, fmt::format("{}: {}", error.what(), plant.refusal));
  }
}

}  // namespace

Linearization fit_small_steps(stability::Plant& plant, const ModelDescription& description,
                              const LinearizationTask& task, const Linearization& known,
                              bool restores) {
  const stability::IdentificationOptions options = options_for(description, task);
  if (restores) check_restoring(plant, options);
  stability::Identification found = stability::identify(plant, options);
  if (!found.system) throw Error(ErrorCode::numeric, found.note);
  Linearization result;
  result.source = Source::identified;
  result.system = *std::move(found.system);
  result.has_states = true;
  result.drift = std::move(found.drift);
  result.longest_step = found.duration;
  result.uncertain.resize(task.u.size() * task.y.size());
  const ModelProbe probe(description, task);
  for (std::size_t j = 0; j < task.u.size(); ++j) result.u_start.push_back(probe.value(j));
  result.y_start = plant.start();
  take_known_feed_through(result, description, task, known, found.first);
  result.notes.push_back(fmt::format(
      "fitted to {} small steps ({}): error {:.2g} %, for steps up to {:.3g} s", found.steps,
      restores ? "rolled back" : "of new instances", 100 * found.error, found.duration));
  return result;
}

Linearization fit_small_steps(fmi::Fmu& fmu, const LinearizationTask& task,
                              const Linearization& known) {
  if (task.u.empty() || task.y.empty())
    throw Error(ErrorCode::capability,
                "none of its continuous inputs and outputs are in the cycle");
  task.log.info(task.name, fmt::format("a linear model is fitted to at most {} small steps",
                                       maximum_fitted_steps));
  if (!fmu.description().co_simulation->can_save_state) return fit_runs(fmu, task, known, false);
  std::string refusal;
  try {
    return fit_runs(fmu, task, known, true);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    refusal = error.what();
  }
  try {
    Linearization result = fit_runs(fmu, task, known, false);
    result.notes.push_back(fmt::format(
        "steps after its state was restored do not fit ({}): it may not restore all of it",
        refusal));
    return result;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    throw Error(ErrorCode::numeric, refusal);
  }
}

}  // namespace tutti::analysis
