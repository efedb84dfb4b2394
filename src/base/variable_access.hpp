// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tutti/model_description.hpp>
#include <vector>

namespace tutti {

/// Variables of a model, in this order.
using References = std::span<const ValueReference>;

/// Reads and writes variables of a model by their references.
///
/// Values in the storage of their type, arrays flattened row-major, one after the other:
/// float, double, intN_t, uintN_t; boolean and clock as bool; enumeration as int64_t.
/// String and binary have their own functions.
class VariableAccess {
 public:
  /// @pre `values` holds `value_count` elements: the sum of the variables' sizes.
  virtual void get(Type type, References references, void* values, std::size_t value_count) = 0;
  virtual void set(Type type, References references, const void* values,
                   std::size_t value_count) = 0;
  virtual void get_strings(References references, std::span<std::string> values) = 0;
  virtual void set_strings(References references, std::span<const std::string> values) = 0;
  virtual void get_binaries(References references, std::span<std::vector<std::uint8_t>> values) = 0;
  virtual void set_binaries(References references,
                            std::span<const std::vector<std::uint8_t>> values) = 0;

 protected:
  ~VariableAccess() = default;
};

}  // namespace tutti
