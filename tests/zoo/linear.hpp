// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmukit/model.hpp>

#include "zoo/propagator.hpp"

namespace zoo {

/// x' = A x + B u + b, y = C x + D u + d, integrated exactly for inputs that are parabolas in time.
/// Without feed-through there is no D.
template <std::size_t n, std::size_t m, std::size_t p, bool feedthrough>
class Linear final : public fmukit::Model {
 public:
  Matrix<n, n> A{};
  Matrix<n, m> B{};
  Matrix<p, n> C{};
  Matrix<p, m> D{};
  std::array<double, n> b{}, x{}, dx{};
  std::array<double, m> u{};
  std::array<double, p> d{}, y{};
  Propagator<n> propagator;

  static void describe(fmukit::Description<Linear>& s) {
    s.text("A linear system").default_experiment({.stop = 10, .step = 0.01}).internal_step(0.04);
    s.parameter("A", &Linear::A);
    s.parameter("B", &Linear::B);
    s.parameter("C", &Linear::C);
    if (feedthrough) s.parameter("D", &Linear::D);
    s.parameter("b", &Linear::b);
    s.parameter("d", &Linear::d);
    s.input("u", &Linear::u);
    s.local("x", &Linear::x);
    s.local("der(x)", &Linear::dx).derivative_of("x").depends_on({"x", "u"});
    const auto y = s.output("y", &Linear::y);
    if (feedthrough)
      fmukit::Variable(y).depends_on({"x", "u"});
    else
      fmukit::Variable(y).depends_on({"x"});
    s.memory(&Linear::propagator);
    if (!feedthrough) s.memory(&Linear::D);
  }
  void derivatives() override {
    for (std::size_t i = 0; i < n; ++i) {
      dx[i] = b[i];
      for (std::size_t k = 0; k < n; ++k) dx[i] += A[i][k] * x[k];
      for (std::size_t k = 0; k < m; ++k) dx[i] += B[i][k] * u[k];
    }
  }
  void outputs() override {
    for (std::size_t i = 0; i < p; ++i) {
      y[i] = d[i];
      for (std::size_t k = 0; k < n; ++k) y[i] += C[i][k] * x[k];
      for (std::size_t k = 0; k < m; ++k) y[i] += D[i][k] * u[k];
    }
  }
  void partials(fmukit::Partials& q) override {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) q(dx[i], x[k]) = A[i][k];
      for (std::size_t k = 0; k < m; ++k) q(dx[i], u[k]) = B[i][k];
    }
    for (std::size_t i = 0; i < p; ++i) {
      for (std::size_t k = 0; k < n; ++k) q(y[i], x[k]) = C[i][k];
      for (std::size_t k = 0; k < m; ++k) q(y[i], u[k]) = D[i][k];
    }
  }
  void integrate(double end) override {
    const double h = end - time;
    if (h != propagator.h) propagator.compute(A, h);
    const std::array<double, m> first = u;
    inputs_at(time + h / 2);
    const std::array<double, m> middle = u;
    inputs_at(end);
    std::array<Matrix<n, 1>, 3> force{};  // B u + b: value, slope, curvature at the start
    for (std::size_t i = 0; i < n; ++i) {
      force[0][i][0] = b[i];
      for (std::size_t k = 0; k < m; ++k) {
        const double to_middle = middle[k] - first[k], to_end = u[k] - first[k];
        force[0][i][0] += B[i][k] * first[k];
        force[1][i][0] += B[i][k] * (4 * to_middle - to_end) / h;
        force[2][i][0] += B[i][k] * 4 * (to_end - 2 * to_middle) / (h * h);
      }
    }
    Matrix<n, 1> before{};
    for (std::size_t i = 0; i < n; ++i) before[i][0] = x[i];
    Matrix<n, 1> change = propagator.growth * before;
    for (std::size_t k = 0; k < 3; ++k) add(change, propagator.response[k] * force[k]);
    for (std::size_t i = 0; i < n; ++i) x[i] += change[i][0];
  }
};

/// y = k u + b, without states.
template <std::size_t m>
class Gain final : public fmukit::Model {
 public:
  std::array<double, m> k{}, u{};
  double b = 0, y = 0;

  static void describe(fmukit::Description<Gain>& s) {
    s.text("A weighted sum").default_experiment({.stop = 10, .step = 0.01}).internal_step(0.04);
    s.parameter("k", &Gain::k);
    s.parameter("b", &Gain::b);
    s.input("u", &Gain::u);
    s.output("y", &Gain::y).depends_on({"u"});
  }
  void outputs() override {
    y = b;
    for (std::size_t i = 0; i < m; ++i) y += k[i] * u[i];
  }
  void partials(fmukit::Partials& q) override {
    for (std::size_t i = 0; i < m; ++i) q(y, u[i]) = k[i];
  }
  void integrate(double) override {}
};

}  // namespace zoo
