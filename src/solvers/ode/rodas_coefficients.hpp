// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>

/// RODAS (E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd edition, IV.7 and
/// VI.4, set 1 of their code RODAS): 6 stages, order 4 with an embedded solution of order 3, both
/// stiffly accurate and L-stable. In the variables of the code, which need no product with J:
///
///   (M / (gamma h) - J) u_i = f(t + alpha_i h, y + sum_j a_ij u_j) + M sum_j c_ij u_j / h
///                             + gamma_i h df/dt,   j < i;
///
/// the solution is the argument of stage 6 plus u_6, and u_6 its error.
namespace tutti::solvers::rodas {

constexpr int stages = 6;
using StageMatrix = std::array<std::array<double, 5>, stages>;

constexpr double gamma = 0.25;
constexpr std::array<double, stages> nodes = {0, 0.386, 0.21, 0.63, 1, 1};
/// gamma_i of df/dt
constexpr std::array<double, stages> time_weights = {0.25, -0.1043, 0.1035, -0.0362, 0, 0};
constexpr StageMatrix a = {
    {{},
     {1.544},
     {0.9466785280815826, 0.2557011698983284},
     {3.314825187068521, 2.896124015972201, 0.9986419139977817},
     {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
     {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1}}};
constexpr StageMatrix c = {
    {{},
     {-5.6688},
     {-2.430093356833875, -0.2063599157091915},
     {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
     {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
     {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
      -6.058818238834054}}};
/// y(t + x h) = (1 - x) y_0 + x (y_1 + (1 - x) (d_0 u + x d_1 u)): order 3.
constexpr std::array<std::array<double, 5>, 2> dense = {
    {{10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823,
      1.025137723295662},
     {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386,
      -6.594389125716872}}};

}  // namespace tutti::solvers::rodas
