// SPDX-License-Identifier: BSD-2-Clause
// Continuous-time mode of a cluster: its equations and their derivatives.
#include <algorithm>

#include "models/cluster/model_cluster.hpp"

namespace tutti::models {

std::size_t ModelCluster::continuous_state_count() const {
  return first_state_.back() + unknown_count_;
}

std::size_t ModelCluster::event_indicator_count() const { return first_indicator_.back(); }

template <class Values, class Action>
void ModelCluster::for_states(Values x, const Action& action) {
  for (std::size_t m = 0; m < members_.size(); ++m)
    if (const std::size_t count = first_state_[m + 1] - first_state_[m]; count > 0)
      action(*members_[m], x.subspan(first_state_[m], count));
}

void ModelCluster::set_time(double t) {
  if (has_time_ && t == time_) return;
  time_ = t;
  has_time_ = time_is_new_ = true;
  touch();
}

void ModelCluster::set_continuous_states(std::span<const double> x) {
  if (std::ranges::equal(x, x_)) return;
  if (unknown_count_ > 0) continuous().set_unknowns(x.subspan(first_state_.back()));
  x_.assign(x.begin(), x.end());
  states_are_new_ = true;
  touch();
}

// A member may refuse; then all get them again the next time.
void ModelCluster::pass_point() {
  if (time_is_new_)
    for (const auto& member : members_) member->set_time(time_);
  time_is_new_ = false;
  if (states_are_new_)
    for_states(std::span<const double>(x_),
               [](fmi::ModelExchange& member, std::span<const double> part) {
                 member.set_continuous_states(part);
               });
  states_are_new_ = false;
}

bool ModelCluster::evaluate(std::span<double> dx) {
  ClusterExchange& exchange = continuous();
  const bool is_known = has_time_ && x_.size() == continuous_state_count();
  bool is_done = false;
  if (is_known && direct_) {
    is_done = direct_->run({time_, x_, time_is_new_, states_are_new_}, dx);
    if (is_done) {
      time_is_new_ = states_are_new_ = false;
    } else {
      must_watch_ = true;
      time_is_new_ = states_are_new_ = true;
      direct_.reset();
    }
  }
  if (!is_done) {
    pass_point();
    exchange.run(x_);
  }
  is_stale_ = false;
  return is_done;
}

void ModelCluster::get_continuous_states(std::span<double> x) {
  pass_point();
  for_states(x, [](fmi::ModelExchange& member, std::span<double> part) {
    member.get_continuous_states(part);
  });
  if (unknown_count_ == 0) return;
  if (!continuous().is_algebraic()) propagate();
  continuous().get_unknowns(x.subspan(first_state_.back()));
}

void ModelCluster::get_derivatives(std::span<double> dx) {
  const bool must_evaluate = is_stale_ && mode_ == Mode::continuous_time;
  if (!must_evaluate || !evaluate(dx.first(first_state_.back()))) {
    propagate();
    for_states(dx, [](fmi::ModelExchange& member, std::span<double> part) {
      member.get_derivatives(part);
    });
  }
  if (unknown_count_ > 0) continuous().get_residuals(dx.subspan(first_state_.back()));
}

void ModelCluster::get_event_indicators(std::span<double> z) {
  propagate();
  for (std::size_t m = 0; m < members_.size(); ++m)
    if (const std::size_t count = first_indicator_[m + 1] - first_indicator_[m]; count > 0)
      members_[m]->get_event_indicators(z.subspan(first_indicator_[m], count));
}

void ModelCluster::get_nominals(std::span<double> nominals) {
  for_states(nominals,
             [](fmi::ModelExchange& member, std::span<double> part) { member.get_nominals(part); });
  if (unknown_count_ > 0) continuous().get_unknown_nominals(nominals.subspan(first_state_.back()));
}

fmi::IntegratorStep ModelCluster::completed_integrator_step(bool may_go_back) {
  fmi::IntegratorStep all;
  if (!needs_completed_steps_ && !continuous().has_loops()) return all;
  propagate();
  continuous().accept();
  for (const auto& member : members_) {
    const fmi::IntegratorStep step = member->completed_integrator_step(may_go_back);
    all.enter_event_mode |= step.enter_event_mode;
    all.terminate |= step.terminate;
  }
  return all;
}

void ModelCluster::solve_unknowns(bool solve) {
  if (unknown_count_ == 0) return;
  continuous().set_algebraic(!solve);
  touch();
}

void ModelCluster::start_tangents(std::span<const double> dx) {
  if (tangents_.empty())
    for (const auto& member : members_) tangents_.emplace_back(*member);
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const std::size_t first = first_state_[m], count = first_state_[m + 1] - first;
    tangents_[m].start(dx.subspan(first, count));
  }
}

void ModelCluster::differentiate_states(std::span<const double> seed, std::span<double> result) {
  propagate();
  const std::size_t count = first_state_.back();
  is_stale_ = true;  // differences may end with an input that they have moved
  start_tangents(seed.first(count));
  continuous().differentiate(tangents_, seed.first(count), seed.subspan(count));
  for (std::size_t m = 0; m < members_.size(); ++m)
    tangents_[m].derivatives(
        result.subspan(first_state_[m], first_state_[m + 1] - first_state_[m]));
  if (unknown_count_ > 0) continuous().get_residual_tangent(result.subspan(count));
  is_stale_ = false;
}

}  // namespace tutti::models
