// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <tutti/log.hpp>

#include "fmi/co_simulation.hpp"
#include "fmi/library.hpp"
#include "fmi/model_exchange.hpp"

namespace tutti::fmi {

/// What a new instance gets from its FMU.
struct InstanceSetup {
  std::shared_ptr<const void> fmu;  ///< kept alive: it owns all of the following
  const ModelDescription* description = nullptr;
  const Capabilities* capabilities = nullptr;
  Library* library = nullptr;
  std::filesystem::path folder;
  Log log;
};

using MakeCoSimulation = std::unique_ptr<CoSimulation>(const InstanceSetup& setup,
                                                       const CoSimulationOptions& options);
using MakeModelExchange = std::unique_ptr<ModelExchange>(const InstanceSetup& setup,
                                                         const InstanceOptions& options);

namespace v1 {
MakeCoSimulation make_co_simulation;
MakeModelExchange make_model_exchange;
}  // namespace v1
namespace v2 {
MakeCoSimulation make_co_simulation;
MakeModelExchange make_model_exchange;
}  // namespace v2
namespace v3 {
MakeCoSimulation make_co_simulation;
MakeModelExchange make_model_exchange;
}  // namespace v3

}  // namespace tutti::fmi
