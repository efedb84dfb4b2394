// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "execution/ring.hpp"

namespace tutti::session {

/// Values and texts one after the other; both ends are the same program.
class Packer {
 public:
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void value(const T& item) {
    bytes_.append(reinterpret_cast<const char*>(&item), sizeof item);
  }
  void text(std::string_view item) {
    value(item.size());
    bytes_ += item;
  }
  void numbers(const std::vector<double>& items) {
    text({reinterpret_cast<const char*>(items.data()), items.size() * sizeof(double)});
  }
  void send(execution::Ring& ring, std::uint32_t kind) const {
    const std::size_t size = std::min(bytes_.size(), ring.largest_message());
    std::memcpy(ring.reserve(size).data(), bytes_.data(), size);
    ring.commit(kind);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Of bytes that end too soon, the rest is zeros.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}
  explicit Unpacker(std::span<const std::byte> bytes)
      : rest_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {}
  template <typename T>
  T value() {
    T item{};
    std::memcpy(&item, rest_.data(), std::min(rest_.size(), sizeof item));
    rest_.remove_prefix(std::min(rest_.size(), sizeof item));
    return item;
  }
  std::string_view text() {
    const auto wanted = value<std::size_t>();
    const std::string_view item = rest_.substr(0, std::min(rest_.size(), wanted));
    rest_.remove_prefix(item.size());
    return item;
  }
  std::vector<double> numbers() {
    const std::string_view bytes = text();
    std::vector<double> items(bytes.size() / sizeof(double));
    if (!items.empty()) std::memcpy(items.data(), bytes.data(), items.size() * sizeof(double));
    return items;
  }

 private:
  std::string_view rest_;
};

}  // namespace tutti::session
