// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/access.hpp"
#include "core/phase.hpp"

#include <cstdint>
#include <vector>

namespace fmukit {

enum class Version : std::uint8_t { fmi1, fmi2, fmi3 };

/// The target of a value reference: a whole variable in FMI 3, one element in FMI 1.0 and 2.0.
struct Slot {
  std::ptrdiff_t offset = 0;   ///< of the member; of the element itself unless it is in a vector
  std::uint32_t count = 1;     ///< elements of a fixed-size array
  std::uint32_t index = 0;     ///< element in a vector (FMI 1.0 and 2.0)
  std::uint32_t variable = 0;  ///< in ModelInfo::variables
  Phases settable = 0;
  Type type = Type::float64;
  Storage storage = Storage::scalar;
  bool plain_double = false;  ///< a double at `offset`: the fast path
  bool single = false;        ///< FMI 1.0 and 2.0: one element only
  bool structural = false;
};

/// The table from value references to members, made once per process. Value references are dense,
/// in the order of declaration; the time has number 0.
struct Layout {
  Layout(const ModelInfo& info, Version version);

  /// Value reference of the first element of a variable; -1 if this version has no such type.
  std::uint32_t reference(std::size_t variable) const { return first[variable]; }

  const ModelInfo& info;
  std::vector<Slot> slots;
  std::vector<std::uint32_t> first;                            ///< by variable
  std::vector<std::uint32_t> states, derivatives, indicators;  ///< variables
  std::vector<std::uint32_t> inputs;                           ///< variables that are doubles
};

/// The elements of a slot.
template <class T, class M>
auto slot_elements(M& model, const Slot& slot) {
  const auto all = elements<T>(model, slot);
  return slot.single ? all.subspan(slot.index, 1) : all;
}

/// The phases in which a variable may be set.
Phases settable_phases(const VariableInfo& v, Version version);

}  // namespace fmukit
