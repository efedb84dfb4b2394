// SPDX-License-Identifier: BSD-2-Clause
#include "master/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/infinity.hpp"
#include "base/time_grid.hpp"

namespace tutti::master {

Ensemble::Ensemble(MadeIslands made, const TimeGrid& sync_grid, std::uint64_t record_every,
                   Monitor& monitor)
    : monitor_(monitor),
      sync_grid_(sync_grid),
      network_(std::move(made.network)),
      steps_(std::move(made.steps)),
      threads_(made.threads),
      components_(std::move(made.components)),
      islands_(std::move(made.islands)),
      actions_(std::move(made.actions)),
      pause_(infinity) {
  std::uint32_t count = 0;
  for (const auto& island : islands_) {
    first_.push_back(count);
    count += static_cast<std::uint32_t>(island->instance_count());
  }
  places_.resize(count);
  for (std::uint32_t i = 0; i < components_.size(); ++i)
    for (std::uint32_t k = 0; k < components_[i].size(); ++k) places_[components_[i][k]] = {i, k};
  if (!network_) return;
  std::vector<Island*> islands;
  for (const auto& island : islands_) islands.push_back(island.get());
  rows_ = std::make_unique<tlm::SyncRows>(std::move(islands), sync_grid, record_every);
}

Ensemble::~Ensemble() = default;

/// The calling thread replaces the thread of this island.
void Ensemble::note_island(std::size_t island) const {
  monitor_.note_only_thread(tlm::thread_of(island, islands_.size(), threads_), first_[island]);
}

void Ensemble::initialize(const Loop::Options& options, StepObserver* observer,
                          bool shows_every_step) {
  std::vector<std::unique_ptr<Loop>> loops;
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    note_island(i);
    Loop::Options own = options;
    if (network_) {
      own.grid = TimeGrid(options.grid.start(), options.grid.stop(), steps_[i]);
      if (own.control.max) own.control.max = std::min(*own.control.max, steps_[i]);
      if (own.control.min) own.control.min = std::min(*own.control.min, steps_[i]);
    }
    loops.push_back(
        std::make_unique<Loop>(*islands_[i], own, network_ ? nullptr : observer, monitor_));
    if (shows_every_step) loops.back()->show_every_step();
    loops.back()->initialize();
  }
  loops_ = std::move(loops);
  if (network_) {
    network_->start(options.grid.start());
    std::vector<tlm::Scheduler::Member> members;
    for (std::size_t i = 0; i < islands_.size(); ++i) {
      members.push_back({islands_[i].get(), loops_[i].get(), {}, steps_[i], first_[i]});
      for (const std::uint32_t c : components_[i])
        if (tlm::ComponentPorts* const ports = network_->ports(c))
          members.back().ports.push_back(ports);
    }
    rows_->record_to(observer);
    scheduler_ = std::make_unique<tlm::Scheduler>(
        std::move(members), sync_grid_, *rows_, port_rows_.get(), [this] { network_->report(); },
        static_cast<unsigned>(threads_), monitor_);
    if (!options.is_resumed) scheduler_->record_start();
  }
  for (const auto& island : islands_) mirrors_.emplace_back(island->assembly());
}

Loop::End Ensemble::advance_islands(double target, bool one_step) {
  if (one_step) return scheduler_->advance(std::min(target, scheduler_->next_point()));
  if (pause_ >= target) return scheduler_->advance(target);
  const double pause =
      sync_grid_.point(sync_grid_.first_point_from(std::max(pause_, scheduler_->next_point())));
  const Loop::End end = scheduler_->advance(std::min(target, pause));
  return end == Loop::End::reached && pause < target ? Loop::End::paused : end;
}

Loop::End Ensemble::advance_with_actions(double target, bool one_step) {
  if (!perform_due()) return Loop::End::terminated;
  // Actions that are due at the target belong to the next call.
  const double end_of_way = target - sync_grid_.nearness(target);
  while (next_action_ < actions_.size() && actions_[next_action_].time < end_of_way) {
    const Loop::End end = advance_plainly(actions_[next_action_].time, one_step);
    if (end != Loop::End::reached || one_step) return end;
    if (!perform_next()) return Loop::End::terminated;
  }
  return advance_plainly(target, one_step);
}

bool Ensemble::perform_due() {
  const double due = time() + sync_grid_.nearness(time());
  bool goes_on = true;
  while (goes_on && next_action_ < actions_.size() && actions_[next_action_].time <= due)
    goes_on = perform_next();
  return goes_on;
}

bool Ensemble::perform_next() {
  const Action& action = actions_[next_action_++];
  islands_.front()->assembly().log.write(
      {Severity::debug, "", "", fmt::format("t = {:.13g} s: {}", time(), action.text)});
  return assign_here(action.changes);
}

std::uint64_t Ensemble::performed_actions() const {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < next_action_; ++i) count += actions_[i].count;
  return count;
}

void Ensemble::pause_from(double t) {
  pause_ = t;
  if (!scheduler_) loops_.front()->pause_from(t);
}

void Ensemble::complete_ports() {
  if (!network_) return;
  network_->complete();
  if (port_rows_) port_rows_->deliver(true);
}

void Ensemble::finish() {
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    note_island(i);
    loops_[i]->finish();
  }
}

double Ensemble::next_point() const {
  return scheduler_ ? scheduler_->next_point() : loops_.front()->next_point();
}

bool Ensemble::can_vary_step() const {
  return std::all_of(islands_.begin(), islands_.end(),
                     [](const auto& island) { return island->assembly().abilities.can_vary_step; });
}

void Ensemble::expect_rollback(bool expected) {
  for (const auto& island : islands_) island->expect_rollback(expected);
}

void Ensemble::show_inputs() {
  for (const auto& island : islands_) island->externals().show_inputs(time());
}

bool Ensemble::assign(std::span<const Change> changes) {
  return perform_due() && assign_here(changes);
}

bool Ensemble::assign(std::span<const Assignment> assignments) {
  return perform_due() && assign_here(assignments);
}

bool Ensemble::assign_here(std::span<const Change> changes) {
  std::vector<models::ValueSet> values;
  for (const Change& change : changes)
    values.push_back(change.values_in(instance(change.component)));
  std::vector<Assignment> assignments;
  for (std::size_t i = 0; i < changes.size(); ++i)
    assignments.push_back({changes[i].component, &values[i]});
  return assign_here(std::span<const Assignment>(assignments));
}

bool Ensemble::assign_here(std::span<const Assignment> assignments) {
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    std::vector<Assignment> own;
    for (Assignment assignment : assignments) {
      const PlaceOf place = places_[assignment.component];
      if (place.island != i) continue;
      assignment.component = place.position;
      own.push_back(assignment);
    }
    if (own.empty()) continue;
    note_island(i);
    if (!loops_[i]->assign(own)) return false;
    if (network_)
      for (const std::uint32_t c : components_[i])
        if (tlm::ComponentPorts* const ports = network_->ports(c)) ports->publish(time());
  }
  return true;
}

void Ensemble::save(State& into) {
  into.islands = std::vector<Checkpoint>(islands_.size());
  into.loops.resize(loops_.size());
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    note_island(i);
    islands_[i]->save(into.islands[i]);
    loops_[i]->save(into.loops[i]);
  }
  if (network_) master::save(*network_, into.lines);
  into.next_action = next_action_;
}

void Ensemble::restore(const State& from) {
  next_action_ = from.next_action;
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    note_island(i);
    islands_[i]->restore(from.islands[i]);
    loops_[i]->restore(from.loops[i]);
  }
  if (!network_) return;
  master::restore(*network_, from.lines);
  scheduler_->restored(loops_.front()->time());
}

bool Ensemble::is_coupled_as(const State& saved) const {
  for (std::size_t i = 0; i < islands_.size(); ++i)
    if (saved.islands[i].coupling != islands_[i]->assembly().parts.used) return false;
  return true;
}

std::vector<Ensemble::Shown> Ensemble::shown() const {
  std::vector<Shown> result(places_.size());
  for (std::size_t c = 0; c < places_.size(); ++c) {
    const auto [i, k] = places_[c];
    if (rows_) {
      result[c] = {&rows_->shown(i, k).outputs, &rows_->shown(i, k).inputs};
    } else {
      const models::Instance& instance = islands_[i]->instance(k);
      result[c] = {&instance.outputs(), &instance.inputs()};
    }
  }
  return result;
}

void Ensemble::show_point() const {
  for (const ValueMirror& mirror : mirrors_) mirror.show();
}

}  // namespace tutti::master
