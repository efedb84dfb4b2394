// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/sundials_version.hpp"

#include <cvode/cvode.h>
#include <sundials/sundials_version.h>

namespace tutti::solvers {

std::string sundials_version() {
  char text[32] = "";
  SUNDIALSGetVersion(text, sizeof text);
  return text;
}

}  // namespace tutti::solvers
