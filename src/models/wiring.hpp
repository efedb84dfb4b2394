// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <span>
#include <tutti/error.hpp>
#include <vector>

#include "models/direct_steps.hpp"
#include "system/plan.hpp"

namespace tutti::models {

/// Copies values to the inputs of components. A wire is a pair of addresses: during the run there
/// is no look-up and no allocation for numbers.
class Wiring final : public InputWires {
 public:
  /// One value that is copied from one set to another.
  struct Wire {
    const ValueSet* from_set;
    const Scalar* from;
    ValueSet* to_set;
    const Scalar* to;
    double factor = 1, offset = 0;
    const system::ValueMap* map = nullptr;            ///< of values that are not real
    const system::EnumerationCheck* check = nullptr;  ///< of values that the target may not define
    std::int32_t connection = -1;      ///< index in System::connections; -1: from outside
    std::uint32_t from_component = 0;  ///< of a connection

    bool is_real() const { return connection >= 0 && from->type == Type::float64; }
    /// @pre the value is a double there
    const double* from_double() const {
      return reinterpret_cast<const double*>(from_set->address(*from));
    }
    /// Its index among the continuous inputs of the target component; empty: it is not continuous.
    std::optional<std::size_t> continuous_input() const;
  };

  /// `wires[c]` lead to the inputs of component c. The addresses of the sets must not change.
  explicit Wiring(const std::vector<std::vector<Wire>>& wires);

  void gather(std::size_t component) const {
    const Range& range = ranges_[component];
    for (const Copy& copy : range.of(copies_)) *copy.to = *copy.from;
    if (range.scale_count != 0 || range.other_count != 0) gather_rest(range);
  }

  /// gather() in two parts: these, and the others.
  std::span<const Copy> copies(std::size_t component) const override {
    return ranges_[component].of(copies_);
  }
  bool has_others(std::size_t component) const override {
    return ranges_[component].scale_count != 0 || ranges_[component].other_count != 0;
  }
  void gather_others(std::size_t component) const override { gather_rest(ranges_[component]); }

 private:
  struct Scale {
    const double* from;
    double* to;
    double factor, offset;
  };
  /// The wires of one component.
  struct Range {
    std::uint32_t first_copy = 0, copy_count = 0;
    std::uint32_t first_scale = 0, scale_count = 0;
    std::uint32_t first_other = 0, other_count = 0;
    std::span<const Copy> of(const std::vector<Copy>& all) const {
      return {all.data() + first_copy, copy_count};
    }
  };
  void gather_rest(const Range& range) const;

  std::vector<Range> ranges_;
  std::vector<Copy> copies_;
  std::vector<Scale> scales_;
  std::vector<Wire> others_;  ///< of other types, or between types
};

/// A connection transfers a value that is no item of the target's enumeration. The caller adds the
/// time.
class NoItem : public Error {
 public:
  using Error::Error;
};

/// @pre it exists
const Scalar& scalar_at(const ValueSet& set, const system::Point& point);
/// Copies one value of any type. @throws NoItem
void move_value(const Wiring::Wire& wire);
/// Writes a value other than a text, read from the source of the wire, to its target.
void write_cell(const Wiring::Wire& wire, Cell cell);

}  // namespace tutti::models
