// SPDX-License-Identifier: BSD-2-Clause
// How an island is put together before time runs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "master/island.hpp"
#include "system/dependencies.hpp"
#include "system/variable_edges.hpp"

namespace tutti::master {
namespace {

SteppedSystem::InputModel model_of(const InputCurves::Input& input) {
  using Basis = SteppedSystem::InputModel::Basis;
  const InputSettings& settings = input.settings;
  SteppedSystem::InputModel model{.order = settings.order};
  if (input.knows_end) {
    model.basis = Basis::end;
    if (settings.inside == InsideStep::linear) model.order = std::max(1u, settings.order);
    return model;
  }
  if (input.derivatives != nullptr) {
    const bool has_second = settings.order < 2 || input.derivatives->has_second();
    model.basis = has_second ? Basis::derivatives : Basis::slopes;
    return model;
  }
  // Backward differences are exact for lines only.
  model.order = settings.derivatives == DerivativeSource::backward ? std::min(1u, settings.order)
                                                                   : settings.order;
  return model;
}

/// The inputs that some output depends on directly.
std::set<std::int32_t> direct_inputs(const ModelDescription& description) {
  std::set<std::int32_t> all, direct;
  for (std::size_t v = 0; v < description.variables.size(); ++v)
    if (description.variables[v].causality == Causality::input)
      all.insert(static_cast<std::int32_t>(v));
  const system::RunningDependencies dependencies(description);
  for (std::size_t v = 0; v < description.variables.size(); ++v) {
    if (description.variables[v].causality != Causality::output) continue;
    const auto inputs = dependencies.inputs_of(static_cast<std::int32_t>(v));
    if (!inputs) return all;
    direct.insert(inputs->begin(), inputs->end());
  }
  return direct;
}

}  // namespace

void Island::find_couplings() {
  for (const std::vector<Wiring::Wire>& wires : wires_)
    for (const Wiring::Wire& wire : wires) {
      if (wire.connection < 0) continue;
      if (wire.from->type == Type::float64)
        connections_.push_back(reinterpret_cast<const double*>(wire.from_set->address(*wire.from)));
      else if (wire.from->type != Type::float32 && !is_text(wire.from->type))
        add_switch(wire);
    }
  // Where nothing is coupled, there are still outputs to be looked at; but no inputs to predict.
  if (connections_.empty() && parts_->settings.control.name != StepControl::predictor)
    for (const auto& instance : instances_)
      for (const models::Scalar& scalar : instance->outputs().scalars())
        if (scalar.type == Type::float64)
          connections_.push_back(
              reinterpret_cast<const double*>(instance->outputs().address(scalar)));
  couplings_ = connections_;
  std::sort(couplings_.begin(), couplings_.end());
  couplings_.erase(std::unique(couplings_.begin(), couplings_.end()), couplings_.end());
}

/// Only where something asks for it: it takes time in a large system.
void Island::find_feed_through() {
  const auto corrects = [](const Coupling& coupling) {
    return coupling.correct != Correction::none;
  };
  const SimulationSettings& settings = parts_->settings;
  if (settings.inputs.correct == Correction::none && !settings.control.is_free() &&
      std::none_of(parts_->safer.begin(), parts_->safer.end(), corrects))
    return;
  const system::Plan& plan = parts_->plan;
  dependencies_ = system::running_dependencies(plan, parts_->descriptions);
  for (const auto& edge : dependencies_) {
    const system::Point& from = plan.coupled[edge.from];
    if (!plan.variables[edge.from].is_output) feed_through_.insert({from.component, from.variable});
  }
}

/// @pre curves are described
void Island::find_input_models() {
  const bool corrects = parts_->settings.inputs.correct != Correction::none;
  for (std::uint32_t c = 0; c < instances_.size(); ++c) {
    const auto places = instances_[c]->continuous_inputs();
    for (const Wiring::Wire& wire : wires_[c]) {
      if (wire.connection < 0 || wire.from->type != Type::float64) continue;
      InputModel model;
      Target target;
      const auto index = static_cast<std::size_t>(
          reinterpret_cast<const double*>(wire.to_set->address(*wire.to)) - places.data());
      if (!curves_.empty() && wire.to->type == Type::float64 && index < places.size()) {
        model = model_of(curves_[c].input(index));
        model.is_constant = !instances_[c]->follows_curves();
        target = {&curves_[c], index, wire.factor, wire.offset};
        if (c < parts_->rates.size()) model.rate = parts_->rates[c];
      }
      model.feeds_through = !corrects && feed_through_.contains({c, wire.to->variable});
      input_models_.push_back(model);
      targets_.push_back(target);
    }
  }
}

void Island::add_switch(const Wiring::Wire& wire) {
  const auto source = std::find_if(instances_.begin(), instances_.end(), [&](const auto& instance) {
    return &instance->outputs() == wire.from_set;
  });
  // An event of a component that has event mode ends the step where it happens.
  if (!(*source)->has_event_mode()) switches_.push_back({wire.from_set, wire.from});
}

void Island::note_switches() {
  for (Switch& s : switches_) s.before = s.set->read(*s.scalar).natural;
}

bool Island::has_switched() const {
  return std::any_of(switches_.begin(), switches_.end(),
                     [](const Switch& s) { return s.set->read(*s.scalar).natural != s.before; });
}

double Island::fastest_rate() const {
  double fastest = 0;
  for (const double rate : parts_->rates) fastest = std::max(fastest, rate);
  return fastest;
}

std::optional<SteppedSystem::GivenCurve> Island::given(std::size_t connection) const {
  if (connection >= targets_.size() || targets_[connection].curves == nullptr) return {};
  const auto& [curves, input, factor, offset] = targets_[connection];
  if (factor == 0) return {};
  const InputCurves::Curve curve = curves->given(input);
  GivenCurve result{
      (curve.start - offset) / factor, curve.slope / factor, curve.curvature / factor, {}};
  if (curve.constant) result.constant = (*curve.constant - offset) / factor;
  return result;
}

std::optional<double> Island::missed_prediction(std::size_t connection, double end) const {
  if (connection >= targets_.size() || targets_[connection].curves == nullptr) return {};
  const auto& [curves, input, factor, offset] = targets_[connection];
  const auto predicted = curves->predicted(input);
  if (!predicted || factor == 0) return {};
  return (*predicted - (factor * end + offset)) / factor;
}

/// @pre curves are described
void Island::find_input_limits() {
  const SimulationSettings& settings = parts_->settings;
  if (settings.control.name == StepControl::fixed) return;
  using Received = InputLimits::Received;
  std::vector<InputLimits::Signal> signals;
  for (const ExternalSignals& external : parts_->externals) {
    const std::uint32_t c = external.component;
    const std::set<std::int32_t> direct = direct_inputs(*parts_->descriptions[c]);
    for (std::size_t i = 0; i < external.table->continuous_count(); ++i) {
      if (external.table->line_of(i).times.size() < 2) continue;  // a constant
      const models::Scalar& input = external.table->continuous_input(i);
      const bool is_constant =
          curves_.empty() || input.type != Type::float64 ||
          (settings.inputs.order == 0 && settings.inputs.inside == InsideStep::hold);
      const Received constant = external.holds_end ? Received::end : Received::start;
      const Received line = instances_[c]->follows_curves() ? Received::line : Received::middle;
      signals.push_back(
          {external.table.get(), i, is_constant ? constant : line, direct.contains(input.variable),
           c < parts_->rates.size() ? parts_->rates[c] : std::numeric_limits<double>::infinity(),
           fmt::format("{}.{}", instances_[c]->name(), input.name)});
    }
  }
  limits_ = InputLimits(settings.control, std::move(signals), *log_);
}

std::uint32_t Island::input_order() const {
  std::uint32_t lowest = parts_->settings.inputs.order;
  bool is_first = true;
  for (const InputSettings& inputs : parts_->inputs) {
    lowest = is_first ? inputs.order : std::min(lowest, inputs.order);
    is_first = false;
  }
  return lowest;
}

/// The values of all components stand side by side, as they are called.
void Island::place_values() {
  std::size_t count = 0;
  for (const auto& instance : instances_) count += instance->word_count();
  values_.resize(count);
  std::uint64_t* place = values_.data();
  for (const system::Stage& stage : parts_->plan.stages)
    for (const std::uint32_t c : stage.components) {
      instances_[c]->move_words_to(place);
      place += instances_[c]->word_count();
    }
}

std::vector<std::vector<Wiring::Wire>> Island::make_wires(const CoupledParts& parts) {
  std::vector<std::vector<Wiring::Wire>> wires(instances_.size());
  // One look-up table per set, because a set may have thousands of scalars.
  std::map<const models::ValueSet*,
           std::map<std::pair<std::int32_t, std::uint64_t>, const models::Scalar*>>
      known;
  const auto find = [&](const models::ValueSet& set, std::int32_t variable, std::uint64_t element) {
    auto& scalars = known[&set];
    if (scalars.empty())
      for (const models::Scalar& s : set.scalars()) scalars[{s.variable, s.element}] = &s;
    return scalars.at({variable, element});
  };
  const system::ValueMap* const maps = parts.plan.maps.data();
  const system::EnumerationCheck* const checks = parts.plan.checks.data();
  for (const system::Link& link : parts.plan.links) {
    const models::ValueSet& from = instances_[link.from.component]->outputs();
    models::ValueSet& to = instances_[link.to.component]->inputs();
    wires[link.to.component].push_back(
        {&from, find(from, link.from.variable, link.from.element), &to,
         find(to, link.to.variable, link.to.element), link.factor, link.offset,
         link.map < 0 ? nullptr : &maps[link.map], link.check < 0 ? nullptr : &checks[link.check],
         static_cast<std::int32_t>(link.connection)});
  }
  for (const ExternalSignals& external : parts.externals) {
    models::ValueSet& to = instances_[external.component]->inputs();
    for (const models::Scalar& scalar : external.values->scalars())
      if (external.table->drives(scalar)) {
        const Wiring::Wire& wire = wires[external.component].emplace_back(Wiring::Wire{
            external.values.get(), &scalar, &to, find(to, scalar.variable, scalar.element), 1, 0});
        if (scalar.type == Type::float64) external_wires_.push_back(wire);
      }
  }
  for (std::uint32_t c = 0; c < instances_.size(); ++c) {
    if (!instances_[c]->has_event_mode()) continue;
    for (const models::Scalar& scalar : instances_[c]->inputs().scalars())
      if (parts.descriptions[c]->variables[static_cast<std::size_t>(scalar.variable)].variability !=
          Variability::continuous)
        discrete_.push_back({c, &scalar, ""});
  }
  return wires;
}

std::vector<Phase> Island::make_phases(const CoupledParts& parts) {
  const auto methods_of = [&](const system::Stage& stage) {
    const bool own = stage.settings >= 0 &&
                     !parts.cycles[static_cast<std::size_t>(stage.settings)].methods.empty();
    return own ? parts.cycles[static_cast<std::size_t>(stage.settings)].methods
               : parts.settings.methods;
  };
  const auto may_stop_early = [&](const Unit& unit) {
    return std::any_of(unit.components.begin(), unit.components.end(), [&](std::uint32_t c) {
      return c < parts.may_stop_early.size() && parts.may_stop_early[c];
    });
  };
  const auto one_by_one = [](const std::vector<std::uint32_t>& components, Phase& phase) {
    phase.reads_old_values = true;
    for (const std::uint32_t c : components) phase.units.push_back({{c}, nullptr});
  };
  // What has the same priority goes side by side; a cycle of which all read the old values is
  // apart, because these are gathered before any of them steps.
  std::map<std::pair<std::uint32_t, std::size_t>, Phase> phases;
  const bool all_at_once = parts.settings.methods.front() == "jacobi";
  predicted_ = std::make_unique<bool[]>(instances_.size());
  for (std::size_t s = 0; s < parts.plan.stages.size(); ++s) {
    const system::Stage& stage = parts.plan.stages[s];
    const std::vector<std::string> methods = methods_of(stage);
    const bool predicts = stage.is_cycle && find_coupling_method(methods.front())->uses_models;
    for (const std::uint32_t c : stage.components) predicted_[c] = predicts;
    if (stage.is_cycle && !find_coupling_method(methods.front())->needs_rollback)
      watch_growth(stage, methods.front());
    if (all_at_once && (!stage.is_cycle || methods.front() == "jacobi"))
      one_by_one(stage.components, phases[{0, 0}]);
    else if (all_at_once)  // together with the others, so from their old values too
      phases[{0, 0}].units.push_back({stage.components, make_cycle(stage, methods)});
    else if (stage.is_cycle && methods.front() == "jacobi")
      one_by_one(stage.components, phases[{stage.priority, s + 1}]);
    else
      phases[{stage.priority, 0}].units.push_back(
          {stage.components, stage.is_cycle && methods.front() != "gauss-seidel"
                                 ? make_cycle(stage, methods)
                                 : nullptr});
  }
  if (all_at_once) phases[{0, 0}].reads_old_values = true;
  std::vector<Phase> result;
  for (auto& [key, phase] : phases) {
    // Those step first whose end the others can meet then.
    std::stable_partition(phase.units.begin(), phase.units.end(), may_stop_early);
    result.push_back(std::move(phase));
  }
  return result;
}

/// What an input can know of the end of a step, before its component is called.
bool Island::Calling::comes_before(const Calling& other) const {
  if (phase != other.phase) return phase < other.phase;
  if (unit != other.unit) return false;
  if (iterates) return true;  // as an iterate
  return !reads_old_values && position < other.position;
}

void Island::describe_curves(const std::vector<Phase>& phases) {
  std::vector<Calling> calling(instances_.size());
  for (std::size_t p = 0; p < phases.size(); ++p)
    for (std::size_t u = 0; u < phases[p].units.size(); ++u) {
      const Unit& unit = phases[p].units[u];
      for (std::size_t k = 0; k < unit.components.size(); ++k)
        calling[unit.components[k]] = {p, u, k, unit.cycle != nullptr, phases[p].reads_old_values};
    }
  std::unordered_map<const models::ValueSet*, std::size_t> sources;
  for (std::size_t c = 0; c < instances_.size(); ++c) sources[&instances_[c]->outputs()] = c;
  for (std::size_t c = 0; c < instances_.size(); ++c)
    curves_[c].describe(describe_inputs(c, calling, sources));
  // Where outputs are computed again, only their slopes are left to be corrected.
  const bool has_slopes = std::any_of(derivatives_.begin(), derivatives_.end(),
                                      [](const OutputDerivatives& d) { return !d.empty(); });
  const Correction correct = parts_->settings.inputs.correct;
  if (correct == Correction::none || (correct == Correction::consistent && !has_slopes)) return;
  correction_ = std::make_unique<LinearCorrection>(
      LinearCorrection::Parts{&parts_->plan,
                              dependencies_,
                              parts_->descriptions,
                              instances_,
                              wires_,
                              curves_,
                              derivatives_,
                              [this](std::size_t c) { note(c); },
                              parts_->models,
                              {predicted_.get(), instances_.size()},
                              &stop_});
  if (!std::exchange(reported_sources_, true)) correction_->report_sources(*log_);
}

std::vector<InputCurves::Input> Island::describe_inputs(
    std::size_t component, const std::vector<Calling>& calling,
    const std::unordered_map<const models::ValueSet*, std::size_t>& sources) {
  const auto places = instances_[component]->continuous_inputs();
  std::vector<InputCurves::Input> inputs(places.size());
  for (const Wiring::Wire& wire : wires_[component]) {
    const auto index = static_cast<std::size_t>(
        reinterpret_cast<const double*>(wire.to_set->address(*wire.to)) - places.data());
    if (wire.to->type != Type::float64 || index >= places.size()) continue;
    InputCurves::Input& input = inputs[index];
    input.factor = wire.factor;
    if (wire.connection < 0) {
      input.settings = parts_->settings.inputs;
      // A table is lines: where errors choose the steps, these end where it bends.
      if (parts_->settings.control.name != StepControl::fixed)
        input.settings.order = std::min(input.settings.order, 1u);
      input.knows_end = true;
      input.keeps_start = std::none_of(
          parts_->externals.begin(), parts_->externals.end(),
          [&](const auto& e) { return e.holds_end && e.values.get() == wire.from_set; });
      continue;
    }
    input.settings = parts_->inputs[static_cast<std::size_t>(wire.connection)];
    const std::size_t source = sources.at(wire.from_set);
    input.knows_end = calling[source].comes_before(calling[component]);
    const Variable& from =
        parts_->descriptions[source]->variables[static_cast<std::size_t>(wire.from->variable)];
    const DerivativeSource wanted = input.settings.derivatives;
    if (!input.knows_end && input.settings.order > 0 && wire.from->type == Type::float64 &&
        !from.is_array() && instances_[source]->output_derivative_order() > 0 &&
        (wanted == DerivativeSource::automatic || wanted == DerivativeSource::fmu)) {
      input.derivatives = &derivatives_[source];
      input.index = derivatives_[source].add(wire.from->variable);
    }
  }
  // An FMU that follows lines only is not led along parabolas.
  if (instances_[component]->follows_curves())
    for (InputCurves::Input& input : inputs)
      input.settings.order = std::min(input.settings.order, instances_[component]->input_order());
  return inputs;
}

void Island::watch_growth(const system::Stage& stage, const std::string& method) {
  // Where errors are tested, values that grow are resolved; and many steps are only tried.
  const StepControl control = parts_->settings.control.name;
  if (control == StepControl::richardson) return;
  if (control == StepControl::predictor && can_go_back_) return;
  std::vector<GrowthWatch::Place> exchanged;
  for (const std::uint32_t c : stage.components)
    for (const models::Scalar& output : instances_[c]->outputs().scalars())
      if (output.type == Type::float64 &&
          std::binary_search(
              couplings_.begin(), couplings_.end(),
              reinterpret_cast<const double*>(instances_[c]->outputs().address(output))))
        exchanged.push_back({instances_[c].get(), &output});
  growth_.emplace_back(std::move(exchanged), method);
}

CycleRun* Island::make_cycle(const system::Stage& stage, const std::vector<std::string>& methods) {
  std::vector<Cycle::Member> members;
  std::unordered_set<const models::ValueSet*> produced;
  for (const std::uint32_t c : stage.components) produced.insert(&instances_[c]->outputs());
  for (const std::uint32_t c : stage.components) {
    Cycle::Member& member = members.emplace_back(Cycle::Member{
        c, instances_[c].get(), {}, curves_.empty() ? nullptr : &curves_[c], nullptr});
    if (c < parts_->models.size() && parts_->models[c]) member.model = &*parts_->models[c];
    for (const Wiring::Wire& wire : wires_[c])
      if (produced.contains(wire.from_set)) member.inside.push_back(wire);
  }
  SimulationSettings settings = parts_->settings;
  for (const Cycle::Member& member : members)
    for (const Wiring::Wire& wire : member.inside)
      if (wire.connection >= 0)
        settings.inputs.order = std::max(
            settings.inputs.order, parts_->inputs[static_cast<std::size_t>(wire.connection)].order);
  cycles_.push_back(
      std::make_unique<CycleRun>(std::move(members), methods, settings, can_go_back_, *log_));
  return cycles_.back().get();
}

}  // namespace tutti::master
