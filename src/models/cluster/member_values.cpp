// SPDX-License-Identifier: BSD-2-Clause
#include "models/cluster/member_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tutti::models {

MemberValues::MemberValues(std::size_t of, const ModelDescription& description,
                           std::span<const std::int32_t> variables,
                           const StructuralValues& structure)
    : member(of), values(description, variables, structure) {
  auto batches = values.batches();
  std::erase_if(batches, [](const fmi::Batch& batch) { return batch.type != Type::float64; });
  std::ranges::sort(batches, {}, &fmi::Batch::values);
  for (const fmi::Batch& batch : batches)
    references.insert(references.end(), batch.references.begin(), batch.references.end());
  tangent.resize(values.doubles().size());
  for (const Scalar& scalar : values.scalars()) {
    const auto& variable = description.variables[static_cast<std::size_t>(scalar.variable)];
    const double nominal = std::abs(variable.attributes.nominal.value_or(1));
    nominals_.push_back(nominal > 0 && std::isfinite(nominal) ? nominal : 1);
  }
}

std::size_t MemberValues::double_index(const Scalar& scalar) const {
  return static_cast<std::size_t>(reinterpret_cast<const std::uint64_t*>(values.address(scalar)) -
                                  values.doubles().data());
}

MemberTangent::MemberTangent(fmi::ModelExchange& member)
    : member_(member), has_derivatives_(member.capabilities().provides_directional_derivatives) {
  const ModelDescription& description = member.description();
  for (const Unknown& row : description.structure.derivatives) {
    const auto& derivative = description.variables[static_cast<std::size_t>(row.variable)];
    if (derivative.derivative_of < 0) {
      has_derivatives_ = false;
      return;
    }
    const auto state = static_cast<std::size_t>(derivative.derivative_of);
    states_.push_back(description.variables[state].value_reference);
    state_derivatives_.push_back(derivative.value_reference);
  }
  // Of states without a name, nothing but differences can be had.
  if (states_.empty() && member.continuous_state_count() > 0) has_derivatives_ = false;
}

void MemberTangent::start(std::span<const double> x, std::span<const double> dx) {
  x_ = x;
  dx_ = dx;
  moves_states_ = std::ranges::any_of(dx, [](double d) { return d != 0; });
  inputs_.clear();
  seed_.clear();
}

void MemberTangent::add(References inputs, std::span<const double> seed) {
  if (std::ranges::all_of(seed, [](double d) { return d == 0; })) return;
  inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
  seed_.insert(seed_.end(), seed.begin(), seed.end());
}

void MemberTangent::choose_knowns() {
  knowns_.clear();
  known_seed_.clear();
  if (moves_states_) {
    knowns_ = states_;
    known_seed_.assign(dx_.begin(), dx_.end());
  }
  knowns_.insert(knowns_.end(), inputs_.begin(), inputs_.end());
  known_seed_.insert(known_seed_.end(), seed_.begin(), seed_.end());
}

void MemberTangent::outputs(References variables, std::span<double> result) {
  std::ranges::fill(result, 0.0);
  if (is_zero() || variables.empty()) return;
  if (has_derivatives_) {
    choose_knowns();
    member_.directional_derivative(variables, knowns_, known_seed_, result);
    return;
  }
  difference(result, [&](std::span<double> values) {
    member_.get(Type::float64, variables, values.data(), values.size());
  });
}

void MemberTangent::derivatives(std::span<double> result) {
  std::ranges::fill(result, 0.0);
  if (is_zero() || result.empty()) return;
  if (has_derivatives_) {
    choose_knowns();
    member_.directional_derivative(state_derivatives_, knowns_, known_seed_, result);
    return;
  }
  difference(result, [&](std::span<double> values) { member_.get_derivatives(values); });
}

// A forward difference; what was set is restored. The increment moves no value by more than the
// root of the rounding error of its size, or of 1.
template <class Read>
void MemberTangent::difference(std::span<double> result, const Read& read) {
  constexpr double part = 1e-7;
  present_.resize(seed_.size());
  if (!inputs_.empty()) member_.get(Type::float64, inputs_, present_.data(), present_.size());
  double by = std::numeric_limits<double>::infinity();
  const auto limit = [&](double value, double seed) {
    if (seed != 0) by = std::min(by, part * std::max(1.0, std::abs(value)) / std::abs(seed));
  };
  if (moves_states_)
    for (std::size_t i = 0; i < dx_.size(); ++i) limit(x_[i], dx_[i]);
  for (std::size_t i = 0; i < seed_.size(); ++i) limit(present_[i], seed_[i]);
  const auto go_to = [&](double distance) {
    moved_ = present_;
    for (std::size_t i = 0; i < moved_.size(); ++i) moved_[i] += distance * seed_[i];
    if (moves_states_) {
      x_moved_.assign(x_.begin(), x_.end());
      for (std::size_t i = 0; i < x_moved_.size(); ++i) x_moved_[i] += distance * dx_[i];
      member_.set_continuous_states(x_moved_);
    }
    if (!inputs_.empty()) member_.set(Type::float64, inputs_, moved_.data(), moved_.size());
  };
  std::vector<double> there(result.size());
  go_to(by);
  read(there);
  go_to(0);
  read(result);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = (there[i] - result[i]) / by;
}

}  // namespace tutti::models
