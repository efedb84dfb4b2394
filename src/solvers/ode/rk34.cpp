// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "solvers/ode/runge_kutta.hpp"

/// The classical Runge-Kutta method of order 4 with Kutta's method of order 3 embedded, which
/// shares its first two stages: 5 new stages. (W. Kutta, Z. Math. Phys. 46 (1901) 435-453; the pair
/// is the RungeKutta34 of Assimulo.) It never rejects a step because of its error: the error
/// chooses the size of the next one, with the factor min(2, error^(-1/4)). Between steps cubic
/// Hermite interpolation.

namespace tutti::solvers {
namespace {

constexpr double rk34_c[] = {0, 0.5, 0.5, 1, 1, 1};
// clang-format off
constexpr double rk34_a[] = {
    0.5,
    0, 0.5,
    -1, 2, 0,  // Kutta's third stage
    0, 0, 1, 0,
    1. / 6, 1. / 3, 1. / 3, 0, 1. / 6};
// clang-format on
// b minus (1/6, 2/3, 0, 1/6, 0)
constexpr double rk34_error[] = {0, -1. / 3, 1. / 3, -1. / 6, 1. / 6, 0};
constexpr double rk34_first_size = 0.01;

class RungeKutta34 final : public ExplicitRungeKutta {
 public:
  RungeKutta34(OdeProblem& problem, const OdeOptions& options)
      : ExplicitRungeKutta(
            problem, options, rk34_tableau,
            {.safe = 1, .fac1 = 0, .fac2 = 2, .beta = 0, .exponent = 0.25, .rejects = false}) {}

 private:
  double first_size(double room) override {
    return std::min(options().first_step > 0 ? options().first_step : rk34_first_size, room);
  }
};

}  // namespace

const Tableau rk34_tableau{.order = 4, .stages = 6, .c = rk34_c, .a = rk34_a, .error = rk34_error};

std::unique_ptr<OdeIntegrator> make_rk34(OdeProblem& problem, const OdeOptions& options) {
  const OptionValues none("rk34", {}, options.own);
  return std::make_unique<RungeKutta34>(problem, options);
}

}  // namespace tutti::solvers
