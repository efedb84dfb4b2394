// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace tutti::solvers {

/// An integrator cannot go on. Whoever knows what the states mean tells it to the user.
class OdeFailure : public std::runtime_error {
 public:
  OdeFailure(double at, const std::string& why, std::optional<std::size_t> state = {})
      : std::runtime_error(why), t(at), worst_state(state) {}
  double t;
  std::optional<std::size_t> worst_state;  ///< with the largest error against its tolerance
};

}  // namespace tutti::solvers
