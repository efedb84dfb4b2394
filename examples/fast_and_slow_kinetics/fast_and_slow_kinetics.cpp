// SPDX-License-Identifier: BSD-2-Clause
// Chemical kinetics with one fast substance, a singularly perturbed problem, see README.md:
//   fast_and_slow_kinetics ode|mass SOLVER TOLERANCE
#include <string_view>

#include "write_csv.hpp"

using View = std::span<const double>;
using Out = std::span<double>;

constexpr double epsilon = 1.0 / 3000;

/// Speeds of the slow substances, and epsilon times that of the fast one.
void speeds(View y, Out f) {
  const double z = y[3], fast = 45 * epsilon * epsilon * z * z;
  f[0] = -(0.6 * z + 0.8 * y[2]) * y[0] + 10 * y[1];
  f[1] = -10 * y[1] + 1.6 * z * y[2];
  f[2] = -1.33 * epsilon * epsilon * y[2] * (y[0] + 2 * z);
  f[3] = 1.6 * z * y[2] - 0.6 * z * y[0] - fast + 0.8 * y[2] * y[0];
}

/// The derivatives of speeds(), by columns.
void partials(View y, Out j) {
  const double z = y[3], e2 = epsilon * epsilon;
  const double columns[] = {-(0.6 * z + 0.8 * y[2]),
                            0,
                            -1.33 * e2 * y[2],
                            -0.6 * z + 0.8 * y[2],
                            10,
                            -10,
                            0,
                            0,
                            -0.8 * y[0],
                            1.6 * z,
                            -1.33 * e2 * (y[0] + 2 * z),
                            1.6 * z + 0.8 * y[0],
                            -0.6 * y[0],
                            1.6 * y[2],
                            -2.66 * e2 * y[2],
                            1.6 * y[2] - 0.6 * y[0] - 90 * e2 * z};
  std::copy(std::begin(columns), std::end(columns), j.begin());
}

tutti::OdeFunctions kinetics(bool with_mass_matrix) {
  tutti::OdeFunctions problem;
  const double scale = with_mass_matrix ? 1 : 1 / epsilon;
  problem.rhs = [scale](double, View y, Out f) {
    speeds(y, f);
    f[3] *= scale;
  };
  problem.jacobian = [scale](double, View y, Out j) {
    partials(y, j);
    for (std::size_t column = 0; column < 4; ++column) j[4 * column + 3] *= scale;
  };
  problem.time_derivative = [](double, View, Out f) { std::fill(f.begin(), f.end(), 0); };
  if (!with_mass_matrix) return problem;
  problem.mass = [](double, View, Out m) { m[0] = m[1] = m[2] = 1, m[3] = epsilon; };
  const std::vector<std::size_t> rows[] = {{0}, {1}, {2}, {3}};
  problem.mass_pattern = tutti::pattern_of_rows(rows);
  return problem;
}

int main(int argc, char** argv) {
  return example::run(argc, argv, 3, "ode|mass SOLVER TOLERANCE", [&] {
    tutti::OdeOutput output;
    output.points = example::points(10, 100);
    const auto found =
        tutti::integrate(kinetics(std::string_view(argv[1]) == "mass"), 0, {3, 0.216, 1, 1.35}, 10,
                         example::settings(argv[2], argv[3]), output);
    example::write_csv(found, {"y1", "y2", "y3", "z"});
  });
}
