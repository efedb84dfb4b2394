// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/runge_kutta.hpp"

/// DOPRI5: order 5, with an embedded solution of order 4 and 7 stages, 6 of them new (J. R.
/// Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980) 19-26; E. Hairer, S. P. Norsett, G.
/// Wanner, Solving Ordinary Differential Equations I, table II.5.2). The interpolant has degree 4
/// (L. F. Shampine, ibid. II.6). Step control with the settings of their code.

namespace tutti::solvers {
namespace {

constexpr double dopri5_c[] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
// clang-format off
constexpr double dopri5_a[] = {
    1. / 5,
    3. / 40, 9. / 40,
    44. / 45, -56. / 15, 32. / 9,
    19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729,
    9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656,
    35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84};
// clang-format on
constexpr double dopri5_error[] = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                   -17253. / 339200, 22. / 525, -1. / 40};
constexpr double dopri5_dense[] = {-12715105075. / 11282082432,  0,
                                   87487479700. / 32700410799,   -10690763975. / 1880347072,
                                   701980252875. / 199316789632, -1453857185. / 822651844,
                                   69997945. / 29380423};

}  // namespace

const Tableau dopri5_tableau{.order = 5,
                             .stages = 7,
                             .c = dopri5_c,
                             .a = dopri5_a,
                             .error = dopri5_error,
                             .dense = dopri5_dense,
                             .stability = 3.25};

const DormandPrinceRows dopri5_options = dormand_prince_rows(0.04, 0.2, 10);

std::unique_ptr<OdeIntegrator> make_dopri5(OdeProblem& problem, const OdeOptions& options) {
  return make_dormand_prince("dopri5", problem, options, dopri5_tableau, dopri5_options, 0.2, 0.75);
}

}  // namespace tutti::solvers
