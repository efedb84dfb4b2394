// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/simulation.hpp>

#include "master/loop.hpp"

namespace tutti::master {

/// Everything that is left of a run, and how it ended. @pre the loop is initialized
inline RunEnd run_to_end(Loop& loop, double stop) {
  RunEnd end;
  try {
    const Loop::End why = loop.advance(stop);
    if (why == Loop::End::terminated) end.kind = RunEnd::Kind::terminated_by_fmu;
    if (why == Loop::End::interrupted) end.kind = RunEnd::Kind::interrupted;
    loop.finish();
  } catch (const Error& error) {
    end.kind = RunEnd::Kind::failed;
    end.error = error;
  }
  end.time = loop.time();
  return end;
}

}  // namespace tutti::master
