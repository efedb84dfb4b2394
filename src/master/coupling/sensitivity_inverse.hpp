// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

#include "master/coupling/interface_problem.hpp"
#include "master/memory.hpp"

namespace tutti::master {

/// H = (I - J)^-1, by rows: residuals S(x) - x times H are corrections of x.
class SensitivityInverse {
 public:
  bool has_size(std::size_t n) const { return rows_.size() == n * n; }
  void set_identity(std::size_t n);
  /// J from repeated steps, which leave the components at the end of other steps than that with x.
  /// Returns the free direction if I - J is singular, otherwise nothing.
  std::vector<double> take(InterfaceProblem& problem, std::span<const double> x,
                           std::span<const double> result);
  void multiply(std::span<const double> v, std::vector<double>& product) const;
  /// Broyden's update: H += (d - H q) (d^T H) / (d^T H q), unless the denominator is 0.
  void update(std::span<const double> d, std::span<const double> q);

  std::span<const double> rows() const { return rows_; }
  void clear() { rows_.clear(); }
  void keep(Memory& memory) { memory(rows_); }

 private:
  std::vector<double> rows_;
  std::vector<double> moved_, row_;  ///< H q, d^T H
};

}  // namespace tutti::master
