// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/abi/fmi1.hpp"

namespace tutti::fmi::v1 {

class Component;

/// The callbacks of FMI 1.0 carry no environment, only the FMU's own handle and the instance name,
/// and the handle is unknown while the FMU is instantiating. So there is one table of the living
/// instances in the process, guarded by a lock.
namespace registry {

/// While it lives, `component` is the one that this thread is instantiating.
class Instantiating {
 public:
  explicit Instantiating(Component* component);
  ~Instantiating();
  Instantiating(const Instantiating&) = delete;
  Instantiating& operator=(const Instantiating&) = delete;
};

void living(Component* component);
void gone(Component* component);

}  // namespace registry

/// To hand to an FMU. They find their instance by what this thread is instantiating, by handle, or
/// by name, in this order; what belongs to nobody is dropped.
fmi_abi::v1::CoSimulationCallbacks callbacks();

}  // namespace tutti::fmi::v1
