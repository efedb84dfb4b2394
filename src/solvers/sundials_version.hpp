// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace tutti::solvers {

std::string sundials_version();

}  // namespace tutti::solvers
