// SPDX-License-Identifier: BSD-2-Clause
#include "analysis/advise_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/schemes.hpp"
#include "base/infinity.hpp"
#include "stability/coupling_limit.hpp"
#include "stability/step_limit.hpp"

namespace tutti::analysis {
namespace {

using stability::CouplingVerdict;
using stability::Sequence;

/// The verdicts are the first words of Stability.
Stability to_stability(CouplingVerdict verdict) { return static_cast<Stability>(verdict); }
static_assert(static_cast<int>(CouplingVerdict::unstable) == static_cast<int>(Stability::unstable));

/// A loop, with data computed once for all schemes: empty if magnitudes are unknown.
struct JudgedLoop {
  Loop loop;
  std::optional<stability::LoopSpectra> spectra;
};

std::vector<JudgedLoop> judge_loops(const LinearCycle& cycle) {
  std::vector<JudgedLoop> all;
  for (Loop& loop : find_loops(cycle)) {
    JudgedLoop& judged = all.emplace_back(JudgedLoop{std::move(loop), std::nullopt});
    if (judged.loop.magnitudes_known) judged.spectra = stability::find_spectra(judged.loop.system);
  }
  return all;
}

/// The behaviour of the scheme for short steps: the worst of the loops.
void judge_limit(SchemeAdvice& advice, const SchemeEntry& entry,
                 std::span<const JudgedLoop> loops) {
  double radius = 0;
  stability::Scheme scheme = entry.scheme;
  if (entry.sweeps) scheme = {Sequence::sequential, stability::Prediction::hold, false, false};
  const bool consistent = scheme.corrected || scheme.sequence == Sequence::solved ||
                          scheme.sequence == Sequence::predicted;
  for (const auto& [loop, spectra] : loops) {
    if (consistent) continue;
    if (!spectra) return;
    const stability::LoopSpectrum& spectrum = spectra->of(scheme);
    const double most = stability::limit_radius(scheme, spectrum);
    // With differences only the worst case is known, which need not apply.
    if (spectrum.is_estimated && most >= 1 && most > spectrum.radius * (1 + 1e-9)) return;
    advice.limit_estimated |= spectrum.is_estimated;
    radius = std::max(radius, most);
  }
  advice.limit_radius = radius;
  advice.limit = to_stability(stability::judge(radius, advice.limit_estimated
                                                           ? stability::margin_of_estimates
                                                           : stability::margin_of_rounding));
}

/// If sweeps do not converge within the maximum number of iterations, there is no step.
double radius_at(const stability::CoupledSystem& system, const SchemeEntry& entry, double h) {
  if (entry.sweeps && stability::spectral_radius(stability::sweep_map(system, Sequence::sequential,
                                                                      h)) > usable_contraction)
    return infinity;
  return stability::step_radius(system, entry.scheme, h);
}

/// Some motions exp(lambda t) of the coupled system, from slow to fast.
std::vector<stability::Complex> find_motions(const LinearCycle& cycle) {
  if (!cycle.compact) return {};
  std::vector<stability::Complex> all =
      stability::eigenvalues(stability::coupled_matrix(*cycle.compact));
  std::ranges::sort(all, [](const auto& a, const auto& b) { return std::abs(a) < std::abs(b); });
  const double fastest = all.empty() ? 0 : std::abs(all.back());
  std::erase_if(all, [&](const auto& lambda) { return !(std::abs(lambda) > 1e-9 * fastest); });
  // Of a pair, one is enough.
  std::erase_if(all, [](const auto& lambda) { return lambda.imag() < 0; });
  const std::size_t size = cycle.compact->states() + 3 * cycle.compact->outputs();
  const std::size_t most = size <= 40 ? 4 : size <= 80 ? 2 : 1;
  std::vector<stability::Complex> some;
  for (std::size_t k = 0; k < std::min(most, all.size()); ++k)
    some.push_back(all[k * all.size() / std::min(most, all.size())]);
  return some;
}

/// The time to resolve: that of the slowest motion, or of a faster one that has not decayed by
/// then. Empty: no motion.
std::optional<double> time_to_resolve(std::span<const stability::Complex> motions) {
  constexpr double decayed = 5;
  double slowest = std::numeric_limits<double>::infinity(), fastest = 0;
  for (const auto& lambda : motions) fastest = std::max(fastest, std::abs(lambda));
  for (const auto& lambda : motions)
    if (std::abs(lambda) > 1e-9 * fastest) slowest = std::min(slowest, std::abs(lambda));
  if (!(fastest > 0)) return {};
  double time = 1 / slowest;
  for (const auto& lambda : motions)
    if (lambda.real() > -decayed * slowest && std::abs(lambda) > slowest)
      time = std::min(time, 1 / std::abs(lambda));
  return time;
}

/// That time over the largest stable step of a single pass with extrapolated inputs. Algebraic
/// loops are corrected: they do not depend on the step.
std::optional<double> find_stiffness(const LinearCycle& cycle, const stability::Scheme& scheme) {
  constexpr double shortest = 1e-8, longest = 10;  // of that time
  constexpr double tolerated = 0.05;               // growth in it, twice
  const std::size_t tried = affordable_steps(cycle, 25);
  if (tried == 0) return {};
  const stability::Matrix as_one = stability::coupled_matrix(*cycle.compact);
  const auto time = time_to_resolve(stability::eigenvalues(as_one));
  if (!time) return {};
  const double growth = std::max(0.0, stability::spectral_abscissa(as_one)) + tolerated / *time;
  const auto steps = stability::logarithmic(shortest * *time, longest * *time, tried);
  const auto limit = stability::find_step_limit(*cycle.compact, scheme, steps, growth);
  return *time / limit.largest.value_or(steps.front());
}

/// The worst of the motions: the distance of exp(lambda h) from the nearest eigenvalue of the step
/// map, relative to its distance from 1 (no motion).
/// A method that predicts the inputs has no other step limit: it must be stable as well.
double find_distortion(const stability::CoupledSystem& system, const SchemeEntry& entry,
                       std::span<const stability::Complex> motions) {
  constexpr double part_of_its_time = 0.1;
  double most = 0;
  for (const stability::Complex& lambda : motions) {
    const double h = part_of_its_time / std::abs(lambda);
    const stability::Complex exact = std::exp(lambda * h);
    double nearest = std::numeric_limits<double>::infinity(), largest = 0;
    for (const auto& z : stability::eigenvalues(stability::step_map(system, entry.scheme, h))) {
      nearest = std::min(nearest, std::abs(z - exact));
      largest = std::max(largest, std::abs(z));
    }
    if (entry.scheme.sequence == Sequence::predicted &&
        largest > std::max(1.0, std::abs(exact)) + 1e-3)
      return std::numeric_limits<double>::infinity();
    most = std::max(most, nearest / std::abs(1.0 - exact));
  }
  return most;
}

/// The number of radii for finding the limit of one scheme in a tenth of a second.
std::size_t affordable_radii(const LinearCycle& cycle) {
  const auto size = static_cast<double>(cycle.compact->states() + 3 * cycle.compact->outputs());
  const double seconds = 4e-5 + 3e-8 * size * size * size;  // of one, measured
  return static_cast<std::size_t>(std::clamp(0.1 / seconds, 20.0, 1500.0));
}

SchemeAdvice judge_scheme(const LinearCycle& cycle, std::span<const JudgedLoop> loops,
                          const CycleQuestion& question, std::optional<double> abscissa,
                          std::span<const stability::Complex> motions, const SchemeEntry& entry) {
  SchemeAdvice advice;
  advice.choice = entry.choice;
  advice.name = entry.name;
  advice.missing = missing_for(entry, question.components);
  judge_limit(advice, entry, loops);
  if (!motions.empty()) advice.distortion = find_distortion(*cycle.compact, entry, motions);
  if (!abscissa) return advice;
  const stability::LoopSpectrum& left_out = cycle.left_out.of(entry.scheme);
  const double least = stability::limit_radius(entry.scheme, left_out);
  // With many variables only the worst case is known, which need not apply.
  if (left_out.is_estimated && least >= 1 && left_out.radius < 1) return advice;
  const auto radius = [&](double h) {
    return std::max(least, radius_at(*cycle.compact, entry, h));
  };
  const auto oscillations = stability::oscillations_of(*cycle.compact);
  stability::StepLimit limit = stability::find_step_limit(
      radius, question.steps, {*abscissa, oscillations, affordable_radii(cycle)});
  advice.radius = radius(question.step);
  advice.at_step = stability::is_stable(*advice.radius, question.step, *abscissa)
                       ? Stability::stable
                       : Stability::unstable;
  advice.largest_step = limit.largest;
  advice.beyond_range = limit.beyond_range;
  advice.radii = std::move(limit.radii);
  return advice;
}

std::vector<Share> find_responsible(const LinearCycle& cycle, const SchemeEntry& entry,
                                    double step) {
  const stability::Matrix map = stability::step_map(*cycle.compact, entry.scheme, step);
  const std::vector<double> weights = stability::participation(map);
  const std::vector<std::size_t> owners = stability::row_owners(*cycle.compact, entry.scheme);
  std::vector<Share> shares;
  for (const std::string& name : cycle.interface.names) shares.push_back({name, 0});
  for (std::size_t i = 0; i < weights.size(); ++i) shares[owners[i]].weight += weights[i];
  return largest_shares(std::move(shares));
}

}  // namespace

double loop_radius(const LinearCycle& cycle) {
  double radius = 0;
  for (const Loop& loop : find_loops(cycle))
    if (loop.magnitudes_known)
      radius = std::max(radius, stability::gain_spectrum(loop.system).radius);
  return radius;
}

std::size_t affordable_steps(const LinearCycle& cycle, std::size_t wanted) {
  // Eigenvalues of the largest map cost about 25 n^3: 2 ms for 40, 0.1 s for 160.
  if (!cycle.compact) return 0;
  const std::size_t size = cycle.compact->states() + 3 * cycle.compact->outputs();
  if (size <= 40) return wanted;
  if (size <= 80) return std::min<std::size_t>(wanted, 13);
  return size <= largest_map ? std::min<std::size_t>(wanted, 7) : 0;
}

CycleAdvice advise_cycle(const LinearCycle& cycle, const CycleQuestion& question) {
  CycleAdvice advice;
  advice.components.assign(question.components.begin(), question.components.end());
  advice.history = question.history;
  const LinearCycle& worst = question.worst != nullptr ? *question.worst : cycle;
  const std::vector<JudgedLoop> loops = judge_loops(worst);
  for (const auto& [loop, spectra] : loops) {
    advice.loops.push_back(
        describe(worst, loop, spectra ? spectra->gain : stability::LoopSpectrum{}));
    advice.loop_radius = std::max(advice.loop_radius, advice.loops.back().radius);
  }
  std::ranges::stable_sort(advice.loops, std::ranges::greater{}, &LoopAdvice::radius);
  advice.linearized = cycle.compact && !question.steps.empty();
  if (advice.linearized) {
    const stability::Matrix as_one = stability::coupled_matrix(*cycle.compact);
    const bool solvable = as_one.rows > 0 || cycle.system.states() == 0;
    advice.abscissa = solvable && as_one.rows > 0 ? stability::spectral_abscissa(as_one) : 0;
  }
  const std::vector<stability::Complex> motions = find_motions(cycle);
  const bool has_loop = !loops.empty();
  // Constant inputs may be stable but inaccurate: this uses first order.
  advice.stiffness =
      find_stiffness(cycle, {has_loop ? Sequence::parallel : Sequence::sequential,
                             stability::Prediction::linear_differences, false, has_loop});
  advice.quadratic_stiffness = find_stiffness(
      cycle, {Sequence::parallel, stability::Prediction::quadratic_differences, false, has_loop});
  for (const SchemeEntry& entry : scheme_entries())
    advice.schemes.push_back(judge_scheme(cycle, loops, question, advice.abscissa, motions, entry));
  if (question.present) advice.present = find_scheme(*question.present, question.components);
  if (advice.present && advice.linearized && cycle.compact->states() + cycle.compact->outputs() > 0)
    advice.responsible = find_responsible(cycle, scheme_entries()[*advice.present], question.step);
  choose(advice, question);
  explain(advice, question, cycle.interface.other_links);
  return advice;
}

}  // namespace tutti::analysis
