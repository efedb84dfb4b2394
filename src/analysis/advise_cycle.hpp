// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <tutti/advice.hpp>

#include "analysis/loops.hpp"

namespace tutti::analysis {

/// The question about a cycle.
struct CycleQuestion {
  std::span<const LinearizedComponent> components;  ///< in calling sequence
  double step = 0;
  std::span<const double> steps;  ///< ascending
  /// The coupling in the system file; empty: different among connections.
  std::optional<CouplingChoice> present;
  /// The cycle at the time of its worst loops, if that is not the start.
  const LinearCycle* worst = nullptr;
  std::vector<CycleAdvice::Moment> history;
};

/// Judges all coupling schemes for the cycle. Independent of FMUs: only numbers and capabilities.
CycleAdvice advise_cycle(const LinearCycle& cycle, const CycleQuestion& question);

/// Fills in the stable choices, from the computed figures.
void choose(CycleAdvice& advice, const CycleQuestion& question);

/// Fills in the findings.
void explain(CycleAdvice& advice, const CycleQuestion& question, std::size_t other_links);

/// rho(D L), of loops of known magnitude.
double loop_radius(const LinearCycle& cycle);

/// The number of steps to try, so that the largest cycle takes seconds; 0: too large.
std::size_t affordable_steps(const LinearCycle& cycle, std::size_t wanted);

/// The limit radius up to which one pass per step counts as safe: gains change during the run.
inline constexpr double safe_limit_radius = 0.9;
/// The maximum contraction of sweeps: 20 sweeps, the default, leave 4e-5 of an error.
inline constexpr double usable_contraction = 0.6;
/// A scheme that distorts the motions of the system more than this does not follow them.
inline constexpr double most_distortion = 0.5;
/// Stiff: the slowest motion takes this many largest stable steps of single-pass methods.
inline constexpr double stiff_coupling = 20;
/// Required ratio of the largest stable step to the actual step.
inline constexpr double safe_step_margin = 1.2;

}  // namespace tutti::analysis
