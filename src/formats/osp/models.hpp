// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <tutti/model_description.hpp>
#include <utility>
#include <vector>

#include "formats/osp/structure.hpp"
#include "formats/registry.hpp"
#include "system/names.hpp"

namespace tutti::formats::osp {

/// The simulators of a system with the content of their files: the model description of each FMU
/// and its groups of variables.
class Models {
 public:
  /// @param folder of the system; files that cannot be read become problems
  Models(const std::vector<Simulator>& simulators, const std::filesystem::path& folder,
         const Surroundings& surroundings, system::Problems& problems);

  /// The path of the FMU, seen from the folder.
  const std::filesystem::path& fmu(std::size_t simulator) const { return fmus_[simulator]; }
  const ModelDescription& description(std::size_t simulator) const { return *models_[simulator]; }
  /// @throws Error(usage) if there is none of this name
  std::size_t index(const End& end) const;
  /// Null if there is none.
  const Variable* find(const End& end) const;

  /// The group that a connection names: one at the top, or else one inside another.
  /// @throws Error if it cannot be found
  const VariableGroup& group(const End& end);

 private:
  const std::vector<VariableGroup>& groups_of(std::size_t simulator, const End& end);

  const std::vector<Simulator>& simulators_;
  std::filesystem::path folder_;
  const Surroundings& surroundings_;
  std::vector<std::filesystem::path> fmus_;
  std::vector<std::shared_ptr<const ModelDescription>> models_;
  std::map<std::size_t, std::vector<VariableGroup>> groups_;  ///< read at first use
};

}  // namespace tutti::formats::osp
