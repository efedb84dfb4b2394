// SPDX-License-Identifier: BSD-2-Clause
#include "system_inputs.hpp"

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

}  // namespace tutti::cli
