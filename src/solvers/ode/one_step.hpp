// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solvers/events/root_locator.hpp"
#include "solvers/ode/ode.hpp"

namespace tutti::solvers {

/// The common part of one-step methods with error control: steps within limits, attempts that are
/// repeated with a smaller size, roots located on the dense output, statistics. A method computes
/// one attempt, accepts or rejects it, and proposes the next size.
class OneStepIntegrator : public OdeIntegrator {
 public:
  void start(double t, std::span<const double> y, std::span<const double> yp) final;
  Step step(double limit) final;
  void interpolate(double t, std::span<double> y) final;
  std::span<const int> roots() const final { return locator_.directions(); }
  void set_atol(std::span<const double> atol) final;
  OdeStatistics statistics() const final;

 protected:
  OneStepIntegrator(OdeProblem& problem, const OdeOptions& options, int order);

  struct Attempt {
    std::optional<Rejection> rejected;  ///< nothing: accepted, and y_end() is the solution
    double next_size = 0;               ///< of the next step, or of the next attempt
  };

  // To be implemented by a method.
  /// A start at t() with y(): discards the history. @throws OdeFailure
  virtual void begin() = 0;
  /// The size of the first step after a start, with `room` until the limit.
  virtual double first_size(double room) = 0;
  /// Tries a step from t() to `end`.
  virtual Attempt attempt(double end) = 0;
  /// The attempt is accepted: store the data for the next step and interpolate_at(). t() is still
  /// its start.
  virtual void accept() {}
  /// Called before the first interpolate_at() in an accepted step, if there is any: computes
  /// additional data of the interpolant. y_start() and y() are at its ends.
  virtual void prepare_interpolation(double /*start*/, double /*h*/) {}
  /// The solution in the last accepted step of size `h`, at its fraction theta, from 0 to 1.
  virtual void interpolate_at(double theta, double h, std::span<double> y) const = 0;

  // Available to a method.
  OdeProblem& problem() { return problem_; }
  const OdeOptions& options() const { return options_; }
  std::size_t size() const { return y_.size(); }
  double t() const { return t_; }
  const std::vector<double>& y() const { return y_; }
  std::vector<double>& y_end() { return y_end_; }
  /// The start of the last accepted step, until the next attempt.
  const std::vector<double>& y_start() const { return y_end_; }
  OdeStatistics& counts() { return statistics_; }
  /// f(t, y), counted. False: it cannot be computed or is not finite.
  bool evaluate(double t, std::span<const double> y, std::span<double> f);
  /// atol + rtol |y_i|
  double tolerance(std::size_t i, double y) const {
    return options_.atol[i] + options_.rtol * std::abs(y);
  }
  /// The root mean square of errors against tolerances, each with the larger one of |y| and
  /// |y_end|. Stored for diagnosis.
  double error_norm(std::span<const double> errors);
  /// A first step from two derivatives (E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary
  /// Differential Equations I, II.4). @param f f(t(), y())
  /// @param error_order order of the error estimate, which has the power of h plus 1; 0: that of
  /// the method
  double usual_first_size(std::span<const double> f, double room, int error_order = 0);
  /// The argument y' of start(); empty: not given. @pre called by begin()
  std::span<const double> start_slope() const { return start_slope_; }
  /// For methods that do not use evaluate(): the component whose derivative was not finite.
  void note_not_finite(std::optional<std::size_t> component) { not_finite_ = component; }
  [[noreturn]] void fail(double h, Rejection why) const;

 private:
  Step until(double end);
  double least_size() const;

  OdeProblem& problem_;
  OdeOptions options_;
  int order_;
  RootLocator locator_;
  RootLocator::Solution solution_;
  std::vector<double> y_, y_end_;  ///< at t_, and where an attempt ends
  std::vector<double> errors_;     ///< of the last attempt, against tolerances; empty: not known
  double start_ = 0, t_ = 0;       ///< of the last step
  double shown_ = 0;               ///< time of the caller; before t_ after a root
  std::span<const double> start_slope_;
  double next_size_ = 0;          ///< 0: there was no step since the start
  bool can_interpolate_ = false;  ///< the last step is prepared for interpolation
  std::optional<std::size_t>
      not_finite_;  ///< state whose derivative was not finite in the last evaluation
  OdeStatistics statistics_;
};

}  // namespace tutti::solvers
