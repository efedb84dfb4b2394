// SPDX-License-Identifier: BSD-2-Clause
#include "stability/coupled_system.hpp"

#include <Eigen/LU>

#include "stability/dense.hpp"

namespace tutti::stability {
namespace {

Dense feed_through(const CoupledSystem& system) {
  return diagonal(system, &Subsystem::d, system.outputs(), system.inputs());
}

}  // namespace

std::size_t CoupledSystem::sum(std::size_t (Subsystem::*count)() const) const {
  std::size_t total = 0;
  for (const Subsystem& part : parts) total += (part.*count)();
  return total;
}

CoupledSystem CoupledSystem::without_states() const {
  CoupledSystem bare = *this;
  for (Subsystem& part : bare.parts) {
    part.a = Matrix(0, 0);
    part.b = Matrix(0, part.inputs());
    part.c = Matrix(part.outputs(), 0);
  }
  return bare;
}

Matrix input_loop_gain(const CoupledSystem& system) {
  return plain(dense(system.l) * feed_through(system));
}

Matrix coupled_matrix(const CoupledSystem& system) {
  if (system.states() == 0) return {};
  const Dense l = dense(system.l), d = feed_through(system);
  const Dense a = diagonal(system, &Subsystem::a, system.states(), system.states());
  const Dense b = diagonal(system, &Subsystem::b, system.states(), system.inputs());
  const Dense c = diagonal(system, &Subsystem::c, system.outputs(), system.states());
  const Eigen::FullPivLU<Dense> solver(Dense::Identity(d.rows(), d.rows()) - d * l);
  if (!solver.isInvertible()) return {};
  return plain(a + b * l * solver.solve(c));
}

}  // namespace tutti::stability
