// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "solvers/ode/one_step.hpp"
#include "solvers/ode/pi_control.hpp"

namespace tutti::solvers {

/// Coefficients of an explicit Runge-Kutta method of s stages:
///   k_i = f(t + c_i h, y + h sum_j a_ij k_j),  y_end = y + h sum_j b_j k_j.
/// The last stage is f(t + h, y_end), so its row of `a` is b; it is the first stage of the next
/// step. Further stages are used only by the interpolant.
struct Tableau {
  int order = 0;
  std::size_t stages = 0;           ///< s, the last one included
  std::span<const double> c;        ///< of all stages, also those of the interpolant
  std::span<const double> a;        ///< below the diagonal, row by row
  std::span<const double> error{};  ///< y_end minus the embedded solution is h sum_i error_i k_i
  std::span<const double> second_error{};  ///< the same of a second embedded solution
  /// In the last step y(theta) = r_0 + theta (r_1 + (1 - theta) (r_2 + theta (r_3 + ...))). The
  /// first four are those of cubic Hermite interpolation; each further one is h sum_i d_i k_i with
  /// a row of this matrix.
  std::span<const double> dense{};
  double stability = 0;  ///< |h lambda| at the boundary of the stability region; 0: no detection

  std::span<const double> row(std::size_t i) const { return a.subspan(i * (i - 1) / 2, i); }
  std::span<const double> weights() const { return row(stages - 1); }
  std::size_t dense_row_count() const { return dense.size() / c.size(); }
  std::span<const double> dense_row(std::size_t i) const {
    return dense.subspan(i * c.size(), c.size());
  }
};
extern const Tableau dopri5_tableau, dop853_tableau, rk34_tableau, euler_tableau, rk4_tableau;
extern const OptionRow fixed_step_options[1];

/// The options of the methods of Dormand and Prince with these defaults.
using DormandPrinceRows = std::array<OptionRow, 4>;
DormandPrinceRows dormand_prince_rows(double beta, double fac1, double fac2);
extern const DormandPrinceRows dopri5_options, dop853_options;

/// Any explicit Runge-Kutta method. With a second error estimate the error is
/// E^2 / sqrt(E^2 + 0.01 E2^2) (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I,
/// II.10). Stiffness is detected as in IV.2 of their second volume: from the Lipschitz constant
/// between the last two stages, which are both at the end of the step.
class ExplicitRungeKutta : public OneStepIntegrator {
 public:
  ExplicitRungeKutta(OdeProblem& problem, const OdeOptions& options, const Tableau& tableau,
                     const PiControl::Settings& control);
  int interpolation_degree() const override {
    return 3 + static_cast<int>(tableau_.dense_row_count());
  }
  bool seems_stiff() const override { return stiff_steps_ == stiff_steps_that_count; }
  std::uint64_t choice() const override;
  void restore_choice(std::uint64_t choice) override;

 protected:
  void begin() override;
  double first_size(double room) override { return usual_first_size(stage(0), room); }
  Attempt attempt(double end) override;
  void accept() override { is_carried_over_ = true; }
  void prepare_interpolation(double start, double h) override;
  void interpolate_at(double theta, double h, std::span<double> y) const override;

 private:
  static constexpr int stiff_steps_that_count = 15;
  struct Term {
    std::size_t stage;
    double weight;
  };
  using Row = std::vector<Term>;  ///< without the zeros

  static Row row_of(std::span<const double> weights);
  std::span<double> stage(std::size_t i) { return {slopes_.data() + i * size(), size()}; }
  /// result = y + h sum of the row; without y if that is null.
  void combine(const Row& row, const double* y, double h, std::span<double> result) const;
  Attempt refuse(double h);
  double error(double h);
  void look_for_stiffness(double h);

  const Tableau& tableau_;
  PiControl control_;
  std::vector<Row> rows_, dense_rows_;  ///< rows_[0] is empty
  Row error_row_, second_error_row_;
  std::size_t judged_;            ///< number of stages in the error estimates
  std::vector<double> slopes_;    ///< k, stage by stage
  std::vector<double> argument_;  ///< of the last stage but one
  std::vector<double> estimate_;  ///< of the errors
  std::vector<double> dense_;     ///< r_0, r_1, ...
  bool is_carried_over_ = false;  ///< the first stage is the last one of the accepted step
  int stiff_steps_ = 0, other_steps_ = 0;
};

/// With the step control of their codes: the error has the exponent `exponent` - `share` beta.
std::unique_ptr<OdeIntegrator> make_dormand_prince(const char* solver, OdeProblem& problem,
                                                   const OdeOptions& options,
                                                   const Tableau& tableau,
                                                   const DormandPrinceRows& rows, double exponent,
                                                   double share);

}  // namespace tutti::solvers
