// SPDX-License-Identifier: BSD-2-Clause
#include "analysis/model_probe.hpp"

namespace tutti::analysis {

ModelProbe::ModelProbe(const ModelDescription& description, const LinearizationTask& task)
    : description_(description), task_(task), inputs_(task.inputs) {
  std::vector<std::int32_t> variables;
  for (const auto& scalar : task.y) variables.push_back(scalar.variable);
  std::ranges::sort(variables);
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  outputs_ = models::ValueSet(description, variables, task.start->structure());
}

bool is_excluded(const ModelDescription& description, std::int32_t output, std::int32_t input) {
  for (const Unknown& row : description.structure.outputs)
    if (row.variable == output && row.dependencies)
      return std::find(row.dependencies->begin(), row.dependencies->end(), input) ==
             row.dependencies->end();
  return false;
}

}  // namespace tutti::analysis
