// SPDX-License-Identifier: BSD-2-Clause
// A ball that loses a part of its speed whenever it touches the ground, see README.md:
//   bouncing_ball SOLVER TOLERANCE
#include "write_csv.hpp"

using View = std::span<const double>;
using Out = std::span<double>;

constexpr double gravity = 9.81, restitution = 0.7;

tutti::OdeFunctions ball() {
  tutti::OdeFunctions problem;
  problem.rhs = [](double, View y, Out f) { f[0] = y[1], f[1] = -gravity; };
  problem.jacobian = [](double, View, Out j) { j[0] = 0, j[1] = 0, j[2] = 1, j[3] = 0; };
  problem.time_derivative = [](double, View, Out f) { f[0] = f[1] = 0; };
  problem.root_count = 1;
  problem.root_directions = {-1};
  problem.roots = [](double, View y, View, Out g) { g[0] = y[0]; };
  problem.handle_event = [](tutti::OdeEvent& event) {
    event.y[0] = 0;
    event.y[1] *= -restitution;
    return tutti::AfterEvent::go_on;
  };
  return problem;
}

int main(int argc, char** argv) {
  return example::run(argc, argv, 2, "SOLVER TOLERANCE", [&] {
    tutti::OdeOutput output;
    output.points = example::points(2, 100);
    const auto found =
        tutti::integrate(ball(), 0, {1, 0}, 2, example::settings(argv[1], argv[2]), output);
    example::write_csv(found, {"height", "speed"});
  });
}
