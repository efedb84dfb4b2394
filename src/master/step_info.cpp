// SPDX-License-Identifier: BSD-2-Clause
#include "master/step_info.hpp"

namespace tutti::master {

const ModelDescription& StepInfo::description() {
  static const ModelDescription description = [] {
    ModelDescription info;
    for (const char* name : {"step", "iterations", "error"}) {
      Variable& variable = info.variables.emplace_back();
      variable.name = name;
      variable.type = Type::float64;
      variable.causality = Causality::local;
      variable.variability = Variability::discrete;
    }
    return info;
  }();
  return description;
}

StepInfo::StepInfo() : values_(description(), std::vector<std::int32_t>{0, 1, 2}, {}) {}

void StepInfo::note(double h, double error, std::span<const CycleReport> cycles) {
  std::uint64_t iterations = 0;
  for (const CycleReport& report : cycles) iterations += report.iterations;
  const auto scalars = values_.scalars();
  values_.write_real(scalars[0], h);
  values_.write_real(scalars[1], static_cast<double>(iterations - noted_iterations_));
  values_.write_real(scalars[2], error);
  noted_iterations_ = iterations;
}

}  // namespace tutti::master
