// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "master/coupling/coupling_method.hpp"

namespace tutti::master {

std::unique_ptr<CouplingMethod> make_anderson(const CouplingOptions& options);
std::unique_ptr<CouplingMethod> make_broyden(const CouplingOptions& options);
std::unique_ptr<CouplingMethod> make_gauss_seidel(const CouplingOptions& options);
std::unique_ptr<CouplingMethod> make_iterated(const CouplingOptions& options);
std::unique_ptr<CouplingMethod> make_jacobi(const CouplingOptions& options);
std::unique_ptr<CouplingMethod> make_linear_implicit(const CouplingOptions& options);
std::unique_ptr<CouplingMethod> make_newton(const CouplingOptions& options);

namespace {

using enum stability::Sequence;

// clang-format off
constexpr CouplingEntry entries[] = {
    {.name = "anderson", .summary = "Jacobi sweeps, accelerated by the last few of them", .make = make_anderson, .sequence = solved, .relaxes = true,
     .about = {"Each iterate mixes up to five earlier ones so that the residual becomes smallest. For cycles whose steps are expensive and whose behavior changes from step to step. Costs one doStep per component and pass, usually 3 passes or more per step. Solves loops of any gain with up to five coupling variables, of moderate gain with more. Every component of the cycle must roll back. Uses simulation.relaxation.", "docs/algorithms/anderson.md"}},
    {.name = "broyden", .summary = "quasi-Newton: learns the sensitivities from the passes", .make = make_broyden, .sequence = solved,
     .about = {"Newton's method with an estimate of the inverse Jacobian that every pass improves. For cycles with strong feedback whose components have many coupled inputs and expensive steps. Costs one doStep per component and pass, usually 2 to a few passes per step; steps are repeated for a Jacobian only at the start and after large changes of the step size. Solves loops of any gain but 1. Every component of the cycle must roll back.", "docs/algorithms/broyden.md"}},
    {.name = "gauss-seidel", .summary = "one pass, each component with the new outputs of those before it", .make = make_gauss_seidel, .sequence = sequential, .is_order_only = true,
     .about = {"The default, and the method to try first. Components step one after the other and read new values of those before them, so fewer values are delayed than with jacobi. Costs one doStep per component and step, and needs no capability of the FMUs. Of order 1 with constant inputs, 2 with simulation.inputs.order = 1. Unstable if the feedback in a cycle is strong for the step: try a smaller step, or an iterative method.", "docs/algorithms/gauss-seidel.md"}},
    {.name = "iterated", .summary = "sweeps repeated until nothing changes", .make = make_iterated, .sequence = solved, .relaxes = true, .sweeps = true,
     .about = {"Repeats Gauss-Seidel or Jacobi sweeps (simulation.sweeps) until the coupled values no longer change. For couplings that matter inside a step. Costs 2 passes or more per step. Converges for loop gains between -1 and 1; with simulation.relaxation for any gain below 1. Every component of the cycle must roll back. If it is slow or fails, try newton.", "docs/algorithms/iterated.md"}},
    {.name = "jacobi", .summary = "one pass, all components with the values of the last point", .make = make_jacobi, .sequence = parallel, .is_order_only = true,
     .about = {"All components step from the values of the last communication point, so they can step in parallel (simulation.threads). Costs one doStep per component and step, and needs no capability of the FMUs. Of order 1 with constant inputs, 2 with simulation.inputs.order = 1. Every connection delays its value by one step: feedback must be weak for the step.", "docs/algorithms/jacobi.md"}},
    {.name = "linear-implicit", .summary = "one pass, inputs predicted from linear models of the components", .make = make_linear_implicit, .sequence = predicted,
     .about = {"Predicts the inputs at the end of the step with linear models of the components, which come from the model-exchange interface of their FMUs or are identified as tutti advise does; without them the run is rejected. For couplings that are stiff, where other methods of one pass need tiny steps and steps cannot be repeated. Costs one doStep per component and step, and an occasional linearization. Stable for any loop gain but 1, as long as the components are nearly linear over a step.", "docs/algorithms/linear-implicit.md"}},
    {.name = "newton", .summary = "Newton's method with sensitivities from repeated steps", .make = make_newton, .sequence = solved, .is_robust = true,
     .about = {"Finds the Jacobian of the coupled values by repeating steps, and keeps it as long as the iteration converges fast. For cycles with strong feedback and few coupling variables, and where iterated is slow or fails. Costs about 2 passes per step, and now and then one doStep for each coupling variable and component that reads it. Solves loops of any gain but 1. Every component of the cycle must roll back.", "docs/algorithms/newton.md"}},
};
// clang-format on

}  // namespace

std::span<const CouplingEntry> coupling_methods() { return entries; }

const CouplingEntry* find_coupling_method(std::string_view name) {
  const auto* const found = std::ranges::find(entries, name, &CouplingEntry::name);
  return found == std::end(entries) ? nullptr : found;
}

bool needs_rollback(std::string_view method) {
  const CouplingEntry* const entry = find_coupling_method(method);
  return entry != nullptr && entry->needs_rollback();
}

bool uses_models(std::string_view method) {
  const CouplingEntry* const entry = find_coupling_method(method);
  return entry != nullptr && entry->uses_models();
}

}  // namespace tutti::master
