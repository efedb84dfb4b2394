// SPDX-License-Identifier: BSD-2-Clause
#include "analysis/linearization.hpp"

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>

#include "analysis/model_probe.hpp"
#include "analysis/partial_derivatives.hpp"
#include "models/fmu_model.hpp"
#include "stability/spectrum.hpp"

namespace tutti::analysis {
namespace {

using stability::Matrix;
using stability::Subsystem;

Subsystem empty_system(const LinearizationTask& task, std::size_t states) {
  return {Matrix(states, states), Matrix(states, task.u.size()), Matrix(task.y.size(), states),
          Matrix(task.y.size(), task.u.size())};
}

/// The scalar continuous states and their derivatives; empty if some are arrays.
struct States {
  std::vector<ValueReference> states, derivatives;
};
States find_states(const ModelDescription& description) {
  States found;
  for (const Unknown& row : description.structure.derivatives) {
    if (row.variable < 0) return {};
    const Variable& derivative = description.variables[static_cast<std::size_t>(row.variable)];
    if (derivative.derivative_of < 0 || derivative.is_array()) return {};
    const Variable& state =
        description.variables[static_cast<std::size_t>(derivative.derivative_of)];
    found.states.push_back(state.value_reference);
    found.derivatives.push_back(derivative.value_reference);
  }
  return found;
}

/// The equations of a model-exchange FMU in continuous-time mode.
class Equations {
 public:
  Equations(fmi::Fmu& fmu, const LinearizationTask& task)
      : task_(task), probe_(fmu.description(), task) {
    fmi::InstanceOptions options;
    options.name = task.name;
    instance_ = fmu.instantiate_model_exchange(options);
    probe_.begin(*instance_);
    instance_->exit_initialization();
    if (models::settle_discrete_states(*instance_, task.experiment.start).terminate)
      throw Error(ErrorCode::fmu, "it asks to end the run before it starts");
    instance_->enter_continuous_time_mode();
    x_.resize(instance_->continuous_state_count());
    nominals_.resize(x_.size(), 1);
    if (x_.empty()) return;
    instance_->get_continuous_states(x_);
    instance_->get_nominals(nominals_);
  }

  Linearization differentiate() {
    Linearization result;
    result.has_states = true;
    result.system = empty_system(task_, x_.size());
    const ModelDescription& description = instance_->description();
    const States states = find_states(description);
    const Capabilities& can = instance_->capabilities();
    if ((can.provides_directional_derivatives || can.provides_adjoint_derivatives) &&
        states.states.size() == x_.size() && probe_.has_references()) {
      result.source = Source::model_exchange_derivatives;
      by_derivatives(states, result.system);
    } else {
      result.source = Source::model_exchange_differences;
      by_differences(result.system);
    }
    for (std::size_t j = 0; j < task_.u.size(); ++j) result.u_start.push_back(probe_.value(j));
    std::vector<double> values = evaluate();
    const auto outputs = values.begin() + static_cast<std::ptrdiff_t>(x_.size());
    result.y_start.assign(outputs, values.end());
    result.drift.assign(values.begin(), outputs);
    return result;
  }

 private:
  void by_derivatives(const States& states, Subsystem& system) {
    probe_.read(*instance_);  // some FMUs compute only when outputs are read
    std::vector<ValueReference> unknowns = states.derivatives;
    const auto outputs = probe_.references(task_.y), inputs = probe_.references(task_.u);
    unknowns.insert(unknowns.end(), outputs.begin(), outputs.end());
    std::vector<ValueReference> knowns = states.states;
    knowns.insert(knowns.end(), inputs.begin(), inputs.end());
    for_partial_derivatives(
        *instance_, unknowns, knowns, [&](std::size_t i, std::size_t j, double value) {
          const std::size_t n = x_.size();
          Matrix& part = i < n ? (j < n ? system.a : system.b) : (j < n ? system.c : system.d);
          part(i < n ? i : i - n, j < n ? j : j - n) = value;
        });
  }
  void by_differences(Subsystem& system) {
    for (std::size_t j = 0; j < x_.size(); ++j) {
      const double x = x_[j];
      const double step = increment_of_doubles * std::max(std::abs(x), nominals_[j]);
      column([&](double by) { x_[j] = x + by; }, step, system.a, system.c, j);
    }
    for (std::size_t j = 0; j < task_.u.size(); ++j) {
      const double u = probe_.value(j);
      column([&](double by) { probe_.write(j, u + by); }, probe_.increment(j), system.b, system.d,
             j);
    }
  }
  template <class Move>
  void column(const Move& move, double step, Matrix& upper, Matrix& lower, std::size_t j) {
    move(step);
    std::vector<double> slopes = evaluate();
    move(-step);
    const std::vector<double> below = evaluate();
    move(0);
    for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] = (slopes[i] - below[i]) / (2 * step);
    fill(slopes, upper, lower, j);
  }
  /// Derivatives, then outputs.
  std::vector<double> evaluate() {
    std::vector<double> values(x_.size());
    if (!x_.empty()) instance_->set_continuous_states(x_);
    probe_.set_inputs(*instance_, false);
    if (!x_.empty()) instance_->get_derivatives(values);
    const std::vector<double> y = probe_.read(*instance_);
    values.insert(values.end(), y.begin(), y.end());
    return values;
  }
  void fill(const std::vector<double>& column, Matrix& upper, Matrix& lower, std::size_t j) const {
    for (std::size_t i = 0; i < column.size(); ++i)
      (i < x_.size() ? upper(i, j) : lower(i - x_.size(), j)) = column[i];
  }

  const LinearizationTask& task_;
  ModelProbe probe_;
  fmi::Owned<fmi::ModelExchange> instance_;
  std::vector<double> x_, nominals_;
};

fmi::Owned<fmi::CoSimulation> instantiate(fmi::Fmu& fmu, const LinearizationTask& task) {
  fmi::CoSimulationOptions options;
  options.name = task.name;
  return fmu.instantiate_co_simulation(options);
}

Linearization by_co_simulation_derivatives(fmi::Fmu& fmu, const LinearizationTask& task) {
  ModelProbe probe(fmu.description(), task);
  const auto instance = instantiate(fmu, task);
  probe.begin(*instance);
  instance->exit_initialization();
  Linearization result;
  result.source = Source::directional_derivatives;
  result.system = empty_system(task, 0);
  const auto outputs = probe.references(task.y), inputs = probe.references(task.u);
  for_partial_derivatives(
      *instance, outputs, inputs,
      [&](std::size_t i, std::size_t j, double value) { result.system.d(i, j) = value; });
  return result;
}

/// In initialization mode a state may depend on an input, for example in a model that starts at
/// rest; later it does not. The dependencies of outputs in the description separate the two.
Linearization by_initialization(fmi::Fmu& fmu, const LinearizationTask& task) {
  ModelProbe probe(fmu.description(), task);
  const auto instance = instantiate(fmu, task);
  if (!instance->can_get_in_initialization())
    throw Error(ErrorCode::capability,
                "FMI 1.0 has no mode in which outputs depend directly on inputs");
  probe.begin(*instance);
  Linearization result;
  result.source = Source::initialization_differences;
  result.system = empty_system(task, 0);
  for (std::size_t j = 0; j < task.u.size(); ++j) {
    const double u = probe.value(j), step = probe.increment(j);
    const auto at = [&](double value) {
      probe.write(j, value);
      probe.set_inputs(*instance, true);
      return probe.read(*instance);
    };
    const std::vector<double> above = at(u + step), below = at(u - step);
    at(u);
    for (std::size_t i = 0; i < above.size(); ++i)
      if (!is_excluded(fmu.description(), task.y[i].variable, task.u[j].variable))
        result.system.d(i, j) = (above[i] - below[i]) / (2 * step);
  }
  return result;
}

bool is_finite(const Linearization& l) {
  for (const Matrix* m : {&l.system.a, &l.system.b, &l.system.c, &l.system.d})
    for (const double value : m->values)
      if (!std::isfinite(value)) return false;
  return true;
}

}  // namespace

Linearization linearize_by_structure(const ModelDescription& description,
                                     const LinearizationTask& task) {
  Linearization result;
  result.system = empty_system(task, 0);
  result.uncertain.resize(task.u.size() * task.y.size());
  for (std::size_t i = 0; i < task.y.size(); ++i)
    for (std::size_t j = 0; j < task.u.size(); ++j)
      result.uncertain[i * task.u.size() + j] =
          !is_excluded(description, task.y[i].variable, task.u[j].variable);
  return result;
}

std::optional<double> Linearization::fastest_rate() const {
  if (!has_states) return std::nullopt;
  return stability::spectral_radius(system.a);
}

Linearization Linearization::first_inputs(std::size_t count) const {
  const std::size_t all = system.d.columns;
  if (count >= all) return *this;
  const auto cut = [&](const Matrix& from) {
    Matrix result(from.rows, count);
    for (std::size_t i = 0; i < from.rows; ++i)
      for (std::size_t j = 0; j < count; ++j) result(i, j) = from(i, j);
    return result;
  };
  Linearization result = *this;
  result.system.b = cut(system.b);
  result.system.d = cut(system.d);
  result.uncertain.resize(system.d.rows * count);
  for (std::size_t i = 0; i < system.d.rows; ++i)
    for (std::size_t j = 0; j < count; ++j)
      result.uncertain[i * count + j] = uncertain[i * all + j];
  if (!u_start.empty()) result.u_start.resize(count);
  return result;
}

Linearization linearize(const ModelDescription& description, const LinearizationTask& task) {
  Linearization found = linearize_by_structure(description, task);
  found.notes.emplace_back("it is a C++ class, without an FMU");
  return found;
}

Linearization linearize(models::Instance& instance, const ModelDescription& description,
                        const LinearizationTask& task) {
  Linearization found = linearize_by_structure(description, task);
  found.notes.emplace_back("it stores past inputs: no finite number of states describes it");
  if (!instance.differentiate({}, {}, {}, {})) return found;
  std::vector<std::int32_t> outputs;
  for (const auto& y : task.y) outputs.push_back(y.variable);
  std::vector<double> slopes(outputs.size());
  Linearization result;
  result.source = Source::directional_derivatives;
  result.system = empty_system(task, 0);
  result.has_states = true;
  result.uncertain.resize(task.u.size() * task.y.size());
  for (std::size_t j = 0; j < task.u.size() && !outputs.empty(); ++j) {
    const double seed = 1;
    instance.differentiate(outputs, {&task.u[j].variable, 1}, {&seed, 1}, slopes);
    for (std::size_t i = 0; i < slopes.size(); ++i) result.system.d(i, j) = slopes[i];
  }
  return is_finite(result) ? result : found;
}

Linearization linearize(fmi::Fmu& fmu, const LinearizationTask& task) {
  const ModelDescription& description = fmu.description();
  std::vector<std::string> notes;
  const auto attempt = [&](bool possible, const auto& make) -> std::optional<Linearization> {
    if (!possible) return std::nullopt;
    try {
      Linearization result = make();
      if (is_finite(result)) return result;
      notes.emplace_back("derivatives that are NaN");
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      notes.emplace_back(error.what());
    }
    return std::nullopt;
  };
  const auto& cs = description.co_simulation;
  const bool slopes = cs &&
                      (cs->provides_directional_derivatives || cs->provides_adjoint_derivatives) &&
                      ModelProbe(description, task).has_references();
  std::optional<Linearization> found = attempt(
      description.model_exchange.has_value(), [&] { return Equations(fmu, task).differentiate(); });
  if (!found) found = attempt(slopes, [&] { return by_co_simulation_derivatives(fmu, task); });
  if (!found)
    found = attempt(cs && description.version != FmiVersion::v1,
                    [&] { return by_initialization(fmu, task); });
  if (!found) found = linearize_by_structure(description, task);
  if (found->uncertain.empty()) found->uncertain.resize(task.u.size() * task.y.size());
  // Some tools export a model-exchange interface without dynamics.
  if (found->system.states() == 0 && task.fit_steps) {
    const std::size_t before = notes.size();
    auto fitted = attempt(cs.has_value(), [&] { return fit_small_steps(fmu, task, *found); });
    const bool is_better = fitted && (fitted->system.states() > 0 || !found->has_states);
    if (is_better) found = std::move(fitted);
    if (!is_better && found->has_states) notes.resize(before);
  }
  notes.insert(notes.end(), found->notes.begin(), found->notes.end());
  found->notes = std::move(notes);
  return *std::move(found);
}

}  // namespace tutti::analysis
