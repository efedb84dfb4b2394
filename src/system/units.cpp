// SPDX-License-Identifier: BSD-2-Clause
#include "system/units.hpp"

#include <algorithm>

namespace tutti::system {
namespace {

const Unit::Base* base_of(const ModelDescription& model, const std::string& unit) {
  const auto found = std::ranges::find(model.units, unit, &Unit::name);
  return found == model.units.end() || !found->base ? nullptr : &*found->base;
}

}  // namespace

UnitConversion convert_units(const ModelDescription& from_model, const Variable& from,
                             const ModelDescription& to_model, const Variable& to) {
  using Kind = UnitConversion::Kind;
  const std::string &a = from.attributes.unit, &b = to.attributes.unit;
  if (a.empty() || b.empty()) return {};
  if (&from_model == &to_model && a == b) return {};
  const Unit::Base* from_base = base_of(from_model, a);
  const Unit::Base* to_base = base_of(to_model, b);
  if (from_base == nullptr || to_base == nullptr)
    return {.kind = a == b ? Kind::none : Kind::unclear};
  // Tools do not agree whether rad counts, so the same name is taken for the same quantity.
  if (a != b && !std::equal(std::begin(from_base->exponents), std::end(from_base->exponents),
                            std::begin(to_base->exponents)))
    return {.kind = Kind::clash};
  if (from_base->factor == to_base->factor && from_base->offset == to_base->offset) return {};
  const bool relative = from.attributes.relative_quantity || to.attributes.relative_quantity;
  return {.kind = Kind::linear,
          .factor = from_base->factor / to_base->factor,
          .offset = relative ? 0 : (from_base->offset - to_base->offset) / to_base->factor};
}

}  // namespace tutti::system
