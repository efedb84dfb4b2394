// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace tutti::solvers {

/// An element of a sparse matrix; elements of the same place add up.
struct Entry {
  std::size_t row, column;
  double value;
};

/// A x = b, factorised once: densely where A is small or full, else sparsely. A singular matrix
/// gives a solution that is not finite, or huge: whoever uses it looks at it anyway.
class LinearSystem {
 public:
  LinearSystem(std::size_t size, std::span<const Entry> entries);
  ~LinearSystem();
  LinearSystem(const LinearSystem&) = delete;
  LinearSystem& operator=(const LinearSystem&) = delete;

  void solve(std::span<const double> right, std::span<double> x) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace tutti::solvers
