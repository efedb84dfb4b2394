// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <tutti/simulation.hpp>

#include "fmi/fmu.hpp"
#include "master/loop.hpp"
#include "results/recorder.hpp"

namespace tutti::session {

/// Everything a run needs, checked, before an FMU is loaded.
struct RunSetup {
  std::string model;                  ///< name of the model or system
  std::string automatic;              ///< what method = "auto" chose
  std::optional<FmiVersion> version;  ///< of one FMU alone
  bool model_exchange = false;
  /// One of the instances.
  struct Member {
    std::string name;
    bool needs_tool = false;        ///< that is not in the FMU
    std::optional<double> timeout;  ///< seconds for one step; that of the run
  };
  std::vector<Member> members;
  bool is_lone = false;  ///< there is one FMU, and no system around it
  std::size_t threads = 1;
  models::RunNeeds needs;  ///< more may turn up on the way
  master::Loop::Options time;
  double step = 0;  ///< between communication points; the first one where they differ
  std::uint64_t initial_evaluations = 0;  ///< of the plan
  /// Loads the FMUs and notes in the monitor whom it calls. Messages of the run go to the log.
  std::function<std::unique_ptr<master::Island>(master::Monitor&, std::size_t threads,
                                                const models::RunNeeds&)>
      make_island;
  std::vector<Column> columns;
  /// What is recorded of the island, column by column.
  std::function<std::vector<results::Recorder::Choice>(const master::Island&)> choose;
};

/// The FMU is the front of a tool that must be installed.
bool needs_tool(const ModelDescription& description);

}  // namespace tutti::session
