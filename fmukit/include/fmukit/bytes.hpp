// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace fmukit {

/// Appends values to a block of bytes (native byte order: a serialized state is read by the same
/// binary).
class ByteWriter {
 public:
  void raw(const void* data, std::size_t size) {
    if (size == 0) return;
    const std::size_t end = bytes.size();
    bytes.resize(end + size);
    std::memcpy(bytes.data() + end, data, size);
  }
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    raw(&value, sizeof value);
  }
  void put(const std::string& s) {
    put(s.size());
    raw(s.data(), s.size());
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    for (const T& value : values) put(value);
  }
  std::vector<unsigned char> bytes;
};

/// Reads values from a block of bytes, in the order in which they were written.
class ByteReader {
 public:
  ByteReader(const void* data, std::size_t size)
      : at_(static_cast<const unsigned char*>(data)), left_(size) {}

  const unsigned char* take(std::size_t size) {
    if (size > left_) throw std::runtime_error("the serialized state is too short");
    const unsigned char* begin = at_;
    at_ += size;
    left_ -= size;
    return begin;
  }
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void get(T& value) {
    std::memcpy(&value, take(sizeof value), sizeof value);
  }
  void get(std::string& s) {
    const std::size_t size = get_size();
    const unsigned char* begin = take(size);
    s.assign(begin, begin + size);
  }
  template <class T>
  void get(std::vector<T>& values) {
    values.resize(get_size());
    for (T& value : values) get(value);
  }
  std::size_t left() const { return left_; }

 private:
  std::size_t get_size() {
    std::size_t size = 0;
    get(size);
    if (size > left_) throw std::runtime_error("the serialized state is damaged");
    return size;
  }
  const unsigned char* at_;
  std::size_t left_;
};

}  // namespace fmukit
