// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <tutti/log.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "base/infinity.hpp"
#include "master/tlm/component_ports.hpp"
#include "master/tlm/port_rows.hpp"
#include "system/line_plan.hpp"

namespace tutti::master::tlm {

/// Communication steps of the islands of a system, each at most the smallest incoming delay, and an
/// integer fraction of the distance between synchronization points.
std::vector<double> island_steps(const System& system, const system::LinePlan& plan,
                                 double sync_step);

/// The lines and delayed signals of a running system.
class LineNetwork {
 public:
  struct Setup {
    const System* system = nullptr;
    const system::LinePlan* plan = nullptr;
    std::vector<bool> is_model_exchange;  ///< by component
    std::vector<double> steps;            ///< by component: that of its island
    Log log;
  };
  explicit LineNetwork(const Setup& setup);
  LineNetwork(const LineNetwork&) = delete;
  LineNetwork& operator=(const LineNetwork&) = delete;

  /// Null: neither lines nor delayed signals start or end there.
  ComponentPorts* ports(std::size_t component) const { return ports_[component].get(); }
  /// Fills the lines with the start values of the components, at t. @pre they are initialized
  void start(double t);
  /// Logs the instabilities that lines have detected since the last call. Islands may be running.
  void report();
  /// Before the start: ports are recorded from then on. The lines complete the setup.
  std::unique_ptr<PortRows> record(PortRows::Setup setup);
  /// No island steps any more: records the last samples as far as known.
  void complete();
  void keep(Memory& memory);
  /// Samples in all tables: the memory of asynchronous steps.
  std::size_t sample_count() const;

 private:
  struct Line {
    const system::PlannedLine* planned = nullptr;
    std::array<LineEnd*, 2> ends{};
    std::array<double, 2> steps{};
    std::string name;
  };
  void add_line(const Setup& setup, const system::PlannedLine& planned);
  void add_delay(const Setup& setup, const system::PlannedDelay& planned);
  ComponentPorts& ports_of(const Setup& setup, std::uint32_t component);
  /// How the lines act on their components.
  void describe() const;

  std::vector<std::unique_ptr<WaveTable>> tables_;
  std::vector<std::unique_ptr<ComponentPorts>> ports_;  ///< by component
  std::vector<Line> lines_;
  std::vector<LineEnd*> ends_;  ///< by port of the plan
  double shortest_delay_ = infinity, longest_step_ = 0;
  LineFindings findings_;
  Log log_;
  struct Signal {
    const system::PlannedDelay* planned = nullptr;
    WaveTable* table = nullptr;
    ComponentPorts* from = nullptr;
    std::size_t source = 0;  ///< number among its sources
  };
  std::vector<Signal> signals_;
};

}  // namespace tutti::master::tlm
