// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <tutti/simulation.hpp>

#include "fmi/fmu.hpp"
#include "master/simulation.hpp"
#include "models/cs_model.hpp"
#include "models/input_table.hpp"

namespace tutti::api {

/// Everything a run needs, checked, before an FMU is loaded.
struct RunSetup {
  std::shared_ptr<fmi::Fmu> fmu;
  std::string name;  ///< of the instance
  master::Simulation::Options time;
  models::InputTable inputs;
  models::CsModel::Options model;
  std::vector<Column> columns;
};

/// Opens the FMU and turns the user's options and the FMU's defaults into a setup.
/// @throws Error for everything that can be known to be wrong beforehand
RunSetup prepare_run(const SimulateOptions& options, const Log& log);

}  // namespace tutti::api
