// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <tutti/advice.hpp>

#include "analysis/loops.hpp"

namespace tutti::analysis {

/// What is asked of a cycle.
struct CycleQuestion {
  std::span<const LinearizedComponent> components;  ///< in calling sequence
  double step = 0;
  std::span<const double> steps;  ///< ascending
  /// What the system file has; nothing: not the same for all connections.
  std::optional<CouplingChoice> present;
  /// The cycle where its loops are worst, if that is not at the start.
  const LinearCycle* worst = nullptr;
  std::vector<CycleAdvice::Moment> history;
};

/// Judges all ways to couple the cycle. Knows no FMU: only numbers and abilities.
CycleAdvice advise_cycle(const LinearCycle& cycle, const CycleQuestion& question);

/// Fills in what is safe, from the figures that are there.
void choose(CycleAdvice& advice, const CycleQuestion& question);

/// Fills in the findings.
void explain(CycleAdvice& advice, const CycleQuestion& question, std::size_t other_links);

/// rho(D L), of loops of known magnitude.
double loop_radius(const LinearCycle& cycle);

/// How many steps to try, so that the largest cycle takes seconds; 0: it is too large.
std::size_t affordable_steps(const LinearCycle& cycle, std::size_t wanted);

/// A radius of the limit up to which one pass a step is called safe: gains change on the way.
inline constexpr double safe_limit_radius = 0.9;
/// Sweeps that shrink errors less are too many: 20 of them, the default, leave 4e-5 of an error.
inline constexpr double usable_contraction = 0.6;
/// A way to couple that distorts the motions of the system more than this does not follow them.
inline constexpr double most_distortion = 0.5;
/// The slowest motion takes so many of the longest stable steps of methods of one pass: stiff.
inline constexpr double stiff_coupling = 20;
/// So much longer the largest stable step should be than the one taken.
inline constexpr double safe_step_margin = 1.2;

}  // namespace tutti::analysis
