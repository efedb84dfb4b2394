// SPDX-License-Identifier: BSD-2-Clause
#include "master/global_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stability/spectrum.hpp"

namespace tutti::master {
namespace {

using models::Scalar;
using stability::Matrix;

constexpr double times_of_a_line = 6;  // see the header
// Of weights. The maximum keeps a wrong model from shortening steps much.
constexpr double allowed_tolerances = 10.0 / 3, maximum_weight = 10;
constexpr double checked_part = 0.05;  // of the simulated time, before models are trusted

const double* place_of(const models::ValueSet& set, const Scalar& scalar) {
  return reinterpret_cast<const double*>(set.address(scalar));
}

bool is_constant_table(std::span<const ExternalSignals> externals, const Wiring::Wire& wire) {
  for (const ExternalSignals& external : externals) {
    if (external.values.get() != wire.from_set) continue;
    for (std::size_t i = 0; i < external.table->continuous_count(); ++i) {
      const Scalar& input = external.table->continuous_input(i);
      if (input.variable == wire.from->variable && input.element == wire.from->element)
        return external.table->line_of(i).times.size() < 2;
    }
  }
  return false;
}

}  // namespace

ModelCheck::ModelCheck(const stability::CoupledSystem& parts, std::vector<const double*> outputs,
                       double span)
    : outputs_(std::move(outputs)),
      range_(outputs_.size()),
      off_(outputs_.size()),
      inputs_(parts.inputs()),
      models_(parts, span) {
  for (const double* value : outputs_) start_.push_back(value == nullptr ? 0 : *value);
  before_ = start_;
}

void ModelCheck::step(double h, std::span<const double> mean, std::span<const double> at_start,
                      std::span<const double> at_end) {
  const double part = models_.left_after(h) / h;  // of the step, not yet covered by models
  for (std::size_t j = 0; j < inputs_.size(); ++j)
    inputs_[j] = at_end[j] - part * (at_end[j] - at_start[j]);
  models_.step(h, mean, inputs_);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i] == nullptr) continue;
    const double now = *outputs_[i];
    const double change = now - part * (now - before_[i]) - start_[i];
    before_[i] = now;
    if (part >= 1) continue;
    range_[i] = std::max(range_[i], std::abs(change));
    const double off = std::abs(models_.present()[i] - change);
    if (off > off_[i] || std::isnan(off)) off_[i] = off;  // keeps a NaN
  }
}

bool ModelCheck::fits(std::size_t output) const {
  constexpr double near = 0.1, rounding = 1e-6;
  return off_[output] <= near * range_[output] + rounding * std::abs(start_[output]);
}

/// Finds the components whose errors can be computed, and their effects.
class GlobalError::Modelled {
 public:
  Modelled(const Assembly& assembly, std::span<const std::optional<ComponentModel>> models)
      : assembly_(assembly), models_(models) {
    find_known();
  }
  /// All real outputs; those of models have rows.
  void add_outputs(GlobalError& to);
  /// The coupled models, and the targets of connections. @pre add_outputs()
  stability::CoupledSystem couple(GlobalError& to);

 private:
  bool is_source(std::size_t c) const { return assembly_.wires[c].empty(); }
  bool is_modelled(std::size_t c) const { return is_known_[c] && !is_source(c); }
  const ComponentModel& model(std::size_t c) const { return *models_[c]; }
  std::optional<std::size_t> column_of(std::size_t c, const Wiring::Wire& wire) const {
    return index_in(model(c).u, wire.to->variable, wire.to->element);
  }
  /// The row of an output in the model of its component.
  std::optional<std::size_t> row(std::size_t c, const Scalar& output) const {
    return is_modelled(c) ? index_in(model(c).y, output.variable, output.element) : std::nullopt;
  }

  /// The model with the inputs in the order of the wires, once for the mean and once for q, and a
  /// constant input of 1 for its motion from the start.
  stability::Subsystem subsystem(std::size_t c) const {
    const stability::Subsystem& from = model(c).system;
    const auto& wires = assembly_.wires[c];
    const std::size_t columns = column_count(c);
    stability::Subsystem result{from.a, Matrix(from.states(), columns), from.c,
                                Matrix(from.outputs(), columns)};
    for (std::size_t i = 0; i < std::min(from.states(), model(c).slopes.size()); ++i)
      result.b(i, columns - 1) = model(c).slopes[i];
    for (std::size_t k = 0; k < wires.size(); ++k) {
      const auto column = column_of(c, wires[k]);
      if (!column) continue;  // a constant table
      for (std::size_t i = 0; i < from.states(); ++i) {
        result.b(i, k) = from.b(i, *column);
        for (std::size_t j = 0; j < from.states(); ++j)
          result.b(i, wires.size() + k) += from.a(i, j) * from.b(j, *column);
      }
      for (std::size_t i = 0; i < from.outputs(); ++i) result.d(i, k) = from.d(i, *column);
    }
    return result;
  }

  std::size_t column_count(std::size_t c) const { return 2 * assembly_.wires[c].size() + 1; }

  bool knows_input(std::size_t c, const Wiring::Wire& wire) const {
    if (wire.connection < 0) return is_constant_table(assembly_.parts.externals, wire);
    if (wire.from->type != Type::float64 || wire.to->type != Type::float64 || !column_of(c, wire))
      return false;
    const std::size_t source = wire.from_component;
    return is_known_[source] && (is_source(source) || row(source, *wire.from));
  }
  bool has_model(std::size_t c) const { return c < models_.size() && models_[c]; }
  bool knows_inputs(std::size_t c) const {
    const auto& wires = assembly_.wires[c];
    return std::all_of(wires.begin(), wires.end(),
                       [&](const Wiring::Wire& wire) { return knows_input(c, wire); });
  }
  /// Components downstream of one that is not predicted are not predicted.
  void find_known() {
    for (std::size_t c = 0; c < assembly_.instances.size(); ++c)
      is_known_.push_back(is_source(c) || has_model(c));
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t c = 0; c < is_known_.size(); ++c) {
        if (!is_known_[c] || knows_inputs(c)) continue;
        is_known_[c] = false;
        changed = true;
      }
    }
  }

  const Assembly& assembly_;
  std::span<const std::optional<ComponentModel>> models_;
  std::vector<bool> is_known_;
  std::vector<std::size_t> first_row_;  ///< by component
};

void GlobalError::Modelled::add_outputs(GlobalError& to) {
  for (std::size_t c = 0; c < assembly_.instances.size(); ++c) {
    first_row_.push_back(to.rows_.size());
    if (is_modelled(c)) to.rows_.resize(to.rows_.size() + model(c).y.size());
    const models::ValueSet& set = assembly_.instances[c]->outputs();
    for (const Scalar& scalar : set.scalars()) {
      if (scalar.type != Type::float64 && scalar.type != Type::float32) continue;
      Output& output = to.outputs_.emplace_back();
      output.name = fmt::format("{}.{}", assembly_.instances[c]->name(), scalar.name);
      output.component = c;
      output.is_exact = is_source(c);
      const auto row_of_model = row(c, scalar);
      if (!row_of_model || scalar.type != Type::float64) continue;
      output.row = first_row_[c] + *row_of_model;
      to.rows_[*output.row] = place_of(set, scalar);
    }
  }
}

stability::CoupledSystem GlobalError::Modelled::couple(GlobalError& to) {
  stability::CoupledSystem system;
  std::vector<double>& columns = to.given_.mean;
  to.successors_.resize(assembly_.instances.size());
  for (std::size_t c = 0; c < assembly_.instances.size(); ++c) {
    const auto& wires = assembly_.wires[c];
    const std::size_t first = columns.size();
    double rate = infinity;
    if (is_modelled(c)) {
      system.parts.push_back(subsystem(c));
      columns.resize(first + column_count(c));
      columns.back() = 1;
      rate = stability::spectral_radius(model(c).system.a);
    }
    for (std::size_t k = 0; k < wires.size(); ++k) {
      const Wiring::Wire& wire = wires[k];
      if (wire.connection < 0) continue;
      const std::size_t source = wire.from_component;
      to.successors_[source].push_back(c);
      if (wire.from->type != Type::float64) continue;
      Input& input = to.inputs_.emplace_back();
      if (!is_modelled(c)) continue;
      input.from = place_of(*wire.from_set, *wire.from);
      input.start = input.before = *input.from;
      input.column = first + k;
      input.count = wires.size();
      input.component = c;
      input.factor = wire.factor;
      input.rate = rate;
      if (const auto from = row(source, *wire.from); from && wire.factor != 0)
        system.l.entries.push_back({first + k, first_row_[source] + *from, wire.factor});
    }
  }
  system.l.rows = columns.size();
  system.l.columns = to.rows_.size();
  return system;
}

std::unique_ptr<GlobalError> GlobalError::make(
    const Assembly& assembly, std::span<const std::optional<ComponentModel>> models) {
  const double span = assembly.stop - assembly.start;
  std::size_t wires = 0;
  for (const auto& of_component : assembly.wires) wires += of_component.size();
  if (!(span > 0) || wires > stability::ErrorPropagation::most_connections) return nullptr;
  std::unique_ptr<GlobalError> result(new GlobalError());
  Modelled modelled(assembly, models);
  modelled.add_outputs(*result);
  stability::CoupledSystem system = modelled.couple(*result);
  if (!stability::ErrorPropagation::is_possible(system)) return nullptr;
  result->propagation_ = std::make_unique<stability::ErrorPropagation>(system, span);
  system.l.entries.clear();
  result->check_ = std::make_unique<ModelCheck>(system, result->rows_, span);
  Columns& columns = result->given_;
  columns.start.resize(columns.mean.size());
  columns.end.resize(columns.mean.size());
  result->errors_ = columns;
  std::fill(result->errors_.mean.begin(), result->errors_.mean.end(), 0.0);
  result->is_predicted_.resize(assembly.instances.size());
  result->tolerance_.absolute = assembly.settings().control.atol;
  result->tolerance_.relative = assembly.settings().control.rtol;
  result->span_ = span;
  result->magnitudes_.resize(result->rows_.size());
  result->note_magnitudes();
  result->find_effects();
  return result;
}

void GlobalError::Columns::put(const Input& input, double h, const StepSignal& signal) {
  const double slow = times_of_a_line / h;
  double q = (signal.mean - signal.end) / std::max(input.rate, slow);
  if (input.rate > slow) q += signal.slope * (1 - slow / input.rate) / (input.rate * input.rate);
  mean[*input.column] = input.factor * signal.mean;
  mean[*input.column + input.count] = input.factor * q;
}

void GlobalError::step(double h, std::span<const InputRecord> inputs) {
  for (std::size_t i = 0; i < std::min(inputs.size(), inputs_.size()); ++i) {
    Input& input = inputs_[i];
    if (!input.column) continue;
    const InputRecord& record = inputs[i];
    if (record.is_predicted) is_predicted_[input.component] = true;
    errors_.put(input, h, record.error);
    errors_.end[*input.column] = input.factor * record.of_outputs;
    StepSignal given = record.given;
    given.mean -= input.start;
    given.end -= input.start;
    given_.put(input, h, given);
    const double now = *input.from + record.of_outputs;
    given_.start[*input.column] = input.factor * (input.before - input.start);
    given_.end[*input.column] = input.factor * (now - input.start);
    input.before = now;
  }
  propagation_->step(h, errors_.mean, errors_.end);
  check_->step(h, given_.mean, given_.start, given_.end);
  passed_ += h;
  note_magnitudes();
  update_weights();
}

void GlobalError::find_effects() {
  std::vector<std::size_t> columns;
  for (const Input& input : inputs_)
    if (input.column) columns.push_back(*input.column);
  const Matrix gains = propagation_->gains(columns);
  weighing_.effects.resize(inputs_.size());
  std::size_t k = 0;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].column) continue;
    for (std::size_t row = 0; row < rows_.size(); ++row)
      if (const double gain = std::abs(inputs_[i].factor) * gains(row, k);
          gain > 0 && rows_[row] != nullptr)
        weighing_.effects[i].push_back({row, gain});
    ++k;
  }
  weighing_.weights.assign(inputs_.size(), 1);
  weighing_.strictness.resize(rows_.size());
}

void GlobalError::note_magnitudes() {
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (rows_[row] != nullptr) magnitudes_[row] = std::max(magnitudes_[row], std::abs(*rows_[row]));
}

bool GlobalError::is_trusted() const {
  if (!(passed_ > checked_part * span_)) return false;
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (rows_[row] != nullptr && !check_->fits(row)) return false;
  return std::find(is_predicted_.begin(), is_predicted_.end(), true) == is_predicted_.end();
}

double GlobalError::expected_tolerances() {
  double level = 0;
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (rows_[row] != nullptr)
      level = std::max(
          level, propagation_->largest()[row] * weighing_.strictness[row] / allowed_tolerances);
  if (passed_ >= 2 * weighing_.growth.since) {
    weighing_.growth.rate =
        std::max(0.0, level - weighing_.growth.level) / (passed_ - weighing_.growth.since);
    weighing_.growth.since = passed_;
    weighing_.growth.level = level;
  }
  return level + weighing_.growth.rate * std::max(0.0, span_ - passed_);
}

void GlobalError::update_weights() {
  weighing_.is_trusted = is_trusted();
  if (!weighing_.is_trusted) return;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const double allowed = tolerance(magnitudes_[row]);
    weighing_.strictness[row] =
        allowed > 0 ? 1 / allowed : 0;  // without a tolerance there is no requirement
  }
  // Where errors of steps add up to much more than the tolerance, each step gets a smaller share.
  const double beyond = expected_tolerances() - 1;
  const double factor = beyond > 1 ? std::min(beyond, allowed_tolerances) : 1;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].column) continue;
    double largest = 0;
    for (const Effect& effect : weighing_.effects[i])
      largest = std::max(largest, effect.gain * weighing_.strictness[effect.row]);
    const double weight = largest * tolerance(*inputs_[i].from) / allowed_tolerances;
    weighing_.weights[i] =
        factor * (weight > 1 ? std::min(weight, maximum_weight) : 1);  // also 1 for a NaN
  }
}

std::span<const double> GlobalError::weights() const {
  return weighing_.is_trusted ? std::span<const double>(weighing_.weights)
                              : std::span<const double>();
}

std::vector<bool> GlobalError::untrusted_components() const {
  std::vector<bool> untrusted(successors_.size());
  std::vector<std::size_t> reached;
  const auto add = [&](std::size_t c) {
    if (!untrusted[c]) reached.push_back(c);
    untrusted[c] = true;
  };
  for (std::size_t c = 0; c < is_predicted_.size(); ++c)
    if (is_predicted_[c]) add(c);
  for (const Output& output : outputs_)
    if (output.row && !check_->fits(*output.row)) add(output.component);
  while (!reached.empty()) {
    const std::size_t c = reached.back();
    reached.pop_back();
    for (const std::size_t next : successors_[c]) add(next);
  }
  return untrusted;
}

std::vector<EstimatedError> GlobalError::outputs() const {
  const std::vector<bool> untrusted = untrusted_components();
  std::vector<EstimatedError> result;
  for (const Output& output : outputs_) {
    EstimatedError& estimate = result.emplace_back(EstimatedError{output.name, {}, 0});
    if (output.is_exact) estimate.error = 0;
    if (!output.row || untrusted[output.component]) continue;
    const double error = propagation_->largest()[*output.row];
    if (!std::isfinite(error)) continue;
    estimate.error = error;
    const double allowed = tolerance(magnitudes_[*output.row]);
    if (allowed > 0) estimate.tolerances = error / allowed;
  }
  return result;
}

void GlobalError::keep(Memory& memory) {
  memory(*propagation_, *check_);
  for (Input& input : inputs_) memory(input.before);
  memory(magnitudes_, is_predicted_, passed_, weighing_.growth.since, weighing_.growth.level,
         weighing_.growth.rate);
  if (memory.restores()) update_weights();
}

}  // namespace tutti::master
