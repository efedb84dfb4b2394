// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/v3/values.hpp"

#include <stdexcept>

#include "fmi/scalar_values.hpp"

namespace tutti::fmi::v3 {

Values::Values(const Library& library, const ModelDescription& description) {
  const std::uint32_t types = types_present(description);
  const auto has = [&](Type type) { return (types >> static_cast<unsigned>(type) & 1u) != 0; };
  const auto bind = [&](bool needed, auto& function, const char* name) {
    needed ? library.require(function, name) : library.find(function, name);
  };
  const auto bind_pair = [&](bool needed, auto& access, const char* get, const char* set) {
    bind(needed, access.get, get);
    bind(needed, access.set, set);
  };
  bind_pair(has(Type::float64), std::get<Access<double>>(access_), "fmi3GetFloat64",
            "fmi3SetFloat64");
  bind_pair(has(Type::float32), std::get<Access<float>>(access_), "fmi3GetFloat32",
            "fmi3SetFloat32");
  bind_pair(has(Type::int8), std::get<Access<std::int8_t>>(access_), "fmi3GetInt8", "fmi3SetInt8");
  bind_pair(has(Type::uint8), std::get<Access<std::uint8_t>>(access_), "fmi3GetUInt8",
            "fmi3SetUInt8");
  bind_pair(has(Type::int16), std::get<Access<std::int16_t>>(access_), "fmi3GetInt16",
            "fmi3SetInt16");
  bind_pair(has(Type::uint16), std::get<Access<std::uint16_t>>(access_), "fmi3GetUInt16",
            "fmi3SetUInt16");
  bind_pair(has(Type::int32), std::get<Access<std::int32_t>>(access_), "fmi3GetInt32",
            "fmi3SetInt32");
  bind_pair(has(Type::uint32), std::get<Access<std::uint32_t>>(access_), "fmi3GetUInt32",
            "fmi3SetUInt32");
  bind_pair(has(Type::int64) || has(Type::enumeration), std::get<Access<std::int64_t>>(access_),
            "fmi3GetInt64", "fmi3SetInt64");
  bind_pair(has(Type::uint64), std::get<Access<std::uint64_t>>(access_), "fmi3GetUInt64",
            "fmi3SetUInt64");
  bind_pair(has(Type::boolean), std::get<Access<bool>>(access_), "fmi3GetBoolean",
            "fmi3SetBoolean");
  bind_pair(has(Type::string), std::get<Access<abi::String>>(access_), "fmi3GetString",
            "fmi3SetString");
  bind(has(Type::binary), get_binary_, "fmi3GetBinary");
  bind(has(Type::binary), set_binary_, "fmi3SetBinary");
}

template <class Visitor>
void Values::visit(const InstanceCore& core, Type type, Visitor&& visitor) const {
  switch (type) {
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

void Values::get_other(InstanceCore& core, Type type, std::span<const ValueReference> references,
                       void* values, std::size_t count) const {
  visit(core, type, [&]<class T>(const Access<T>& access) {
    core.call(access.get, references.data(), references.size(), static_cast<T*>(values), count);
  });
}

void Values::set_other(InstanceCore& core, Type type, std::span<const ValueReference> references,
                       const void* values, std::size_t count) const {
  visit(core, type, [&]<class T>(const Access<T>& access) {
    core.call(access.set, references.data(), references.size(), static_cast<const T*>(values),
              count);
  });
}

void Values::get_strings(InstanceCore& core, std::span<const ValueReference> references,
                         std::span<std::string> values) {
  strings_.assign(values.size(), nullptr);
  core.call(std::get<Access<abi::String>>(access_).get, references.data(), references.size(),
            strings_.data(), strings_.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = strings_[i] ? strings_[i] : "";
}

void Values::set_strings(InstanceCore& core, std::span<const ValueReference> references,
                         std::span<const std::string> values) {
  strings_.clear();
  for (const std::string& value : values) strings_.push_back(value.c_str());
  core.call(std::get<Access<abi::String>>(access_).set, references.data(), references.size(),
            static_cast<const abi::String*>(strings_.data()), strings_.size());
}

void Values::get_binaries(InstanceCore& core, std::span<const ValueReference> references,
                          std::span<std::vector<std::uint8_t>> values) {
  sizes_.assign(values.size(), 0);
  binaries_.assign(values.size(), nullptr);
  core.call(get_binary_, references.data(), references.size(), sizes_.data(), binaries_.data(),
            values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (binaries_[i]) {
      values[i].assign(binaries_[i], binaries_[i] + sizes_[i]);
    } else {
      values[i].clear();
    }
  }
}

void Values::set_binaries(InstanceCore& core, std::span<const ValueReference> references,
                          std::span<const std::vector<std::uint8_t>> values) {
  sizes_.clear();
  binaries_.clear();
  for (const std::vector<std::uint8_t>& value : values) {
    sizes_.push_back(value.size());
    binaries_.push_back(value.data());
  }
  core.call(set_binary_, references.data(), references.size(),
            static_cast<const std::size_t*>(sizes_.data()),
            static_cast<const abi::Binary*>(binaries_.data()), values.size());
}

}  // namespace tutti::fmi::v3
