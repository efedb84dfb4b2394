// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/model_description.hpp>

namespace tutti::testing {

/// A model description made by hand, for tests that need no FMU.
class SmallDescription {
 public:
  explicit SmallDescription(FmiVersion version = FmiVersion::v3) {
    description.version = version;
    description.model_name = "small";
  }
  Variable& add(const std::string& name, Type type, Causality causality,
                Variability variability = Variability::continuous,
                std::vector<std::string> start = {}) {
    Variable variable;
    variable.name = name;
    variable.type = type;
    variable.causality = causality;
    variable.variability = variability;
    variable.initial = causality == Causality::parameter ? Initial::exact : Initial::none;
    variable.start = std::move(start);
    variable.value_reference = static_cast<ValueReference>(description.variables.size());
    description.variables.push_back(variable);
    description.build_index();
    return description.variables.back();
  }
  ModelDescription description;
};

}  // namespace tutti::testing
