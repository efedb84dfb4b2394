// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tuple>

#include "fmi/abi/fmi3.hpp"
#include "fmi/instance_core.hpp"

namespace tutti::fmi::v3 {

namespace abi = fmi_abi::v3;

/// Reading and writing variables in FMI 3.0: one pair of functions per type. Enumerations are
/// carried by those of Int64 (section 2.2.6.2). Clocks are refused before an instance exists.
class Values {
  template <class T>
  struct Access {
    Type type{};
    Function<abi::Get<T>> get;
    Function<abi::Set<T>> set;
  };

 public:
  /// Only the types that have variables need their functions.
  Values(const Library& library, const ModelDescription& description);

  /// The functions for doubles, for whoever calls them himself.
  const auto& get_real() const { return access<double>().get; }
  const auto& set_real() const { return access<double>().set; }

  void get(InstanceCore& core, Type type, References references, void* values,
           std::size_t count) const {
    if (type != Type::float64) return get_other(core, type, references, values, count);
    core.call(access<double>().get, references.data(), references.size(),
              static_cast<double*>(values), count);
  }
  void set(InstanceCore& core, Type type, References references, const void* values,
           std::size_t count) const {
    if (type != Type::float64) return set_other(core, type, references, values, count);
    core.call(access<double>().set, references.data(), references.size(),
              static_cast<const double*>(values), count);
  }
  void get_strings(InstanceCore& core, References references, std::span<std::string> values);
  void set_strings(InstanceCore& core, References references, std::span<const std::string> values);
  void get_binaries(InstanceCore& core, References references,
                    std::span<std::vector<std::uint8_t>> values);
  void set_binaries(InstanceCore& core, References references,
                    std::span<const std::vector<std::uint8_t>> values);

 private:
  template <class T>
  Access<T>& access() {
    return std::get<Access<T>>(access_);
  }
  template <class T>
  const Access<T>& access() const {
    return std::get<Access<T>>(access_);
  }
  void get_other(InstanceCore& core, Type type, References references, void* values,
                 std::size_t count) const;
  void set_other(InstanceCore& core, Type type, References references, const void* values,
                 std::size_t count) const;
  template <class Visitor>
  void visit(const InstanceCore& core, Type type, Visitor&& visitor) const;

  std::tuple<Access<double>, Access<float>, Access<std::int8_t>, Access<std::uint8_t>,
             Access<std::int16_t>, Access<std::uint16_t>, Access<std::int32_t>,
             Access<std::uint32_t>, Access<std::int64_t>, Access<std::uint64_t>, Access<bool>>
      access_;
  Access<abi::String> string_;
  Function<abi::GetBinary> get_binary_;
  Function<abi::SetBinary> set_binary_;
  std::vector<abi::String> strings_;
  std::vector<abi::Binary> binaries_;
  std::vector<std::size_t> sizes_;
};

}  // namespace tutti::fmi::v3
