// SPDX-License-Identifier: BSD-2-Clause
// What extrapolated inputs of an island do in the first step of a run.
#include "master/island.hpp"
#include "master/start_slopes.hpp"

namespace tutti::master {

bool Island::start_inputs(double t, double h, const std::function<bool()>& proceeds) {
  if (curves_.empty() || parts_->settings.inputs.start == FirstStep::constant ||
      parts_->constant_start)
    return true;
  StartSlopes::Parts parts{instances_, wires_, curves_, {}, [this](std::size_t c) { note(c); },
                           proceeds};
  for (const system::Stage& stage : parts_->plan.stages)
    parts.sequence.insert(parts.sequence.end(), stage.components.begin(), stage.components.end());
  StartSlopes slopes(std::move(parts));
  if (!slopes.are_needed()) return true;
  if (can_vary_step_ && !slopes.are_possible()) return false;
  show_inputs(t);
  slopes.note_start();
  aim_externals(t + h, h);
  for (std::size_t c = 0; c < instances_.size(); ++c) wiring_->gather(c);
  slopes.note_ends(h);
  show_inputs(t);
  return slopes.find(t, h) || !can_vary_step_;
}

void Island::start_in_parts() {
  for (InputCurves& curves : curves_) curves.start_in_parts();
}

void Island::end_parts() {
  for (InputCurves& curves : curves_) curves.end_parts();
}

}  // namespace tutti::master
