// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bit>
#include <cstdint>

/// Random numbers that depend only on a key and a counter, so that any row of a design can be
/// computed alone.
namespace tutti::studies {

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection that changes half of the bits
/// for each changed bit.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// 64 random bits. A stream is a sequence that is independent of the others.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream,
                                    std::uint64_t counter) {
  return mixed(mixed(mixed(seed) ^ stream) ^ counter);
}

/// Non-negative, below 1.
constexpr double unit_number(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// The image of `i` in a random permutation of 0 ... count - 1: a Feistel network permutes a power
/// of four; images that are too large are permuted again (Black and Rogaway 2002, method 2).
/// @pre i < count
constexpr std::uint64_t permuted(std::uint64_t seed, std::uint64_t stream, std::uint64_t i,
                                 std::uint64_t count) {
  constexpr std::uint64_t rounds = 6;
  const std::uint64_t key = mixed(~seed);  // other numbers than random_bits() of this seed
  const auto half = static_cast<int>(std::bit_width(count - 1) + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = i >> half, right = i & mask;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const std::uint64_t next = left ^ (random_bits(key ^ round, stream, right) & mask);
      left = right;
      right = next;
    }
    i = left << half | right;
  } while (i >= count);
  return i;
}

}  // namespace tutti::studies
