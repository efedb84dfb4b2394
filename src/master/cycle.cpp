// SPDX-License-Identifier: BSD-2-Clause
#include "master/cycle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tutti::master {
namespace {

// Increment of a difference quotient: about the square root of the rounding error.
double increment_of(double x, bool single) {
  return (single ? 3e-4 : 1e-7) * std::max(1.0, std::abs(x));
}

/// Rows and columns that the model lacks are zero: unknown.
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

Cycle::Cycle(std::vector<Member> members, const IterationSettings& tolerance, bool repeats)
    : members_(std::move(members)),
      links_(members_),
      tolerance_(tolerance),
      repeats_(repeats),
      own_states_(members_.size()),
      ends_(members_.size()) {}

Cycle::~Cycle() {
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (step_.watch.called != nullptr) step_.watch.note(members_[m].component);
    own_states_[m] = {};
  }
}

void Cycle::begin(double t, double h, const Watch& watch, std::span<const models::Snapshot> states,
                  double excess) {
  step_ = {.t = t, .h = h, .excess = excess, .watch = watch, .states = states};
  for (std::size_t m = 0; m < members_.size(); ++m) {
    step_.watch.note(members_[m].component);
    if (step_.states.empty() && repeats_) members_[m].instance->save(own_states_[m]);
    if (members_[m].curves != nullptr) members_[m].curves->aim();
    take_others(m);
  }
}

void Cycle::read(std::span<double> x) const {
  for (std::size_t i = 0; i < links_.sources.size(); ++i) x[i] = links_.sources[i].place.read();
}

void Cycle::restore_member(std::size_t member) {
  step_.watch.note(members_[member].component);
  members_[member].instance->restore(state(member));
}

void Cycle::roll_back(std::optional<std::uint32_t> but) {
  for (std::size_t m = 0; m < members_.size(); ++m)
    if (members_[m].component != but) restore_member(m);
  step_.is_first_pass = true;
  step_.first_not_finite.reset();
}

bool Cycle::any_beyond(double limit) const {
  return std::any_of(members_.begin(), members_.end(), [&](const Member& member) {
    return member.instance->outputs().any_beyond(limit);
  });
}

void Cycle::prepare_pass() {
  if (!step_.is_first_pass) {
    step_.excess = 0;
    for (std::size_t m = 0; m < members_.size(); ++m) restore_member(m);
  }
  step_.is_first_pass = false;
  others_settled_ = true;
}

void Cycle::set_inputs(std::size_t member, std::span<const double> x,
                       std::span<const stability::InputLine> lines) {
  InputCurves* const curves = members_[member].curves;
  if (curves != nullptr) curves->take_aim();
  for (std::size_t k = 0; k < links_.uses[member].size(); ++k) {
    const CycleLinks::Use& use = links_.uses[member][k];
    const auto value = [&](double source) { return use.factor * source + use.offset; };
    use.to_set->write_real(*use.to, value(x[use.source]));
    if (lines.empty()) continue;
    if (curves != nullptr && use.curve)
      curves->take_line(*use.curve, value(lines[k].start), value(lines[k].end));
    else
      use.to_set->write_real(*use.to, value(lines[k].end));
  }
  for (const std::size_t index : links_.others_to[member]) {
    const CycleLinks::Other& other = links_.others[index];
    if (is_text(other.wire.to->type))
      other.wire.to_set->write_text(*other.wire.to, other.text);
    else
      write_cell(other.wire, other.cell);
  }
  if (curves != nullptr) curves->go(step_.h);
}

std::optional<Pass> Cycle::step_member(std::size_t member) {
  using Status = models::StepOutcome::Status;
  const Watch::Call call(step_.watch, members_[member].component);
  const models::StepOutcome outcome =
      members_[member].instance->step(step_.t, step_.h + step_.excess);
  ends_[member] = outcome.status;
  // An event at the end of the step is no reason to end the step early.
  if (outcome.is_at_end_of(step_.t, step_.h)) return {};
  cut_ = member;
  return Pass{outcome.status == Status::terminated ? Pass::Status::terminated : Pass::Status::cut,
              outcome.reached};
}

models::StepOutcome::Status Cycle::end() const {
  using Status = models::StepOutcome::Status;
  const auto is_there = [&](Status status) {
    return std::find(ends_.begin(), ends_.end(), status) != ends_.end();
  };
  if (is_there(Status::terminated)) return Status::terminated;
  return is_there(Status::event) ? Status::event : Status::done;
}

void Cycle::look_at_outputs(std::size_t member) {
  for (const std::size_t source : links_.outputs[member])
    if (!step_.first_not_finite && !std::isfinite(links_.sources[source].place.read()))
      step_.first_not_finite = source;
}

void Cycle::read_member(std::size_t member, std::span<double> x) const {
  for (const std::size_t source : links_.outputs[member])
    x[source] = links_.sources[source].place.read();
}

void Cycle::take_others(std::size_t member) {
  for (const std::size_t index : links_.others_from[member]) {
    CycleLinks::Other& other = links_.others[index];
    if (is_text(other.wire.from->type)) {
      std::string text = other.wire.from_set->text(*other.wire.from);
      others_settled_ &= text == other.text;
      other.text = std::move(text);
    } else {
      const Cell cell = other.wire.from_set->read(*other.wire.from);
      others_settled_ &= cell.natural == other.cell.natural;
      other.cell = cell;
    }
  }
}

Pass Cycle::evaluate(std::span<const double> x, std::span<double> result) {
  prepare_pass();
  for (std::size_t m = 0; m < members_.size(); ++m) set_inputs(m, x);
  return step_members(result);
}

Pass Cycle::step_members(std::span<double> result) {
  for (std::size_t m = 0; m < members_.size(); ++m)
    if (const auto ended = step_member(m)) return *ended;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    look_at_outputs(m);
    take_others(m);
  }
  read(result);
  return {};
}

Pass Cycle::sweep(std::span<double> x) {
  prepare_pass();
  for (std::size_t m = 0; m < members_.size(); ++m) {
    set_inputs(m, x);
    if (const auto ended = step_member(m)) return *ended;
    look_at_outputs(m);
    read_member(m, x);
    take_others(m);
  }
  return {};
}

void Cycle::sensitivities(std::span<const double> x, std::span<const double> result,
                          const Store& store) {
  std::vector<double> moved(x.begin(), x.end());
  for (const std::vector<std::size_t>& group : links_.column_groups) {
    for (const std::size_t column : group)
      moved[column] += increment_of(x[column], links_.sources[column].is_coarse);
    for (const std::size_t column : group)
      for (const std::size_t member : links_.readers[column]) {
        restore_member(member);
        set_inputs(member, moved);
        // If the step fails with the perturbed variable, its column is taken as zero.
        if (step_member(member)) continue;
        look_at_outputs(member);
        for (const std::size_t row : links_.outputs[member])
          store(row, column,
                (links_.sources[row].place.read() - result[row]) / (moved[column] - x[column]));
      }
    for (const std::size_t column : group) moved[column] = x[column];
  }
}

double Cycle::change(std::span<const double> before, std::span<const double> after) const {
  constexpr double most = 1e100;  // its square is finite
  double sum = 0, largest = 0;
  std::size_t count = 0;
  worst_ = 0;
  for (std::size_t i = 0; i < links_.sources.size(); ++i) {
    // Nicolai's MASTERSIM takes the weights from the old iterate, the EAS master from the new one.
    const double reference = tolerance_.norm == Norm::wrms ? before[i] : after[i];
    const double moved = std::abs(after[i] - before[i]);
    if (!std::isfinite(moved)) {
      worst_ = step_.first_not_finite.value_or(i);
      return std::numeric_limits<double>::quiet_NaN();
    }
    // With a tolerance of 0 nothing may change.
    const double weight = tolerance(i, reference);
    const double scaled = moved == 0 ? 0 : std::min(moved / weight, most);
    if (scaled > largest) {
      largest = scaled;
      worst_ = i;
    }
    sum += static_cast<double>(links_.sources[i].uses) * scaled * scaled;
    count += links_.sources[i].uses;
  }
  return tolerance_.norm == Norm::wrms ? std::sqrt(sum / static_cast<double>(count)) : largest;
}

std::string Cycle::worst_variable() const {
  return worst_ < links_.sources.size() ? name(worst_) : "";
}

std::string Cycle::name(std::size_t unknown) const {
  const CycleLinks::Source& source = links_.sources[unknown];
  return fmt::format("{}.{}", members_[source.member].instance->name(), source.scalar->name);
}

/// Checked in every step: an FMU may be found not to.
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
