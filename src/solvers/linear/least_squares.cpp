// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/linear/least_squares.hpp"

#include <Eigen/Dense>
#include <algorithm>

namespace tutti::solvers {
namespace {

/// With rows of zeros where there are fewer rows than columns.
Eigen::MatrixXd tall_matrix(std::span<const double> a, std::size_t columns) {
  const auto n = static_cast<Eigen::Index>(columns);
  const auto rows = static_cast<Eigen::Index>(columns == 0 ? 0 : a.size() / columns);
  Eigen::MatrixXd tall = Eigen::MatrixXd::Zero(std::max(rows, n), n);
  tall.topRows(rows) = Eigen::Map<const Eigen::MatrixXd>(a.data(), rows, n);
  return tall;
}

Eigen::VectorXd tall_vector(std::span<const double> b, Eigen::Index rows) {
  Eigen::VectorXd tall = Eigen::VectorXd::Zero(rows);
  tall.head(static_cast<Eigen::Index>(b.size())) =
      Eigen::Map<const Eigen::VectorXd>(b.data(), static_cast<Eigen::Index>(b.size()));
  return tall;
}

}  // namespace

ReducedSystem reduce_least_squares(std::span<const double> a, std::size_t columns,
                                   std::span<const double> b) {
  const Eigen::MatrixXd matrix = tall_matrix(a, columns);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(matrix);
  const auto n = static_cast<Eigen::Index>(columns);
  const Eigen::MatrixXd r = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  const Eigen::VectorXd c = qr.householderQ().transpose() * tall_vector(b, matrix.rows());
  return {{r.data(), r.data() + r.size()}, {c.data(), c.data() + n}};
}

std::vector<double> solve_least_squares(std::span<const double> a, std::size_t columns,
                                        std::span<const double> b) {
  const Eigen::MatrixXd matrix = tall_matrix(a, columns);
  const Eigen::VectorXd x = matrix.colPivHouseholderQr().solve(tall_vector(b, matrix.rows()));
  return {x.data(), x.data() + x.size()};
}

SingularValues singular_values(std::span<const double> a, std::size_t columns) {
  const ReducedSystem small = reduce_least_squares(a, columns, {});
  const auto n = static_cast<Eigen::Index>(columns);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(
      Eigen::Map<const Eigen::MatrixXd>(small.r.data(), n, n), Eigen::ComputeFullV);
  const Eigen::VectorXd& values = svd.singularValues();
  const Eigen::MatrixXd& vectors = svd.matrixV();
  return {{values.data(), values.data() + values.size()},
          {vectors.data(), vectors.data() + vectors.size()}};
}

}  // namespace tutti::solvers
