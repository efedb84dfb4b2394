// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <set>
#include <tutti/log.hpp>

#include "master/coupled_parts.hpp"
#include "master/observer.hpp"
#include "master/stepping/controllers.hpp"
#include "master/wiring.hpp"

namespace tutti::master {

/// The instantiated plan: the components of a system with their values in contiguous memory, and
/// the wires between them. It is made once; the coupling of the components may change later.
struct Assembly {
  /// The monitor records the progress for the process that watches the run; each thread records the
  /// component that it calls.
  Assembly(CoupledParts given, Monitor& monitor, std::size_t threads, const Log& log);
  ~Assembly();
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;

  /// Records that this component is called next.
  void note(std::size_t component) const {
    called.front().store(static_cast<std::uint32_t>(component), std::memory_order_relaxed);
  }
  /// Of a cycle; the later ones are fallbacks.
  const std::vector<std::string>& methods_of(const system::Stage& stage) const;
  const SimulationSettings& settings() const { return parts.settings; }
  const StepControlEntry& control() const { return step_control_of(parts.settings.control); }
  double rate_of(std::size_t component) const {
    return component < parts.rates.size() ? parts.rates[component]
                                          : std::numeric_limits<double>::infinity();
  }

  const Log& log;
  Monitor& monitor;
  std::span<std::atomic<std::uint32_t>> called;  ///< of the monitor, by thread
  CoupledParts parts;                            ///< without the instances
  std::vector<std::unique_ptr<models::Instance>> instances;
  /// Capabilities of all components, or features that some have.
  struct Abilities {
    bool can_vary_step = true, can_roll_back = true;
    bool has_event_mode = false, has_float32 = false;
    bool has_untried_flags = false;  ///< to be tested in the second step: see try_rollback_flag()
  } abilities;
  std::vector<std::uint64_t> values;             ///< all numbers, in calling sequence
  std::vector<std::vector<Wiring::Wire>> wires;  ///< by target component
  std::unique_ptr<Wiring> wiring;
  std::vector<const double*> connections, couplings;  ///< real ones: all, and each output once
  std::vector<system::Graph::Edge> dependencies;      ///< of coupled scalars while time runs
  /// On demand: inputs with direct feed-through, and the outputs that depend on them.
  std::set<std::pair<std::uint32_t, std::int32_t>> feed_through, follows_at_once;
  double start = 0, stop = std::numeric_limits<double>::infinity();  ///< of the run

 private:
  void look_at_instances();
  void place_values();
  void make_wires();
  void find_couplings();
  void find_feed_through();
};

}  // namespace tutti::master
