// SPDX-License-Identifier: BSD-2-Clause
#include "session/planned_actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "base/text.hpp"
#include "master/stepping/controllers.hpp"
#include "session/session_values.hpp"
#include "system/make_plan.hpp"
#include "system/names.hpp"

namespace tutti::session {
namespace {

/// `actions.2`, as on the command line.
std::string key_of(std::size_t action) { return fmt::format("actions.{}", action + 1); }

class ActionPlanner {
 public:
  ActionPlanner(const System& system, const SystemModels& models, const system::Plan& plan,
                const TimeGrid& grid, const Log& log)
      : system_(system),
        models_(models),
        plan_(plan),
        grid_(grid),
        log_(log),
        names_(system),
        changes_(system.actions.size()) {
    for (std::size_t c = 0; c < system.components.size(); ++c)
      if (!system::can_vary_step(system.components[c], *models.descriptions[c]))
        fixed_.push_back(system.components[c].name);
  }

  std::vector<master::Action> plan() {
    const std::vector<TimedAction>& given = system_.actions;
    for (std::size_t i = 0; i < given.size(); ++i) {
      check_time(i);
      find_changes(i);
    }
    problems_.raise();
    std::vector<std::size_t> order(given.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return given[i].at; });
    for (const std::size_t i : order)
      if (const std::optional<double> due = due_time(i)) add_action(i, *due);
    problems_.raise();
    return std::move(planned_);
  }

 private:
  void check_time(std::size_t i) {
    const TimedAction& action = system_.actions[i];
    if (!std::isfinite(action.at))
      add_problem(i, fmt::format("at = {} is not finite", action.at));
    else if (action.at < grid_.start() - nearness(grid_.start()))
      add_problem(i, fmt::format("at = {:.13g} s is before the start time, {:.13g} s. Set start "
                                 "values in components.X.set.",
                                 action.at, grid_.start()));
    if (action.set.empty()) add_problem(i, "set is empty: name a variable and its value");
  }

  void find_changes(std::size_t i) {
    for (const auto& [to, text] : system_.actions[i].set) {
      try {
        changes_[i].push_back(change(to, text));
      } catch (const Error& error) {
        problems_.add(system_.actions[i].place, key_of(i), error,
                      {.component = to.component, .key = key_of(i)});
      }
    }
  }

  master::Change change(const Endpoint& to, const std::string& text) const {
    const std::int32_t index = names_.find(to.component);
    if (index < 0) throw names_.unknown(to.component);
    const auto c = static_cast<std::size_t>(index);
    const ModelDescription& description = *models_.descriptions[c];
    const FoundVariable variable = find_variable(system_, plan_, static_cast<std::uint32_t>(c),
                                                 to.variable, description, models_.structures[c]);
    check_settable(variable, description,
                   system_.is_single_fmu
                       ? "Set it as a start value."
                       : fmt::format("Set it in components.{}.set.", to.component));
    return change_of(variable, text, description, models_.structures[c]);
  }

  /// The time at which it takes effect; empty: after the end of the run.
  std::optional<double> due_time(std::size_t i) const {
    const double at = system_.actions[i].at;
    double due = at;
    if (!master::is_free(system_.simulation.control) || !fixed_.empty()) {
      const std::uint64_t next = grid_.first_point_from(at - nearness(at));
      if (std::abs(grid_.point(next) - at) <= nearness(at) || !fixed_.empty())
        due = grid_.point(next);
    }
    if (due >= grid_.stop() - nearness(grid_.stop())) {
      const std::string_view where = at > grid_.stop()   ? "after "
                                     : at < grid_.stop() ? "in the last step before "
                                                         : "";
      warn(i, fmt::format("t = {:.13g} s is {}the stop time, {:.13g} s: nothing is set", at, where,
                          grid_.stop()));
      return {};
    }
    if (due > at + nearness(at))
      warn(i, fmt::format("t = {:.13g} s is not a communication point, and {} cannot vary {} step: "
                          "its values are set at t = {:.13g} s",
                          at, list_some(fixed_), fixed_.size() == 1 ? "its" : "their", due));
    return due;
  }

  void add_action(std::size_t i, double due) {
    if (planned_.empty() || due > planned_.back().time + nearness(due)) {
      planned_.push_back({due, 0, {}, {}});
      setters_.clear();
    }
    master::Action& action = planned_.back();
    ++action.count;
    if (!action.text.empty()) action.text += "; ";
    action.text += key_of(i) + " sets ";
    bool is_first = true;
    for (const auto& [to, text] : system_.actions[i].set) {
      action.text += fmt::format("{}{}.{} = {}", is_first ? "" : ", ", to.component, to.variable,
                                 printable(text));
      is_first = false;
    }
    for (const master::Change& change : changes_[i]) {
      for (const std::uint64_t scalar : change.scalars) note_setter(i, change, scalar);
      add(action.changes, change);
    }
  }

  /// Two values at the same time are an error: the order of the file does not decide.
  void note_setter(std::size_t i, const master::Change& change, std::uint64_t scalar) {
    const auto [known, is_new] =
        setters_.try_emplace({change.component, change.variable(), scalar}, i);
    const double at = system_.actions[i].at;
    if (!is_new && std::abs(system_.actions[known->second].at - at) <= nearness(at))
      add_problem(
          i, fmt::format("\"{}\" is already set at t = {:.13g} s{}",
                         system_.qualified(change.component, change.values.scalars()[scalar].name),
                         at, known->second == i ? "" : " by " + key_of(known->second)));
    known->second = i;
  }

  double nearness(double t) const { return grid_.nearness(t); }
  void add_problem(std::size_t i, const std::string& text) {
    problems_.add(system_.actions[i].place, fmt::format("{}: {}", key_of(i), text),
                  {.key = key_of(i)});
  }
  void warn(std::size_t i, const std::string& text) const {
    log_.warning("",
                 fmt::format("{}{}: {}", system::at(system_.actions[i].place), key_of(i), text));
  }

  const System& system_;
  const SystemModels& models_;
  const system::Plan& plan_;
  const TimeGrid& grid_;
  const Log& log_;
  const system::ComponentNames names_;
  std::vector<std::string> fixed_;                    ///< components that cannot vary their steps
  std::vector<std::vector<master::Change>> changes_;  ///< by action
  system::Problems problems_;
  std::vector<master::Action> planned_;
  /// By component, variable and scalar: the action that sets it at the present time.
  std::map<std::tuple<std::uint32_t, std::int32_t, std::uint64_t>, std::size_t> setters_;
};

}  // namespace

std::vector<master::Action> plan_actions(const System& system, const SystemModels& models,
                                         const system::Plan& plan, const TimeGrid& grid,
                                         const Log& log) {
  if (system.actions.empty()) return {};
  return ActionPlanner(system, models, plan, grid, log).plan();
}

}  // namespace tutti::session
