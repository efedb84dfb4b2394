// SPDX-License-Identifier: BSD-2-Clause
// A pendulum in Cartesian coordinates, as two differential-algebraic equations, see README.md:
//   planar_pendulum index1|ggl SOLVER TOLERANCE
#include <cmath>
#include <string_view>

#include "write_csv.hpp"

using View = std::span<const double>;
using Out = std::span<double>;

constexpr double gravity = 13.7503671;  // the period is 2 s

/// Place p, speed v, force lambda on the rod: the constraint, differentiated twice, determines the
/// force. y = (p1, p2, v1, v2, lambda)
tutti::OdeFunctions index_1() {
  tutti::OdeFunctions problem;
  problem.residual = [](double, View y, View yp, Out r) {
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[0] * y[4];
    r[3] = yp[3] + gravity + y[1] * y[4];
    r[4] = y[2] * y[2] + y[3] * y[3] - gravity * y[1] - y[4] * (y[0] * y[0] + y[1] * y[1]);
  };
  problem.algebraic = {0, 0, 0, 0, 1};
  return problem;
}

/// The constraint and its derivative hold; a second multiplier mu makes both possible (Gear, Gupta
/// and Leimkuhler). y = (p1, p2, v1, v2, lambda, mu)
tutti::OdeFunctions ggl_index_2() {
  tutti::OdeFunctions problem;
  problem.residual = [](double, View y, View yp, Out r) {
    r[0] = yp[0] - y[2] + y[0] * y[5];
    r[1] = yp[1] - y[3] + y[1] * y[5];
    r[2] = yp[2] + y[0] * y[4];
    r[3] = yp[3] + gravity + y[1] * y[4];
    r[4] = y[0] * y[2] + y[1] * y[3];
    r[5] = y[0] * y[0] + y[1] * y[1] - 1;
  };
  problem.algebraic = {0, 0, 0, 0, 1, 1};
  return problem;
}

int main(int argc, char** argv) {
  return example::run(argc, argv, 3, "index1|ggl SOLVER TOLERANCE", [&] {
    const bool is_ggl = std::string_view(argv[1]) == "ggl";
    tutti::OdeSettings settings = example::settings(argv[2], argv[3]);
    if (is_ggl) {
      settings.consistent = false;  // they are consistent, and lambda cannot be computed from y
      if (settings.solver == "ida") settings.options["suppress_alg"] = true;
      if (settings.solver == "radau5") settings.options["index2"] = std::int64_t{2};
    }
    std::vector<double> y0 = {1, 0, 0, 0, 0}, yp0 = {0, 0, 0, -gravity, 0};
    if (is_ggl) y0.push_back(0), yp0.push_back(0);
    tutti::OdeOutput output;
    output.points = example::points(10, 200);
    const auto found =
        tutti::integrate(is_ggl ? ggl_index_2() : index_1(), 0, y0, 10, settings, output, yp0);
    example::write_csv(found, {"p1", "p2", "v1", "v2", "lambda"});
  });
}
