// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cmath>
#include <string>

/// The heat equation on a rod with cold ends, 100 inner points: x_i' = (x_(i-1) - 2 x_i +
/// x_(i+1))/h^2. It starts as the slowest mode, sin(pi i h), which decays with (2 - 2 cos(pi
/// h))/h^2. Each derivative depends on three states only.
class Heat final : public fmukit::Model {
 public:
  static constexpr std::size_t n = 100;
  std::array<double, n> x{}, dx{};

  Heat() {
    for (std::size_t i = 0; i < n; ++i)
      x[i] = std::sin(M_PI * static_cast<double>(i + 1) / (n + 1));
  }
  static void describe(fmukit::Description<Heat>& d) {
    d.text("Heat in a rod").default_experiment({.start = 0, .stop = 0.1, .step = 0.01});
    d.internal_step(2e-5);
    const auto name = [](std::size_t i) { return std::string("x").append(std::to_string(i + 1)); };
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<fmukit::Dependency> neighbours{fmukit::Dependency(name(i))};
      if (i > 0) neighbours.emplace_back(name(i - 1));
      if (i + 1 < n) neighbours.emplace_back(name(i + 1));
      std::string derivative = "der(";
      derivative.append(name(i)).push_back(')');
      d.output(name(i), [i](Heat& m) -> double& { return m.x[i]; });
      d.local(derivative, [i](Heat& m) -> double& { return m.dx[i]; })
          .derivative_of(name(i))
          .depends_on(neighbours);
    }
  }
  void derivatives() override {
    constexpr double factor = static_cast<double>(n + 1) * (n + 1);
    for (std::size_t i = 0; i < n; ++i)
      dx[i] = factor * ((i > 0 ? x[i - 1] : 0) - 2 * x[i] + (i + 1 < n ? x[i + 1] : 0));
  }
};

FMUKIT_EXPORT(Heat)
