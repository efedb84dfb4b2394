// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tutti {

/// Hash of `bytes` appended to others, whose hash is given. Not cryptographic, but one changed word
/// changes it.
inline std::uint64_t hash_of(std::string_view bytes, std::uint64_t hash = 0) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    hash = (std::rotl(hash, 5) ^ word) * 0x9e3779b97f4a7c15u;
  }
  return hash ^ bytes.size();
}

}  // namespace tutti
