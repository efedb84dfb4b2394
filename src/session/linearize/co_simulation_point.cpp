// SPDX-License-Identifier: BSD-2-Clause
#include "session/linearize/co_simulation_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/linearization.hpp"
#include "analysis/partial_derivatives.hpp"
#include "models/fmu_model.hpp"
#include "models/me_linear.hpp"
#include "models/state_elements.hpp"

namespace tutti::session {
namespace {

using analysis::Linearization;
using models::RealElement;

/// The same states, so outputs may differ by rounding only, and by what the FMU rounds in files.
constexpr double tolerance_of_outputs = 1e-6;

std::vector<RealElement> state_scalars(const models::StateElements& states, bool derivatives) {
  std::vector<RealElement> all;
  for (const auto& array : states.arrays)
    for (std::uint64_t e = 0; e < array.count; ++e)
      all.push_back({derivatives ? array.derivative : array.state, e});
  return all;
}

const Variable& variable_at(const ComponentPoint& point, std::int32_t index) {
  return point.description().variables[static_cast<std::size_t>(index)];
}

/// An instance of the model-exchange interface in continuous-time mode, with these inputs.
fmi::Owned<fmi::ModelExchange> make_model_exchange(const ComponentPoint& point,
                                                   models::ValueSet& inputs) {
  fmi::InstanceOptions options;
  options.name = point.name();
  auto instance = point.prepared.fmu(point.component)->instantiate_model_exchange(options);
  point.start().apply_before_initialization(*instance);
  instance->enter_initialization(point.experiment);
  point.start().apply_in_initialization(*instance);
  inputs.set_to(*instance);
  instance->exit_initialization();
  if (models::settle_discrete_states(*instance, point.experiment.start).terminate)
    throw Error(ErrorCode::fmu, "it asks to end the run before it starts");
  instance->enter_continuous_time_mode();
  return instance;
}

/// Inputs that followed a signal inside the last step have a value at its end that only the FMU
/// knows: then outputs that depend on them directly are not compared.
std::string difference_of(const ComponentPoint& point, const std::vector<double>& of_run,
                          const models::LinearEquations& equations) {
  std::vector<bool> feeds_through(of_run.size());
  for (const solvers::Entry& entry : equations.d) feeds_through[entry.row] = true;
  for (std::size_t i = 0; i < of_run.size(); ++i) {
    if (feeds_through[i] && point.instance.follows_curves()) continue;
    const Variable& variable = variable_at(point, point.question.outputs[i].variable);
    const double size = std::max({std::abs(of_run[i]), std::abs(equations.y[i]),
                                  std::abs(variable.attributes.nominal.value_or(1))});
    if (!(std::abs(of_run[i] - equations.y[i]) <= tolerance_of_outputs * size))
      return fmt::format(
          "with the same states and inputs \"{}\" is {:.9g} instead of {:.9g}: "
          "further states are hidden, for example those of events",
          variable.name, equations.y[i], of_run[i]);
  }
  return "";
}

/// An event iteration at the point: what switches there has its state of that time.
void update_relations(fmi::ModelExchange& instance, double t, const std::vector<double>& x,
                      models::ValueSet& inputs) {
  instance.set_time(t);
  if (!x.empty()) instance.set_continuous_states(x);
  instance.enter_event_mode();
  inputs.set_to(instance);
  if (models::settle_discrete_states(instance, t).terminate)
    throw Error(ErrorCode::fmu, "it asks to end the run at this point");
  instance.enter_continuous_time_mode();
}

/// A linear model of the analysis in terms of the components of the system.
ComponentModel taken(const Linearization& found) {
  ComponentModel result;
  result.source = to_string(found.source);
  result.has_states = found.has_states;
  const auto take = [](const stability::Matrix& from, std::vector<solvers::Entry>& to) {
    for (std::size_t i = 0; i < from.rows; ++i)
      for (std::size_t j = 0; j < from.columns; ++j)
        if (from(i, j) != 0) to.push_back({i, j, from(i, j)});
  };
  models::LinearEquations& equations = result.equations;
  take(found.system.a, equations.a);
  take(found.system.b, equations.b);
  take(found.system.c, equations.c);
  take(found.system.d, equations.d);
  for (std::size_t k = 0; k < found.system.states(); ++k)
    equations.states.push_back(
        {fmt::format("state {}", k + 1), "", -1, 0, k < found.drift.size() ? found.drift[k] : 0});
  equations.notes = found.notes;
  return result;
}

analysis::LinearizationTask task_of(const ComponentPoint& point, double start) {
  analysis::LinearizationTask task;
  task.name = point.name();
  task.start = &point.start();
  task.inputs = point.make_set(point.question.inputs);
  for (std::size_t j = 0; j < point.question.inputs.size(); ++j)
    for (const models::Scalar& scalar : task.inputs.scalars())
      if (RealElement{scalar.variable, scalar.element} == point.question.inputs[j])
        task.inputs.write_real(scalar, point.question.u[j]);
  task.experiment = point.experiment;
  task.experiment.start = start;
  task.step = point.step;
  task.log = point.log;
  task.sign_of_life = point.sign_of_life;
  for (const RealElement& u : point.question.inputs) task.u.push_back({u.variable, u.element});
  for (const RealElement& y : point.question.outputs) task.y.push_back({y.variable, y.element});
  return task;
}

/// The inputs of the point, without parameters.
models::ValueSet initial_inputs(const ComponentPoint& point) {
  std::vector<RealElement> elements = point.question.inputs;
  std::erase_if(elements, [&](const RealElement& input) {
    return variable_at(point, input.variable).causality == Causality::parameter;
  });
  models::ValueSet inputs = point.make_set(elements);
  inputs.copy_from(task_of(point, point.time).inputs);
  return inputs;
}

/// A running instance that is rolled back to the point for every run.
class InstancePlant final : public stability::Plant {
 public:
  InstancePlant(const ComponentPoint& point, models::ValueSet inputs)
      : point_(point), inputs_(std::move(inputs)) {
    point_.instance.expect_rollback(true);
    point_.instance.save(saved_);
    point_.instance.inputs().save(values_);
    for (const RealElement& input : point.question.inputs)
      places_.push_back(&*std::ranges::find_if(inputs_.scalars(), [&](const auto& scalar) {
        return RealElement{scalar.variable, scalar.element} == input;
      }));
  }
  ~InstancePlant() override {
    try {
      go_back();
    } catch (const Error&) {  // the run ends here in any case
      static_cast<void>(0);
    }
  }
  InstancePlant(const InstancePlant&) = delete;
  InstancePlant& operator=(const InstancePlant&) = delete;

  std::vector<double> start() override {
    go_back();
    return read_reals(point_, point_.question.outputs);
  }
  std::vector<double> run(std::span<const double> steps, std::span<const double> moves,
                          std::size_t reverse_every) override {
    std::vector<double> values;
    try {
      go_back();
      double t = point_.time, sign = 1;
      for (std::size_t k = 0; k < steps.size(); ++k) {
        if (reverse_every > 0 && k > 0 && k % reverse_every == 0) sign = -sign;
        set_inputs(moves, sign);
        if (!point_.instance.step(t, steps[k]).is_plain()) break;
        t += steps[k];
        if (point_.sign_of_life) point_.sign_of_life(t);
        const std::vector<double> y = read_reals(point_, point_.question.outputs);
        if (!std::ranges::all_of(y, [](double v) { return std::isfinite(v); })) break;
        values.insert(values.end(), y.begin(), y.end());
      }
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      refusal = error.what();
    }
    return values;
  }
  std::string refusal;  ///< of the last step that was refused

 private:
  void go_back() {
    point_.instance.restore(saved_);
    point_.instance.inputs().restore(values_);
  }
  /// Those that the system drives are set by the step, others here.
  void set_inputs(std::span<const double> moves, double sign) {
    for (std::size_t j = 0; j < places_.size(); ++j)
      inputs_.write_real(*places_[j], point_.question.u[j] + sign * moves[j]);
    point_.instance.inputs().copy_from(inputs_);
    std::vector<std::int32_t> others;
    for (const std::int32_t variable : inputs_.variables())
      if (std::ranges::find(point_.instance.inputs().variables(), variable) ==
          point_.instance.inputs().variables().end())
        others.push_back(variable);
    if (others.empty()) return;
    models::ValueSet part = inputs_.part(point_.description(), others, point_.start().structure());
    if (!point_.instance.has_event_mode()) {
      point_.instance.assign(part);
      return;
    }
    point_.instance.begin_event();
    point_.instance.assign(part);
    point_.instance.end_event(point_.time);
  }

  const ComponentPoint& point_;
  models::ValueSet inputs_;
  std::vector<const models::Scalar*> places_;  ///< of the question, in inputs_
  models::Snapshot saved_;
  models::ValueSet::Values values_;
};

}  // namespace

std::optional<ComponentModel> by_model_exchange(const ComponentPoint& point) {
  const ModelDescription& description = point.description();
  if (!description.model_exchange || point.prepared.fmu(point.component) == nullptr) return {};
  const auto states = models::find_state_elements(description, point.start().structure());
  if (!states) throw Error(ErrorCode::capability, "its description does not name its states");
  const std::vector<double> x = read_reals(point, state_scalars(*states, false));
  models::ValueSet inputs = initial_inputs(point);
  const auto instance = make_model_exchange(point, inputs);
  if (instance->continuous_state_count() != x.size())
    throw Error(ErrorCode::capability, "its description does not list all of its states");
  models::LinearQuestion question = point.question;
  question.u = point.used;
  const auto linearized = [&] {
    return models::linearize(*instance, point.start().structure(), point.time, x, question);
  };
  ComponentModel result;
  result.equations = linearized();
  const std::vector<double> of_run = read_reals(point, question.outputs);
  if (!difference_of(point, of_run, result.equations).empty()) {
    update_relations(*instance, point.time, x, inputs);
    result.equations = linearized();
  }
  if (const std::string difference = difference_of(point, of_run, result.equations);
      !difference.empty())
    throw Error(ErrorCode::fmu, difference);
  if (point.used != point.question.u) {
    question.u = point.question.u;
    result.equations = linearized();
  }
  result.source =
      to_string(result.equations.is_exact ? analysis::Source::model_exchange_derivatives
                                          : analysis::Source::model_exchange_differences);
  result.has_states = result.adjusts = true;
  return result;
}

std::optional<ComponentModel> by_listed_states(const ComponentPoint& point) {
  const auto states = models::find_state_elements(point.description(), point.start().structure());
  const models::LinearQuestion& question = point.question;
  const auto is_scalar = [&](const RealElement& element) {
    const Variable& variable = variable_at(point, element.variable);
    return variable.type == Type::float64 && !variable.is_array();
  };
  if (!states || states->count == 0 || states->count != states->arrays.size() ||
      !std::ranges::all_of(question.inputs, is_scalar) ||
      !std::ranges::all_of(question.outputs, is_scalar) || has_parameters(point) ||
      !point.instance.differentiate({}, {}, {}, {}))
    return {};
  const std::vector<RealElement> x = state_scalars(*states, false),
                                 dx = state_scalars(*states, true);
  const std::vector<double> values = read_reals(point, x), slopes = read_reals(point, dx);
  ComponentModel result;
  models::LinearEquations& equations = result.equations;
  std::vector<std::int32_t> unknowns, knowns;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const Variable& variable = variable_at(point, x[k].variable);
    equations.states.push_back(
        {variable.name, variable.attributes.unit, x[k].variable, values[k], slopes[k]});
    unknowns.push_back(dx[k].variable);
    knowns.push_back(x[k].variable);
  }
  for (const RealElement& output : question.outputs) unknowns.push_back(output.variable);
  for (const RealElement& input : question.inputs) knowns.push_back(input.variable);
  const std::size_t n = x.size();
  std::vector<double> column(unknowns.size());
  for (std::size_t j = 0; j < knowns.size(); ++j) {
    const double seed = 1;
    point.instance.differentiate(unknowns, {&knowns[j], 1}, {&seed, 1}, column);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!std::isfinite(column[i]))
        throw Error(ErrorCode::numeric, "a directional derivative is not finite");
      if (column[i] == 0) continue;
      auto& part =
          i < n ? (j < n ? equations.a : equations.b) : (j < n ? equations.c : equations.d);
      part.push_back({i < n ? i : i - n, j < n ? j : j - n, column[i]});
    }
  }
  // Some FMUs accept states as knowns of co-simulation, but do not differentiate by them.
  if (equations.a.empty() && equations.c.empty())
    throw Error(ErrorCode::fmu, "all derivatives with respect to states are zero");
  equations.y = read_reals(point, question.outputs);
  result.source = to_string(analysis::Source::directional_derivatives);
  result.has_states = true;
  return result;
}

std::optional<ComponentModel> by_small_steps(const ComponentPoint& point,
                                             const ComponentModel& feed_through) {
  if (!point.instance.can_go_back())
    throw Error(ErrorCode::capability, "it cannot save and restore its state");
  if (!point.description().co_simulation) return {};
  const models::LinearQuestion& question = point.question;
  if (question.inputs.empty() || question.outputs.empty())
    throw Error(ErrorCode::capability, "there are no inputs to perturb, or no outputs to observe");
  analysis::LinearizationTask task = task_of(point, point.time);
  Linearization known;
  known.system.d = stability::Matrix(question.outputs.size(), question.inputs.size());
  known.uncertain.assign(known.system.d.values.size(), feed_through.source.empty());
  for (const solvers::Entry& entry : feed_through.equations.d)
    known.system.d(entry.row, entry.column) = entry.value;
  point.log.info(point.name(), fmt::format("a linear model is fitted to at most {} small steps",
                                           analysis::maximum_fitted_steps));
  InstancePlant plant(point, task.inputs);
  try {
    ComponentModel result =
        taken(analysis::fit_small_steps(plant, point.description(), task, known, true));
    result.equations.y = plant.start();
    return result;
  } catch (const Error& error) {
    if (plant.refusal.empty() || error.code() != ErrorCode::numeric) throw;
    throw Error(ErrorCode::numeric, fmt::format("{}: {}", error.what(), plant.refusal));
  }
}

std::optional<ComponentModel> by_new_instances(const ComponentPoint& point) {
  if (has_parameters(point)) return {};  // they cannot be set during its steps
  const analysis::LinearizationTask task = task_of(point, point.experiment.start);
  const Linearization found = analysis::linearize(*point.prepared.fmu(point.component), task);
  if (std::ranges::find(found.uncertain, true) != found.uncertain.end())
    throw Error(ErrorCode::capability, found.notes.empty() ? "the direct response is unknown"
                                                           : list_some(found.notes, "; "));
  ComponentModel result = taken(found);
  result.equations.y = read_reals(point, point.question.outputs);
  return result;
}

}  // namespace tutti::session
