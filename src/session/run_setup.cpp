// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_setup.hpp"

namespace tutti::session {

bool needs_tool(const ModelDescription& description) {
  const auto needs = [](const std::optional<Capabilities>& interface) {
    return interface && interface->needs_execution_tool;
  };
  return needs(description.co_simulation) || needs(description.model_exchange);
}

}  // namespace tutti::session
