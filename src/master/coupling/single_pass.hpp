// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/coupling/coupling_method.hpp"

namespace tutti::master {

/// One pass per step: x(t + h) = S(x(t)), all components with the values of t...
std::unique_ptr<CouplingMethod> make_jacobi(const CouplingOptions& options);
/// ...or each with the new outputs of those before it in the calling sequence.
std::unique_ptr<CouplingMethod> make_gauss_seidel(const CouplingOptions& options);

}  // namespace tutti::master
