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

/// Looks now and then at a cycle that is stepped without iteration: a coupling that diverges shows
/// in values that grow by a large factor in every step, for many steps in a row. What grows in the
/// model itself by so much in each step is not resolved by the step either.
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

  /// To be called at growing distances. The factor per step, if the values diverge.
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

/// Looks at outputs after steps: are they numbers, are they finite, do they grow from step to step?
class OutputChecks {
 public:
  explicit OutputChecks(Assembly& assembly) : assembly_(assembly) { watch_cycles(); }

  /// Some output is not among what a step looks at: a careful look is needed after each of them.
  bool needs_careful_look() const { return assembly_.abilities.has_float32; }
  /// Infinite outputs have been found, and accepted: steps need not look for them.
  bool allows_infinity() const { return allows_infinity_; }
  /// A quick look: an output that is connected is not finite. Steps look for that themselves, until
  /// infinity is allowed.
  bool is_connection_infinite() const;
  /// A careful one: "y" of component "c" is not a number, or infinite and connected. Nothing: there
  /// is no such output. What is infinite and not connected is logged once.
  std::optional<Error> find_fault(double t);

  /// The cycles that do not iterate are coupled otherwise than before.
  void watch_cycles();
  /// Do their values grow? Looked for now and then: when it is due, and at the end.
  bool is_growth_due(std::uint64_t steps) const { return !growth_.empty() && steps >= next_look_; }
  /// The message, if the run is to end for that.
  std::optional<Error> find_growth(double t, std::uint64_t steps);

 private:
  void watch_cycle(const system::Stage& stage, const std::string& method);
  bool is_connected(const models::ValueSet& outputs, const models::Scalar& scalar) const;
  void allow_infinity();
  Error infinite(const models::Instance& instance, const models::Scalar& scalar, double t) const;
  std::string what_to_try() const;

  Assembly& assembly_;
  std::vector<GrowthWatch> growth_;  ///< of cycles that do not iterate
  std::uint64_t next_look_ = 1;      ///< for growth, by step
  bool allows_infinity_ = false;
  std::vector<const double*> connected_;  ///< looked at one by one, once infinity is allowed
};

}  // namespace tutti::master
