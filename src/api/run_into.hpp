// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/log.hpp>

#include "api/run_setup.hpp"
#include "execution/ring.hpp"

namespace tutti::api {

/// The run itself, with everything that happens put into the ring, its report last. With
/// own_process this is in the child.
void run_into(execution::Ring& ring, master::Monitor& monitor, RunSetup& setup, bool record,
              const Log& log);

}  // namespace tutti::api
