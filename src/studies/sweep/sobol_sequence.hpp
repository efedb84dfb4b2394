// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tutti::studies {

/// Sobol's sequence with the direction numbers of Joe and Kuo (2008). A random shift of the binary
/// digits of each dimension keeps its uniformity, and gives other points for each seed.
class SobolSequence {
 public:
  static const std::size_t max_dimensions;

  /// @pre 0 < dimensions <= max_dimensions
  SobolSequence(std::size_t dimensions, std::uint64_t seed);
  ~SobolSequence();

  /// Point `index`, which does not depend on earlier calls: non-negative numbers below 1.
  void point(std::uint64_t index, std::span<double> coordinates);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
  std::uint64_t seed_;
};

}  // namespace tutti::studies
