// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/ode/ode.hpp"

/// Problems and runs for the tests of the implicit methods.
namespace tutti::solvers::implicit_runs {

using View = std::span<const double>;
using Out = std::span<double>;

struct Solved {
  std::vector<double> y;
  OdeStatistics work;
};

struct Settings {
  double end = 1, rtol = 1e-6, atol = 1e-6;
  SolverOptions own{};
  double step = 0;  ///< constant; 0: chosen
  std::vector<double> yp{};
};

inline OdeOptions options_of(const Settings& settings, std::size_t size) {
  OdeOptions options;
  options.rtol = settings.rtol;
  options.atol.assign(size, settings.atol);
  options.own = settings.own;
  if (settings.step > 0) options.max_step = options.first_step = settings.step;
  return options;
}

inline Solved run(const char* solver, OdeFunctions functions, std::vector<double> y,
                  const Settings& settings) {
  const auto problem = make_problem(std::move(functions));
  const auto integrator =
      find_ode_integrator(solver)->make(*problem, options_of(settings, problem->size()));
  integrator->start(0, y, settings.yp);
  for (double t = 0; t < settings.end;) t = integrator->step(settings.end).t;
  integrator->interpolate(settings.end, y);
  return {std::move(y), integrator->statistics()};
}

/// Van der Pol's oscillator with mu = 2000: transients of 1/mu between slow parts.
inline OdeFunctions van_der_pol() {
  constexpr double mu = 2000;
  return {.size = 2,
          .rhs =
              [](double, View y, Out f) {
                f[0] = y[1];
                f[1] = mu * ((1 - y[0] * y[0]) * y[1] - y[0]);
              },
          .jacobian =
              [](double, View y, Out j) {
                j[0] = 0, j[1] = mu * (-2 * y[0] * y[1] - 1);
                j[2] = 1, j[3] = mu * (1 - y[0] * y[0]);
              },
          .time_derivative = [](double, View, Out result) { std::ranges::fill(result, 0.0); }};
}

/// y' = -2 y + z, 0 = y - z + sin t from y = z = 0: y = (sin t - cos t + exp(-t)) / 2, z = y + sin
/// t.
inline OdeFunctions linear_dae() {
  return {.size = 2,
          .rhs =
              [](double t, View y, Out f) {
                f[0] = -2 * y[0] + y[1];
                f[1] = y[0] - y[1] + std::sin(t);
              },
          .mass = [](double, View, Out m) { m[0] = 1, m[1] = m[2] = m[3] = 0; },
          .jacobian = [](double, View, Out j) { j[0] = -2, j[1] = 1, j[2] = 1, j[3] = -1; },
          .time_derivative = [](double t, View, Out r) { r[0] = 0, r[1] = std::cos(t); }};
}
inline OdeFunctions linear_dae_as_residual() {
  return {.size = 2, .residual = [](double t, View y, View yp, Out r) {
            r[0] = yp[0] + 2 * y[0] - y[1];
            r[1] = y[0] - y[1] + std::sin(t);
          }};
}
inline double linear_dae_solution(double t) {
  return (std::sin(t) - std::cos(t) + std::exp(-t)) / 2;
}

/// Prothero and Robinson: y' = lambda (y - sin t) + cos t with the solution sin t.
inline OdeFunctions prothero_robinson(double lambda) {
  return {
      .size = 1,
      .rhs = [=](double t, View y, Out f) { f[0] = lambda * (y[0] - std::sin(t)) + std::cos(t); },
      .jacobian = [=](double, View, Out j) { j[0] = lambda; },
      .time_derivative = [=](double t, View,
                             Out r) { r[0] = -lambda * std::cos(t) - std::sin(t); }};
}

/// y' = -2 t y^2 from 1: y = 1 / (1 + t^2)
inline OdeFunctions rational() {
  return {.size = 1,
          .rhs = [](double t, View y, Out f) { f[0] = -2 * t * y[0] * y[0]; },
          .jacobian = [](double t, View y, Out j) { j[0] = -4 * t * y[0]; },
          .time_derivative = [](double, View y, Out r) { r[0] = -2 * y[0] * y[0]; }};
}

/// Heat in a rod of n points with zero ends: J is constant and tridiagonal.
inline OdeFunctions heat(std::size_t n) {
  const double factor = static_cast<double>((n + 1) * (n + 1));
  std::vector<std::vector<std::size_t>> rows(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) rows[i].push_back(i - 1);
    if (i + 1 < n) rows[i].push_back(i + 1);
  }
  return {.size = n,
          .rhs =
              [=](double, View y, Out f) {
                for (std::size_t i = 0; i < n; ++i)
                  f[i] = factor * ((i > 0 ? y[i - 1] : 0) - 2 * y[i] + (i + 1 < n ? y[i + 1] : 0));
              },
          .jacobian_times =
              [=](double, View, View s, Out r) {
                for (std::size_t i = 0; i < n; ++i)
                  r[i] = factor * ((i > 0 ? s[i - 1] : 0) - 2 * s[i] + (i + 1 < n ? s[i + 1] : 0));
              },
          .jacobian_pattern = pattern_of_rows(rows),
          .time_derivative = [](double, View, Out r) { std::ranges::fill(r, 0.0); }};
}
inline std::vector<double> triangle(std::size_t n) {
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(i + 1) / static_cast<double>(n + 1);
    y[i] = std::min(x, 1 - x);
  }
  return y;
}

/// log2 of the quotient of the errors with steps of h and h / 2.
template <class Error>
double order_between(double h, const Error& error) {
  return std::log2(error(h) / error(h / 2));
}

}  // namespace tutti::solvers::implicit_runs
