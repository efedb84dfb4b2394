// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>
#include <tutti/log.hpp>
#include <vector>

#include "formats/osp/models.hpp"
#include "formats/osp/structure.hpp"
#include "system/names.hpp"

namespace tutti::formats::osp {

/// A function of scalars with the variables at its signals. A VectorSum is one for each dimension.
struct FunctionLinks {
  std::string name;
  Function::Kind kind{};
  double factor = 1, offset = 0;
  std::vector<End> sources;  ///< one for each input
  std::vector<End> targets;
  Place place;
};

/// Finds the variables at the signals of functions.
class Functions {
 public:
  Functions(const std::vector<Function>& functions, Models& models);

  /// A connection with a signal at one end. @throws Error(usage)
  void add(const OspConnection& connection);
  /// All of them, after the last connection.
  std::vector<FunctionLinks> finish(const Log& log, system::Problems& problems) const;

 private:
  using Variables = std::vector<End>;  // one for each dimension
  struct Wiring {
    std::vector<Variables> sources;  // of each input; empty: not connected yet
    std::vector<Variables> targets;
  };
  Variables variables_at(const Function& function, const End& variable);

  const std::vector<Function>& functions_;
  Models& models_;
  std::vector<Wiring> wirings_;  // by function
};

}  // namespace tutti::formats::osp
