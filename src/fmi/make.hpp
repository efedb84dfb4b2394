// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "fmi/co_simulation.hpp"
#include "fmi/instance_setup.hpp"
#include "fmi/model_exchange.hpp"

namespace tutti::fmi {

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
