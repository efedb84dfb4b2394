// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <tutti/version.hpp>
#include <tutti/version_number.hpp>

#include "solvers/ode/ode.hpp"

namespace tutti {

std::string version() { return TUTTI_VERSION; }

std::string library_versions() {
  return fmt::format("SUNDIALS {}, fmt {}.{}.{}", solvers::sundials_version(), FMT_VERSION / 10000,
                     FMT_VERSION / 100 % 100, FMT_VERSION % 100);
}

}  // namespace tutti
