// SPDX-License-Identifier: BSD-2-Clause
// What a cycle shows of linear models of its components.
#include <algorithm>

#include "master/cycle.hpp"

namespace tutti::master {
namespace {

/// Rows and columns that a model does not have are zero: nothing is known of them.
stability::Matrix take(const stability::Matrix& from,
                       const std::vector<std::optional<std::size_t>>& rows,
                       const std::vector<std::optional<std::size_t>>& columns) {
  stability::Matrix result(rows.size(), columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j)
      if (rows[i] && columns[j]) result(i, j) = from(*rows[i], *columns[j]);
  return result;
}

std::vector<std::optional<std::size_t>> all_of(std::size_t count) {
  std::vector<std::optional<std::size_t>> all;
  for (std::size_t i = 0; i < count; ++i) all.emplace_back(i);
  return all;
}

}  // namespace

/// Asked in every step: an FMU may turn out not to.
bool Cycle::follows_lines(std::size_t member) const {
  const InputCurves* const curves = members_[member].curves;
  if (curves == nullptr || !members_[member].instance->follows_curves()) return false;
  return std::all_of(links_.uses[member].begin(), links_.uses[member].end(),
                     [&](const CycleLinks::Use& use) {
                       if (!use.curve) return false;
                       const InputSettings& settings = curves->input(*use.curve).settings;
                       return settings.order > 0 || settings.inside == InsideStep::linear;
                     });
}

/// The columns of the model of a member that no member drives.
std::vector<std::optional<std::size_t>> Cycle::find_outside(std::size_t member) {
  const auto& [component, instance, inside, curves, model] = members_[member];
  std::vector<std::optional<std::size_t>> columns;
  if (curves == nullptr) return columns;
  const auto inputs = instance->continuous_inputs();
  for (const models::Scalar& scalar : instance->inputs().scalars()) {
    const auto column = index_in(model->u, scalar.variable, scalar.element);
    const auto curve = static_cast<std::size_t>(
        reinterpret_cast<const double*>(instance->inputs().address(scalar)) - inputs.data());
    const bool is_inside = std::any_of(
        links_.uses[member].begin(), links_.uses[member].end(), [&](const CycleLinks::Use& use) {
          return use.to->variable == scalar.variable && use.to->element == scalar.element;
        });
    if (!column || is_inside || scalar.type != Type::float64 || curve >= inputs.size()) continue;
    columns.push_back(column);
    linear_.outside.push_back({curves, curve});
  }
  return columns;
}

std::span<const stability::OutsideLine> Cycle::outside() {
  for (std::size_t k = 0; k < linear_.outside.size(); ++k) {
    const InputCurves::Outlook outlook =
        linear_.outside[k].curves->outlook(linear_.outside[k].curve, step_.h);
    linear_.lines[k] = {{outlook.real.start, outlook.real.end},
                        {outlook.shown.start, outlook.shown.end}};
  }
  return linear_.lines;
}

void Cycle::make_model() {
  linear_.model.emplace();
  linear_.model->size = links_.sources.size();
  linear_.model->revision = 1;
  std::size_t line = 0;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const ComponentModel& from = *members_[m].model;
    stability::InterfaceModel::Part& part = linear_.model->parts.emplace_back();
    std::vector<std::optional<std::size_t>> rows, columns;
    for (const CycleLinks::Use& use : links_.uses[m]) {
      columns.push_back(index_in(from.u, use.to->variable, use.to->element));
      part.inputs.push_back({use.source, use.factor});
    }
    for (const std::size_t source : links_.outputs[m]) {
      const models::Scalar& output = *links_.sources[source].scalar;
      rows.push_back(index_in(from.y, output.variable, output.element));
    }
    const auto outside = find_outside(m);
    columns.insert(columns.end(), outside.begin(), outside.end());
    part.outside = outside.size();
    part.outputs = links_.outputs[m];
    const auto states = all_of(from.system.states());
    part.system = {from.system.a, take(from.system.b, states, columns),
                   take(from.system.c, rows, states), take(from.system.d, rows, columns)};
    part.slopes = from.slopes;
    part.follows_lines = follows_lines(m);
    linear_.model->time = from.time;
    linear_.first_line.push_back(line);
    line += links_.uses[m].size();
  }
  linear_.lines.resize(linear_.outside.size());
}

const stability::InterfaceModel* Cycle::model() {
  if (std::any_of(members_.begin(), members_.end(),
                  [](const Member& member) { return member.model == nullptr; }))
    return nullptr;
  if (!linear_.model) make_model();
  for (std::size_t m = 0; m < members_.size(); ++m)
    if (const bool follows = follows_lines(m); follows != linear_.model->parts[m].follows_lines) {
      linear_.model->parts[m].follows_lines = follows;
      ++linear_.model->revision;
    }
  return &*linear_.model;
}

Pass Cycle::evaluate_along(std::span<const stability::InputLine> lines, std::span<const double> x,
                           std::span<double> result) {
  prepare_pass();
  for (std::size_t m = 0; m < members_.size(); ++m)
    set_inputs(m, x, lines.subspan(linear_.first_line[m], links_.uses[m].size()));
  return step_members(result);
}

void Cycle::write(std::span<const double> x) {
  for (std::size_t i = 0; i < links_.sources.size(); ++i) {
    // The master alone writes there between steps.
    auto& set =
        const_cast<models::ValueSet&>(members_[links_.sources[i].member].instance->outputs());
    set.write_real(*links_.sources[i].scalar, x[i]);
  }
}

}  // namespace tutti::master
