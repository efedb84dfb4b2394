// SPDX-License-Identifier: BSD-2-Clause
#include "analysis/advise_cycle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "analysis/schemes.hpp"
#include "base/text.hpp"
#include "master/coupling/coupling_method.hpp"
#include "stability/coupling_limit.hpp"

namespace tutti::analysis {
namespace {

/// In order of preference; later choices are more robust, and cost more.
constexpr std::string_view preferred[] = {
    "linear-implicit, inside linear",
    "linear-implicit",
    "jacobi, order 1, fmu derivatives",
    "gauss-seidel, order 1, differences",
    "gauss-seidel",
    "jacobi, order 1, fmu derivatives, corrected",
    "jacobi, order 1, differences, corrected",
    "jacobi, corrected",
    "newton, inside linear",
    "iterated",
    "newton",
};

bool is_predicted(const SchemeAdvice& scheme) {
  return master::uses_models(scheme.choice.methods.front());
}
bool is_solved(const SchemeAdvice& scheme) {
  return master::needs_rollback(scheme.choice.methods.front());
}
bool sweeps(const SchemeAdvice& scheme) {
  return master::find_coupling_method(scheme.choice.methods.front())->sweeps;
}
bool is_consistent(const SchemeAdvice& scheme) {
  return scheme.choice.correct != "none" || (is_solved(scheme) && !sweeps(scheme)) ||
         is_predicted(scheme);
}

bool is_safe(const SchemeAdvice& scheme, double step) {
  if (!scheme.missing.empty() || !scheme.limit_radius) return false;
  const double most = is_solved(scheme) ? usable_contraction : safe_limit_radius;
  if (!is_consistent(scheme) && *scheme.limit_radius > most) return false;
  if (scheme.at_step == Stability::unknown) return true;
  return scheme.at_step == Stability::stable && scheme.largest_step &&
         (scheme.beyond_range || *scheme.largest_step >= safe_step_margin * step);
}

/// With steps that resolve the motions of the system.
bool follows_motions(const SchemeAdvice& scheme) {
  return !scheme.distortion || *scheme.distortion <= most_distortion;
}

/// "; stable up to a step of 0.107 s"
std::string up_to(const SchemeAdvice& scheme) {
  if (!scheme.largest_step) return "";
  return fmt::format("; stable up to {}{:.3g} s", scheme.beyond_range ? "at least " : "",
                     *scheme.largest_step);
}

std::string reason_for(const SchemeAdvice& scheme, const CycleAdvice& cycle) {
  const bool has_loop = !cycle.loops.empty();
  const bool known = has_loop && cycle.loops.front().magnitudes_known;
  const std::string loop =
      known ? fmt::format("the algebraic loop (rho(DL) = {:.3g})", cycle.loop_radius)
            : "a loop of unknown gain";
  std::string reason;
  if (is_predicted(scheme))
    return fmt::format(
        "the coupling is stiff: other methods of one pass {}. Inputs are predicted from linear "
        "models of the components, so that one pass per step is enough",
        cycle.stiffness.value_or(0) >= stiff_coupling
            ? fmt::format("are stable only with at least {:.2g} steps per time constant of the "
                          "slowest motion",
                          *cycle.stiffness)
            : std::string("do not follow the motion of the system"));
  if (sweeps(scheme))
    reason =
        has_loop
            ? fmt::format(
                  "sweeps converge here: each reduces errors in the loop by a factor of {:.2g}",
                  *scheme.limit_radius)
            : "sweeps converge here, as there is no algebraic loop";
  else if (is_solved(scheme))
    reason =
        fmt::format("steps are repeated until inputs and outputs are consistent, so {} is harmless",
                    has_loop ? loop : "feedback through states");
  else if (is_consistent(scheme))
    reason = fmt::format(
        "every component steps once per step, and {} is solved between steps with the derivatives "
        "of the outputs",
        loop);
  else
    reason = has_loop ? fmt::format(
                            "one pass per step is enough, as errors in the algebraic loop are "
                            "reduced by a factor of {:.2g} per step",
                            *scheme.limit_radius)
                      : "one pass per step is enough, as there is no algebraic loop";
  if (!is_solved(scheme) && scheme.choice.order > 0)
    reason += ", and inputs that change inside a step raise the order by one";
  return reason + up_to(scheme);
}

/// Other single-pass methods need far smaller steps than the system, or are stable but do not
/// follow it. Otherwise they are as good, and of a higher order.
bool needs_prediction(const CycleAdvice& advice, double step) {
  if (advice.stiffness.value_or(0) >= stiff_coupling) return true;
  std::size_t safe = 0, following = 0, solved = 0;
  for (const SchemeAdvice& scheme : advice.schemes)
    if (!is_predicted(scheme) && is_safe(scheme, step)) {
      ++(is_solved(scheme) ? solved : safe);
      if (!is_solved(scheme) && follows_motions(scheme)) ++following;
    }
  return safe == 0 ? solved == 0 : following == 0;
}

}  // namespace

void choose(CycleAdvice& advice, const CycleQuestion& question) {
  const bool has_loop = !advice.loops.empty();
  const bool can_correct =
      has_loop && std::ranges::any_of(advice.schemes, [&](const auto& s) {
        return s.choice.correct != "none" && is_safe(s, question.step) && follows_motions(s);
      });
  const bool may_predict = needs_prediction(advice, question.step);
  const bool some_follow = std::ranges::any_of(advice.schemes, [&](const SchemeAdvice& s) {
    return is_safe(s, question.step) && follows_motions(s) && (may_predict || !is_predicted(s));
  });
  bool predicts = false;
  for (const std::string_view name : preferred) {
    const auto found = std::ranges::find(advice.schemes, name, &SchemeAdvice::name);
    if (found == advice.schemes.end() || !is_safe(*found, question.step)) continue;
    if (some_follow && !follows_motions(*found)) continue;
    if (is_predicted(*found) && (predicts || !may_predict || !follows_motions(*found))) continue;
    predicts |= is_predicted(*found);
    // Without a loop there is nothing to correct. With one, the correction is worth its cost: it
    // needs no more steps, and coupled values are consistent.
    const bool corrects = found->choice.correct != "none";
    if (!is_predicted(*found) && (corrects ? !has_loop : can_correct && !is_solved(*found)))
      continue;
    CycleAdvice::Choice choice{found->choice, reason_for(*found, advice)};
    // Newton's method is the fallback of sweeps.
    if (sweeps(*found)) choice.choice.methods.emplace_back("newton");
    advice.choices.push_back(std::move(choice));
  }
}

namespace {

std::string number(std::complex<double> z) {
  const double size = std::abs(z);
  if (std::abs(z.imag()) <= 1e-9 * size) return fmt::format("{:.4g}", z.real());
  if (std::abs(z.real()) <= 1e-9 * size) return fmt::format("{:.4g}i", z.imag());
  return fmt::format("{:.4g}{:+.4g}i", z.real(), z.imag());
}

/// "a.u (50 %), b.u (50 %)"
std::string shares(const std::vector<Share>& all) {
  std::string text;
  constexpr std::size_t most = 5;
  for (std::size_t i = 0; i < all.size() && i < most; ++i)
    text += fmt::format("{}{} ({:.0f} %)", i == 0 ? "" : ", ", all[i].name, 100 * all[i].weight);
  return text;
}

const char* judgement(const LoopAdvice& loop) {
  switch (stability::judge(loop.radius, loop.estimated ? stability::margin_of_estimates
                                                       : stability::margin_of_rounding)) {
    case stability::CouplingVerdict::stable:
      return "with constant inputs errors shrink from step to step";
    case stability::CouplingVerdict::marginal:
      return "with constant inputs it is on the border of stability";
    default:
      return "with one pass per step and constant inputs errors grow for every step size";
  }
}

/// "rho(DL) = 1.05 (mu = 1.05i and -1.05i)"
std::string size_of(const LoopAdvice& loop) {
  if (loop.estimated)
    return fmt::format("rho(DL) is about {:.3g}, estimated because of the number of variables",
                       loop.radius);
  const bool pair = loop.eigenvalues.size() > 1 &&
                    std::abs(std::abs(loop.eigenvalues[1]) - loop.radius) <= 1e-9 * loop.radius;
  return fmt::format("rho(DL) = {:.6g} (mu = {}{})", loop.radius, number(loop.eigenvalues[0]),
                     pair ? " and " + number(loop.eigenvalues[1]) : "");
}

void explain_loop(CycleAdvice& advice, const LoopAdvice& loop) {
  if (!loop.magnitudes_known) {
    advice.findings.emplace_back(
        "there may be an algebraic loop of unknown gain: one pass per step may be unstable for "
        "every step size");
    return;
  }
  advice.findings.push_back(fmt::format("algebraic loop of {} variables, {}: {}{}",
                                        loop.variables.size(), size_of(loop), judgement(loop),
                                        loop.inputs.empty() ? "" : "; it goes through ") +
                            shares(loop.inputs));
  if (std::ranges::any_of(loop.eigenvalues,
                          [](const auto mu) { return std::abs(mu - 1.0) < 1e-9; }))
    advice.findings.push_back(
        fmt::format("the loop {} has gain 1 (an eigenvalue of DL is 1): it has no unique solution "
                    "with any method",
                    list_some(loop.variables)));
}

void explain_loops(CycleAdvice& advice) {
  if (advice.loops.empty())
    advice.findings.emplace_back(
        "no algebraic loop: no output depends directly on itself (rho(DL) = 0), so every method is "
        "stable for sufficiently short steps");
  for (const LoopAdvice& loop : advice.loops) explain_loop(advice, loop);
}

void explain_history(CycleAdvice& advice) {
  if (advice.history.size() < 2) return;
  const auto [least, most] = std::minmax_element(
      advice.history.begin(), advice.history.end(),
      [](const auto& a, const auto& b) { return a.loop_radius < b.loop_radius; });
  advice.findings.push_back(fmt::format(
      "at {} points from t = {:.4g} to {:.4g} s rho(DL) is from {:.4g} to {:.4g}, the largest at "
      "t = {:.4g} s",
      advice.history.size(), advice.history.front().time, advice.history.back().time,
      least->loop_radius, most->loop_radius, most->time));
}

void explain_present(CycleAdvice& advice, const CycleQuestion& question) {
  if (!advice.present) return;
  const SchemeAdvice& present = advice.schemes[*advice.present];
  const std::string where = fmt::format("{} with a step of {:.4g} s", present.name, question.step);
  if (present.at_step == Stability::unstable) {
    const bool finite = std::isfinite(*present.radius);
    advice.findings.push_back(fmt::format(
        "{} is unstable: {}, most of it in {}", where,
        finite ? fmt::format("errors grow by a factor of {:.4g} per step", *present.radius)
               : std::string("its sweeps do not converge, or converge too slowly"),
        shares(advice.responsible)));
  } else if (present.at_step == Stability::stable) {
    advice.findings.push_back(fmt::format(
        "{} is stable (spectral radius {:.4g}); {}", where, *present.radius,
        present.beyond_range ? fmt::format("so is every step up to {:.3g} s", *present.largest_step)
        : present.largest_step
            ? fmt::format("so are all steps up to {:.4g} s, but not all larger ones",
                          *present.largest_step)
            : "shorter steps are not"));
  } else if (present.limit == Stability::unstable) {
    advice.findings.push_back(
        fmt::format("{} is unstable for every short step: errors grow by a factor of {:.4g}",
                    present.name, *present.limit_radius));
  }
}

/// Stable, but inaccurate with steps that suit the system.
void explain_distortion(CycleAdvice& advice, const CycleQuestion& question) {
  std::vector<std::string> blind;
  for (const SchemeAdvice& scheme : advice.schemes)
    if (is_safe(scheme, question.step) && !follows_motions(scheme)) blind.push_back(scheme.name);
  if (!blind.empty())
    advice.findings.push_back(fmt::format(
        "stable, but inaccurate: with steps of a tenth of its time constant, {} miss at least half "
        "the motion of the system, because a component alone is much faster than the system and "
        "follows any input. They need far smaller steps, and error tests do not detect this",
        list_some(blind, "; ")));
}

/// Without a safe choice: the necessary changes.
void explain_refusal(CycleAdvice& advice, const CycleQuestion& question) {
  if (!advice.choices.empty()) return;
  const SchemeAdvice* longest = nullptr;
  for (const SchemeAdvice& scheme : advice.schemes)
    if (scheme.missing.empty() && scheme.largest_step &&
        (scheme.limit != Stability::unstable || is_consistent(scheme)) &&
        (longest == nullptr || *scheme.largest_step > *longest->largest_step))
      longest = &scheme;
  if (longest != nullptr) {
    advice.findings.push_back(fmt::format(
        "no stable method found for a step of {:.4g} s: use a step below {:.3g} s, with {}",
        question.step, *longest->largest_step / safe_step_margin, to_string(longest->choice)));
    return;
  }
  const std::string lacking = names_without(&LinearizedComponent::can_roll_back, advice.components);
  advice.findings.push_back(
      lacking.empty()
          ? std::string("no stable method found: break the loop, or add a delay to it")
          : fmt::format("no stable method found: export {} with saving and restoring of states "
                        "(canGetAndSetFMUState), so that steps can be repeated, or break the loop",
                        lacking));
}

}  // namespace

void explain(CycleAdvice& advice, const CycleQuestion& question, std::size_t other_links) {
  explain_loops(advice);
  explain_history(advice);
  if (advice.abscissa && *advice.abscissa > 1e-9)
    advice.findings.push_back(
        fmt::format("the coupled system itself grows like exp({:.3g} t) at the start: here, stable "
                    "means that no error grows twice as fast",
                    *advice.abscissa));
  explain_present(advice, question);
  explain_distortion(advice, question);
  explain_refusal(advice, question);
  if (!advice.linearized) {
    const std::string names = names_without(&LinearizedComponent::linearized, advice.components);
    advice.findings.push_back(
        names.empty()
            ? std::string("the cycle is too large to compute spectral radii over steps")
            : fmt::format(
                  "whether a step of {:.4g} s is stable is unknown: {} cannot be linearized (no "
                  "usable model-exchange interface, and no linear system that fits small steps)",
                  question.step, names));
  }
  if (other_links > 0)
    advice.findings.push_back(fmt::format("{} connection{} of discrete values {} ignored here",
                                          other_links, other_links == 1 ? "" : "s",
                                          other_links == 1 ? "is" : "are"));
}

}  // namespace tutti::analysis
