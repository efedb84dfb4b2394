// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/export.hpp>

namespace tutti {

TUTTI_API std::string version();           ///< "0.1.0"
TUTTI_API std::string library_versions();  ///< of the libraries inside: "SUNDIALS 6.4.1, fmt 9.1.0"

}  // namespace tutti
