// SPDX-License-Identifier: BSD-2-Clause
#include "core/instance.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>

namespace fmukit {
namespace {

/// Calls action(element) for the doubles behind value references.
template <class Action>
void for_doubles(const Layout& layout, Model& model, std::span<const std::uint32_t> references,
                 const Action& action) {
  for (const std::uint32_t reference : references) {
    if (reference >= layout.slots.size()) throw std::runtime_error("unknown value reference");
    const Slot& slot = layout.slots[reference];
    if (slot.type != Type::float64)
      throw std::runtime_error("variable \"" + layout.info.variables[slot.variable].name +
                               "\" is not a double, so it has no derivatives");
    for (double& value : slot_elements<double>(model, slot)) action(value);
  }
}

std::vector<double*> addresses(const Layout& layout, Model& model,
                               std::span<const std::uint32_t> references) {
  std::vector<double*> result;
  for_doubles(layout, model, references, [&](double& value) { result.push_back(&value); });
  return result;
}

/// Calls action(row, column, value) for the analytic derivatives of unknowns by knowns.
/// @param memory reused, because simulators ask often for few derivatives
template <class Action>
void for_partials(const Layout& layout, Model& model, std::span<const std::uint32_t> unknowns,
                  std::span<const std::uint32_t> knowns, PartialsMemory& memory,
                  const Action& action) {
  using Place = PartialsMemory::Place;
  const auto sort_places = [&](std::span<const std::uint32_t> references,
                               std::vector<Place>& sorted) {
    sorted.clear();
    for_doubles(layout, model, references,
                [&](const double& value) { sorted.emplace_back(&value, sorted.size()); });
    std::sort(sorted.begin(), sorted.end());
  };
  const auto each = [](const std::vector<Place>& sorted, const double* address, const auto& call) {
    auto at = std::lower_bound(sorted.begin(), sorted.end(), Place(address, 0));
    for (; at != sorted.end() && at->first == address; ++at) call(at->second);
  };
  const auto& [y, x, partials] = memory;
  sort_places(unknowns, memory.unknowns);
  sort_places(knowns, memory.knowns);
  for (const auto& [address, row] : y)  // a state that is an output
    each(x, address, [&](std::size_t column) { action(row, column, 1.0); });
  memory.partials.entries.clear();
  model.partials(memory.partials);
  for (const Partials::Entry& p : partials.entries) {
    if (p.unknown == p.known) continue;  // done above
    each(y, p.unknown, [&](std::size_t row) {
      each(x, p.known, [&](std::size_t column) { action(row, column, p.value); });
    });
  }
}

}  // namespace

std::size_t Instance::size_of(std::span<const std::uint32_t> references) const {
  std::size_t size = 0;
  for_doubles(layout, *model, references, [&](const double&) { ++size; });
  return size;
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
  std::fill_n(sensitivity, size_of(unknowns), 0.0);
  for_partials(
      layout, *model, unknowns, knowns, partials_memory_,
      [&](std::size_t i, std::size_t k, double value) { sensitivity[i] += value * seed[k]; });
}

void Instance::adjoint(std::span<const std::uint32_t> unknowns,
                       std::span<const std::uint32_t> knowns, const double* seed,
                       double* sensitivity) {
  const std::size_t rows = size_of(unknowns), columns = size_of(knowns);
  std::fill_n(sensitivity, columns, 0.0);
  if (info.abilities.partials && phase != Phase::initialization) {
    ready();
    for_partials(
        layout, *model, unknowns, knowns, partials_memory_,
        [&](std::size_t i, std::size_t k, double value) { sensitivity[k] += value * seed[i]; });
    return;
  }
  std::vector<double> unit(columns), column(rows);
  for (std::size_t k = 0; k < columns; ++k) {
    unit[k] = 1;
    directional(unknowns, knowns, unit.data(), column.data());
    unit[k] = 0;
    for (std::size_t i = 0; i < rows; ++i) sensitivity[k] += column[i] * seed[i];
  }
}

std::vector<Instance::Dependence> Instance::dependencies(std::uint32_t reference) const {
  const auto doubles = [&](const Slot& slot) {
    return slot.type == Type::float64 ? slot_elements<double>(std::as_const(*model), slot)
                                      : std::span<const double>();
  };
  const auto element_in = [](std::span<const double> all, const double* address) -> std::size_t {
    const std::less<> before;
    if (before(address, all.data()) || !before(address, all.data() + all.size())) return 0;
    return static_cast<std::size_t>(address - all.data()) + 1;
  };
  if (reference >= layout.slots.size()) throw std::runtime_error("unknown value reference");
  const auto own = doubles(layout.slots[reference]);
  ElementDependencies said;
  model->element_dependencies(said);
  std::vector<Dependence> found;
  for (const ElementDependencies::Entry& entry : said.entries) {
    const std::size_t element = element_in(own, entry.unknown);
    if (element == 0) continue;
    for (std::uint32_t known = 0; known < layout.slots.size(); ++known) {
      const std::size_t place = element_in(doubles(layout.slots[known]), entry.known);
      if (place > 0) found.push_back({element, known, place, entry.kind});
    }
  }
  return found;
}

}  // namespace fmukit
