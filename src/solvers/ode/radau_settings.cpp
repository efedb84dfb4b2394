// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/radau_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tutti/error.hpp>

namespace tutti::solvers {

extern const OptionRow radau5_options[11];
const OptionRow radau5_options[11] = {
    {"fac1", 0.2, "Smallest factor between the sizes of two steps", 1e-3, 0.9},
    {"fac2", 8.0, "Largest factor between the sizes of two steps", 1, 1e3},
    {"fnewt", 0.0, "Newton stops at this fraction of the tolerance; 0: chosen by rtol", 0, 1},
    {"index2", std::int64_t{0}, "Number of components of index 2, after those of index 1", 0, 1e9},
    {"index3", std::int64_t{0}, "Number of components of index 3, the last ones", 0, 1e9},
    linear_solver_row(),
    {"newt", std::int64_t{7}, "Maximum number of Newton iterations per step", 2, 100},
    {"quot1", 1.0, "Keep the step size if the new one is at least this factor larger", 1e-3, 1},
    {"quot2", 1.2, "Keep the step size if the new one is at most this factor larger", 1, 1e3},
    {"safe", 0.9, "Safety factor for the next step size", 1e-3, 0.999},
    {"thet", 1e-3, "Keep the Jacobian while Newton converges at this rate or faster", 0, 0.999},
};

RadauSettings::RadauSettings(const OdeProblem& problem, const OdeOptions& options)
    : RadauSettings(problem, options.rtol, OptionValues("radau5", radau5_options, options.own)) {}

RadauSettings::RadauSettings(const OdeProblem& problem, double rtol, const OptionValues& given)
    : newt(given.integer("newt")),
      thet(given.number("thet")),
      fnewt(given.number("fnewt")),
      quot1(given.number("quot1")),
      quot2(given.number("quot2")),
      fac1(given.number("fac1")),
      fac2(given.number("fac2")),
      safe(given.number("safe")),
      index2(static_cast<std::size_t>(given.integer("index2"))),
      index3(static_cast<std::size_t>(given.integer("index3"))),
      storage(linear_solver_storage("radau5", problem, given)) {
  constexpr double roundoff = std::numeric_limits<double>::epsilon();
  // The choice of RADAU5: the error of Newton's method must be negligible against that of the step.
  if (fnewt == 0) fnewt = std::min(0.03, std::max(10 * roundoff / rtol, std::sqrt(rtol)));
  if (index2 + index3 > problem.size())
    throw Error(ErrorCode::usage,
                fmt::format("solver radau5: {} components of index 2 and {} of index 3, but the "
                            "problem has {}.",
                            index2, index3, problem.size()),
                {.key = "solver.index2", .hint = ""});
}

}  // namespace tutti::solvers
