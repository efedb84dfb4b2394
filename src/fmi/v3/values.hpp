// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stdexcept>
#include <tuple>

#include "fmi/abi/fmi3.hpp"
#include "fmi/instance_core.hpp"

namespace tutti::fmi::v3 {

namespace abi = fmi_abi::v3;

/// Reading and writing variables in FMI 3.0: one pair of functions per type. Enumerations are
/// carried by those of Int64 (section 2.2.6.2). Clocks are refused before an instance exists.
class Values {
 public:
  /// Only the types that have variables need their functions.
  Values(const Library& library, const ModelDescription& description);

  void get(InstanceCore& core, Type type, std::span<const ValueReference> references, void* values,
           std::size_t count) const {
    visit(core, type, [&]<class T>(const Access<T>& access) {
      core.call(access.get, references.data(), references.size(), static_cast<T*>(values), count);
    });
  }
  void set(InstanceCore& core, Type type, std::span<const ValueReference> references,
           const void* values, std::size_t count) const {
    visit(core, type, [&]<class T>(const Access<T>& access) {
      core.call(access.set, references.data(), references.size(), static_cast<const T*>(values),
                count);
    });
  }
  void get_strings(InstanceCore& core, std::span<const ValueReference> references,
                   std::span<std::string> values);
  void set_strings(InstanceCore& core, std::span<const ValueReference> references,
                   std::span<const std::string> values);
  void get_binaries(InstanceCore& core, std::span<const ValueReference> references,
                    std::span<std::vector<std::uint8_t>> values);
  void set_binaries(InstanceCore& core, std::span<const ValueReference> references,
                    std::span<const std::vector<std::uint8_t>> values);

 private:
  template <class T>
  struct Access {
    Function<abi::Get<T>> get;
    Function<abi::Set<T>> set;
  };

  template <class Visitor>
  void visit(const InstanceCore& core, Type type, Visitor&& visitor) const {
    switch (type) {
      case Type::float64:
        return visitor(std::get<Access<double>>(access_));
      case Type::float32:
        return visitor(std::get<Access<float>>(access_));
      case Type::int8:
        return visitor(std::get<Access<std::int8_t>>(access_));
      case Type::uint8:
        return visitor(std::get<Access<std::uint8_t>>(access_));
      case Type::int16:
        return visitor(std::get<Access<std::int16_t>>(access_));
      case Type::uint16:
        return visitor(std::get<Access<std::uint16_t>>(access_));
      case Type::int32:
        return visitor(std::get<Access<std::int32_t>>(access_));
      case Type::uint32:
        return visitor(std::get<Access<std::uint32_t>>(access_));
      case Type::int64:
      case Type::enumeration:
        return visitor(std::get<Access<std::int64_t>>(access_));
      case Type::uint64:
        return visitor(std::get<Access<std::uint64_t>>(access_));
      case Type::boolean:
        return visitor(std::get<Access<bool>>(access_));
      default:
        throw std::logic_error(core.speak(std::string(to_string(type)) +
                                          " variables are not read or written as numbers"));
    }
  }

  std::tuple<Access<double>, Access<float>, Access<std::int8_t>, Access<std::uint8_t>,
             Access<std::int16_t>, Access<std::uint16_t>, Access<std::int32_t>,
             Access<std::uint32_t>, Access<std::int64_t>, Access<std::uint64_t>, Access<bool>,
             Access<abi::String>>
      access_;
  Function<abi::GetBinary> get_binary_;
  Function<abi::SetBinary> set_binary_;
  std::vector<abi::String> strings_;
  std::vector<abi::Binary> binaries_;
  std::vector<std::size_t> sizes_;
};

}  // namespace tutti::fmi::v3
