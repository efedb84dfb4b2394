// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "base/csv.hpp"
#include "fmi/fmu.hpp"
#include "fmi/shape.hpp"
#include "system/names.hpp"

namespace tutti::session {

/// The descriptions of the FMUs and classes of a system, and the values that the system sets in
/// them.
struct SystemModels {
  std::vector<std::shared_ptr<const ModelDescription>> owned;     ///< one for each file or class
  std::vector<const ModelDescription*> descriptions;              ///< by component
  std::vector<fmi::StructuralValues> structures;                  ///< by component
  std::vector<std::shared_ptr<const CsvTable>> component_tables;  ///< null: it has none
  std::shared_ptr<const CsvTable> input_file;                     ///< null: no file
  std::vector<std::shared_ptr<const CsvTable>> tables;            ///< by table of the system
  std::vector<std::string> input_columns;  ///< of the input file, without the time
};

/// Reads every description and table once, and checks the values that the components set. Errors
/// are added to `problems`; with any, `descriptions` may have gaps (null).
SystemModels read_models(const System& system, const FmuOptions& options,
                         system::Problems& problems, const Log& log);

/// The FMU of each component (null: no FMU), every file opened once, and none of them loaded.
/// Components that cannot run on this machine (no binary, clocks that are used) are added to
/// `problems`. @pre the descriptions have no gaps, and every component has its interface
std::vector<std::shared_ptr<fmi::Fmu>> open_fmus(const System& system, const SystemModels& models,
                                                 const FmuOptions& options,
                                                 system::Problems& problems, const Log& log);

}  // namespace tutti::session
