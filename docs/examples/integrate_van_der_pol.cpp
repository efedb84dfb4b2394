// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <tutti/integrate.hpp>

int main() {
  constexpr double mu = 2000;
  tutti::OdeFunctions problem;
  problem.rhs = [](double, std::span<const double> y, std::span<double> f) {
    f[0] = y[1];
    f[1] = mu * ((1 - y[0] * y[0]) * y[1] - y[0]);
  };
  const auto found = tutti::integrate(problem, 0, {2, -0.6}, 2, {.solver = "radau5"});
  std::printf("y(2) = %.5f, %.5f\n", found.y[0], found.y[1]);
}
