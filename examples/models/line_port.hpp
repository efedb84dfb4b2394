// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmukit/model.hpp>
#include <string>

/// Three ways to connect a model with a transmission line in N directions. The law of the line is
///   effort in the line = wave + impedance * flow,
/// and the effort on the model is `sign` times that: 1 for a pressure, -1 for a force on the model.
///
/// describe() declares the inputs; `port` finds the port in the model. effort() has the effort in a
/// direction at a time inside the communication step that started at `start`. set_start() makes the
/// effort a constant until inputs are set.

/// Of each direction.
template <std::size_t N>
struct PortNames {
  std::array<std::string, N> efforts, units;
  std::array<std::string, N> suffixes;  ///< of the waves
};

/// The importer evaluates the law: inputs are efforts.
template <std::size_t N>
struct EffortPort {
  std::array<double, N> efforts{};

  template <class M, class F>
  static void describe(fmukit::Description<M>& d, F port, const PortNames<N>& names) {
    for (std::size_t n = 0; n < N; ++n)
      d.input(names.efforts[n], [=](M& m) -> double& {
         return port(m).efforts[n];
       }).unit(names.units[n]);
  }
  double effort(std::size_t n, double /*sign*/, double /*flow*/, double /*t*/,
                double /*start*/) const {
    return efforts[n];
  }
  void set_start(std::size_t n, double effort) { efforts[n] = effort; }
};

/// The model evaluates the law with the wave at the start of the communication step and its slope.
template <std::size_t N>
struct WavePort {
  std::array<double, N> wave{}, slope{}, impedance{};

  template <class M, class F>
  static void describe(fmukit::Description<M>& d, F port, const PortNames<N>& names) {
    for (std::size_t n = 0; n < N; ++n) {
      d.input("c" + names.suffixes[n], [=](M& m) -> double& {
         return port(m).wave[n];
       }).unit(names.units[n]);
      d.input("dc" + names.suffixes[n], [=](M& m) -> double& { return port(m).slope[n]; });
      d.input("Z" + names.suffixes[n], [=](M& m) -> double& { return port(m).impedance[n]; });
    }
  }
  double effort(std::size_t n, double sign, double flow, double t, double start) const {
    return sign * (wave[n] + (t - start) * slope[n] + impedance[n] * flow);
  }
  void set_start(std::size_t n, double effort) { wave[n] = effort; }
};

/// The model evaluates the law with a table of the wave over the communication step.
template <std::size_t N>
struct TablePort {
  static constexpr std::size_t points = 11;
  std::array<std::array<double, points>, N> waves{};
  std::array<double, points> times{};
  std::array<double, N> impedance{};

  template <class M, class F>
  static void describe(fmukit::Description<M>& d, F port, const PortNames<N>& names) {
    d.input("t", [=](M& m) -> std::array<double, points>& { return port(m).times; }).unit("s");
    for (std::size_t n = 0; n < N; ++n) {
      d.input("c" + names.suffixes[n], [=](M& m) -> std::array<double, points>& {
         return port(m).waves[n];
       }).unit(names.units[n]);
      d.input("Z" + names.suffixes[n], [=](M& m) -> double& { return port(m).impedance[n]; });
    }
  }
  double effort(std::size_t n, double sign, double flow, double t, double /*start*/) const {
    return sign * (wave_at(n, t) + impedance[n] * flow);
  }
  void set_start(std::size_t n, double effort) { waves[n].fill(effort); }

 private:
  /// Linear between the points; constant before the first and after the last one. Times may repeat
  /// at the end of the table.
  double wave_at(std::size_t n, double t) const {
    const auto after = std::upper_bound(times.begin() + 1, times.end(), t);
    if (t <= times.front() || after == times.end())
      return waves[n][t <= times.front() ? 0 : points - 1];
    const auto k = static_cast<std::size_t>(after - times.begin());
    const double part = (t - times[k - 1]) / (times[k] - times[k - 1]);
    return waves[n][k - 1] + part * (waves[n][k] - waves[n][k - 1]);
  }
};
