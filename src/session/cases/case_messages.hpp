// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/cases.hpp>
#include <vector>

#include "session/cases/case_runner.hpp"
#include "session/messages.hpp"

namespace tutti::session {

/// What a worker needs to run cases, besides the settings of an Opening.
struct CasesOpening {
  std::vector<CaseSystem> systems;
  bool reuse = true;
  std::vector<NoReuse> without_reuse;
};

}  // namespace tutti::session

namespace tutti {

TUTTI_FIELDS(Measure, 2);
TUTTI_FIELDS(CaseSystem, 3);
TUTTI_FIELDS(Case, 4);
TUTTI_FIELDS(CaseResult, 4);
TUTTI_FIELDS(session::NoReuse, 2);
TUTTI_FIELDS(session::CasesOpening, 3);

}  // namespace tutti
