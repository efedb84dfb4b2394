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
    {.name = "anderson", .summary = "Jacobi sweeps, accelerated by the last few of them", .make = make_anderson, .sequence = solved, .relaxes = true},
    {.name = "broyden", .summary = "quasi-Newton: learns the sensitivities from the passes", .make = make_broyden, .sequence = solved},
    {.name = "gauss-seidel", .summary = "one pass, each component with what those before it gave", .make = make_gauss_seidel, .sequence = sequential, .is_order_only = true},
    {.name = "iterated", .summary = "sweeps repeated until nothing changes", .make = make_iterated, .sequence = solved, .relaxes = true, .sweeps = true},
    {.name = "jacobi", .summary = "one pass, all components with the values of the last point", .make = make_jacobi, .sequence = parallel, .is_order_only = true},
    {.name = "linear-implicit", .summary = "one pass, inputs predicted from linear models of the components", .make = make_linear_implicit, .sequence = predicted},
    {.name = "newton", .summary = "Newton's method with sensitivities from repeated steps", .make = make_newton, .sequence = solved, .is_robust = true},
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
