// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace fmukit {

class Instance;
enum class Status : int;

/// The outcome of a co-simulation step, for all FMI versions.
struct StepReport {
  Status status{};
  double reached = 0;
  bool event = false, early = false, terminate = false;
};

/// Co-simulation for models with equations only: the classical Runge-Kutta method of order 4
/// with fixed steps, or the model's own solver. Time events are hit exactly; a state event is
/// located inside its step by bisection. Inputs may be polynomials in time, or requested at each
/// stage.
class Integrator {
 public:
  explicit Integrator(Instance& instance) : instance_(instance) {}

  /// From the model's time to `end`. @post report.reached is the model's time.
  StepReport advance(double end);
  /// After a jump: the signs of the indicators before the next crossing.
  void remember_indicators();
  /// The simulator requests the end of the step at t at the latest.
  void stop_at(double t) { stop_ = t; }

  void set_input_derivative(double* input, int order, double value);
  static constexpr int max_input_order = 4;
  /// u(t) = sum of c[k] (t - t0)^k / k! over one communication step.
  struct Polynomial {
    double* input;
    std::array<double, max_input_order + 1> c;
  };
  /// Values set for the next step, restored after a jump that discards them.
  using InputDerivatives = std::vector<Polynomial>;
  InputDerivatives take_input_derivatives() { return std::move(polynomials_); }
  void put_input_derivatives(InputDerivatives set) { polynomials_ = std::move(set); }
  /// u(t + s) - u(t) of an input, where t is the time reached, by the polynomial of the last step.
  double input_change(const double* input, double s) const;
  /// Start of the communication step, or of the last one.
  double begin() const { return begin_; }
  /// The maximum internal step of the last communication step.
  double internal_step() const;
  void restart();
  /// Sets the inputs to their values at t, inside the communication step.
  void apply_inputs(double t);
  std::vector<double> last_indicators;

 private:
  int substeps(double h) const;
  bool step_to(double target);
  void solve(double from, double to);
  void runge_kutta(double from, double to);
  void evaluate(double t);
  bool read_indicators_and_compare();
  bool event(StepReport& report, double end);
  void remember_polynomials();
  std::vector<double> input_values() const;

  Instance& instance_;
  double begin_ = 0;  ///< of the communication step
  double stop_ = 0;
  double inputs_at_ = 0;  ///< the time of the last requested inputs
  std::vector<Polynomial> polynomials_, last_polynomials_;
  double last_length_ = 0;
  double end_ = 0;  ///< of the communication step
  double last_internal_ = 0;
  /// Inputs that the simulator sets inside: at the start of the step and near its middle.
  std::vector<double> first_inputs_, middle_inputs_;
  double middle_ = 0;
  std::vector<double> x_, sum_, indicators_;
};

}  // namespace fmukit
