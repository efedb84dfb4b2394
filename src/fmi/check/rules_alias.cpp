// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdint>
#include <vector>

#include "fmi/check/reporter.hpp"

/// Variables of FMI 2.0 with one value: same value reference and base type (section 2.2.7).
namespace tutti::fmi::rules {
namespace {

/// Calls `use` with the indices, in the order of the file, of each set of two or more.
template <class Use>
void for_each_alias_set(const Subject& fmu, const Use& use) {
  const std::vector<Variable>& variables = fmu.description.variables;
  std::vector<std::pair<std::uint64_t, std::size_t>> all(variables.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {value_key(variables[i]), i};
  std::ranges::sort(all);
  std::vector<std::size_t> set;
  for (std::size_t i = 0; i < all.size();) {
    set.clear();
    const std::uint64_t value = all[i].first;
    for (; i < all.size() && all[i].first == value; ++i) set.push_back(all[i].second);
    if (set.size() > 1) use(set);
  }
}

}  // namespace

void alias_constant(const Subject& fmu, Reporter& report) {
  const std::vector<Variable>& variables = fmu.description.variables;
  for_each_alias_set(fmu, [&](const std::vector<std::size_t>& set) {
    const Variable& first = variables[set.front()];
    for (const std::size_t i : set) {
      const Variable& other = variables[i];
      const bool is_constant = other.variability == Variability::constant;
      if (is_constant != (first.variability == Variability::constant)) {
        report.variable(i, "it has the value of \"{}\", but only one of them is constant",
                        first.name);
      } else if (is_constant && other.start != first.start) {
        report.variable(i, "it has the value of \"{}\", but a different start value", first.name);
      }
    }
  });
}

void alias_settable(const Subject& fmu, Reporter& report) {
  const std::vector<Variable>& variables = fmu.description.variables;
  for_each_alias_set(fmu, [&](const std::vector<std::size_t>& set) {
    const Variable* settable = nullptr;
    for (const std::size_t i : set) {
      const Variable& variable = variables[i];
      if (variable.variability == Variability::constant || variable.start.empty()) continue;
      if (settable != nullptr) {
        report.variable(i, "it has a start value, and so has \"{}\", whose value it shares",
                        settable->name);
      } else {
        settable = &variable;
      }
    }
  });
}

void alias_unit(const Subject& fmu, Reporter& report) {
  const std::vector<Variable>& variables = fmu.description.variables;
  for_each_alias_set(fmu, [&](const std::vector<std::size_t>& set) {
    const Variable& first = variables[set.front()];
    for (const std::size_t i : set) {
      if (variables[i].attributes.unit == first.attributes.unit) continue;
      report.variable(i, "its unit \"{}\" differs from \"{}\" of \"{}\", whose value it shares",
                      variables[i].attributes.unit, first.attributes.unit, first.name);
    }
  });
}

}  // namespace tutti::fmi::rules
