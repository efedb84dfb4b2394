// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "master/coupling/coupling_method.hpp"
#include "master/coupling/iterated.hpp"
#include "master/coupling/linear_implicit.hpp"
#include "master/coupling/newton.hpp"
#include "master/coupling/quasi_newton.hpp"
#include "master/coupling/single_pass.hpp"

namespace tutti::master {
namespace {

constexpr CouplingEntry entries[] = {
    {"anderson", "Jacobi sweeps, accelerated by the last few of them", true, make_anderson},
    {"broyden", "quasi-Newton: learns the sensitivities from the passes", true, make_broyden},
    {"gauss-seidel", "one pass, each component with what those before it gave", false,
     make_gauss_seidel},
    {"iterated", "sweeps repeated until nothing changes", true, make_iterated, false, true},
    {"jacobi", "one pass, all components with the values of the last point", false, make_jacobi},
    {"linear-implicit", "one pass, inputs predicted from linear models of the components", false,
     make_linear_implicit, true},
    {"newton", "Newton's method with sensitivities from repeated steps", true, make_newton},
};

}  // namespace

std::span<const CouplingEntry> coupling_methods() { return entries; }

const CouplingEntry* find_coupling_method(std::string_view name) {
  const auto* const found = std::find_if(std::begin(entries), std::end(entries),
                                         [&](const CouplingEntry& e) { return e.name == name; });
  return found == std::end(entries) ? nullptr : found;
}

bool needs_rollback(std::string_view method) {
  const CouplingEntry* const entry = find_coupling_method(method);
  return entry != nullptr && entry->needs_rollback;
}

bool uses_models(std::string_view method) {
  const CouplingEntry* const entry = find_coupling_method(method);
  return entry != nullptr && entry->uses_models;
}

bool sweeps(std::string_view method) {
  const CouplingEntry* const entry = find_coupling_method(method);
  return entry != nullptr && entry->sweeps;
}

}  // namespace tutti::master
