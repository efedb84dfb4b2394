// SPDX-License-Identifier: BSD-2-Clause
#include "stability/response_basis.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::stability {

std::vector<Complex> Factor::poles() const {
  if (!second_order) return {sum};
  const Complex root = std::sqrt(Complex(sum * sum / 4 - product));
  if (root.imag() != 0) return {sum / 2 + root};
  return {sum / 2 + root, sum / 2 - root};
}

double Factor::rate(double duration) const {
  return second_order ? std::max({std::sqrt(std::abs(product)), std::abs(sum), 1 / duration})
                      : std::max(std::abs(sum), 1 / duration);
}

Dense Factor::a(double duration) const {
  if (!second_order) return Dense::Constant(1, 1, sum);
  const double scale = rate(duration);
  Dense matrix(2, 2);
  matrix << 0, scale, -product / scale, sum;
  return matrix;
}

Eigen::VectorXd Factor::b(double duration) const {
  const double scale = rate(duration);
  if (!second_order) return Eigen::VectorXd::Constant(1, scale);
  return Eigen::Vector2d(0, scale);
}

std::vector<Factor> factors_of(std::vector<Complex> poles, double duration) {
  std::vector<Factor> factors;
  std::vector<double> real;
  for (const Complex pole : poles)
    if (pole.imag() != 0)
      factors.push_back({true, 2 * pole.real(), std::norm(pole)});
    else
      real.push_back(pole.real());
  std::ranges::sort(real);
  for (std::size_t i = 0; i < real.size(); ++i) {
    const bool is_close =
        i + 1 < real.size() &&
        (real[i + 1] - real[i] <= 0.3 * std::max(std::abs(real[i]), std::abs(real[i + 1])) ||
         std::max(std::abs(real[i]), std::abs(real[i + 1])) * duration < 1);
    if (is_close)
      factors.push_back({true, real[i] + real[i + 1], real[i] * real[i + 1]});
    else
      factors.push_back({false, real[i], 0});
    if (is_close) ++i;
  }
  return factors;
}

Dense states_over(const std::vector<Factor>& factors, const StepResponses& responses) {
  const double duration = responses.duration();
  std::size_t columns = 0;
  for (const Factor& factor : factors) columns += factor.order();
  Dense all(index(responses.samples()), index(columns));
  Eigen::Index column = 0;
  for (const Factor& factor : factors) {
    const Eigen::Index n = index(factor.order());
    Dense joint = Dense::Zero(n + 1, n + 1);
    joint.topLeftCorner(n, n) = factor.a(duration);
    joint.topRightCorner(n, 1) = factor.b(duration);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n + 1);
    x[n] = 1;
    Eigen::Index row = 0;
    for (const SampleBlock& block : responses.blocks) {
      const Dense map = exponential(block.step * joint);
      for (std::size_t s = 0; s < block.count; ++s) {
        x = map * x;
        all.row(row++).segment(column, n) = x.head(n).transpose();
      }
    }
    column += n;
  }
  return all;
}

}  // namespace tutti::stability
