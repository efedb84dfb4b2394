// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/instance.hpp"

#include <concepts>
#include <limits>
#include <type_traits>

/// Getting and setting by value reference. The path of a plain double has one bounds check, one
/// flag and one load or store.
namespace fmukit {

[[gnu::cold]] inline Status unknown_reference(Instance& i, const char* function,
                                              std::uint32_t reference) {
  return i.fail(function, "value reference " + std::to_string(reference) + " is unknown");
}
[[gnu::cold]] inline Status wrong_type(Instance& i, const char* function, const Slot& slot) {
  return i.fail(function,
                "variable \"" + i.info.variables[slot.variable].name + "\" has another type");
}
[[gnu::cold]] inline Status not_settable(Instance& i, const char* function, const Slot& slot) {
  return i.fail(function,
                "variable \"" + i.info.variables[slot.variable].name + "\" cannot be set now");
}

// FMI 1.0 and 2.0: four families of types, one element per value reference. -----------------------

enum class Family { real, integer, boolean, string };

/// Whether elements of type T belong to the family.
template <Family family, class T>
constexpr bool belongs = family == Family::real      ? std::floating_point<T>
                         : family == Family::integer ? std::integral<T> && !std::same_as<T, bool>
                         : family == Family::boolean ? std::same_as<T, bool>
                                                     : std::same_as<T, std::string>;

template <Family family, class X>
[[gnu::noinline]] bool read_element(const Model& model, const Slot& slot, X& value) {
  return with_type(slot.type, [&]<class T>(T*) {
    if constexpr (belongs<family, T>) {
      const T& held = slot_elements<T>(model, slot)[0];
      if constexpr (family == Family::string)
        value = held.c_str();
      else
        value = static_cast<X>(held);
      return true;
    }
    return false;
  });
}

template <Family family, class X>
[[gnu::noinline]] bool write_element(Model& model, const Slot& slot, X value) {
  return with_type(slot.type, [&]<class T>(T*) {
    if constexpr (belongs<family, T>) {
      T& held = slot_elements<T>(model, slot)[0];
      if constexpr (family == Family::string)
        held = value ? value : "";
      else if constexpr (family == Family::boolean)
        held = value != 0;
      else
        held = static_cast<T>(value);
      return true;
    }
    return false;
  });
}

template <Family family, class X>
inline Status get_values(Instance& i, const char* function, const std::uint32_t* references,
                         std::size_t count, X* values) {
  i.ready();
  const std::span<const Slot> slots = i.slots;
  for (std::size_t k = 0; k < count; ++k) {
    if (references[k] >= slots.size()) return unknown_reference(i, function, references[k]);
    const Slot& slot = slots[references[k]];
    if constexpr (family == Family::real) {
      if (slot.plain_double) [[likely]] {
        values[k] = *reinterpret_cast<const double*>(member(*i.model, slot.offset));
        continue;
      }
    }
    if (!read_element<family>(*i.model, slot, values[k])) return wrong_type(i, function, slot);
  }
  return Status::ok;
}

template <Family family, class X>
inline Status set_values(Instance& i, const char* function, const std::uint32_t* references,
                         std::size_t count, const X* values) {
  const std::span<const Slot> slots = i.slots;
  i.touched();
  for (std::size_t k = 0; k < count; ++k) {
    if (references[k] >= slots.size()) return unknown_reference(i, function, references[k]);
    const Slot& slot = slots[references[k]];
    if (!contains(slot.settable, i.phase)) return not_settable(i, function, slot);
    if constexpr (family == Family::real) {
      if (slot.plain_double) [[likely]] {
        *reinterpret_cast<double*>(const_cast<char*>(member(*i.model, slot.offset))) = values[k];
        continue;
      }
    }
    if (!write_element<family>(*i.model, slot, values[k])) return wrong_type(i, function, slot);
  }
  return Status::ok;
}

// FMI 3: exact types, whole variables.
// -------------------------------------------------------------

/// The member type of an element that FMI 3 passes as X; enumerations are int, passed as int64.
template <Type type, class X>
using Held = std::conditional_t<type == Type::enumeration, int,
                                std::conditional_t<type == Type::string, std::string, X>>;

template <Type type, class X>
inline Status get_arrays(Instance& i, const char* function, const std::uint32_t* references,
                         std::size_t count, X* values, std::size_t value_count) {
  i.ready();
  const std::span<const Slot> slots = i.slots;
  X* const end = values + value_count;
  for (std::size_t k = 0; k < count; ++k) {
    if (references[k] >= slots.size()) return unknown_reference(i, function, references[k]);
    const Slot& slot = slots[references[k]];
    const auto copy = [&]<class T>(std::span<const T> held) {
      if (held.size() > static_cast<std::size_t>(end - values)) return false;
      for (const T& value : held) {
        if constexpr (std::is_same_v<T, std::string>)
          *values++ = value.c_str();
        else
          *values++ = static_cast<X>(value);
      }
      return true;
    };
    bool fits = false;
    if (slot.type == type)
      fits = copy(elements<Held<type, X>>(static_cast<const Model&>(*i.model), slot));
    else if (type == Type::int64 && slot.type == Type::enumeration) {
      if constexpr (type == Type::int64)
        fits = copy(elements<int>(static_cast<const Model&>(*i.model), slot));
    } else
      return wrong_type(i, function, slot);
    if (!fits) return i.fail(function, "the value array is too short");
  }
  return values == end ? Status::ok : i.fail(function, "the value array is too long");
}

template <Type type, class X>
inline Status set_arrays(Instance& i, const char* function, const std::uint32_t* references,
                         std::size_t count, const X* values, std::size_t value_count) {
  const std::span<const Slot> slots = i.slots;
  const X* const end = values + value_count;
  i.touched();
  for (std::size_t k = 0; k < count; ++k) {
    if (references[k] >= slots.size()) return unknown_reference(i, function, references[k]);
    const Slot& slot = slots[references[k]];
    if (!contains(slot.settable, i.phase)) return not_settable(i, function, slot);
    const auto copy = [&]<class T>(std::span<T> held) {
      if (held.size() > static_cast<std::size_t>(end - values)) return false;
      for (T& value : held) {
        if constexpr (std::is_same_v<T, std::string>)
          value = *values ? *values : "";
        else
          value = static_cast<T>(*values);
        ++values;
      }
      return true;
    };
    bool fits = false;
    if (slot.type == type)
      fits = copy(elements<Held<type, X>>(*i.model, slot));
    else if (type == Type::int64 && slot.type == Type::enumeration) {
      if constexpr (type == Type::int64) fits = copy(elements<int>(*i.model, slot));
    } else
      return wrong_type(i, function, slot);
    if (!fits) return i.fail(function, "the value array is too short");
    if (slot.structural) i.structure_changed();
  }
  return values == end ? Status::ok : i.fail(function, "the value array is too long");
}

}  // namespace fmukit
