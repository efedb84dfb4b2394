// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace tutti::master
