// SPDX-License-Identifier: BSD-2-Clause
#include "master/input_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "master/stepping/controllers.hpp"
#include "stability/interface_predictor.hpp"
#include "system/dependencies.hpp"

namespace tutti::master {
namespace {

InputModel model_of(const InputCurves::Input& input) {
  using Basis = InputModel::Basis;
  const InputSettings& settings = input.settings;
  InputModel model{.order = settings.order};
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

/// The inputs with direct feed-through.
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

InputLimits::InputLimits(const ControlSettings& settings, std::vector<Signal> signals,
                         const Log& log)
    : signals_(std::move(signals)),
      tolerance_{settings.atol, settings.rtol},
      sees_constants_(!step_control_of(settings).predicts_inputs),
      stops_at_min_(settings.at_min == OnLimit::stop),
      log_(&log) {}

double InputLimits::end_of_step(double t, double end, double min) {
  for (const Signal& signal : signals_)
    end = models::straight_until(signal.table->line_of(signal.input), t, end, tolerance_);
  if (sees_constants_) return end;
  const double straight = end;
  const Signal* worst = nullptr;
  for (const Signal& signal : signals_) {
    if (signal.received == Received::line) continue;
    const double limit = limit_of_constant(signal, t, end);
    if (limit < end) worst = &signal;
    end = std::min(end, limit);
  }
  if (worst == nullptr || end - t >= min) return end;
  refuse(*worst, t, end - t, min);
  return std::min(straight, t + min);
}

double InputLimits::limit_of_constant(const Signal& signal, double t, double end) const {
  const models::PiecewiseLine line = signal.table->line_of(signal.input);
  const double start = line.from(t), last = line.until(end);
  const double slope = std::abs(last - start) / (end - t);
  if (slope == 0) return end;
  const double allowed =
      tolerance_.atol + tolerance_.rtol * std::max(std::abs(start), std::abs(last));
  if (signal.received == Received::start && signal.feeds_through)
    return std::min(end, t + allowed / slope);
  double h = 2 * allowed / slope;
  if (signal.received == Received::middle && !signal.feeds_through)
    h = std::max(h, std::sqrt(12 * allowed / (signal.rate * slope)));
  return std::min(end, t + h);
}

void InputLimits::refuse(const Signal& signal, double t, double h, double min) {
  const std::string what = fmt::format(
      "the table of {} changes so fast that its component, which receives constant values, needs "
      "steps of {:.3g} s, but the minimum is {:.3g} s",
      signal.name, h, min);
  const Error error(
      ErrorCode::numeric, what,
      {.time = t,
       .key = "simulation.control.min",
       .hint = fmt::format("Try a smaller %key%, a larger tolerance, or simulation.inputs.inside = "
                           "\"linear\" if the FMU accepts input derivatives{}.",
                           stops_at_min_ ? ", or control.at-min = \"continue\"" : "")});
  if (stops_at_min_) throw Error(error);
  if (!has_warned_) log_->warning("", error.what());
  has_warned_ = true;
}

InputErrors::InputErrors(Assembly& assembly) : assembly_(assembly) { find_switches(); }

void InputErrors::describe(const StepInputs& inputs) {
  models_.clear();
  targets_.clear();
  predicted_.clear();
  find_limits(inputs);
  for (std::size_t c = 0; c < assembly_.instances.size(); ++c)
    predicted_.push_back(inputs.are_predicted(c));
  if (!assembly_.control().predicts_inputs) return;
  const bool corrects = assembly_.settings().inputs.correct != Correction::none;
  for (std::uint32_t c = 0; c < assembly_.instances.size(); ++c) {
    models::Instance& instance = *assembly_.instances[c];
    for (const Wiring::Wire& wire : assembly_.wires[c]) {
      if (!wire.is_real()) continue;
      InputModel model;
      Target target;
      if (const auto index = wire.continuous_input(); index && !inputs.are_constant()) {
        const InputCurves& curves = inputs.curves()[c];
        model = model_of(curves.input(*index));
        model.is_constant = !instance.follows_curves();
        model.rate = assembly_.rate_of(c);
        target = {&curves, *index, wire.factor, wire.offset};
        if (c < assembly_.parts.are_static.size() && assembly_.parts.are_static[c])
          target.doubt = inputs.doubt(c, *index);
        const auto& models = assembly_.parts.models;
        if (predicted_[c] && c < models.size() && models[c])
          model.is_constant &= !stability::constants_suffice(models[c]->system);
      }
      model.feeds_through = !corrects && assembly_.feed_through.contains({c, wire.to->variable});
      models_.push_back(model);
      targets_.push_back(target);
    }
  }
}

void InputErrors::find_switches() {
  for (const std::vector<Wiring::Wire>& wires : assembly_.wires)
    for (const Wiring::Wire& wire : wires) {
      const Type type = wire.from->type;
      if (wire.connection < 0 || type == Type::float64 || type == Type::float32 || is_text(type))
        continue;
      // An event of a component that has event mode ends the step where it happens.
      if (!assembly_.instances[wire.from_component]->has_event_mode())
        switches_.push_back({wire.from_set, wire.from});
    }
}

void InputErrors::note_switches() {
  for (Switch& s : switches_) s.before = s.set->read(*s.scalar).natural;
}

bool InputErrors::has_switched() const {
  return std::any_of(switches_.begin(), switches_.end(),
                     [](const Switch& s) { return s.set->read(*s.scalar).natural != s.before; });
}

void InputErrors::find_limits(const StepInputs& inputs) {
  const SimulationSettings& settings = assembly_.settings();
  if (!assembly_.control().chooses_steps) return;
  using Received = InputLimits::Received;
  std::vector<InputLimits::Signal> signals;
  for (const ExternalSignals& external : assembly_.parts.externals) {
    const std::uint32_t c = external.component;
    const models::Instance& instance = *assembly_.instances[c];
    const std::set<std::int32_t> direct = direct_inputs(*assembly_.parts.descriptions[c]);
    for (std::size_t i = 0; i < external.table->continuous_count(); ++i) {
      if (external.table->line_of(i).times.size() < 2) continue;  // a constant
      const models::Scalar& input = external.table->continuous_input(i);
      const bool is_constant =
          inputs.are_constant() || input.type != Type::float64 ||
          (settings.inputs.order == 0 && settings.inputs.inside == InsideStep::constant);
      const Received constant = external.holds_end ? Received::end : Received::start;
      const Received line = instance.follows_curves() ? Received::line : Received::middle;
      signals.push_back({external.table.get(), i, is_constant ? constant : line,
                         direct.contains(input.variable), assembly_.rate_of(c),
                         fmt::format("{}.{}", instance.name(), input.name)});
    }
  }
  limits_ = InputLimits(settings.control, std::move(signals), assembly_.log);
}

void InputErrors::start() {
  auto models = assembly_.parts.error_models;
  if (!assembly_.control().predicts_inputs) return;
  // Predicted inputs differ from the outputs on purpose: this is no error.
  for (std::size_t c = 0; c < models.size(); ++c)
    if (predicted_[c]) models[c].reset();
  if (std::none_of(models.begin(), models.end(), [](const auto& m) { return m.has_value(); }))
    return;
  global_ = GlobalError::make(assembly_, models);
}

std::span<const double> InputErrors::weights() const {
  return global_ != nullptr && assembly_.abilities.can_roll_back ? global_->weights()
                                                                 : std::span<const double>();
}

std::uint32_t InputErrors::lowest_order() const {
  const auto& of_connections = assembly_.parts.inputs;
  const auto lowest =
      std::min_element(of_connections.begin(), of_connections.end(),
                       [](const auto& a, const auto& b) { return a.order < b.order; });
  return lowest != of_connections.end() ? lowest->order : assembly_.settings().inputs.order;
}

const InputErrors::Target* InputErrors::target_of(std::size_t connection) const {
  if (connection >= targets_.size() || targets_[connection].curves == nullptr ||
      targets_[connection].factor == 0)
    return nullptr;
  return &targets_[connection];
}

std::optional<GivenCurve> InputErrors::given(std::size_t connection) const {
  const Target* const target = target_of(connection);
  if (target == nullptr) return {};
  const InputCurves::Curve curve = target->curves->given(target->input);
  const auto before = [&](double value) { return (value - target->offset) / target->factor; };
  GivenCurve result{
      before(curve.start), curve.slope / target->factor, curve.curvature / target->factor, {}};
  if (curve.constant) result.constant = before(*curve.constant);
  return result;
}

std::optional<double> InputErrors::doubt(std::size_t connection) const {
  if (connection >= targets_.size() || targets_[connection].doubt == nullptr) return {};
  return *targets_[connection].doubt;
}

std::optional<double> InputErrors::missed_prediction(std::size_t connection, double end) const {
  const Target* const target = target_of(connection);
  if (target == nullptr) return {};
  const auto predicted = target->curves->predicted(target->input);
  if (!predicted) return {};
  return (*predicted - (target->factor * end + target->offset)) / target->factor;
}

}  // namespace tutti::master
