// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

#include "solvers/ode/implicit_options.hpp"

namespace tutti::solvers {

/// The options of radau5; their names are those of the published code.
struct RadauSettings {
  /// @throws Error if they are invalid for this problem
  RadauSettings(const OdeProblem& problem, const OdeOptions& options);

  int newt;
  double thet, fnewt, quot1, quot2, fac1, fac2, safe;
  std::size_t index2, index3;
  Storage storage;

 private:
  RadauSettings(const OdeProblem& problem, double rtol, const OptionValues& given);
};

}  // namespace tutti::solvers
