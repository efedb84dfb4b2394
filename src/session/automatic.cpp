// SPDX-License-Identifier: BSD-2-Clause
#include "session/automatic.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tutti/advice.hpp>

#include "analysis/advise_cycle.hpp"
#include "analysis/linearization.hpp"
#include "base/infinity.hpp"
#include "base/text.hpp"
#include "base/time_grid.hpp"
#include "master/coupling/coupling_method.hpp"
#include "master/stepping/controllers.hpp"
#include "session/advise/linear_models.hpp"
#include "session/system_models.hpp"
#include "system/make_plan.hpp"

namespace tutti::session {
namespace {

constexpr std::string_view automatic = "auto";
// The error of a jump is the length of its step: a minimum relative to simulated time and
// tolerance.
constexpr double shortest = 1e-3;
constexpr double minimum_step = 1e-12;  // of the simulated time
constexpr double first_step = 1e-3;     // of the simulated time, if none is given
constexpr double careful_step = 1e-5;   // of it, if steps cannot be rolled back
// Iterations must not limit the accuracy.
constexpr double of_iterations = 0.01;

using Choice = CycleAdvice::Choice;

InputSettings inputs_of(const CouplingChoice& choice) {
  InputSettings inputs;
  inputs.inside = from_word<InsideStep>(choice.inside).value();
  inputs.order = static_cast<std::uint32_t>(choice.order);
  inputs.derivatives = from_word<DerivativeSource>(choice.derivatives).value();
  inputs.smooth = choice.smooth;
  inputs.correct = from_word<Correction>(choice.correct).value();
  return inputs;
}

bool is_corrected(const Choice& choice) { return choice.choice.correct != "none"; }
bool predicts(const CouplingChoice& choice) { return master::uses_models(choice.methods.front()); }
bool predicts(const Choice& choice) { return predicts(choice.choice); }
bool iterates(const Choice& choice) {
  return master::needs_rollback(choice.choice.methods.front());
}

Choice corrected_choice(std::string reason) {
  Choice choice;
  choice.choice.order = 1;
  choice.choice.correct = "linear";
  choice.reason = std::move(reason);
  return choice;
}

/// The advice corrects where D is available in every step. A linear model has D, too, and its
/// changes are learnt.
void correct_if_known(std::vector<Choice>& choices, const CycleAdvice& cycle) {
  const bool all_known = std::all_of(cycle.components.begin(), cycle.components.end(),
                                     [](const LinearizedComponent& c) { return c.linearized; });
  if (cycle.loops.empty() || !all_known ||
      std::any_of(choices.begin(), choices.end(), is_corrected))
    return;
  choices.insert(choices.begin(),
                 corrected_choice("every component steps once per step, and the algebraic loop is "
                                  "solved between steps with linear models of the components"));
}

bool moves_inputs(const CouplingChoice& choice) { return choice.inside == "linear"; }

/// A coupling that the advice calls stable may be so in a lower order only. Lines have the right
/// effect on twice as many states as constants.
void predict_if_stiff(std::vector<Choice>& choices, const CycleAdvice& cycle) {
  if (cycle.quadratic_stiffness.value_or(0) < analysis::stiff_coupling) return;
  if (!choices.empty() && predicts(choices.front())) return;
  const SchemeAdvice* best = nullptr;
  for (const SchemeAdvice& scheme : cycle.schemes)
    if (predicts(scheme.choice) && scheme.missing.empty() &&
        scheme.distortion.value_or(infinity) <= analysis::most_distortion &&
        (best == nullptr || moves_inputs(scheme.choice)))
      best = &scheme;
  if (best == nullptr) return;
  choices.insert(choices.begin(),
                 {best->choice,
                  fmt::format("the coupling is stiff: with extrapolated inputs, the time constant "
                              "of the slowest motion is {:.2g} times the largest stable step. "
                              "Inputs are predicted from linear models of the components",
                              *cycle.quadratic_stiffness)});
}

/// The advice is for steps of one size. Where errors choose the step, a higher order is cheaper:
/// the length of stable steps does not matter, because unstable steps fail the error test. This
/// includes components that accept values only: the one in the middle of a step is right in the
/// mean. But in an algebraic loop that is not solved, a higher order may be unstable in every step.
/// And where components step in sequence, some know the inputs at the end of their steps.
std::vector<Choice> choices_of(const CycleAdvice& cycle) {
  std::vector<Choice> choices = cycle.choices;
  correct_if_known(choices, cycle);
  predict_if_stiff(choices, cycle);
  if (!choices.empty() && !iterates(choices.front()) && !predicts(choices.front()) &&
      (cycle.loops.empty() || is_corrected(choices.front()))) {
    Choice best = choices.front();
    best.choice.order = 2;
    best.choice.derivatives = automatic;
    // For any number of threads: the results do not depend on it.
    if (cycle.loops.empty()) best.choice.methods = {"gauss-seidel"};
    // Only corrections and iterations are more robust.
    std::erase_if(choices,
                  [](const Choice& choice) { return !is_corrected(choice) && !iterates(choice); });
    choices.insert(choices.begin(), best);
  }
  for (Choice& choice : choices)
    if (iterates(choice) && choice.choice.order == 0) choice.choice.inside = "linear";
  // If steps cannot be repeated, at least gains that grow during the run are learnt.
  const bool some_iterate = std::any_of(choices.begin(), choices.end(), iterates);
  const bool some_correct = std::any_of(choices.begin(), choices.end(), is_corrected);
  if (!some_iterate && !some_correct && !choices.empty())
    choices.push_back(corrected_choice("derivatives of outputs are learnt during the run"));
  if (choices.empty() && !cycle.loops.empty())
    choices.push_back(
        corrected_choice("no stable method was found, and a correction whose derivatives are "
                         "learnt during the run is better than none"));
  return choices;
}

/// Of the known ones; 0: none.
double fastest_of(const std::vector<double>& rates) {
  double fastest = 0;
  for (const double rate : rates)
    if (rate < infinity) fastest = std::max(fastest, rate);
  return fastest;
}

bool has_inputs(const ModelDescription& description) {
  return std::any_of(
      description.variables.begin(), description.variables.end(),
      [](const Variable& variable) { return variable.causality == Causality::input; });
}

/// The fastest rate of each component of the system, where known. Components without inputs have no
/// input errors.
std::vector<double> rates_of(const System& system, const ModelledAdvice& known,
                             const SystemModels& models) {
  std::vector<double> rates(system.components.size(), infinity);
  for (const auto* part : {&known.models, &known.alone, &known.whole})
    for (const CycleModels& cycle : *part)
      for (std::size_t i = 0; i < cycle.components.size(); ++i)
        if (const auto rate = cycle.components[i].fastest_rate())
          rates[cycle.interface.components[i]] = *rate;
  for (std::size_t c = 0; c < rates.size(); ++c)
    if (!has_inputs(*models.descriptions[c])) rates[c] = 0;
  return rates;
}

/// Only the values of its inputs at the end of a step matter, and only for its outputs there. A
/// component that switches is none, even without states.
bool is_static(const analysis::Linearization& model, const ModelDescription& description) {
  const stability::Matrix& d = model.system.d;
  if (!model.has_states || model.system.states() > 0 ||
      !description.structure.event_indicators.empty() || description.event_indicator_count > 0)
    return false;
  for (std::size_t j = 0; j < d.columns; ++j) {
    bool matters = false;
    for (std::size_t i = 0; i < d.rows; ++i) matters |= d(i, j) != 0;
    if (!matters) return false;
  }
  return std::none_of(description.variables.begin(), description.variables.end(),
                      [](const Variable& variable) {
                        return variable.variability == Variability::discrete &&
                               variable.causality != Causality::input;
                      });
}

std::vector<bool> static_components(const System& system, const ModelledAdvice& known,
                                    const SystemModels& models) {
  std::vector<bool> result(system.components.size());
  for (const auto* part : {&known.models, &known.alone})
    for (const CycleModels& cycle : *part)
      for (std::size_t i = 0; i < cycle.components.size(); ++i) {
        const std::size_t c = cycle.interface.components[i];
        result[c] = is_static(cycle.components[i], *models.descriptions[c]);
      }
  return result;
}

/// Some component accepts values only, so those in the middle of a step, and has direct
/// feed-through: its outputs at the end of the step would be those of the middle.
bool loses_feed_through(const ModelledAdvice& known) {
  const auto follows_at_once = [](const analysis::Linearization& component) {
    const stability::Matrix& d = component.system.d;
    for (std::size_t i = 0; i < d.rows; ++i)
      for (std::size_t j = 0; j < d.columns; ++j)
        if (d(i, j) != 0) return true;
    return false;
  };
  for (const CycleModels& alone : known.alone)
    if (follows_at_once(alone.components.front())) return true;
  for (std::size_t k = 0; k < known.models.size(); ++k)
    for (std::size_t i = 0; i < known.models[k].components.size(); ++i)
      if (!known.advice.cycles[k].components[i].follows_inputs &&
          follows_at_once(known.models[k].components[i]))
        return true;
  return false;
}

/// All choices, for every cycle, the best first.
class Chooser {
 public:
  Chooser(const System& system, const ModelledAdvice& known)
      : system_(system), loses_feed_through_(loses_feed_through(known)) {
    const Advice& advice = known.advice;
    for (const CycleAdvice& cycle : advice.cycles) {
      Cycle& entry = cycles_.emplace_back();
      for (const LinearizedComponent& component : cycle.components)
        entry.components.push_back(component.name);
      entry.choices = choices_of(cycle);
      entry.own = own_settings(entry.components);
    }
  }
  std::size_t level_count() const {
    std::size_t count = 1;
    for (const Cycle& cycle : cycles_)
      if (!cycle.has_own_method(system_)) count = std::max(count, cycle.choices.size());
    return count;
  }
  master::Coupling coupling(std::size_t level) const {
    master::Coupling result;
    result.methods = {"gauss-seidel"};
    result.cycles = system_.cycles;
    result.inputs.assign(system_.connections.size(), {});
    // A component outside cycles knows its inputs at the end of each step.
    for (InputSettings& inputs : result.inputs) {
      inputs.inside = InsideStep::linear;
      inputs.order = 2;
    }
    std::vector<std::string> texts;
    bool is_solved = !cycles_.empty(), predicts_some = false;
    for (const Cycle& cycle : cycles_) {
      const CouplingChoice* const choice = cycle.at(level, system_);
      if (choice == nullptr) continue;
      const InputSettings inputs = inputs_of(*choice);
      for (std::size_t i = 0; i < system_.connections.size(); ++i)
        if (cycle.holds(system_.connections[i])) result.inputs[i] = inputs;
      result.correct = std::max(result.correct, inputs.correct);
      // These methods correct the outputs that they couple, and another correction would interfere.
      predicts_some |= predicts(*choice);
      is_solved &= master::needs_rollback(choice->methods.front());
      if (cycle.own < 0) {
        CycleSettings& settings = result.cycles.emplace_back();
        settings.of = cycle.components;
        settings.methods = choice->methods;
      } else {
        result.cycles[static_cast<std::size_t>(cycle.own)].methods = choice->methods;
      }
      result.choices.push_back({cycle.components, to_string(*choice), cycle.reason(level)});
      texts.push_back(
          fmt::format("cycle {{{}}}: {}", list_some(cycle.components), to_string(*choice)));
    }
    if (loses_feed_through_ && !is_solved && !predicts_some && result.correct == Correction::none)
      result.correct = Correction::linear;
    for (std::size_t i = 0; i < result.inputs.size(); ++i)
      result.inputs[i] = system_.connections[i].inputs.over(result.inputs[i]);
    result.text = fmt::format("{}", fmt::join(texts, "; "));
    return result;
  }
  void report(const Log& log) const {
    const auto tell = [&](const std::string& text) {
      log.write({Severity::debug, "", "", text});  // the report of the run has it
    };
    if (cycles_.empty())
      tell("auto: there is no cycle: one pass per step, inputs lead to their new values");
    for (const Cycle& cycle : cycles_) {
      if (cycle.has_own_method(system_)) continue;
      const std::string names = list_some(cycle.components);
      if (cycle.choices.empty())
        log.warning("", fmt::format("auto: cycle {{{}}}: no stable method found; gauss-seidel is "
                                    "used. See `tutti advise`",
                                    names));
      else
        tell(fmt::format("auto: cycle {{{}}}: {}, because {}", names,
                         to_string(cycle.choices.front().choice), cycle.choices.front().reason));
    }
  }

 private:
  struct Cycle {
    std::vector<std::string> components;
    std::vector<Choice> choices;
    std::int32_t own = -1;  ///< index in System::cycles

    bool has_own_method(const System& system) const {
      return own >= 0 && !system.cycles[static_cast<std::size_t>(own)].methods.empty();
    }
    const CouplingChoice* at(std::size_t level, const System& system) const {
      if (choices.empty() || has_own_method(system)) return nullptr;
      return &choices[std::min(level, choices.size() - 1)].choice;
    }
    const std::string& reason(std::size_t level) const {
      return choices[std::min(level, choices.size() - 1)].reason;
    }
    bool holds(const Connection& connection) const {
      const auto has = [&](const std::string& name) {
        return std::find(components.begin(), components.end(), name) != components.end();
      };
      return has(connection.from.component) && has(connection.to.component);
    }
  };
  std::int32_t own_settings(const std::vector<std::string>& components) const {
    for (std::size_t i = 0; i < system_.cycles.size(); ++i)
      if (std::is_permutation(components.begin(), components.end(), system_.cycles[i].of.begin(),
                              system_.cycles[i].of.end()))
        return static_cast<std::int32_t>(i);
    return -1;
  }

  const System& system_;
  bool loses_feed_through_ = false;
  std::vector<Cycle> cycles_;
};

/// Errors choose the steps, unless an FMU has only steps of one size.
void control_steps(System& system, const SystemModels& models, const std::vector<double>& rates,
                   const Log& log) {
  SimulationSettings& simulation = system.simulation;
  const double start = simulation.start.value_or(0), stop = simulation.stop.value_or(start + 1);
  const double span = stop - start, least = shortest_step(start, stop);
  for (std::size_t c = 0; c < system.components.size(); ++c)
    if (!system::can_vary_step(system.components[c], *models.descriptions[c])) {
      const Capabilities& used =
          system::interface_of(system.components[c], *models.descriptions[c]);
      if (!simulation.step) simulation.step = used.fixed_internal_step;
      if (!simulation.step) simulation.step = models.descriptions[c]->default_experiment.step;
      log.info(system.components[c].name,
               simulation.step
                   ? fmt::format("auto: the FMU cannot vary its step: {:.13g} s", *simulation.step)
                   : std::string("auto: the FMU cannot vary its step, so simulation.step applies, "
                                 "not the tolerance"));
      return;
    }
  if (system.connections.empty() && system.inputs.file.empty() && system.inputs.tables.empty()) {
    const bool is_solved = std::ranges::any_of(
        system.components, [](const Component& c) { return c.cluster != nullptr; });
    log.info("",
             is_solved
                 ? "auto: nothing is left to be coupled; the solver keeps the tolerance"
                 : "auto: there are no connections and no tables, so the tolerance has no effect");
    return;
  }
  IterationSettings& tolerance = simulation.tolerance;
  ControlSettings& control = simulation.control;
  if (!master::step_control_of(control).chooses_steps) control.name = "predictor";
  if (const ControlSettings usual; control.atol != usual.atol || control.rtol != usual.rtol)
    log.info("",
             "auto: simulation.tolerance applies; simulation.control.atol and rtol have no effect");
  control.atol = of_steps * tolerance.abs;
  control.rtol = of_steps * tolerance.rel;
  control.jump =
      std::max(least, std::max(1e-9, shortest * std::min(tolerance.abs, tolerance.rel)) * span);
  if (!control.min) control.min = std::max(least, minimum_step * span);
  if (!simulation.step) simulation.step = std::max(least, first_step * span);
  // A first step that cannot be rolled back should not be wrong.
  for (std::size_t c = 0; c < system.components.size(); ++c)
    if (!system::interface_of(system.components[c], *models.descriptions[c]).can_save_state) {
      const double fastest = fastest_of(rates);
      const double most = fastest > 0 ? std::min(tolerance.abs, tolerance.rel) / fastest : infinity;
      simulation.step = std::min({*simulation.step, std::max(least, careful_step * span),
                                  std::max(*control.min, of_steps * most)});
    }
  tolerance.abs *= of_iterations;
  tolerance.rel *= of_iterations;
}

/// Before linearizations, which may take long.
void announce_fits(const SystemModels& models, const Log& log) {
  const auto count =
      std::count_if(models.descriptions.begin(), models.descriptions.end(),
                    [](const auto& d) { return d->co_simulation && !d->model_exchange; });
  if (count > 0)
    log.info("", fmt::format("auto: linear models are fitted where needed, to at most {1} small "
                             "steps of each co-simulation FMU ({0} of {2} components)",
                             count, analysis::maximum_fitted_steps, models.descriptions.size()));
}

}  // namespace

bool is_automatic(const System& system) {
  return system.simulation.methods.size() == 1 && system.simulation.methods.front() == automatic;
}

AutomaticCoupling choose_coupling(const System& system, const SystemRunOptions& options,
                                  const Log& log) {
  const IterationSettings& tolerance = system.simulation.tolerance;
  if (tolerance.abs == 0 && tolerance.rel == 0)
    throw Error(ErrorCode::usage,
                "%key%: abs and rel are both 0, and method = \"auto\" keeps errors below them",
                {.key = "simulation.tolerance", .hint = "Try 1e-4."});
  if (!system.simulation.inputs.are_constant())
    log.info("", "auto: simulation.inputs has no effect, only the inputs keys of connections");
  AutomaticCoupling result;
  result.system = system;
  AdviseOptions questions;
  static_cast<RunControl&>(questions) = options;
  questions.open = options.open;
  questions.step_count = 0;  // the step is still unknown
  result.system.simulation.methods = {"gauss-seidel"};
  system::Problems problems;
  const SystemModels models = read_models(system, options.open, problems, log);
  problems.raise();
  announce_fits(models, log);
  // The run will report the rest.
  const ModelledAdvice known = advise_with_models(result.system, questions, Log(), true);
  result.rates = rates_of(system, known, models);
  result.are_static = static_components(system, known, models);
  result.models = known_models(system, known);
  const Chooser chooser(system, known);
  chooser.report(log);
  const master::Coupling best = chooser.coupling(0);
  result.choices = best.choices;
  result.text = best.text.empty() ? "no cycle, one pass per step" : best.text;
  result.system.simulation.methods = best.methods;
  result.system.simulation.inputs = {};
  // Also of inputs from outside the system.
  result.system.simulation.inputs.inside = InsideStep::linear;
  result.system.simulation.inputs.correct = best.correct;
  result.system.cycles = best.cycles;
  for (std::size_t i = 0; i < best.inputs.size(); ++i) {
    const InputSettings& inputs = best.inputs[i];
    result.system.connections[i].inputs = {inputs.inside, inputs.order, inputs.derivatives,
                                           inputs.smooth};
  }
  for (std::size_t level = 1; level < chooser.level_count(); ++level)
    result.fallbacks.push_back(chooser.coupling(level));
  control_steps(result.system, models, result.rates, log);
  return result;
}

}  // namespace tutti::session
