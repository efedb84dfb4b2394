// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/log.hpp>

#include "execution/ring.hpp"
#include "session/run_setup.hpp"

namespace tutti::session {

/// The run itself, with everything that happens put into the ring, its report last. With
/// own_process this is in the child.
void run_into(execution::Ring& ring, master::Monitor& monitor, RunSetup& setup, bool record,
              const Log& log);

}  // namespace tutti::session
