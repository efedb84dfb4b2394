// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "fmi/co_simulation.hpp"
#include "fmi/instance_setup.hpp"
#include "fmi/model_exchange.hpp"

namespace tutti::fmi::v2 {

std::unique_ptr<CoSimulation> make_co_simulation(const InstanceSetup& setup,
                                                 const CoSimulationOptions& options);
std::unique_ptr<ModelExchange> make_model_exchange(const InstanceSetup& setup,
                                                   const InstanceOptions& options);

}  // namespace tutti::fmi::v2
