// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/assembly.hpp"

namespace tutti::master {

/// What comes from outside of the system, as its components get it.
class Externals {
 public:
  explicit Externals(Assembly& assembly);

  /// The values at t.
  void write(double t) {
    for (const ExternalSignals& external : assembly_.parts.externals)
      external.table->write(t, *external.values);
  }
  /// What is constant over a step from t to t + h.
  void hold(double t, double h);
  /// What can move inside a step of h is meant for its end.
  void aim(double end, double h);
  /// The same in the middle of a step that ends elsewhere than it was to, when inputs have been
  /// gathered: these values reach the components.
  void aim_elsewhere(double end);
  /// Brings all inputs to what belongs to t.
  void show_inputs(double t);
  /// The next jump after t; infinity: there is none.
  double next_jump(double t) const;
  /// Some are constant over a step with their values at its end.
  bool any_holds_end() const;

 private:
  void write_end(const ExternalSignals& external, double end, double h);

  Assembly& assembly_;
  std::vector<Wiring::Wire> wires_;  ///< of doubles
};

}  // namespace tutti::master
