// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/linear/least_squares.hpp"

#include <Eigen/QR>

namespace tutti::solvers {

std::vector<double> least_squares(const std::deque<std::vector<double>>& columns,
                                  std::span<const double> right) {
  std::vector<double> weights(columns.size());
  if (columns.empty()) return weights;
  const auto rows = static_cast<Eigen::Index>(right.size());
  Eigen::MatrixXd matrix(rows, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    matrix.col(static_cast<Eigen::Index>(k)) =
        Eigen::Map<const Eigen::VectorXd>(columns[k].data(), rows);
  const Eigen::Map<const Eigen::VectorXd> b(right.data(), rows);
  const Eigen::VectorXd solution =
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(matrix).solve(b);
  std::ranges::copy(solution, weights.begin());
  return weights;
}

}  // namespace tutti::solvers
