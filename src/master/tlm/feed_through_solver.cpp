// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/feed_through_solver.hpp"

#include <cmath>

#include "solvers/linear/linear_system.hpp"

namespace tutti::master::tlm {
namespace {

constexpr double tolerance = 1e-12;  // of the law, relative to its terms

}  // namespace

void FeedThroughSolver::resize(std::size_t n) {
  d_.assign(n * n, 0.0);
  effort_.assign(n, 0.0);
  flow_.assign(n, 0.0);
  right_.assign(n, 0.0);
}

bool FeedThroughSolver::improve(std::span<Port> ports) {
  bool holds = true;
  for (const Port& p : ports) {
    const double z_f = p.impedance * p.flow;
    const double scale = std::abs(p.wave) + std::abs(z_f) + std::abs(p.effort);
    holds &= std::abs(p.effort - p.wave - z_f) <= tolerance * scale;
  }
  if (holds) return true;
  learn(ports);
  solve(ports);
  return false;
}

/// (I - Z D) e = c + Z (f0 - D e0), where f0 are the flows at the efforts e0.
void FeedThroughSolver::solve(std::span<Port> ports) {
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) {
    effort_[i] = ports[i].effort;
    flow_[i] = ports[i].flow;
  }
  std::vector<solvers::Entry> entries;
  for (std::size_t i = 0; i < n; ++i) {
    double offset = flow_[i];
    for (std::size_t j = 0; j < n; ++j) {
      offset -= d_[i * n + j] * effort_[j];
      if (n > 1)
        entries.push_back({i, j, (i == j ? 1.0 : 0.0) - ports[i].impedance * d_[i * n + j]});
    }
    right_[i] = ports[i].wave + ports[i].impedance * offset;
  }
  if (n == 1) {
    ports[0].effort = right_[0] / (1 - ports[0].impedance * d_[0]);
    return;
  }
  solution_.resize(n);
  solvers::LinearSystem(n, entries).solve(right_, solution_);
  for (std::size_t i = 0; i < n; ++i) ports[i].effort = solution_[i];
}

/// Broyden's update: the least change of D that explains the last one of the flows.
void FeedThroughSolver::learn(std::span<const Port> ports) {
  const std::size_t n = size();
  double length = 0;
  for (std::size_t j = 0; j < n; ++j) length += std::pow(ports[j].effort - effort_[j], 2);
  if (length == 0) return;
  for (std::size_t i = 0; i < n; ++i) {
    double unexplained = ports[i].flow - flow_[i];
    for (std::size_t j = 0; j < n; ++j)
      unexplained -= d_[i * n + j] * (ports[j].effort - effort_[j]);
    for (std::size_t j = 0; j < n; ++j)
      d_[i * n + j] += unexplained * (ports[j].effort - effort_[j]) / length;
  }
}

}  // namespace tutti::master::tlm
