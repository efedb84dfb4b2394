// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "fmi/shape.hpp"
#include "system/place.hpp"

namespace tutti::api {

/// What the FMUs of a system say of themselves, and what the system sets in them.
struct SystemModels {
  std::vector<std::unique_ptr<const ModelDescription>> owned;  ///< one for each file
  std::vector<const ModelDescription*> descriptions;           ///< by component
  std::vector<fmi::StructuralValues> structures;               ///< by component
  std::vector<std::string> input_columns;  ///< of the input file, without the time
};

/// Opens every FMU file once, checks the values that the components set and reads the head of the
/// input file. What is wrong is added to `problems`; with any, `descriptions` may have gaps (null).
SystemModels read_models(const System& system, const FmuOptions& options,
                         system::Problems& problems, const Log& log);

}  // namespace tutti::api
