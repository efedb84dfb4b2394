// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/coupling/coupling_method.hpp"

namespace tutti::master {

/// One pass per step with inputs that are predicted from linear models of the components: linearly
/// implicit in the coupling, so that stiff couplings need no short steps, and no step is repeated
/// (M. Arnold, Stability of sequential modular time integration methods for coupled multibody
/// system models, J. Comput. Nonlinear Dyn. 5, 2010; S. Sicklinger et al., Interface
/// Jacobian-based Co-Simulation, Int. J. Numer. Meth. Engng 98, 2014). The numbers are those of
/// stability::InterfacePredictor. Without models it is jacobi.
std::unique_ptr<CouplingMethod> make_linear_implicit(const CouplingOptions& options);

}  // namespace tutti::master
