// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmukit/info.hpp>
#include <fmukit/model.hpp>

#include <span>

namespace fmukit {

/// T below is the C++ type of elements of the given Type; int for enumerations.

/// Calls f with a null pointer of the C++ type of such elements.
template <class F>
auto with_type(Type type, F&& f) {
  switch (type) {
    case Type::float64:
      return f(static_cast<double*>(nullptr));
    case Type::float32:
      return f(static_cast<float*>(nullptr));
    case Type::int8:
      return f(static_cast<std::int8_t*>(nullptr));
    case Type::int16:
      return f(static_cast<std::int16_t*>(nullptr));
    case Type::int32:
      return f(static_cast<std::int32_t*>(nullptr));
    case Type::int64:
      return f(static_cast<std::int64_t*>(nullptr));
    case Type::uint8:
      return f(static_cast<std::uint8_t*>(nullptr));
    case Type::uint16:
      return f(static_cast<std::uint16_t*>(nullptr));
    case Type::uint32:
      return f(static_cast<std::uint32_t*>(nullptr));
    case Type::uint64:
      return f(static_cast<std::uint64_t*>(nullptr));
    case Type::boolean:
      return f(static_cast<bool*>(nullptr));
    case Type::string:
      return f(static_cast<std::string*>(nullptr));
    case Type::binary:
      return f(static_cast<Binary*>(nullptr));
    case Type::enumeration:
      break;
  }
  return f(static_cast<int*>(nullptr));
}

inline const char* member(const Model& model, std::ptrdiff_t offset) {
  return reinterpret_cast<const char*>(&model) + offset;
}

/// All elements of a variable, where V has storage, offset and count (of a fixed-size array).
template <class T, class V>
std::span<const T> elements(const Model& model, const V& v) {
  const char* place = member(model, v.offset);
  if constexpr (!std::is_same_v<T, bool>)  // there is no std::vector<bool> among the members
    if (v.storage == Storage::vector) return *reinterpret_cast<const std::vector<T>*>(place);
  return {reinterpret_cast<const T*>(place), v.storage == Storage::scalar ? 1 : v.count};
}
template <class T, class V>
std::span<T> elements(Model& model, const V& v) {
  const std::span<const T> s = elements<T>(static_cast<const Model&>(model), v);
  return {const_cast<T*>(s.data()), s.size()};
}
template <class T>
const T* element(const Model& model, const VariableInfo& v, std::size_t index = 0) {
  return elements<T>(model, v).data() + index;
}

/// The start values of a variable as text, one per element, as in XML (binary: hex).
std::vector<std::string> start_values(const ModelInfo& info, const VariableInfo& v);

/// Shortest text of the same number.
std::string number(double v);

}  // namespace fmukit
