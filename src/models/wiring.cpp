// SPDX-License-Identifier: BSD-2-Clause
#include "models/wiring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/results.hpp>

#include "base/number_type.hpp"

namespace tutti::models {
namespace {

[[noreturn]] void refuse_item(const Wiring::Wire& wire, Cell cell) {
  const std::string value =
      wire.from->type == Type::uint64 ? std::to_string(cell.natural) : std::to_string(cell.integer);
  throw NoItem(
      ErrorCode::fmu,
      fmt::format("connection \"{}\": the value {} is no item of the enumeration, expected "
                  "one of: {}",
                  wire.check->connection, value, wire.check->expected),
      ErrorDetails{.variable = wire.to->name,
                   .hint = "Change the output, or give the connection a map."});
}

bool is_item(const Wiring::Wire& wire, Cell cell) {
  if (wire.from->type == Type::uint64 && cell.integer < 0) return false;  // beyond 2^63
  return wire.check->contains(cell.integer);
}

}  // namespace

std::optional<std::size_t> Wiring::Wire::continuous_input() const {
  const auto inputs = to_set->continuous_doubles();
  const auto index = static_cast<std::size_t>(
      reinterpret_cast<const double*>(to_set->address(*to)) - inputs.data());
  if (to->type != Type::float64 || index >= inputs.size()) return {};
  return index;
}

const Scalar& scalar_at(const ValueSet& set, const system::Point& point) {
  const auto scalars = set.scalars();
  return *std::find_if(scalars.begin(), scalars.end(), [&](const Scalar& s) {
    return s.variable == point.variable && s.element == point.element;
  });
}

void move_value(const Wiring::Wire& wire) {
  if (is_text(wire.from->type))
    wire.to_set->write_text(*wire.to, wire.from_set->text(*wire.from));
  else
    write_cell(wire, wire.from_set->read(*wire.from));
}

void write_cell(const Wiring::Wire& wire, Cell cell) {
  if (wire.map != nullptr) cell.integer = system::mapped(*wire.map, cell.integer);
  if (wire.check != nullptr && !is_item(wire, cell)) refuse_item(wire, cell);
  // Converts integers and booleans to the type of the target; the plan allows only lossless
  // conversions.
  if (is_float(wire.to->type))
    wire.to_set->write_real(*wire.to, wire.factor * as_real(wire.from->type, cell) + wire.offset);
  else
    wire.to_set->write(*wire.to, cell);
}

Wiring::Wiring(const std::vector<std::vector<Wire>>& wires) {
  for (const std::vector<Wire>& of_component : wires) {
    Range& range = ranges_.emplace_back();
    range.first_copy = static_cast<std::uint32_t>(copies_.size());
    range.first_scale = static_cast<std::uint32_t>(scales_.size());
    range.first_other = static_cast<std::uint32_t>(others_.size());
    for (const Wire& wire : of_component) {
      // The set of a negated alias of FMI 1.0 negates its values, so a copy needs no sign.
      const bool plain = wire.from->type == Type::float64 && wire.to->type == Type::float64;
      if (!plain) {
        others_.push_back(wire);
        continue;
      }
      const auto* from = reinterpret_cast<const double*>(wire.from_set->address(*wire.from));
      auto* to = reinterpret_cast<double*>(wire.to_set->address(*wire.to));
      if (wire.factor == 1 && wire.offset == 0)
        copies_.push_back({from, to});
      else
        scales_.push_back({from, to, wire.factor, wire.offset});
    }
    range.copy_count = static_cast<std::uint32_t>(copies_.size()) - range.first_copy;
    range.scale_count = static_cast<std::uint32_t>(scales_.size()) - range.first_scale;
    range.other_count = static_cast<std::uint32_t>(others_.size()) - range.first_other;
  }
}

void Wiring::gather_rest(const Range& range) const {
  for (const Scale& scale : std::span(scales_).subspan(range.first_scale, range.scale_count))
    *scale.to = scale.factor * *scale.from + scale.offset;
  for (const Wire& wire : std::span(others_).subspan(range.first_other, range.other_count))
    move_value(wire);
}

}  // namespace tutti::models
