// SPDX-License-Identifier: BSD-2-Clause
#include "system_inputs.hpp"

#include <tutti/system_file.hpp>

#include "console.hpp"

namespace tutti::cli {

std::vector<std::filesystem::path> system_inputs(const std::filesystem::path& file,
                                                 const System& system) {
  std::vector<std::filesystem::path> inputs = {file};
  for (const Component& component : system.components)
    for (const std::filesystem::path& named : {component.fmu, component.built_in.file})
      if (!named.empty()) inputs.push_back(system.folder / named);
  if (!system.inputs.file.empty()) inputs.push_back(system.folder / system.inputs.file);
  for (const InputFile& table : system.inputs.tables) inputs.push_back(system.folder / table.file);
  return inputs;
}

std::vector<std::filesystem::path> study_inputs(const Study& study, const FmuOptions& open) {
  std::vector<std::filesystem::path> inputs = {study.system};
  if (is_system_file(study.system))
    inputs = system_inputs(study.system, read_system(study.system, open, {}));
  inputs.push_back(study.file);
  for (const StudyExperiment& experiment : study.experiments)
    for (const std::filesystem::path& file : {experiment.data, experiment.inputs})
      if (!file.empty()) inputs.push_back(file);
  return inputs;
}

void protect_files(const std::vector<std::filesystem::path>& outputs,
                   std::vector<std::filesystem::path> inputs) {
  for (const std::filesystem::path& output : outputs) {
    protect_inputs(output, inputs);
    inputs.push_back(output);
  }
}

}  // namespace tutti::cli
