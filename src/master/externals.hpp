// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/assembly.hpp"

namespace tutti::master {

/// The inputs from outside the system.
class Externals {
 public:
  explicit Externals(Assembly& assembly);

  /// Sets the values at t.
  void write(double t) {
    for (const ExternalSignals& external : assembly_.parts.externals)
      external.table->write(t, *external.values);
  }
  /// Sets the values that are constant over a step from t to t + h.
  void hold(double t, double h);
  /// Sets the values that can change inside a step of h to those at its end.
  void aim(double end, double h);
  /// The same inside a step that ends elsewhere than planned, after inputs were gathered: these
  /// values reach the components.
  void aim_elsewhere(double end);
  /// Sets all inputs to their values at t.
  void show_inputs(double t);
  /// The next jump after t; infinity: none.
  double next_jump(double t) const;
  /// Some inputs are constant over a step with their values at its end.
  bool any_holds_end() const;

 private:
  void write_end(const ExternalSignals& external, double end, double h);

  Assembly& assembly_;
  std::vector<Wiring::Wire> wires_;  ///< of doubles
};

}  // namespace tutti::master
