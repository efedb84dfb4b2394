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
  GrowthWatch(std::vector<const models::Instance*> members, std::string method)
      : members_(std::move(members)), method_(std::move(method)) {}

  /// To be called at growing distances. The factor per step, if the values diverge.
  std::optional<double> look(std::uint64_t step);
  const std::string& method() const { return method_; }
  std::string names() const;

 private:
  struct Sample {
    std::uint64_t step;
    double magnitude;
  };
  std::vector<const models::Instance*> members_;
  std::string method_;
  std::vector<Sample> samples_;  ///< the last few
};

}  // namespace tutti::master
