// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/system.hpp>

namespace tutti::session {

/// The system with each of its clusters as one component: those of System::clusters, with
/// `monolithic` one for each group of connected model-exchange components that is left, and with
/// method = "auto" one for each cycle of components with as = "me". Names of members still lead
/// to their variables.
///
/// A system whose descriptions cannot be read comes back as it is: the reader of all descriptions
/// reports why. @throws Error(usage, capability) with all that is wrong with the clusters
System join_clusters(System system, const FmuOptions& options, const Log& log);

}  // namespace tutti::session
