// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmukit/info.hpp>
#include <fmukit/model.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

/// Properties of an author's class at compile time: types of members, overridden functions.
namespace fmukit {

namespace detail {

template <class T>
inline constexpr bool always_false = false;

/// One address per C++ enumeration identifies the type.
template <class E>
inline constexpr char enumeration_key = 0;

template <class T>
constexpr Type type_of() {
  if constexpr (std::is_same_v<T, double>)
    return Type::float64;
  else if constexpr (std::is_same_v<T, float>)
    return Type::float32;
  else if constexpr (std::is_same_v<T, bool>)
    return Type::boolean;
  else if constexpr (std::is_same_v<T, std::string>)
    return Type::string;
  else if constexpr (std::is_same_v<T, Binary>)
    return Type::binary;
  else if constexpr (std::is_enum_v<T>) {
    static_assert(std::is_same_v<std::underlying_type_t<T>, int>,
                  "an enumeration must have the underlying type int");
    return Type::enumeration;
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 1)
    return std::is_signed_v<T> ? Type::int8 : Type::uint8;
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 2)
    return std::is_signed_v<T> ? Type::int16 : Type::uint16;
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 4)
    return std::is_signed_v<T> ? Type::int32 : Type::uint32;
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
    return std::is_signed_v<T> ? Type::int64 : Type::uint64;
  else
    static_assert(always_false<T>, "a member of this type cannot be an FMU variable");
}

/// Fills in type, storage and shape of a member.
template <class T>
struct Member {
  static void describe(const T&, VariableInfo& v) {
    v.type = type_of<T>();
    if constexpr (std::is_enum_v<T>) v.enumeration = &enumeration_key<T>;
  }
};
template <class T, std::size_t N>
struct Member<std::array<T, N>> {
  static void describe(const std::array<T, N>& values, VariableInfo& v) {
    static_assert(N > 0, "an array variable must have elements");
    Member<T>::describe(values[0], v);
    v.storage = Storage::array;
    v.count *= N;
    v.shape.insert(v.shape.begin(), Dimension(N));
  }
};
template <class T>
struct Member<std::vector<T>> {
  static_assert(!std::is_same_v<T, bool>,
                "use std::array<bool, N>: std::vector<bool> does not contain bools");
  static void describe(const std::vector<T>& values, VariableInfo& v) {
    v.type = type_of<T>();
    if constexpr (std::is_enum_v<T>) v.enumeration = &enumeration_key<T>;
    v.storage = Storage::vector;
    v.count = values.size();
    v.shape = {Dimension(values.size())};
  }
};

/// &M::f has the type of a member of Model unless M (or a class between) overrides f.
template <class M>
constexpr Abilities abilities_of() {
  Abilities a;
  a.do_step = !std::is_same_v<decltype(&M::do_step), StepResult (Model::*)(double)>;
  a.derivatives = !std::is_same_v<decltype(&M::derivatives), void (Model::*)()>;
  a.equations = a.derivatives || !std::is_same_v<decltype(&M::outputs), void (Model::*)()> ||
                !std::is_same_v<decltype(&M::initialize), void (Model::*)()>;
  a.solver = !std::is_same_v<decltype(&M::integrate), void (Model::*)(double)>;
  a.events = !std::is_same_v<decltype(&M::update_discrete_states), void (Model::*)(EventInfo&)>;
  a.step_events = !std::is_same_v<decltype(&M::completed_integrator_step), bool (Model::*)()>;
  a.element_dependencies = !std::is_same_v<decltype(&M::element_dependencies),
                                           void (Model::*)(ElementDependencies&) const>;
  a.partials = !std::is_same_v<decltype(&M::partials), void (Model::*)(Partials&)>;
  a.copyable = std::is_copy_constructible_v<M> && std::is_copy_assignable_v<M>;
  return a;
}

}  // namespace detail

}  // namespace fmukit
