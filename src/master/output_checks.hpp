// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tutti/error.hpp>
#include <vector>

#include "master/assembly.hpp"
#include "models/instance.hpp"

namespace tutti::master {

/// Samples a cycle that is stepped without iteration: in a diverging coupling, values grow by a
/// large factor in every step, for many steps in a row. Growth of the model itself by such factors
/// would not be resolved by the step either.
class GrowthWatch {
 public:
  /// A value that the members of the cycle exchange.
  struct Place {
    const models::Instance* member;
    const models::Scalar* output;
    double value() const;
  };
  GrowthWatch(std::vector<Place> exchanged, std::string method)
      : exchanged_(std::move(exchanged)), method_(std::move(method)) {}

  /// To be called at growing distances. Returns the factor per step, if the values diverge.
  std::optional<double> look(std::uint64_t step);
  bool contains(const models::Instance& instance) const;
  const std::string& method() const { return method_; }
  std::string names() const;

 private:
  struct Sample {
    std::uint64_t step;
    double magnitude;
  };
  std::vector<Place> exchanged_;
  std::string method_;
  std::vector<Sample> samples_;  ///< the last few
};

/// Checks outputs after steps: for NaN, infinity and growth from step to step.
class OutputChecks {
 public:
  explicit OutputChecks(Assembly& assembly) : assembly_(assembly) { watch_cycles(); }

  /// Steps do not check all outputs: a full check is needed after each step.
  bool needs_careful_look() const { return assembly_.abilities.has_float32; }
  /// Infinite outputs have been found, and accepted: steps need not check for them.
  bool allows_infinity() const { return allows_infinity_; }
  /// Quick check: a connected output is not finite. Steps check this themselves, until infinity is
  /// allowed.
  bool is_connection_infinite() const;
  /// Full check: the error for an output that is NaN, or infinite and connected; empty: none.
  /// Infinite outputs without connections are logged once.
  std::optional<Error> find_fault(double t);

  /// The coupling of cycles without iteration has changed.
  void watch_cycles();
  /// Growth of their values is checked at intervals, and at the end.
  bool is_growth_due(std::uint64_t steps) const { return !growth_.empty() && steps >= next_look_; }
  /// The error, if the run must end because of growth.
  std::optional<Error> find_growth(double t, std::uint64_t steps);

 private:
  void watch_cycle(const system::Stage& stage, const std::string& method);
  bool is_connected(const models::ValueSet& outputs, const models::Scalar& scalar) const;
  void allow_infinity();
  Error infinite(const models::Instance& instance, const models::Scalar& scalar, double t) const;
  std::string what_to_try() const;

  Assembly& assembly_;
  std::vector<GrowthWatch> growth_;  ///< of cycles that do not iterate
  std::uint64_t next_look_ = 1;      ///< of the check for growth, as step number
  bool allows_infinity_ = false;
  std::vector<const double*> connected_;  ///< checked one by one, once infinity is allowed
};

}  // namespace tutti::master
