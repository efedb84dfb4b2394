// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/advice.hpp>

#include "analysis/cycle_interface.hpp"

namespace tutti::session {

/// A cycle and the linear models of its components as plain data, the input of advise(). The
/// vectors of the interface by component and `components` are in calling sequence;
/// interface.components[i] is the index of the i-th in System::components, and interface.u[i] and
/// then interface.outside[i] are the variables behind the columns of B and D, interface.y[i] those
/// behind the rows of C and D. interface.inputs and outputs have their names, interface.l the
/// connections u = L y of all of them concatenated.
struct CycleModels {
  analysis::CycleInterface interface;
  std::vector<analysis::Linearization> components;
};

struct ModelledAdvice {
  Advice advice;
  std::vector<CycleModels> models;  ///< by cycle, as Advice::cycles
  /// On demand: of components that accept values only and are in no cycle, or have uncoupled
  /// outputs. With all continuous outputs.
  std::vector<CycleModels> alone;
  /// On demand: of those that have equations and further inputs or outputs, with all of them.
  /// Empty: the system is too large.
  std::vector<CycleModels> whole;
};

/// advise(), with its data on the components of each cycle. @throws Error as advise() does
/// `also_alone`: fills in `alone` and `whole`, too.
ModelledAdvice advise_with_models(const System& system, const AdviseOptions& options,
                                  const Log& log, bool also_alone = false);

}  // namespace tutti::session
