// SPDX-License-Identifier: BSD-2-Clause
#include "analysis/schemes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text.hpp"
#include "master/coupling/coupling_method.hpp"

namespace tutti::analysis {
namespace {

using stability::Prediction;
using stability::Sequence;

std::vector<SchemeEntry> make_entries() {
  std::vector<SchemeEntry> all;
  const auto jacobi = [&](const char* name, Prediction prediction, const char* derivatives,
                          bool smooth, bool corrected) {
    SchemeEntry entry;
    entry.choice.order = stability::order_of(prediction);
    entry.choice.derivatives = derivatives;
    entry.choice.smooth = smooth;
    entry.choice.correct = corrected ? "linear" : "none";
    entry.name = name;
    entry.scheme = {Sequence::parallel, prediction, smooth, corrected};
    entry.follows_inputs = entry.choice.order > 0;
    entry.output_derivatives = prediction == Prediction::linear_derivatives ||
                               prediction == Prediction::quadratic_derivatives;
    all.push_back(std::move(entry));
  };
  const auto other = [&](const char* method, const char* name, bool linear) {
    SchemeEntry entry;
    entry.choice.methods = {method};
    const master::CouplingEntry& row = *master::find_coupling_method(method);
    const bool solved = row.needs_rollback() || row.uses_models();
    if (solved && linear) entry.choice.inside = "linear";
    if (!solved && linear) {
      entry.choice.order = 1;
      entry.choice.derivatives = "differences";
    }
    entry.name = name;
    entry.scheme = {row.sequence, linear ? Prediction::linear_differences : Prediction::hold, false,
                    false};
    entry.sweeps = row.sweeps;
    entry.follows_inputs = linear;
    all.push_back(std::move(entry));
  };
  constexpr auto differences = Prediction::linear_differences;
  constexpr auto derivatives = Prediction::linear_derivatives;
  jacobi("jacobi", Prediction::hold, "auto", false, false);
  other("gauss-seidel", "gauss-seidel", false);
  jacobi("jacobi, order 1, differences", differences, "differences", false, false);
  jacobi("jacobi, order 1, fmu derivatives", derivatives, "fmu", false, false);
  other("gauss-seidel", "gauss-seidel, order 1, differences", true);
  jacobi("jacobi, order 2, backward", Prediction::quadratic_backward, "backward", false, false);
  jacobi("jacobi, order 2, differences", Prediction::quadratic_differences, "differences", false,
         false);
  jacobi("jacobi, order 2, fmu derivatives", Prediction::quadratic_derivatives, "fmu", false,
         false);
  jacobi("jacobi, order 1, differences, smooth", differences, "differences", true, false);
  jacobi("jacobi, order 1, fmu derivatives, smooth", derivatives, "fmu", true, false);
  jacobi("jacobi, corrected", Prediction::hold, "auto", false, true);
  jacobi("jacobi, order 1, differences, corrected", differences, "differences", false, true);
  jacobi("jacobi, order 1, fmu derivatives, corrected", derivatives, "fmu", false, true);
  jacobi("jacobi, order 2, differences, corrected", Prediction::quadratic_differences,
         "differences", false, true);
  jacobi("jacobi, order 2, fmu derivatives, corrected", Prediction::quadratic_derivatives, "fmu",
         false, true);
  jacobi("jacobi, order 1, differences, smooth, corrected", differences, "differences", true, true);
  jacobi("jacobi, order 1, fmu derivatives, smooth, corrected", derivatives, "fmu", true, true);
  other("iterated", "iterated", false);
  other("newton", "newton", false);
  other("newton", "newton, inside linear", true);
  other("linear-implicit", "linear-implicit", false);
  other("linear-implicit", "linear-implicit, inside linear", true);
  return all;
}

}  // namespace

std::string names_without(bool LinearizedComponent::*ability,
                          std::span<const LinearizedComponent> components) {
  std::vector<std::string> names;
  for (const LinearizedComponent& component : components)
    if (!(component.*ability)) names.push_back(component.name);
  return list_some(names);
}

std::span<const SchemeEntry> scheme_entries() {
  static const std::vector<SchemeEntry> entries = make_entries();
  return entries;
}

std::string missing_for(const SchemeEntry& entry, std::span<const LinearizedComponent> components) {
  using Component = LinearizedComponent;
  const std::tuple<bool, bool Component::*, std::string_view> needs[] = {
      {entry.scheme.sequence == Sequence::solved, &Component::can_roll_back, "rollback in"},
      {entry.scheme.sequence == Sequence::predicted, &Component::linearized, "a linear model of"},
      {entry.output_derivatives, &Component::provides_output_derivatives, "output derivatives of"},
      {entry.follows_inputs, &Component::follows_inputs, "inputs that move inside a step in"}};
  for (const auto& [is_needed, ability, what] : needs)
    if (const std::string names = names_without(ability, components); is_needed && !names.empty())
      return fmt::format("{} {}", what, names);
  if (entry.scheme.corrected) {
    std::vector<std::string> names;
    for (const Component& component : components)
      if (!component.has_directional_derivatives && !component.can_roll_back &&
          !component.is_model_exchange)
        names.push_back(component.name);
    if (!names.empty())
      return fmt::format("directional derivatives, or rollback, in {}", list_some(names));
  }
  return {};
}

std::optional<std::size_t> find_scheme(CouplingChoice choice,
                                       std::span<const LinearizedComponent> components) {
  const master::CouplingEntry* const row = master::find_coupling_method(choice.methods.front());
  if (row == nullptr) return {};
  if (choice.order == 0) choice.smooth = false;
  if (choice.correct == "consistent") choice.correct = "linear";
  if (row->needs_rollback() || row->uses_models()) {
    // Smoothing and correction have no effect, and the line to the end is the same.
    if (choice.order == 1) choice.inside = "linear";
    choice.smooth = false;
    choice.correct = "none";
    if (choice.order < 2) choice.order = 0;
  } else if (row->sequence == Sequence::parallel) {
    choice.inside = "constant";  // no component knows the end of the step
  }
  if (choice.order == 0)
    choice.derivatives = "auto";
  else if (choice.derivatives == "auto")
    choice.derivatives =
        std::ranges::all_of(
            components, [](const LinearizedComponent& c) { return c.provides_output_derivatives; })
            ? "fmu"
            : "differences";
  if (choice.order == 1 && choice.derivatives == "backward") choice.derivatives = "differences";
  const auto entries = scheme_entries();
  // Methods that solve the step otherwise end at the same solution.
  const auto found = std::ranges::find_if(entries, [&](const SchemeEntry& entry) {
    choice.methods = entry.choice.methods;  // their sequence counts, not their name
    return entry.scheme.sequence == row->sequence && entry.sweeps == row->sweeps &&
           entry.choice == choice;
  });
  if (found == entries.end()) return {};
  return static_cast<std::size_t>(found - entries.begin());
}

}  // namespace tutti::analysis
