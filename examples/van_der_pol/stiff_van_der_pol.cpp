// SPDX-License-Identifier: BSD-2-Clause
// The oscillator of van der Pol with slow and fast phases, see README.md:
//   stiff_van_der_pol SOLVER TOLERANCE
#include "write_csv.hpp"

using View = std::span<const double>;
using Out = std::span<double>;

constexpr double mu = 2000;

tutti::OdeFunctions van_der_pol() {
  tutti::OdeFunctions problem;
  problem.rhs = [](double, View y, Out f) {
    f[0] = y[1];
    f[1] = mu * ((1 - y[0] * y[0]) * y[1] - y[0]);
  };
  problem.jacobian = [](double, View y, Out j) {  // by columns
    j[0] = 0;
    j[1] = mu * (-2 * y[0] * y[1] - 1);
    j[2] = 1;
    j[3] = mu * (1 - y[0] * y[0]);
  };
  problem.time_derivative = [](double, View, Out f) { f[0] = f[1] = 0; };
  return problem;
}

int main(int argc, char** argv) {
  return example::run(argc, argv, 2, "SOLVER TOLERANCE", [&] {
    tutti::OdeOutput output;
    output.points = example::points(2, 1000);
    const auto found = tutti::integrate(van_der_pol(), 0, {2, -0.6}, 2,
                                        example::settings(argv[1], argv[2]), output);
    example::write_csv(found, {"x1", "x2"});
  });
}
