// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "master/coupling/coupling_method.hpp"
#include "master/coupling/interface_problem.hpp"
#include "master/memory.hpp"

namespace tutti::master {

/// Common to the iterative methods: counts iterations and judges each by its error.
///
/// Notation: d_k is the change of iteration k, theta = |d_k|/|d_(k-1)|. The remaining error is
///   |d_(k+1) + d_(k+2) + ...| <= theta/(1 - theta) |d_k|
/// Oscillating sweeps are more accurate, and theta has a sign. Where d_k = theta d_(k-L),
///   d_(k+1) + d_(k+2) + ... = theta/(1 - theta) (d_k + ... + d_(k-L+1))
/// for L = 1 or, where two components take turns, L = 2; the larger one counts.
class Iteration {
 public:
  enum class Changes { any, of_sweeps };
  explicit Iteration(const CouplingOptions& options, Changes changes = Changes::any)
      : options_(options), kind_(changes) {}

  /// A step starts.
  void begin(const InterfaceProblem& problem);
  /// Measurements of another step are valid for this one: their sizes are within 20 %.
  static bool is_similar(double h, double other) { return is_within(1.2, h, other); }
  /// Estimates from another step are useful for this one.
  static bool is_comparable(double h, double other) { return is_within(4, h, other); }
  /// Ratio of the last two changes, each variable relative to its largest value so far; 0 after the
  /// first.
  double contraction() const { return contraction_; }

  /// The outcome if the pass did not reach the end: the attempt ends.
  std::optional<CouplingOutcome> ended_by(const Pass& pass);
  /// An additional error estimate by the method for the next judgement; the larger one counts.
  void expect_error(double error) { expected_ = error; }
  /// Judges the change of one more iteration. Empty: continue.
  /// @param factor the part of the change before this one that was applied (relaxation)
  std::optional<CouplingOutcome> ended_by_change(const InterfaceProblem& problem,
                                                 std::span<const double> before,
                                                 std::span<const double> after, double factor = 1);
  /// The method applies this change instead of the one that was judged.
  void replace_change(const InterfaceProblem& problem, std::span<const double> before,
                      std::span<const double> after);
  /// Of the last change.
  double norm() const { return outcome_.norm; }
  CouplingOutcome end(CouplingOutcome::Status status);

  void keep(Memory& memory) { memory(remainder_, measured_at_); }

 private:
  static bool is_within(double factor, double h, double other) {
    return h <= factor * other && other <= factor * h;
  }
  /// Of the changes after the last one, relative to the tolerance.
  double error(const InterfaceProblem& problem) const;
  /// The same divided by the norm of the last change.
  double remainder() const;
  double remainder_of_sweeps(std::size_t lag, double factor) const;
  double product(std::size_t lag, std::size_t other) const;  ///< of changes, weighted
  void measure_remainder(const InterfaceProblem& problem, std::span<const double> after,
                         double factor);
  void measure_contraction(std::span<const double> before, std::span<const double> after);

  const CouplingOptions& options_;
  const Changes kind_;
  CouplingOutcome outcome_{.iterations = 0};
  double contraction_ = 0;
  int slow_ = 0;
  std::vector<double> scale_;
  std::array<std::vector<double>, 3> changes_;  ///< the last ones, the newest first
  std::vector<double> weights_;
  double remainder_ = 0;    ///< of the last iteration that had a predecessor
  double measured_at_ = 0;  ///< in a step of this size; at first the size of the first step
  double expected_ = 0;
};

/// H = (I - J)^-1, by rows: residuals S(x) - x times H are corrections of x.
class SensitivityInverse {
 public:
  bool has_size(std::size_t n) const { return rows_.size() == n * n; }
  void set_identity(std::size_t n);
  /// Computes J from repeated steps, which leave the components at the end of steps with other
  /// inputs than x. Returns the free direction if I - J is singular, otherwise empty.
  std::vector<double> take(InterfaceProblem& problem, std::span<const double> x,
                           std::span<const double> result);
  void multiply(std::span<const double> v, std::vector<double>& product) const;
  /// Broyden's update: H += (d - H q) (d^T H) / (d^T H q), unless the denominator is 0.
  void update(std::span<const double> d, std::span<const double> q);

  std::span<const double> rows() const { return rows_; }
  void clear() { rows_.clear(); }
  void keep(Memory& memory) { memory(rows_); }

 private:
  std::vector<double> rows_;
  std::vector<double> moved_, row_;  ///< H q, d^T H
};

}  // namespace tutti::master
