// SPDX-License-Identifier: BSD-2-Clause
#include <string>

#include "fmi/check/reporter.hpp"
#include "fmi/description/variable.hpp"

namespace tutti::fmi::rules {
void derivative_type(const Subject& fmu, Reporter& report) {
  const std::vector<Variable>& variables = fmu.description.variables;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::int32_t of = variables[i].derivative_of;
    if (of < 0) continue;
    const Variable& base = variables[static_cast<std::size_t>(of)];
    if (static_cast<std::size_t>(of) == i) {
      report.variable(i, "it is declared as its own derivative");
    } else if (!is_float(base.type)) {
      report.variable(i, "it is the derivative of \"{}\", which is of type {}", base.name,
                      to_string(base.type));
    } else if (variables[i].dimensions.size() != base.dimensions.size()) {
      report.variable(i, "it is the derivative of \"{}\", but has {} dimensions instead of {}",
                      base.name, variables[i].dimensions.size(), base.dimensions.size());
    }
  }
}

void independent(const Subject& fmu, Reporter& report) {
  bool found = false;
  for (const Variable& variable : fmu.description.variables) {
    if (variable.causality != Causality::independent) continue;
    if (found) report.variable(variable, "it is a second independent variable");
    found = true;
    if (!is_float(variable.type)) {
      report.variable(variable, "the independent variable is of type {}, not a real",
                      to_string(variable.type));
    }
  }
  if (!found && fmu.version == FmiVersion::v3) {
    report.element(fmu.xml->root().child("ModelVariables"),
                   "there is no variable with causality \"independent\" (time)");
  }
}

void multiple_set(const Subject& fmu, Reporter& report) {
  for (std::size_t i = 0; i < fmu.elements.size(); ++i) {
    if (!fmu.elements[i].attribute("canHandleMultipleSetPerTimeInstant")) continue;
    if (fmu.description.variables[i].causality != Causality::input) {
      report.variable(i, "canHandleMultipleSetPerTimeInstant is for inputs only");
    } else if (fmu.version == FmiVersion::v2 && !fmu.description.model_exchange) {
      report.variable(i, "canHandleMultipleSetPerTimeInstant is for model exchange only");
    }
  }
}

void nominal(const Subject& fmu, Reporter& report) {
  for (const Variable& variable : fmu.description.variables) {
    const std::optional<double>& value = variable.attributes.nominal;
    if (value && !(*value > 0)) {
      report.variable(variable, "nominal={} is not positive", *value);
    }
  }
}

void reinit(const Subject& fmu, Reporter& report) {
  const bool exchange = fmu.description.model_exchange.has_value();
  for (std::size_t i = 0; i < fmu.elements.size(); ++i) {
    if (!fmu.attribute(i, "reinit")) continue;
    if (fmu.version == FmiVersion::v2 && !exchange) {
      report.variable(i, "reinit is for model exchange only");
    } else if (exchange && !fmu.is_state(i)) {
      report.variable(i, "reinit is for continuous states only");
    }
  }
}

void start_range(const Subject& fmu, Reporter& report) {
  for (const Variable& variable : fmu.description.variables) {
    const TypeAttributes& has = variable.attributes;
    if (!has.min && !has.max) continue;
    for (const std::string& text : variable.start) {
      const std::optional<double> value = parse_double(text);
      if (!value) break;
      if ((!has.min || *value >= *has.min) && (!has.max || *value <= *has.max)) continue;
      const bool low = has.min && *value < *has.min;
      report.variable(variable, "start={} is {} than {}={}", text, low ? "less" : "greater",
                      low ? "min" : "max", low ? *has.min : *has.max);
      break;
    }
  }
}

void state_causality(const Subject& fmu, Reporter& report) {
  for (std::size_t i = 0; i < fmu.state_of.size(); ++i) {
    if (!fmu.is_state(i)) continue;
    const Variable& state = fmu.description.variables[i];
    if (state.causality != Causality::local && state.causality != Causality::output) {
      report.variable(i, "it is a continuous state, but its causality is \"{}\"",
                      to_string(state.causality));
    } else if (state.variability != Variability::continuous) {
      report.variable(i, "it is a continuous state, but its variability is \"{}\"",
                      to_string(state.variability));
    }
  }
}

void variability_required(const Subject& fmu, Reporter& report) {
  for (std::size_t i = 0; i < fmu.elements.size(); ++i) {
    if (fmu.elements[i].attribute("variability")) continue;
    const Variable& variable = fmu.description.variables[i];
    const bool parameter = variable.causality == Causality::parameter ||
                           variable.causality == Causality::calculated_parameter;
    if (parameter) {
      report.variable(i, "it is a {} without variability, and the default is \"continuous\"",
                      to_string(variable.causality));
    } else if (!is_float(variable.type)) {
      report.variable(i,
                      "it is not a Real and has no variability, and the default is \"continuous\"");
    }
  }
}

}  // namespace tutti::fmi::rules
