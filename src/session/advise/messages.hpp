// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/advice.hpp>

#include "base/codec.hpp"

// What a worker answers to Request::advise: see base/fields.hpp.
namespace tutti {

TUTTI_FIELDS(CouplingChoice, 6);
TUTTI_FIELDS(SchemeAdvice, 12);
TUTTI_FIELDS(Share, 2);
TUTTI_FIELDS(LoopAdvice, 7);
TUTTI_FIELDS(LinearizedComponent, 11);
TUTTI_FIELDS(CycleAdvice::Moment, 2);
TUTTI_FIELDS(CycleAdvice::Choice, 2);
TUTTI_FIELDS(CycleAdvice, 13);
TUTTI_FIELDS(Advice, 6);

}  // namespace tutti
