// SPDX-License-Identifier: BSD-2-Clause
// The chemical reaction of Robertson, see README.md:
//   robertson ode|dae|mass SOLVER TOLERANCE
#include <cmath>
#include <string_view>

#include "write_csv.hpp"

using View = std::span<const double>;
using Out = std::span<double>;

/// Speeds of the first two substances.
std::pair<double, double> speeds(View y) {
  const double slow = 0.04 * y[0], back = 1e4 * y[1] * y[2], fast = 3e7 * y[1] * y[1];
  return {-slow + back, slow - back - fast};
}

/// Their derivatives, in the first two rows of a matrix that is stored by columns.
void partials(View y, Out j) {
  j[0] = -0.04, j[3] = 1e4 * y[2], j[6] = 1e4 * y[1];
  j[1] = 0.04, j[4] = -1e4 * y[2] - 6e7 * y[1], j[7] = -1e4 * y[1];
}

tutti::OdeFunctions as_ode() {
  tutti::OdeFunctions problem;
  problem.rhs = [](double, View y, Out f) {
    std::tie(f[0], f[1]) = speeds(y);
    f[2] = 3e7 * y[1] * y[1];
  };
  problem.jacobian = [](double, View y, Out j) {
    partials(y, j);
    j[2] = 0, j[5] = 6e7 * y[1], j[8] = 0;
  };
  problem.time_derivative = [](double, View, Out f) { f[0] = f[1] = f[2] = 0; };
  return problem;
}

/// The third equation is the conservation of mass.
tutti::OdeFunctions as_dae() {
  tutti::OdeFunctions problem;
  problem.residual = [](double, View y, View yp, Out r) {
    const auto [first, second] = speeds(y);
    r[0] = first - yp[0];
    r[1] = second - yp[1];
    r[2] = y[0] + y[1] + y[2] - 1;
  };
  problem.algebraic = {0, 0, 1};
  return problem;
}

/// The same with the singular mass matrix diag(1, 1, 0).
tutti::OdeFunctions as_mass_matrix() {
  tutti::OdeFunctions problem;
  problem.rhs = [](double, View y, Out f) {
    std::tie(f[0], f[1]) = speeds(y);
    f[2] = y[0] + y[1] + y[2] - 1;
  };
  problem.jacobian = [](double, View y, Out j) {
    partials(y, j);
    j[2] = j[5] = j[8] = 1;
  };
  problem.time_derivative = [](double, View, Out f) { f[0] = f[1] = f[2] = 0; };
  problem.mass = [](double, View, Out m) { m[0] = m[1] = 1, m[2] = 0; };
  const std::vector<std::size_t> rows[] = {{0}, {1}, {2}};
  problem.mass_pattern = tutti::pattern_of_rows(rows);
  problem.algebraic = {0, 0, 1};
  return problem;
}

int main(int argc, char** argv) {
  return example::run(argc, argv, 3, "ode|dae|mass SOLVER TOLERANCE", [&] {
    const std::string_view form = argv[1];
    tutti::OdeSettings settings = example::settings(argv[2], argv[3]);
    // Far below what is left of the substances at the end, 2e-8 and 8e-14.
    settings.atol = {settings.rtol * 1e-8, settings.rtol * 1e-13, settings.rtol};
    settings.first_step = 1e-6;
    tutti::OdeOutput output;
    for (double t = 0; t <= 4e10; t = t == 0 ? 0.4 : 10 * t) output.points.push_back(t);
    output.points.push_back(1e11);
    std::vector<double> speeds_at_start;
    if (form == "dae") speeds_at_start = {-0.04, 0.04, 0};
    const auto found = tutti::integrate(form == "ode"   ? as_ode()
                                        : form == "dae" ? as_dae()
                                                        : as_mass_matrix(),
                                        0, {1, 0, 0}, 1e11, settings, output, speeds_at_start);
    example::write_csv(found, {"y1", "y2", "y3"});
  });
}
