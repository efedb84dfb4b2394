// SPDX-License-Identifier: BSD-2-Clause
// How extrapolated inputs start: they have no past, so in short parts where nothing else shows
// their slopes.
#include <fmt/format.h>

#include <algorithm>

#include "base/infinity.hpp"
#include "base/time_grid.hpp"
#include "master/loop.hpp"

namespace tutti::master {
namespace {

// Of the first step h. Inputs are constant in this part alone, which errs by (h/128)^2 u'/2: where
// order 2 errs by h^3 u" / 2, say, that is less as long as h u" > u' / 16000. The next part is as
// long, and each one after that as long as all before it.
constexpr double first_part = 1.0 / 128;

}  // namespace

void Loop::start_inputs() {
  const double h = options_.grid.step(0);
  monitor_.phase = Monitor::Phase::looking_ahead;
  const bool have_slopes =
      island_.stepper().inputs().start(time_, std::min(h, event_ - time_), [this] {
        ++monitor_.looks;
        return !is_interrupted();
      });
  monitor_.phase = Monitor::Phase::stepping;
  if (have_slopes) return;
  // Parts so short that time hardly moves in them show nothing.
  if (first_part * h < shortest_step(options_.grid.start(), options_.grid.stop())) return;
  parts_from_ = time_;
  island_.stepper().inputs().start_in_parts();
}

void Loop::end_parts() {
  parts_from_.reset();
  island_.stepper().inputs().end_parts();
}

double Loop::next_part() const {
  const double h = options_.grid.step(0), nearness = same_time(time_, first_part * h);
  double part = first_part;
  while (part < 1 && options_.grid.start() + part * h <= time_ + nearness) part *= 2;
  return part < 1 ? options_.grid.start() + part * h : infinity;
}

/// What an FMU claims of the steps that it can take may be wrong of short ones.
void Loop::repeat_without_parts(const Error& error) const {
  if (error.code() != ErrorCode::fmu || dynamic_cast<const models::RunAgain*>(&error) != nullptr)
    return;
  throw models::RunAgain(timed(error),
                         {"The run is repeated from its start without short first steps",
                          "Set simulation.inputs.start = \"constant\".", true},
                         [](models::RunNeeds& needs) { needs.constant_start = true; });
}

}  // namespace tutti::master
