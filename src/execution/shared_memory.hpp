// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>

namespace tutti::execution {

/// Memory that two processes map, zeros at first. Pages without access stand before and behind it,
/// because one of the processes runs FMUs, which may write anywhere.
class SharedMemory {
 public:
  /// Makes it. @throws Error(capability)
  explicit SharedMemory(std::size_t size);
  /// Maps what another process has made, and takes the descriptor. @throws Error(capability)
  static SharedMemory open(int descriptor);
  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&&) = delete;

  std::span<std::byte> bytes() const { return {start_, size_}; }
  int descriptor() const { return descriptor_; }  ///< close-on-exec

 private:
  SharedMemory(int descriptor, std::size_t size);
  int descriptor_;
  std::byte* start_ = nullptr;
  std::size_t size_;
};

}  // namespace tutti::execution
