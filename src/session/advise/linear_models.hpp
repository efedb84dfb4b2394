// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/advice.hpp>

#include "analysis/cycle_interface.hpp"

namespace tutti::session {

/// A cycle and the linear models of its components, as plain data: what advise() judges. The
/// vectors of the interface that go by component and `components` have the same sequence, the
/// calling sequence; interface.components[i] is the index of the i-th in System::components, and
/// interface.u[i] and then interface.outside[i] are the variables behind the columns of B and D,
/// interface.y[i] those behind the rows of C and D. interface.inputs and outputs have their names,
/// interface.l the connections u = L y of all of them one after the other.
struct CycleModels {
  analysis::CycleInterface interface;
  std::vector<analysis::Linearization> components;
};

struct ModelledAdvice {
  Advice advice;
  std::vector<CycleModels> models;  ///< by cycle, as Advice::cycles
  /// If asked: of components that take values only and are in no cycle, or have outputs that are
  /// not coupled. With all continuous outputs.
  std::vector<CycleModels> alone;
  /// If asked: of those that have equations and inputs or outputs besides, with all of them. None:
  /// the system is too large.
  std::vector<CycleModels> whole;
};

/// advise(), and what it knows of the components of each cycle. @throws Error as advise() does
/// `also_alone`: `alone` and `whole` are wanted, too.
ModelledAdvice advise_with_models(const System& system, const AdviseOptions& options,
                                  const Log& log, bool also_alone = false);

}  // namespace tutti::session
