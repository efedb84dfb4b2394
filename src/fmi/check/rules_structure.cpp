// SPDX-License-Identifier: BSD-2-Clause
#include <array>
#include <unordered_set>

#include "fmi/check/reporter.hpp"
#include "fmi/description/variable.hpp"

/// <ModelStructure>: FMI 2.0, section 2.2.8, and FMI 3.0, section 2.4.8.
namespace tutti::fmi::rules {
namespace {

using List = StructureRow::List;

/// Per variable: why it is an unknown of the initialization; empty: it is not.
std::vector<std::string_view> unknowns_of_initialization(const Subject& fmu) {
  const std::vector<Variable>& variables = fmu.description.variables;
  std::vector<std::string_view> reasons(variables.size());
  const auto computed = [&](std::size_t i) {
    return variables[i].initial == Initial::approx || variables[i].initial == Initial::calculated;
  };
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& variable = variables[i];
    if (variable.causality == Causality::calculated_parameter) {
      reasons[i] = "a calculated parameter";
    } else if (variable.causality == Causality::output && computed(i) && variable.clocks.empty() &&
               variable.type != Type::clock) {
      reasons[i] = "an output";
    } else if (fmu.is_state(i) && computed(i)) {
      reasons[i] = "a continuous state";
    }
  }
  fmu.for_each_row(List::derivatives, [&](const StructureRow&, std::size_t i) {
    if (reasons[i].empty() && computed(i)) reasons[i] = "the derivative of a state";
  });
  return reasons;
}

/// Whether a variable may be in the dependencies of a row.
bool is_known(const Subject& fmu, List list, std::size_t index) {
  const Variable& variable = fmu.description.variables[index];
  if (variable.causality == Causality::input || variable.causality == Causality::independent) {
    return true;
  }
  if (list == List::initial) {
    return variable.initial == Initial::exact || !variable.clocks.empty() ||
           variable.type == Type::clock;
  }
  if (fmu.is_state(index)) return true;
  if (fmu.version == FmiVersion::v2) return false;
  // 3.0 counts parameters, clocks and discrete states among them; any discrete variable may be one.
  return variable.causality == Causality::parameter ||
         variable.causality == Causality::structural_parameter ||
         variable.variability == Variability::discrete || variable.type == Type::clock;
}

}  // namespace

void dependencies_kind_allowed(const Subject& fmu, Reporter& report) {
  for (const StructureRow& row : fmu.structure) {
    if (row.variable < 0) continue;
    const auto index = static_cast<std::size_t>(row.variable);
    const bool real = is_float(fmu.description.variables[index].type);
    bool legal = true;
    std::string_view culprit;
    for_each_item(row.element.attribute("dependenciesKind").value(), [&](std::string_view kind) {
      const bool plain = kind == "dependent" || (kind == "constant" && real);
      if (!legal || plain || (real && row.list != List::initial)) return;
      legal = false;
      culprit = kind;
    });
    if (!legal) {
      report.variable_at(index, row.element, "dependenciesKind \"{}\" is not allowed {}", culprit,
                         real ? "among the initial unknowns" : "for an unknown that is not real");
    }
  }
}

void dependencies_known(const Subject& fmu, Reporter& report) {
  for (const StructureRow& row : fmu.structure) {
    if (row.variable < 0) continue;
    for (const std::int32_t dependency : row.dependencies) {
      if (dependency < 0) continue;
      const auto index = static_cast<std::size_t>(dependency);
      if (is_known(fmu, row.list, index)) continue;
      const Variable& known = fmu.description.variables[index];
      report.variable_at(static_cast<std::size_t>(row.variable), row.element,
                         "it depends on \"{}\" ({}, {}), which is not one of the knowns{}",
                         known.name, to_string(known.causality), to_string(known.variability),
                         row.list == List::initial ? " of the initialization" : "");
      break;
    }
  }
}

void dependencies_order(const Subject& fmu, Reporter& report) {
  for (const StructureRow& row : fmu.structure) {
    if (row.variable < 0) continue;
    for (std::size_t i = 1; i < row.dependencies.size(); ++i) {
      if (row.dependencies[i - 1] < 0 || row.dependencies[i] < 0 ||
          row.dependencies[i - 1] < row.dependencies[i]) {
        continue;
      }
      report.variable_at(static_cast<std::size_t>(row.variable), row.element,
                         "its dependencies are not in ascending order");
      break;
    }
  }
}

void initial_unknowns(const Subject& fmu, Reporter& report) {
  if (!fmu.xml->root().child("ModelStructure")) return;  // one finding is enough
  const std::vector<std::string_view> reasons = unknowns_of_initialization(fmu);
  std::vector<bool> listed(reasons.size());
  fmu.for_each_row(List::initial,
                   [&](const StructureRow&, std::size_t index) { listed[index] = true; });
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (reasons[i].empty() || listed[i]) continue;
    report.variable(i, "it is {} with initial \"{}\", but not listed among the initial unknowns",
                    reasons[i], to_string(fmu.description.variables[i].initial));
  }
}

void initial_unknowns_only(const Subject& fmu, Reporter& report) {
  const std::vector<std::string_view> reasons = unknowns_of_initialization(fmu);
  fmu.for_each_row(List::initial, [&](const StructureRow& row, std::size_t index) {
    const Variable& variable = fmu.description.variables[index];
    if (!reasons[index].empty() || !variable.clocks.empty()) return;
    report.variable_at(
        index, row.element,
        "it is listed among the initial unknowns, but is not one (causality \"{}\"{}{})",
        to_string(variable.causality), variable.initial == Initial::none ? "" : ", initial ",
        to_string(variable.initial));
  });
}

void initial_unknowns_order(const Subject& fmu, Reporter& report) {
  std::int32_t last = -1;
  for (const StructureRow& row : fmu.structure) {
    if (row.list != List::initial || row.variable < 0) continue;
    if (row.variable < last) {
      report.variable_at(static_cast<std::size_t>(row.variable), row.element,
                         "the initial unknowns are not in the order of the variables");
      return;  // all following rows are out of order, too
    }
    last = row.variable;
  }
}

void listed_once(const Subject& fmu, Reporter& report) {
  std::array<std::unordered_set<std::int32_t>, 6> seen;
  for (const StructureRow& row : fmu.structure) {
    if (row.variable < 0 || row.list == List::outputs)
      continue;  // outputs are checked by the reader
    if (seen[static_cast<std::size_t>(row.list)].insert(row.variable).second) continue;
    report.variable_at(static_cast<std::size_t>(row.variable), row.element,
                       "it is listed more than once");
  }
}

void state_derivative_type(const Subject& fmu, Reporter& report) {
  fmu.for_each_row(List::derivatives, [&](const StructureRow& row, std::size_t index) {
    const Variable& variable = fmu.description.variables[index];
    if (is_float(variable.type) && variable.variability == Variability::continuous) return;
    report.variable_at(index, row.element,
                       "it is listed as the derivative of a state, but is not a continuous real");
  });
}

void state_unique(const Subject& fmu, Reporter& report) {
  std::unordered_set<std::int32_t> states;
  std::unordered_set<std::int32_t> derivatives;
  fmu.for_each_row(List::derivatives, [&](const StructureRow& row, std::size_t index) {
    const std::int32_t state = fmu.description.variables[index].derivative_of;
    if (state < 0 || !derivatives.insert(row.variable).second) return;
    if (states.insert(state).second) return;
    report.variable_at(index, row.element, "the state \"{}\" has another listed derivative",
                       fmu.description.variables[static_cast<std::size_t>(state)].name);
  });
}

}  // namespace tutti::fmi::rules
