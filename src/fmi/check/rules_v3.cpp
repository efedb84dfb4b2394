// SPDX-License-Identifier: BSD-2-Clause
#include <unordered_map>
#include <unordered_set>

#include "fmi/check/reporter.hpp"
#include "fmi/description/variable.hpp"

/// Rules of FMI 3.0 only.
namespace tutti::fmi::rules {
namespace {

void check_timing(const Variable& variable, const ClockAttributes& clock, Reporter& report) {
  const std::string_view kind = clock.interval_variability;
  const bool constant = kind == "constant";
  const bool periodic = constant || kind == "fixed" || kind == "tunable";
  const bool known = periodic || kind == "changing" || kind == "countdown" || kind == "triggered";
  if (!kind.empty() && !known) {
    report.variable(variable, "intervalVariability=\"{}\" is unknown", kind);
    return;
  }
  if (constant && !clock.interval_decimal && !clock.interval_counter) {
    report.variable(variable, "it is a constant clock without intervalDecimal");
  }
  if (!periodic && (clock.interval_decimal || clock.interval_counter)) {
    report.variable(variable, "it has an interval, but a {} clock has none in advance", kind);
  }
  if (clock.interval_decimal && !(*clock.interval_decimal > 0)) {
    report.variable(variable, "intervalDecimal={} is not positive", *clock.interval_decimal);
  }
  if (clock.shift_decimal && !(*clock.shift_decimal >= 0)) {
    report.variable(variable, "shiftDecimal={} is negative", *clock.shift_decimal);
  }
  if (clock.supports_fraction && clock.interval_counter && !clock.resolution) {
    report.variable(variable, "intervalCounter needs resolution");
  }
}

}  // namespace

void clock_attributes(const Subject& fmu, Reporter& report) {
  for (const Variable& variable : fmu.description.variables) {
    if (!variable.clock) continue;
    if (variable.causality != Causality::input && variable.causality != Causality::output &&
        variable.causality != Causality::local) {
      report.variable(variable, "a clock cannot have the causality \"{}\"",
                      to_string(variable.causality));
    }
    check_timing(variable, *variable.clock, report);
  }
}

void clocked_states(const Subject& fmu, Reporter& report) {
  fmu.for_each_row(
      StructureRow::List::clocked_states, [&](const StructureRow& row, std::size_t index) {
        const Variable& state = fmu.description.variables[index];
        const std::string_view fault = state.previous < 0     ? "it has no attribute previous"
                                       : state.clocks.empty() ? "it has no attribute clocks"
                                       : state.variability != Variability::discrete
                                           ? "its variability is not \"discrete\""
                                       : state.type == Type::clock ? "it is a clock"
                                                                   : "";
        if (!fault.empty())
          report.variable_at(index, row.element, "it is a clocked state, but {}", fault);
      });
}

void clocked_variability(const Subject& fmu, Reporter& report) {
  for (const Variable& variable : fmu.description.variables) {
    if (variable.clocks.empty() || variable.variability == Variability::discrete ||
        variable.variability == Variability::tunable) {
      continue;
    }
    report.variable(variable, "it belongs to a clock, but its variability is \"{}\"",
                    to_string(variable.variability));
  }
}

void event_indicators(const Subject& fmu, Reporter& report) {
  fmu.for_each_row(StructureRow::List::indicators, [&](const StructureRow& row, std::size_t index) {
    const Variable& variable = fmu.description.variables[index];
    if (!is_float(variable.type) || variable.variability != Variability::continuous) {
      report.variable_at(index, row.element,
                         "it is an event indicator, but not a continuous Float64 or Float32");
    } else if (variable.causality != Causality::local && variable.causality != Causality::output) {
      report.variable_at(index, row.element,
                         "it is an event indicator, but its causality is \"{}\"",
                         to_string(variable.causality));
    }
  });
}

void intermediate_update(const Subject& fmu, Reporter& report) {
  for (std::size_t i = 0; i < fmu.elements.size(); ++i) {
    const Variable& variable = fmu.description.variables[i];
    if (!fmu.elements[i].attribute("intermediateUpdate")) continue;
    if (variable.type == Type::clock) {
      report.variable(i, "a clock cannot have the attribute intermediateUpdate");
    } else if (variable.intermediate_update && variable.variability != Variability::continuous) {
      report.variable(i, "intermediateUpdate is for continuous variables, and it is {}",
                      to_string(variable.variability));
    }
  }
}

void previous(const Subject& fmu, Reporter& report) {
  const std::vector<Variable>& variables = fmu.description.variables;
  std::unordered_map<std::int32_t, std::size_t> taken;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& state = variables[i];
    if (state.previous < 0) continue;
    const Variable& past = variables[static_cast<std::size_t>(state.previous)];
    const auto [first, fresh] = taken.emplace(state.previous, i);
    if (!fresh) {
      report.variable(i, "\"{}\" is also the previous value of \"{}\"", past.name,
                      variables[first->second].name);
    } else if (static_cast<std::size_t>(state.previous) == i) {
      report.variable(i, "it is declared as its own previous value");
    } else if (past.type != state.type) {
      report.variable(i, "its previous value \"{}\" is of type {}, not {}", past.name,
                      to_string(past.type), to_string(state.type));
    } else if (past.causality == Causality::input || past.variability != Variability::discrete) {
      report.variable(i, "its previous value \"{}\" must be discrete and not an input", past.name);
    } else if (state.clocks.empty() || state.variability != Variability::discrete) {
      report.variable(i, "it has a previous value, so it must be discrete and belong to a clock");
    }
  }
}

void structural_parameter(const Subject& fmu, Reporter& report) {
  std::unordered_set<ValueReference> sizes;
  for (const Variable& variable : fmu.description.variables) {
    for (const Dimension& dimension : variable.dimensions) {
      if (dimension.size_variable) sizes.insert(*dimension.size_variable);
    }
  }
  for (const Variable& variable : fmu.description.variables) {
    if (variable.causality != Causality::structural_parameter) continue;
    if (variable.is_array()) {
      report.variable(variable, "a structural parameter cannot be an array");
    } else if (sizes.contains(variable.value_reference) && !variable.start.empty() &&
               parse_integer<std::uint64_t>(variable.start.front()) == 0u) {
      report.variable(variable, "it is the size of an array, so its start must be greater than 0");
    }
  }
}

}  // namespace tutti::fmi::rules
