// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <tutti/simulation.hpp>

#include "fmi/fmu.hpp"
#include "master/simulation.hpp"
#include "results/recorder.hpp"

namespace tutti::api {

/// Everything a run needs, checked, before an FMU is loaded.
struct RunSetup {
  std::shared_ptr<fmi::Fmu> fmu;      ///< of one FMU alone
  std::string model;                  ///< name of the model or system
  std::optional<FmiVersion> version;  ///< of one FMU alone
  bool model_exchange = false;
  std::vector<std::string> names;  ///< of the instances
  master::Simulation::Options time;
  double step = 0;  ///< between communication points; the first one where they differ
  /// Loads the FMU. Messages of the run go to the log. To be called once.
  std::function<std::unique_ptr<master::Island>()> make_island;
  std::vector<Column> columns;
  /// What is recorded of the island, column by column.
  std::function<std::vector<results::Recorder::Choice>(const master::Island&)> choose;
};

/// Opens the FMU and turns the user's options and the FMU's defaults into a setup.
/// The log must outlive the setup.
/// @throws Error for everything that can be known to be wrong beforehand
RunSetup prepare_run(const SimulateOptions& options, const Log& log);

}  // namespace tutti::api
