// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "master/change.hpp"
#include "master/loop.hpp"
#include "master/tlm/line_network.hpp"
#include "master/tlm/scheduler.hpp"
#include "master/value_mirror.hpp"

namespace tutti::master {

/// Islands that are loaded, before time runs.
struct MadeIslands {
  std::vector<std::unique_ptr<Island>> islands;
  std::vector<std::vector<std::uint32_t>> components;  ///< by island: their numbers in the system
  std::unique_ptr<tlm::LineNetwork> network;           ///< null: there is one island
  std::vector<double> steps;                           ///< by island, if there are several
  std::size_t threads = 1;                             ///< threads that run them
  std::vector<Action> actions;                         ///< by time, all distinct
};

/// A whole system during the run: one island, or several that lines join. Components are identified
/// by their numbers in the system.
class Ensemble {
 public:
  Ensemble(MadeIslands made, const TimeGrid& sync_grid, std::uint64_t record_every,
           Monitor& monitor);
  ~Ensemble();
  Ensemble(const Ensemble&) = delete;
  Ensemble& operator=(const Ensemble&) = delete;

  /// The observer may be null: nothing is recorded. @throws RunAgain, Error
  void initialize(const Loop::Options& options, StepObserver* observer, bool shows_every_step);
  bool is_initialized() const { return !loops_.empty(); }
  /// Before it is initialized: ports of lines are recorded. @pre there are lines
  void record_ports(tlm::PortRows::Setup setup) { port_rows_ = network_->record(std::move(setup)); }
  /// At the end of any run: records the known samples of ports.
  void complete_ports();
  /// Advances to the target; or by one step, which ends there at the latest: of a single island, or
  /// to the next synchronization point. An action is performed when the step after it starts.
  /// @throws RunAgain, Error
  Loop::End advance(double target, bool one_step = false) {
    return next_action_ < actions_.size() ? advance_with_actions(target, one_step)
                                          : advance_plainly(target, one_step);
  }
  /// The loop, if there is a single island and no action during the run; otherwise null.
  Loop* single_loop() { return network_ || !actions_.empty() ? nullptr : loops_.front().get(); }
  /// At the end of a run that did not fail. @throws RunAgain, Error
  void finish();
  /// advance() ends also at the first point from there on where a state can be saved.
  void pause_from(double t);

  double time() const { return scheduler_ ? scheduler_->time() : loops_.front()->time(); }
  double next_point() const;
  std::size_t instance_count() const { return places_.size(); }
  models::Instance& instance(std::size_t component) {
    return islands_[places_[component].island]->instance(places_[component].position);
  }
  bool can_vary_step() const;
  void expect_rollback(bool expected);
  /// Sets all inputs to their values at the present time, to be shown.
  void show_inputs();
  /// Values that the user sets take effect as one event, after the actions that are due. False: a
  /// model asks to end the run.
  bool assign(std::span<const Assignment> assignments);
  bool assign(std::span<const Change> changes);
  std::uint64_t performed_actions() const;

  /// Everything that is reset when a state is restored.
  struct State {
    std::vector<Checkpoint> islands;
    std::vector<Loop::Memory> loops;
    std::vector<double> lines;
    std::uint64_t next_action = 0;
    void free_states() {
      for (Checkpoint& island : islands) island.free_states();
    }
  };
  void save(State& into);
  /// @pre is_coupled_as(from)
  void restore(const State& from);
  bool is_coupled_as(const State& saved) const;

  /// The values of a result row, by component.
  struct Shown {
    const models::ValueSet *outputs, *inputs;
  };
  std::vector<Shown> shown() const;

  /// Keeps the values of the last accepted point, to show them again when a step has failed.
  void note_point() {
    for (ValueMirror& mirror : mirrors_) mirror.note();
  }
  void show_point() const;

  std::span<const std::unique_ptr<Island>> islands() const { return islands_; }
  std::span<const std::unique_ptr<Loop>> loops() const { return loops_; }
  std::span<const std::uint32_t> components_of(std::size_t island) const {
    return components_[island];
  }

 private:
  struct PlaceOf {
    std::uint32_t island = 0, position = 0;
  };
  void note_island(std::size_t island) const;
  Loop::End advance_plainly(double target, bool one_step) {
    return scheduler_ ? advance_islands(target, one_step)
                      : loops_.front()->advance(target, one_step);
  }
  Loop::End advance_with_actions(double target, bool one_step);
  Loop::End advance_islands(double target, bool one_step);
  /// Performs all actions that are due at the present time. False: a model asks to end the run.
  bool perform_due();
  bool perform_next();
  bool assign_here(std::span<const Assignment> assignments);
  bool assign_here(std::span<const Change> changes);

  Monitor& monitor_;
  TimeGrid sync_grid_;
  std::unique_ptr<tlm::LineNetwork> network_;  ///< must outlive the instances
  std::vector<double> steps_;
  std::size_t threads_;
  std::vector<std::vector<std::uint32_t>> components_;
  std::vector<std::unique_ptr<Island>> islands_;
  std::vector<PlaceOf> places_;       ///< by component
  std::vector<std::uint32_t> first_;  ///< by island: components before it
  std::unique_ptr<tlm::SyncRows> rows_;
  std::unique_ptr<tlm::PortRows> port_rows_;  ///< null: no recording
  std::vector<std::unique_ptr<Loop>> loops_;
  std::unique_ptr<tlm::Scheduler> scheduler_;
  std::vector<ValueMirror> mirrors_;
  std::vector<Action> actions_;
  std::uint64_t next_action_ = 0;
  double pause_;
};

}  // namespace tutti::master
