// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/v3/values.hpp"

#include <stdexcept>

#include "fmi/scalar_values.hpp"

namespace tutti::fmi::v3 {

Values::Values(const Library& library, const ModelDescription& description) {
  const std::uint32_t types = types_present(description);
  const auto has = [&](Type type) { return (types >> static_cast<unsigned>(type) & 1u) != 0; };
  const auto find = [&](bool needed, const char* name) {
    return needed ? library.require(name) : library.find(name);
  };
  const auto bind = [&](auto& access, Type type, const char* get, const char* set) {
    const bool needed = has(type) || (type == Type::int64 && has(Type::enumeration));
    access = {type, find(needed, get), find(needed, set)};
  };
  bind(access<double>(), Type::float64, "fmi3GetFloat64", "fmi3SetFloat64");
  bind(access<float>(), Type::float32, "fmi3GetFloat32", "fmi3SetFloat32");
  bind(access<std::int8_t>(), Type::int8, "fmi3GetInt8", "fmi3SetInt8");
  bind(access<std::uint8_t>(), Type::uint8, "fmi3GetUInt8", "fmi3SetUInt8");
  bind(access<std::int16_t>(), Type::int16, "fmi3GetInt16", "fmi3SetInt16");
  bind(access<std::uint16_t>(), Type::uint16, "fmi3GetUInt16", "fmi3SetUInt16");
  bind(access<std::int32_t>(), Type::int32, "fmi3GetInt32", "fmi3SetInt32");
  bind(access<std::uint32_t>(), Type::uint32, "fmi3GetUInt32", "fmi3SetUInt32");
  bind(access<std::int64_t>(), Type::int64, "fmi3GetInt64", "fmi3SetInt64");
  bind(access<std::uint64_t>(), Type::uint64, "fmi3GetUInt64", "fmi3SetUInt64");
  bind(access<bool>(), Type::boolean, "fmi3GetBoolean", "fmi3SetBoolean");
  bind(string_, Type::string, "fmi3GetString", "fmi3SetString");
  get_binary_ = find(has(Type::binary), "fmi3GetBinary");
  set_binary_ = find(has(Type::binary), "fmi3SetBinary");
}

template <class Visitor>
void Values::visit(const InstanceCore& core, Type type, Visitor&& visitor) const {
  if (type == Type::enumeration) type = Type::int64;
  const auto visit_if = [&](const auto& access) {
    if (access.type != type) return false;
    visitor(access);
    return true;
  };
  const auto visit_one = [&](const auto&... access) { return (visit_if(access) || ...); };
  if (!std::apply(visit_one, access_))
    throw std::logic_error(
        core.speak(std::string(to_string(type)) + " variables are not read or written as numbers"));
}

void Values::get_other(InstanceCore& core, Type type, References references, void* values,
                       std::size_t count) const {
  visit(core, type, [&]<class T>(const Access<T>& access) {
    core.call(access.get, references.data(), references.size(), static_cast<T*>(values), count);
  });
}

void Values::set_other(InstanceCore& core, Type type, References references, const void* values,
                       std::size_t count) const {
  visit(core, type, [&]<class T>(const Access<T>& access) {
    core.call(access.set, references.data(), references.size(), static_cast<const T*>(values),
              count);
  });
}

void Values::get_strings(InstanceCore& core, References references, std::span<std::string> values) {
  strings_.assign(values.size(), nullptr);
  core.call(string_.get, references.data(), references.size(), strings_.data(), strings_.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = strings_[i] ? strings_[i] : "";
}

void Values::set_strings(InstanceCore& core, References references,
                         std::span<const std::string> values) {
  strings_.clear();
  for (const std::string& value : values) strings_.push_back(value.c_str());
  core.call(string_.set, references.data(), references.size(),
            static_cast<const abi::String*>(strings_.data()), strings_.size());
}

void Values::get_binaries(InstanceCore& core, References references,
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

void Values::set_binaries(InstanceCore& core, References references,
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
