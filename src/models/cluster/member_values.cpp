// SPDX-License-Identifier: BSD-2-Clause
#include "models/cluster/member_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/number_type.hpp"

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
    is_continuous_.push_back(is_float(variable.type) &&
                             variable.variability == Variability::continuous);
  }
}

std::vector<std::size_t> MemberValues::changes_since(const ValueSet& before) const {
  constexpr double precision = 1e-9;  // of values and nominal values
  std::vector<std::size_t> changed;
  const auto scalars = values.scalars();
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    if (is_continuous_[i]) {
      const double now = values.read(scalars[i]).real, then = before.read(scalars[i]).real;
      if (std::abs(now - then) <= precision * (nominals_[i] + std::abs(now))) continue;
    }
    if (values.written(scalars[i]) != before.written(scalars[i])) changed.push_back(i);
  }
  return changed;
}

std::size_t MemberValues::double_index(const Scalar& scalar) const {
  return static_cast<std::size_t>(reinterpret_cast<const std::uint64_t*>(values.address(scalar)) -
                                  values.doubles().data());
}

MemberTangent::MemberTangent(fmi::ModelExchange& member) : member_(member) {
  const ModelDescription& description = member.description();
  for (const Unknown& row : description.structure.derivatives) {
    const auto& derivative = description.variables[static_cast<std::size_t>(row.variable)];
    if (derivative.derivative_of < 0) continue;
    const auto state = static_cast<std::size_t>(derivative.derivative_of);
    states_.push_back(description.variables[state].value_reference);
    derivatives_.push_back(derivative.value_reference);
  }
}

void MemberTangent::start(std::span<const double> dx) {
  state_count_ = dx.size();
  knowns_.clear();
  seed_.clear();
  add(states_, dx);
}

void MemberTangent::add(References inputs, std::span<const double> seed) {
  has_slopes_ = false;
  if (std::ranges::all_of(seed, [](double d) { return d == 0; })) return;
  knowns_.insert(knowns_.end(), inputs.begin(), inputs.end());
  seed_.insert(seed_.end(), seed.begin(), seed.end());
}

void MemberTangent::last_outputs(References variables, std::span<double> result) {
  outputs_and_slopes_.assign(variables.begin(), variables.end());
  outputs_and_slopes_.insert(outputs_and_slopes_.end(), derivatives_.begin(), derivatives_.end());
  slopes_.resize(result.size() + state_count_);
  differentiate(outputs_and_slopes_, slopes_);
  std::ranges::copy(std::span(slopes_).first(result.size()), result.begin());
  has_slopes_ = true;
}

void MemberTangent::derivatives(std::span<double> result) {
  if (has_slopes_)
    std::ranges::copy(std::span(slopes_).last(result.size()), result.begin());
  else
    differentiate(derivatives_, result);
}

void MemberTangent::differentiate(References unknowns, std::span<double> result) {
  std::ranges::fill(result, 0.0);
  if (!knowns_.empty() && !unknowns.empty())
    member_.directional_derivative(unknowns, knowns_, seed_, result);
}

}  // namespace tutti::models
