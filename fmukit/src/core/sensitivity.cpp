// SPDX-License-Identifier: BSD-2-Clause
#include "core/instance.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace fmukit {
namespace {

/// Addresses of the doubles behind value references.
std::vector<double*> addresses(const Layout& layout, Model& model,
                               std::span<const std::uint32_t> references) {
  std::vector<double*> result;
  for (const std::uint32_t reference : references) {
    if (reference >= layout.slots.size()) throw std::runtime_error("unknown value reference");
    const Slot& slot = layout.slots[reference];
    if (slot.type != Type::float64)
      throw std::runtime_error("variable \"" + layout.info.variables[slot.variable].name +
                               "\" is not a double, so it has no derivatives");
    for (double& value : slot_elements<double>(model, slot)) result.push_back(&value);
  }
  return result;
}

}  // namespace

std::size_t Instance::size_of(std::span<const std::uint32_t> references) const {
  return addresses(layout, *model, references).size();
}

Model& Instance::scratch() {
  if (scratch_)
    info.assign(*scratch_, *model);
  else
    scratch_ = info.clone(*model);
  return *scratch_;
}

/// Central difference in the direction of the seed, on a copy: error O(e^2), e near the cube root
/// of the machine precision balances it against rounding.
void Instance::difference(std::span<const std::uint32_t> unknowns,
                          std::span<const std::uint32_t> knowns, const double* seed,
                          double* sensitivity) {
  const auto x = addresses(layout, *model, knowns);
  double largest_seed = 0, largest_value = 1;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (seed[k] == 0) continue;
    largest_seed = std::max(largest_seed, std::abs(seed[k]));
    largest_value = std::max(largest_value, std::abs(*x[k]));
  }
  const std::size_t count = size_of(unknowns);
  std::fill_n(sensitivity, count, 0.0);
  if (largest_seed == 0) return;

  const double e = 6e-6 * largest_value / largest_seed;
  for (const double side : {1.0, -1.0}) {
    Model& m = scratch();
    const auto moved = addresses(layout, m, knowns);
    for (std::size_t k = 0; k < moved.size(); ++k) *moved[k] += side * e * seed[k];
    if (phase == Phase::initialization) m.initialize();
    m.derivatives();
    m.outputs();
    const auto y = addresses(layout, m, unknowns);
    for (std::size_t k = 0; k < count; ++k) sensitivity[k] += side * *y[k] / (2 * e);
  }
}

void Instance::directional(std::span<const std::uint32_t> unknowns,
                           std::span<const std::uint32_t> knowns, const double* seed,
                           double* sensitivity) {
  if (!capabilities.directional) throw std::runtime_error("the model has no derivatives");
  ready();
  if (!info.abilities.partials || phase == Phase::initialization)
    return difference(unknowns, knowns, seed, sensitivity);
  const auto y = addresses(layout, *model, unknowns), x = addresses(layout, *model, knowns);
  Partials partials;
  model->partials(partials);
  for (std::size_t i = 0; i < y.size(); ++i) {
    sensitivity[i] = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (y[i] == x[k]) sensitivity[i] += seed[k];  // a state that is an output
    for (const Partials::Entry& p : partials.entries)
      for (std::size_t k = 0; p.unknown == y[i] && k < x.size(); ++k)
        if (p.known == x[k]) sensitivity[i] += p.value * seed[k];
  }
}

void Instance::adjoint(std::span<const std::uint32_t> unknowns,
                       std::span<const std::uint32_t> knowns, const double* seed,
                       double* sensitivity) {
  const std::size_t rows = size_of(unknowns), columns = size_of(knowns);
  std::vector<double> unit(columns), column(rows);
  for (std::size_t k = 0; k < columns; ++k) {
    unit[k] = 1;
    directional(unknowns, knowns, unit.data(), column.data());
    unit[k] = 0;
    sensitivity[k] = 0;
    for (std::size_t i = 0; i < rows; ++i) sensitivity[k] += column[i] * seed[i];
  }
}

}  // namespace fmukit
