// SPDX-License-Identifier: BSD-2-Clause
#include "api/automatic.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tutti/advice.hpp>

#include "api/system_models.hpp"
#include "api/system_setup.hpp"
#include "base/text.hpp"
#include "system/make_plan.hpp"

namespace tutti::api {
namespace {

constexpr std::string_view automatic = "auto";
// The error of a jump is the step in which it is: so short, of the simulated time and tolerance.
constexpr double shortest = 1e-3;
constexpr double first_step = 1e-3;    // of the simulated time, if none is given
constexpr double careful_step = 1e-5;  // of it, where steps cannot be taken back
// Iterations shall not be what limits the accuracy.
constexpr double of_iterations = 0.01;

using Choice = CycleAdvice::Choice;

InputSettings inputs_of(const CouplingChoice& choice) {
  InputSettings inputs;
  inputs.inside = choice.inside == "linear" ? InsideStep::linear : InsideStep::hold;
  inputs.order = static_cast<std::uint32_t>(choice.order);
  inputs.derivatives = choice.derivatives == "fmu"           ? DerivativeSource::fmu
                       : choice.derivatives == "differences" ? DerivativeSource::differences
                       : choice.derivatives == "backward"    ? DerivativeSource::backward
                                                             : DerivativeSource::automatic;
  inputs.smooth = choice.smooth;
  inputs.correct = choice.correct == "linear"       ? Correction::linear
                   : choice.correct == "consistent" ? Correction::consistent
                                                    : Correction::none;
  return inputs;
}

/// The advice is for steps of one size. Where errors choose the step, a higher order is cheaper:
/// the length of stable steps is no concern, because what is unstable does not pass the test of
/// errors. But in an algebraic loop that is not solved, a higher order may be unstable in every
/// step. And where components go one after the other, some know the ends of their steps.
std::vector<Choice> choices_of(const CycleAdvice& cycle, std::uint32_t threads) {
  std::vector<Choice> choices = cycle.choices;
  if (!choices.empty() && choices.front().choice.order == 1 &&
      (cycle.loops.empty() || choices.front().choice.correct != "none")) {
    Choice best = choices.front();
    best.choice.order = 2;
    best.choice.derivatives = automatic;
    if (cycle.loops.empty() && threads == 1) best.choice.methods = {"gauss-seidel"};
    // Only what corrects or iterates is safer than that.
    std::erase_if(choices, [&](const Choice& choice) {
      return choice.choice.correct == "none" && !needs_rollback(choice.choice.methods.front());
    });
    choices.insert(choices.begin(), best);
  }
  if (choices.empty() && !cycle.loops.empty()) {
    Choice last;
    last.choice.correct = "linear";
    last.reason =
        "nothing is known to be safe here, and a correction whose derivatives are learnt on the "
        "way "
        "is better than none";
    choices.push_back(last);
  }
  return choices;
}

/// All that can be chosen, for every cycle, the best first.
class Chooser {
 public:
  Chooser(const System& system, const Advice& advice) : system_(system) {
    for (const CycleAdvice& cycle : advice.cycles) {
      Cycle& known = cycles_.emplace_back();
      for (const LinearizedComponent& component : cycle.components)
        known.components.push_back(component.name);
      known.choices = choices_of(cycle, system.simulation.threads);
      known.own = own_settings(known.components);
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
    // What is not in a cycle knows the end of each step.
    for (InputSettings& inputs : result.inputs) inputs.inside = InsideStep::linear;
    std::vector<std::string> texts;
    for (const Cycle& cycle : cycles_) {
      const CouplingChoice* const choice = cycle.at(level, system_);
      if (choice == nullptr) continue;
      const InputSettings inputs = inputs_of(*choice);
      for (std::size_t i = 0; i < system_.connections.size(); ++i)
        if (cycle.holds(system_.connections[i])) result.inputs[i] = inputs;
      result.correct = std::max(result.correct, inputs.correct);
      if (cycle.own < 0) {
        CycleSettings& settings = result.cycles.emplace_back();
        settings.of = cycle.components;
        settings.methods = choice->methods;
      } else {
        result.cycles[static_cast<std::size_t>(cycle.own)].methods = choice->methods;
      }
      texts.push_back(
          fmt::format("cycle {{{}}}: {}", list_some(cycle.components), to_string(*choice)));
    }
    for (std::size_t i = 0; i < result.inputs.size(); ++i)
      result.inputs[i] = system_.connections[i].inputs.over(result.inputs[i]);
    result.text = fmt::format("{}", fmt::join(texts, "; "));
    return result;
  }
  void tell(const Log& log) const {
    if (cycles_.empty())
      log.info("", "auto: there is no cycle: one pass a step, inputs lead to their new values");
    for (const Cycle& cycle : cycles_) {
      if (cycle.has_own_method(system_)) continue;
      const std::string names = list_some(cycle.components);
      if (cycle.choices.empty())
        log.warning("", fmt::format("auto: cycle {{{}}}: nothing is known to be safe here; "
                                    "gauss-seidel is used. `tutti advise` tells more",
                                    names));
      else
        log.info(
            "", fmt::format("auto: cycle {{{}}}: {}, because {}", names,
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
  std::vector<Cycle> cycles_;
};

/// Errors choose the steps, unless an FMU has only steps of one size.
void control_steps(System& system, const SystemModels& models, const Log& log) {
  SimulationSettings& simulation = system.simulation;
  const double span =
      simulation.stop.value_or(simulation.start.value_or(0) + 1) - simulation.start.value_or(0);
  for (std::size_t c = 0; c < system.components.size(); ++c)
    if (!system::can_vary_step(system.components[c], *models.descriptions[c])) {
      const Capabilities& used =
          system::interface_of(system.components[c], *models.descriptions[c]);
      if (!simulation.step) simulation.step = used.fixed_internal_step;
      if (!simulation.step) simulation.step = models.descriptions[c]->default_experiment.step;
      log.info(
          system.components[c].name,
          simulation.step
              ? fmt::format("auto: the FMU takes steps of one size only: {:.13g} s",
                            *simulation.step)
              : std::string("auto: the FMU takes steps of one size only, so simulation.step is "
                            "what counts, not the tolerance"));
      return;
    }
  if (system.connections.empty()) {
    log.info("", "auto: nothing is coupled, so the tolerance has no effect");
    return;
  }
  IterationSettings& tolerance = simulation.tolerance;
  ControlSettings& control = simulation.control;
  if (control.name == StepControl::fixed) control.name = StepControl::predictor;
  if (const ControlSettings usual; control.atol != usual.atol || control.rtol != usual.rtol)
    log.info("",
             "auto: simulation.tolerance is what counts; simulation.control.atol and rtol have no "
             "effect");
  control.atol = tolerance.abs;
  control.rtol = tolerance.rel;
  control.at_min = OnLimit::go_on;
  if (!control.min)
    control.min = std::max(1e-9, shortest * std::min(tolerance.abs, tolerance.rel)) * span;
  if (!simulation.step) simulation.step = first_step * span;
  // A first step that cannot be taken back should not be wrong.
  for (std::size_t c = 0; c < system.components.size(); ++c)
    if (!system::interface_of(system.components[c], *models.descriptions[c]).can_save_state)
      simulation.step = std::min(*simulation.step, careful_step * span);
  tolerance.abs *= of_iterations;
  tolerance.rel *= of_iterations;
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
                "simulation.tolerance: abs and rel are both 0, and method = \"auto\" keeps errors "
                "below them. Try 1e-4.");
  if (!system.simulation.inputs.are_held())
    log.info("", "auto: simulation.inputs has no effect; that of single connections has");
  AutomaticCoupling result;
  result.system = system;
  AdviseOptions questions;
  static_cast<RunControl&>(questions) = options;
  questions.open = options.open;
  questions.step_count = 0;  // the step is not yet known
  result.system.simulation.methods = {"gauss-seidel"};
  const Advice advice = advise(result.system, questions, Log());  // the run will tell the rest
  const Chooser chooser(system, advice);
  chooser.tell(log);
  const master::Coupling best = chooser.coupling(0);
  result.text = best.text.empty() ? "no cycle, one pass a step" : best.text;
  result.system.simulation.methods = best.methods;
  result.system.simulation.inputs = {};
  // Of what comes from outside the system, too.
  result.system.simulation.inputs.inside = InsideStep::linear;
  result.system.simulation.inputs.correct = best.correct;
  result.system.cycles = best.cycles;
  for (std::size_t i = 0; i < best.inputs.size(); ++i) {
    const InputSettings& inputs = best.inputs[i];
    result.system.connections[i].inputs = {inputs.inside, inputs.order, inputs.derivatives,
                                           inputs.smooth};
  }
  for (std::size_t level = 1; level < chooser.level_count(); ++level)
    result.safer.push_back(chooser.coupling(level));
  system::Problems problems;
  const SystemModels models = read_models(system, options.open, problems, log);
  problems.raise();
  control_steps(result.system, models, log);
  return result;
}

}  // namespace tutti::api
