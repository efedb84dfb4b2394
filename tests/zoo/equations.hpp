// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmukit/model.hpp>

#include "zoo/collocation.hpp"

namespace zoo {

/// A model with n states that integrates itself to some 1e-11 whatever the communication step is,
/// so that what is wrong with a coupled run comes from the coupling.
template <std::size_t n>
class Equations : public fmukit::Model {
 public:
  std::array<double, n> x{}, dx{};
  double step_size = 1;  ///< of the solver, proposed by its last step

  /// Halves are compared with the whole; the halves count.
  void integrate(double end) override {
    const auto f = [this](double t, const double* states, double* slopes) {
      time = t;
      inputs_at(t);
      std::copy(states, states + n, x.begin());
      derivatives();
      std::copy(dx.begin(), dx.end(), slopes);
    };
    std::array<double, n> now = x;
    Stages<n> whole, first, second;
    for (double t = time; t < end;) {
      Collocation<n, decltype(f)> method(f, n);
      const bool is_rest = end - t <= step_size * 1.01;
      const double h = is_rest ? end - t : step_size;
      method.prepare(t, now.data(), h);
      bool good = method.step(t, now.data(), h, whole);
      method.prepare(t, now.data(), h / 2);
      good = good && method.step(t, now.data(), h / 2, first) &&
             method.step(t + h / 2, first.back().data(), h / 2, second);
      double error = 0;
      for (std::size_t p = 0; p < n; ++p)
        error = std::max(
            error, std::abs(whole.back()[p] - second.back()[p]) / (1 + std::abs(second.back()[p])));
      const double tolerance = 1e-11;
      if ((!good || !(error <= tolerance)) && h > 1e-13) {
        step_size = good ? h * std::max(0.2, 0.8 * std::pow(tolerance / error, 0.1)) : h / 4;
        continue;
      }
      now = second.back();
      t = is_rest ? end : t + h;
      const double next =
          h * std::min(4.0, 0.8 * std::pow(tolerance / std::max(error, 1e-17), 0.1));
      step_size = is_rest ? std::max(step_size, next) : next;
    }
    x = now;
  }
};

}  // namespace zoo
