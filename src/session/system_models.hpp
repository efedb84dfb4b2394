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

/// What the FMUs and classes of a system say of themselves, and what the system sets in them.
struct SystemModels {
  std::vector<std::shared_ptr<const ModelDescription>> owned;     ///< one for each file or class
  std::vector<const ModelDescription*> descriptions;              ///< by component
  std::vector<fmi::StructuralValues> structures;                  ///< by component
  std::vector<std::shared_ptr<const CsvTable>> component_tables;  ///< null: it has none
  std::shared_ptr<const CsvTable> input_file;                     ///< null: there is none
  std::vector<std::shared_ptr<const CsvTable>> tables;            ///< by table of the system
  std::vector<std::string> input_columns;  ///< of the input file, without the time
};

/// Reads every description and table once, and checks the values that the components set. What is
/// wrong is added to `problems`; with any, `descriptions` may have gaps (null).
SystemModels read_models(const System& system, const FmuOptions& options,
                         system::Problems& problems, const Log& log);

/// The FMU of each component (null: it has none), every file opened once, and none of them loaded.
/// What cannot run on this machine (no binary, clocks that are used) is added to `problems`, for
/// all components. @pre the descriptions have no gaps, and every component has its interface
std::vector<std::shared_ptr<fmi::Fmu>> open_fmus(const System& system, const SystemModels& models,
                                                 const FmuOptions& options,
                                                 system::Problems& problems, const Log& log);

}  // namespace tutti::session
