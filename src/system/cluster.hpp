// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tutti/model_description.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "fmi/shape.hpp"
#include "system/plan.hpp"

namespace tutti::system {

/// Model-exchange components that are solved as one: a system inside the system, which to the
/// components around it is a single FMU. Its variables are those of its members, `member.variable`.
struct Cluster {
  System system;  ///< the members and the connections between them
  std::vector<std::shared_ptr<const ModelDescription>> descriptions;  ///< by member
  std::vector<fmi::StructuralValues> structures;                      ///< by member
  Plan plan;                     ///< of the connections between members
  ModelDescription description;  ///< of the whole; a value reference is the index of the variable
  std::vector<std::int32_t> first;  ///< by member: index of its first variable in the whole
  ClusterLoops loops = ClusterLoops::newton;

  struct Origin {
    std::uint32_t member = 0;
    std::int32_t variable = 0;
  };
  Origin origin_of(std::int32_t variable) const;
  std::int32_t whole(std::uint32_t member, std::int32_t variable) const {
    return first[member] + variable;
  }
  std::size_t size() const { return descriptions.size(); }
  std::vector<const ModelDescription*> models() const;
};

/// The states of a model by all their names: aliases have the value reference of the state.
class StateNames {
 public:
  explicit StateNames(const ModelDescription& model);
  /// The state that this variable is; -1: none.
  std::int32_t operator()(std::int32_t variable) const {
    return states_[static_cast<std::size_t>(variable)];
  }

 private:
  std::vector<std::int32_t> states_;  ///< by variable
};

/// Variables and model structure of the whole, from those of the members.
/// @pre the plan of the cluster is made
void describe_cluster(Cluster& cluster);

}  // namespace tutti::system
