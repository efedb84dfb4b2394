// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <cstdio>
#include <tutti/integrate.hpp>

int main() {
  tutti::OdeFunctions ball;  // y = (height, speed)
  ball.rhs = [](double, std::span<const double> y, std::span<double> f) {
    f[0] = y[1];
    f[1] = -9.81;
  };
  ball.root_count = 1;
  ball.root_directions = {-1};  // only where the height falls through 0
  ball.roots = [](double, std::span<const double> y, std::span<const double>, std::span<double> g) {
    g[0] = y[0];
  };
  ball.handle_event = [](tutti::OdeEvent& event) {
    event.y[0] = 0;
    event.y[1] *= -0.7;
    return std::abs(event.y[1]) < 1 ? tutti::AfterEvent::stop : tutti::AfterEvent::go_on;
  };
  const auto found = tutti::integrate(ball, 0, {1, 0}, 10, {.solver = "dopri5"});
  for (const tutti::OdeEventRecord& event : found.events)
    std::printf("t = %.6f: speed %7.4f -> %6.4f\n", event.t, event.before[1], event.after[1]);
}
