// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti {

/// SHA-256 (FIPS 180-4), for names of cached files that must not be forged.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  /// Adds the length as well, so that ("ab", "c") and ("a", "bc") differ.
  void add_field(std::string_view bytes);
  /// 64 hexadecimal digits. Nothing can be added afterwards.
  std::string finish();

 private:
  void take_block(const unsigned char* block);
  std::array<std::uint32_t, 8> state_;
  std::array<unsigned char, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace tutti
