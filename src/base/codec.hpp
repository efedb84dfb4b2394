// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <complex>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tutti/error.hpp>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/fields.hpp"

/// Packs values into bytes and unpacks them, for a reader with the same build id.
namespace tutti {

/// A type whose members cannot be enumerated has a function parts_of(), which returns references to
/// all its parts.
template <class T>
concept HasParts = requires(T& item) { parts_of(item); };

template <class T>
concept PackedAsIs = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Packer {
 public:
  template <class... Items>
  Packer& operator()(const Items&... items) {
    (pack(items), ...);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <PackedAsIs T>
  void pack(const T& item) {
    bytes_.append(reinterpret_cast<const char*>(&item), sizeof item);
  }
  void pack(std::string_view item) {
    pack(item.size());
    bytes_ += item;
  }
  void pack(const std::string& item) { pack(std::string_view(item)); }
  void pack(const std::filesystem::path& item) { pack(item.native()); }
  template <class T>
  void pack(const std::complex<T>& item) {
    (*this)(item.real(), item.imag());
  }
  template <class T>
  void pack(const std::vector<T>& items) {
    pack(items.size());
    if constexpr (PackedAsIs<T> && !std::is_same_v<T, bool>)
      bytes_.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T));
    else
      for (auto&& item : items) pack(static_cast<const T&>(item));
  }
  template <class T>
  void pack(const std::optional<T>& item) {
    pack(item.has_value());
    if (item) pack(*item);
  }
  template <class A, class B>
  void pack(const std::pair<A, B>& item) {
    (*this)(item.first, item.second);
  }
  template <class Key, class Value, class Less>
  void pack(const std::map<Key, Value, Less>& items) {
    pack(items.size());
    for (const auto& [key, value] : items) (*this)(key, value);
  }
  template <class... Types>
  void pack(const std::variant<Types...>& item) {
    pack(item.index());
    std::visit([this](const auto& held) { pack(held); }, item);
  }
  void pack(const Error& error) { (*this)(error.record(), error.parts()); }
  /// Functions belong to one process and are not packed.
  template <class Signature>
  void pack(const std::function<Signature>& /*function*/) {}
  template <class T>
  void pack(const std::shared_ptr<T>& /*pointer*/) {}
  template <HasFields Struct>
  void pack(const Struct& s) {
    std::apply(*this, tie_fields(s));
  }
  template <HasParts Struct>
  void pack(const Struct& s) {
    std::apply(*this, parts_of(s));
  }

  std::string bytes_;
};

/// Where the bytes end too soon, the missing values are zeros.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}
  explicit Unpacker(std::span<const std::byte> bytes)
      : rest_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {}

  template <class... Items>
  Unpacker& operator()(Items&... items) {
    (unpack(items), ...);
    return *this;
  }
  template <class T>
  T take() {
    T item{};
    unpack(item);
    return item;
  }
  bool is_empty() const { return rest_.empty(); }

 private:
  std::string_view bytes(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  /// At most this many items can follow, each of one byte or more.
  std::size_t count() { return std::min(take<std::size_t>(), rest_.size()); }
  template <PackedAsIs T>
  void unpack(T& item) {
    const std::string_view from = bytes(sizeof item);
    item = {};
    if (!from.empty()) std::memcpy(&item, from.data(), from.size());
  }
  void unpack(std::string& item) { item = bytes(take<std::size_t>()); }
  void unpack(std::filesystem::path& item) { item = take<std::string>(); }
  template <class T>
  void unpack(std::complex<T>& item) {
    const T real = take<T>();
    item = {real, take<T>()};
  }
  template <class T>
  void unpack(std::vector<T>& items) {
    const std::size_t size = count();
    items.clear();
    if constexpr (PackedAsIs<T> && !std::is_same_v<T, bool>) {
      const std::string_view from = bytes(size * sizeof(T));
      items.resize(size);
      if (!from.empty()) std::memcpy(items.data(), from.data(), from.size());
    } else {
      for (std::size_t i = 0; i < size; ++i) items.push_back(take_item<T>());
    }
  }
  template <class T>
  T take_item() {
    if constexpr (std::is_same_v<T, Error>)
      return take_error();
    else
      return take<T>();
  }
  template <class T>
  void unpack(std::optional<T>& item) {
    if (take<bool>())
      item = take_item<T>();
    else
      item.reset();
  }
  template <class A, class B>
  void unpack(std::pair<A, B>& item) {
    (*this)(item.first, item.second);
  }
  template <class Key, class Value, class Less>
  void unpack(std::map<Key, Value, Less>& items) {
    items.clear();
    for (std::size_t left = count(); left > 0; --left) {
      Key key = take<Key>();
      items[std::move(key)] = take<Value>();
    }
  }
  template <class... Types>
  void unpack(std::variant<Types...>& item) {
    const auto index = take<std::size_t>();
    std::size_t k = 0;
    (void)((k++ == index ? (item = take<Types>(), true) : false) || ...);
  }
  Error take_error() {
    auto record = take<ErrorRecord>();
    auto parts = take<std::vector<Error>>();
    return parts.empty() ? Error(std::move(record)) : Error(record.code, std::move(parts));
  }
  template <class Signature>
  void unpack(std::function<Signature>& /*function*/) {}
  template <class T>
  void unpack(std::shared_ptr<T>& /*pointer*/) {}
  template <HasFields Struct>
  void unpack(Struct& s) {
    std::apply(*this, tie_fields(s));
  }
  template <HasParts Struct>
  void unpack(Struct& s) {
    std::apply(*this, parts_of(s));
  }

  std::string_view rest_;
};

TUTTI_FIELDS(ErrorDetails, 8);
TUTTI_FIELDS(ErrorRecord, 4);

}  // namespace tutti
