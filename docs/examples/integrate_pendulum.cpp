// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <tutti/integrate.hpp>

int main() {
  constexpr double g = 13.7503671;  // the period is 2 s
  tutti::OdeFunctions pendulum;     // y = (p1, p2, v1, v2, lambda), the rod pulls with lambda
  pendulum.residual = [](double, std::span<const double> y, std::span<const double> yp,
                         std::span<double> r) {
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[0] * y[4];
    r[3] = yp[3] + y[1] * y[4] + g;
    r[4] = y[2] * y[2] + y[3] * y[3] - g * y[1] - y[4] * (y[0] * y[0] + y[1] * y[1]);
  };
  pendulum.algebraic = {0, 0, 0, 0, 1};
  tutti::OdeOutput output;
  output.points = {0.2, 0.4, 0.6, 0.8};
  const tutti::OdeSettings settings = {.solver = "ida", .rtol = 1e-8, .atol = {1e-8}};
  const auto found = tutti::integrate(pendulum, 0, {1, 0, 0, 0, 0}, 1, settings, output);
  for (std::size_t i = 0; i < found.times.size(); ++i)
    std::printf("t = %.1f: p = (%.5f, %.5f)\n", found.times[i], found.at(i)[0], found.at(i)[1]);
}
