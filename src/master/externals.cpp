// SPDX-License-Identifier: BSD-2-Clause
#include "master/externals.hpp"

#include <algorithm>

#include "base/time_grid.hpp"

namespace tutti::master {

Externals::Externals(Assembly& assembly) : assembly_(assembly) {
  for (const std::vector<Wiring::Wire>& to_component : assembly_.wires)
    for (const Wiring::Wire& wire : to_component)
      if (wire.connection < 0 && wire.from->type == Type::float64) wires_.push_back(wire);
}

void Externals::hold(double t, double h) {
  write(t);
  for (const ExternalSignals& external : assembly_.parts.externals)
    if (external.holds_end) write_end(external, t + h, h);
}

/// In event mode discrete inputs change at the communication point, not before.
void Externals::write_end(const ExternalSignals& external, double end, double h) {
  if (assembly_.instances[external.component]->has_event_mode())
    external.table->lead_to(end, *external.values);
  else
    external.table->write_near(end, same_time(end, h), *external.values);
}

void Externals::aim(double end, double h) {
  for (const ExternalSignals& external : assembly_.parts.externals)
    if (external.holds_end)
      write_end(external, end, h);
    else
      external.table->lead_to(end, *external.values);
}

void Externals::aim_elsewhere(double end) {
  aim(end, 0);
  for (const Wiring::Wire& wire : wires_) move_value(wire);
}

void Externals::show_inputs(double t) {
  write(t);
  for (std::size_t c = 0; c < assembly_.instances.size(); ++c) assembly_.wiring->gather(c);
}

double Externals::next_jump(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const ExternalSignals& external : assembly_.parts.externals)
    next = std::min(next, external.table->next_jump(t));
  return next;
}

bool Externals::any_holds_end() const {
  return std::any_of(assembly_.parts.externals.begin(), assembly_.parts.externals.end(),
                     [](const ExternalSignals& external) { return external.holds_end; });
}

}  // namespace tutti::master
