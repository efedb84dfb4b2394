// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/model_description.hpp>

#include "fmi/description/rules.hpp"

namespace tutti::fmi {

/// Reads a modelDescription.xml of FMI 1.0, 2.0.x or 3.0.x. Violations of the standard that leave
/// the FMU usable cause warnings with the section of the standard; at most 20 of a kind, then a
/// count.
/// @param xml the bytes of the file; parsed in place
/// @param file its name in messages
/// @param breaches gets all violations, including the one that ends reading, instead of the log;
/// may be null
/// @throws Error (description) with file:line:column
ModelDescription read_model_description(std::string xml, std::string_view file, const Log& log,
                                        const ArchiveLimits& limits = {},
                                        const BreachSink* breaches = nullptr);

/// Adds the terminals of terminalsAndIcons.xml (FMI 3.0). An FMU works without them, so a file that
/// cannot be read gives a warning, and no terminals.
void read_terminals(std::string xml, std::string_view file, const Log& log,
                    ModelDescription& description, const ArchiveLimits& limits = {},
                    const BreachSink* breaches = nullptr);

}  // namespace tutti::fmi
