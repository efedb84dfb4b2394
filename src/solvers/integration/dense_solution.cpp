// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <tutti/integrate.hpp>

namespace tutti {
namespace {

/// Chebyshev points of the second kind from -1 to 1: a polynomial of degree n - 1 is known by its
/// values at n of them, and evaluated without loss of digits by the barycentric formula (J.-P.
/// Berrut, L. N. Trefethen, Barycentric Lagrange Interpolation, SIAM Review 46, 2004, eq. 5.4).
double chebyshev_point(std::size_t k, std::size_t n) {
  return -std::cos(std::numbers::pi * static_cast<double>(k) / static_cast<double>(n - 1));
}

double barycentric_weight(std::size_t k, std::size_t n) {
  const double sign = k % 2 == 0 ? 1 : -1;
  return k == 0 || k == n - 1 ? sign / 2 : sign;
}

}  // namespace

double DenseSolution::start() const { return pieces_.at(0).from; }
double DenseSolution::stop() const { return pieces_.at(pieces_.size() - 1).to; }

void DenseSolution::add_step(Integration& integration, double from, double to, std::size_t size) {
  size_ = size;
  const auto degree = static_cast<std::size_t>(std::max(integration.interpolation_degree(), 1));
  const Piece piece{from, to, values_.size() / size, degree + 1};
  values_.resize(values_.size() + piece.count * size);
  for (std::size_t k = 0; k < piece.count; ++k) {
    const double part = (chebyshev_point(k, piece.count) + 1) / 2;
    const double t = k == 0 ? from : k == piece.count - 1 ? to : from + part * (to - from);
    integration.interpolate(t, std::span(values_).subspan((piece.first + k) * size, size));
  }
  pieces_.push_back(piece);
}

void DenseSolution::operator()(double t, std::span<double> y) const {
  if (pieces_.empty()) throw std::out_of_range("a dense solution without steps");
  const bool forward = stop() >= start();
  // The first step that ends at or after t.
  const auto piece = std::ranges::partition_point(
      pieces_, [&](const Piece& p) { return forward ? p.to < t : p.to > t; });
  const bool outside = piece == pieces_.end() || (forward ? t < start() : t > start());
  if (outside || std::isnan(t)) throw std::out_of_range("a time outside of the solution");
  const double x = 2 * (t - piece->from) / (piece->to - piece->from) - 1;
  std::ranges::fill(y, 0.0);
  double weights = 0;
  for (std::size_t k = 0; k < piece->count; ++k) {
    const std::span row = std::span(values_).subspan((piece->first + k) * size_, size_);
    const double distance = x - chebyshev_point(k, piece->count);
    if (distance == 0) {
      std::ranges::copy(row, y.begin());
      return;
    }
    const double weight = barycentric_weight(k, piece->count) / distance;
    weights += weight;
    for (std::size_t i = 0; i < size_; ++i) y[i] += weight * row[i];
  }
  for (double& value : y) value /= weights;
}

std::vector<double> DenseSolution::operator()(double t) const {
  std::vector<double> y(size_);
  (*this)(t, y);
  return y;
}

}  // namespace tutti
