// SPDX-License-Identifier: BSD-2-Clause
#include "master/step_inputs.hpp"

#include <algorithm>

#include "master/coupling/coupling_method.hpp"
#include "master/program.hpp"
#include "master/start_slopes.hpp"

namespace tutti::master {

StepInputs::StepInputs(Assembly& assembly, Externals& externals)
    : assembly_(assembly),
      externals_(externals),
      predicted_(std::make_unique<bool[]>(assembly.instances.size())) {
  for (const system::Stage& stage : assembly_.parts.plan.stages) {
    const bool predicts = stage.is_cycle && uses_models(assembly_.methods_of(stage).front());
    for (const std::uint32_t c : stage.components) predicted_[c] = predicts;
  }
  const auto are_constant = [](const InputSettings& inputs) { return inputs.are_constant(); };
  const auto& of_connections = assembly_.parts.inputs;
  if (assembly_.settings().inputs.are_constant() &&
      std::all_of(of_connections.begin(), of_connections.end(), are_constant))
    return;
  for (const auto& instance : assembly_.instances) {
    curves_.emplace_back(*instance);
    derivatives_.emplace_back(*instance);
  }
}

bool StepInputs::Calling::comes_before(const Calling& other) const {
  if (phase != other.phase) return phase < other.phase;
  if (unit != other.unit) return false;
  if (iterates) return true;  // as an iterate
  return !reads_old_values && position < other.position;
}

void StepInputs::describe(const std::vector<Phase>& phases) {
  if (are_constant()) return;
  std::vector<Calling> calling(assembly_.instances.size());
  for (std::size_t p = 0; p < phases.size(); ++p)
    for (std::size_t u = 0; u < phases[p].units.size(); ++u) {
      const Unit& unit = phases[p].units[u];
      for (std::size_t k = 0; k < unit.components.size(); ++k)
        calling[unit.components[k]] = {p, u, k, unit.cycle != nullptr, phases[p].reads_old_values};
    }
  for (std::size_t c = 0; c < curves_.size(); ++c) curves_[c].describe(describe_inputs(c, calling));
  if (assembly_.parts.is_automatic)
    for (InputCurves& curves : curves_) curves.give_means();
  make_correction();
}

std::vector<InputCurves::Input> StepInputs::describe_inputs(std::size_t component,
                                                            const std::vector<Calling>& calling) {
  models::Instance& instance = *assembly_.instances[component];
  std::vector<InputCurves::Input> inputs(instance.continuous_inputs().size());
  for (const Wiring::Wire& wire : assembly_.wires[component])
    if (const auto index = wire.continuous_input()) {
      inputs[*index] = wire.connection < 0 ? describe_external(wire)
                                           : describe_connection(wire, calling[component], calling);
      inputs[*index].factor = wire.factor;
    }
  // An FMU that follows lines only gets no parabolas.
  if (instance.follows_curves())
    for (InputCurves::Input& input : inputs)
      input.settings.order = std::min(input.settings.order, instance.input_order());
  return inputs;
}

InputCurves::Input StepInputs::describe_external(const Wiring::Wire& wire) const {
  InputCurves::Input input;
  input.settings = assembly_.settings().inputs;
  // A table is lines: where errors choose the steps, these end where it bends.
  if (assembly_.control().chooses_steps) input.settings.order = std::min(input.settings.order, 1u);
  input.knows_end = true;
  const auto& externals = assembly_.parts.externals;
  input.keeps_start = std::none_of(externals.begin(), externals.end(), [&](const auto& external) {
    return external.holds_end && external.values.get() == wire.from_set;
  });
  return input;
}

InputCurves::Input StepInputs::describe_connection(const Wiring::Wire& wire, const Calling& target,
                                                   const std::vector<Calling>& calling) {
  const CoupledParts& parts = assembly_.parts;
  const std::size_t source = wire.from_component;
  InputCurves::Input input;
  input.settings = parts.inputs[static_cast<std::size_t>(wire.connection)];
  input.knows_end = calling[source].comes_before(target) &&
                    !(parts.is_automatic && is_corrected(source, wire.from->variable));
  const Variable& from =
      parts.descriptions[source]->variables[static_cast<std::size_t>(wire.from->variable)];
  const DerivativeSource wanted = input.settings.derivatives;
  if (input.settings.order == 0 || wire.from->type != Type::float64 || from.is_array() ||
      assembly_.instances[source]->output_derivative_order() == 0 ||
      (wanted != DerivativeSource::automatic && wanted != DerivativeSource::fmu))
    return input;
  if (!input.knows_end) {
    input.derivatives = &derivatives_[source];
    input.index = derivatives_[source].add(wire.from->variable);
  } else if (parts.is_automatic && parts.settings.inputs.correct != Correction::none) {
    derivatives_[source].add(wire.from->variable);  // outputs that depend on it get slopes from it
  }
  return input;
}

/// Outputs that are corrected after the step are inaccurate when later components would read them:
/// these extrapolate earlier corrected values. But where D is only learnt, the value at the end of
/// the step shows the error of that, unless it belongs to the middle of the step.
bool StepInputs::is_corrected(std::size_t component, std::int32_t output) const {
  if (assembly_.settings().inputs.correct == Correction::none || predicted_[component])
    return false;
  models::Instance& instance = *assembly_.instances[component];
  const bool knows_how = instance.can_go_back() || instance.differentiate({}, {}, {}, {});
  return (knows_how || !instance.follows_curves()) &&
         assembly_.follows_at_once.contains({static_cast<std::uint32_t>(component), output});
}

void StepInputs::make_correction() {
  // Where outputs are recomputed, only their slopes need correction.
  const bool has_slopes = std::any_of(derivatives_.begin(), derivatives_.end(),
                                      [](const OutputDerivatives& d) { return !d.empty(); });
  const Correction correct = assembly_.settings().inputs.correct;
  if (correct == Correction::none || (correct == Correction::consistent && !has_slopes)) return;
  const bool has_doubts = !assembly_.parts.are_static.empty();
  correction_ = std::make_unique<LinearCorrection>(
      LinearCorrection::Parts{&assembly_.parts.plan,
                              assembly_.dependencies,
                              assembly_.parts.descriptions,
                              assembly_.instances,
                              assembly_.wires,
                              curves_,
                              derivatives_,
                              [this](std::size_t c) { assembly_.note(c); },
                              assembly_.parts.error_models,
                              {predicted_.get(), assembly_.instances.size()},
                              &assembly_.stop,
                              has_doubts ? assembly_.settings().control.atol : 0,
                              has_doubts ? assembly_.settings().control.rtol : 0});
  correction_->report_sources(assembly_.log);
}

void StepInputs::begin(double t, AtPoint& at) {
  externals_.show_inputs(t);
  for (std::size_t c = 0; c < curves_.size(); ++c) {
    curves_[c].begin(t);
    // FMI 3.0, 4.1.1: a jump of a continuous input is an event for an FMU that has an event mode.
    if (!curves_[c].jumps() || !assembly_.instances[c]->has_event_mode()) continue;
    assembly_.note(c);
    at.handled_events = true;
    if (assembly_.instances[c]->handle_event(t)) continue;
    at.ends_run = true;
    at.ended_by = static_cast<std::uint32_t>(c);
  }
}

void StepInputs::end(double t, double h, bool may_step, AtPoint& at) {
  for (std::size_t c = 0; c < derivatives_.size(); ++c) {
    assembly_.note(c);
    derivatives_[c].update();
  }
  if (correction_) correction_->apply(t, h, may_step);
  if (assembly_.settings().inputs.correct != Correction::consistent) return;
  externals_.show_inputs(t);
  at.handled_events = true;
  if (!consistent_outputs_)
    consistent_outputs_ = std::make_unique<ConsistentOutputs>(assembly_, assembly_.dependencies);
  at.ends_run |= !consistent_outputs_->update(t);
}

bool StepInputs::start(double t, double h, const std::function<bool()>& proceeds) {
  if (are_constant() || assembly_.settings().inputs.start == FirstStep::constant ||
      assembly_.parts.constant_start)
    return true;
  StartSlopes slopes(assembly_, curves_, proceeds);
  const bool can_vary_step = assembly_.abilities.can_vary_step;
  if (!slopes.are_needed()) return true;
  if (can_vary_step && !slopes.are_possible()) return false;
  externals_.show_inputs(t);
  slopes.note_start();
  externals_.aim(t + h, h);
  for (std::size_t c = 0; c < curves_.size(); ++c) assembly_.wiring->gather(c);
  slopes.note_ends(h);
  externals_.show_inputs(t);
  return slopes.find(t, h) || !can_vary_step;
}

void StepInputs::start_in_parts() {
  for (InputCurves& curves : curves_) curves.start_in_parts();
}

void StepInputs::end_parts() {
  for (InputCurves& curves : curves_) curves.end_parts();
}

void StepInputs::forget() {
  for (InputCurves& curves : curves_) curves.forget();
  if (correction_) correction_->forget();
}

void StepInputs::forget_derivatives() {
  for (OutputDerivatives& derivatives : derivatives_) derivatives.forget();
}

void StepInputs::keep(Memory& memory) {
  for (std::size_t c = 0; c < curves_.size(); ++c) memory(curves_[c], derivatives_[c]);
  if (correction_) memory(*correction_);
}

}  // namespace tutti::master
