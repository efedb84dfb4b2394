// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace tutti::solvers {

/// An integrator cannot go on. The caller knows what the states mean and reports it to the user.
class OdeFailure : public std::runtime_error {
 public:
  OdeFailure(double at, const std::string& why, std::string what_to_try = "", std::string of = "")
      : std::runtime_error(why), t(at), hint(std::move(what_to_try)), key(std::move(of)) {}
  double t;
  std::string hint;  ///< with `%key%` for...
  std::string key;   ///< ...an option of the solver, "solver.rtol"; empty: none
  std::optional<std::size_t> worst_state;  ///< with the largest error against its tolerance
};

}  // namespace tutti::solvers
