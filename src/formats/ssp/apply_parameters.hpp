// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "formats/registry.hpp"
#include "formats/ssp/signal_graph.hpp"

namespace tutti::formats::ssp {

/// Gives the values of the parameter bindings to the components (SSP 1.0, section 5.2.3): those of
/// higher levels and later ones win; a value that no variable is there for is passed over.
void apply_parameters(const SignalGraph& graph, System& system, const Surroundings& surroundings,
                      system::Problems& problems);

}  // namespace tutti::formats::ssp
