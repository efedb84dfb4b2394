// SPDX-License-Identifier: BSD-2-Clause
// Event handling of model-exchange components, and event detection between their steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/time_grid.hpp"
#include "models/fmu_model.hpp"
#include "models/me_model.hpp"

namespace tutti::models {
namespace {

// This number of events without progress (relative to the usual step) is chattering; then the
// integrator ignores the indicators for a short time.
constexpr int most_close_events = 100;
constexpr int most_close_requests = 10'000;
constexpr double least_event_distance = 1e-9;
constexpr double blind_time = 1e-3;

}  // namespace

/// The event iteration; ends in continuous-time mode. False: the FMU requests to end the run.
bool MeModel::settle(double t) {
  // An event that is due already is part of this one.
  constexpr int most_rounds = 100;
  bool nominals_changed = false;
  next_event_.reset();
  for (int round = 0; round < most_rounds; ++round) {
    const fmi::DiscreteUpdate update = settle_discrete_states(*instance_, t);
    if (update.terminate) return false;
    nominals_changed |= update.nominals_changed;
    next_event_ = update.next_event_time;
    if (next_event_ && std::isnan(*next_event_)) {
      log_.warning(
          name(), fmt::format("t = {:.13g} s: the FMU's next time event is NaN and is ignored", t));
      next_event_.reset();
    }
    if (!next_event_ || *next_event_ > t) break;
  }
  if (next_event_ && *next_event_ <= t) {
    log_.warning(name(), fmt::format("t = {} s: the FMU's next time event, {} s, is not after the "
                                     "present time and is ignored",
                                     t, *next_event_));
    next_event_.reset();
  }
  instance_->enter_continuous_time_mode();
  if (mode_ == Mode::event) mode_ = Mode::continuous_time;
  integration_.take_states(*instance_);
  if (nominals_changed && integration_.integrator() != nullptr)
    integration_.integrator()->set_atol(tolerances());
  return true;
}

void MeModel::count_event(double t) {
  const bool root = integration_.has_root(), is_time = next_event_ && *next_event_ <= t;
  const char* kind = root ? "state" : is_time ? "time" : step_event_ ? "step" : "input";
  ++(root          ? report_.state_events
     : is_time     ? report_.time_events
     : step_event_ ? report_.step_events
                   : report_.input_events);
  guard_against_chattering(t, kind);
}

void MeModel::guard_against_chattering(double t, const char* kind) {
  const double distance = std::max(least_event_distance * options_.usual_step, time_resolution(t));
  const bool close = t - chattering_.last_event < distance;
  chattering_.close_events = close ? chattering_.close_events + 1 : 0;
  chattering_.last_event = t;
  if (!integration_.has_root()) {
    // The solver cannot ignore these: the model itself requests them.
    if (chattering_.close_events < most_close_requests) return;
    throw Error(ErrorCode::numeric,
                fmt::format("component \"{}\" requests events without progress of time: {} of "
                            "them, the last a {} event",
                            name(), chattering_.close_events, kind),
                {.component = name(), .time = t});
  }
  // A model that has chattered before is detected sooner.
  if (chattering_.close_events < (chattering_.has_occurred ? 4 : most_close_events)) return;
  chattering_.has_occurred = true;
  if (report_.chattering++ == 0)
    log_.warning(
        name(),
        fmt::format("t = {:.13g} s: {} state events at nearly the same time (chattering). From "
                    "here on, where this happens, they are {:.13g} s apart.",
                    t, most_close_events, blind_time * options_.usual_step));
  chattering_.blind_until = t + blind_time * options_.usual_step;
}

// The integrator sees a root between two points where it evaluates, but the inputs of coupled
// models jump at communication points, where it starts with the new ones. While roots are ignored,
// the earlier indicators are kept, so that the change is detected afterwards.
bool MeModel::inputs_cause_event(double t) {
  if (inputs_.empty() || indicators_.empty() || t < chattering_.blind_until) return false;
  const SolvedUnknowns solved(*instance_);
  return indicators_.differ(*integration_.problem(), t, integration_.states());
}

}  // namespace tutti::models
