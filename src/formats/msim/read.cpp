// SPDX-License-Identifier: BSD-2-Clause
#include "formats/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <tutti/error.hpp>

#include "formats/files.hpp"
#include "formats/msim/parse.hpp"
#include "system/graph.hpp"
#include "system/names.hpp"

namespace tutti::formats::msim {
namespace fs = std::filesystem;
namespace {

bool is_table(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return extension == ".csv" || extension == ".tsv" || extension == ".CSV" || extension == ".TSV";
}

/// Seconds in a unit of the first column, from its heading `Time [h]`; 1 without a unit, or if
/// the file does not exist, which reading the table reports.
double time_factor_of(const fs::path& table) {
  std::ifstream stream(table);
  std::string heading;
  constexpr std::streamsize longest = 1000;
  heading.resize(longest);
  stream.getline(heading.data(), longest);
  const std::size_t open = heading.find('['), close = heading.find(']');
  if (open == heading.npos || close == heading.npos || close < open) return 1;
  if (heading.find_first_of("\t,;") < open) return 1;
  return seconds_in(std::string_view(heading).substr(open + 1, close - open - 1)).value_or(1);
}

/// Slaves are called by their cycle, then in the order of the file.
using Rank = std::pair<std::int64_t, std::size_t>;

class Builder {
 public:
  Builder(Project project, const fs::path& folder, const Surroundings& surroundings)
      : project_(std::move(project)), folder_(folder), log_(surroundings.log) {}

  System run() {
    add_simulators();
    add_lines();
    check_settings();
    problems_.raise();
    add_method();
    add_control();
    add_interval();
    if (project_.mode != MasterMode::gauss_jacobi) add_cycles();
    return std::move(system_);
  }

 private:
  void add_simulators() {
    for (std::size_t i = 0; i < project_.simulators.size(); ++i) {
      const Simulator& simulator = project_.simulators[i];
      const Rank rank(simulator.cycle, i);
      rank_of_.emplace(simulator.name, rank);
      if (is_table(simulator.path)) {
        add_table(simulator);
        continue;
      }
      Component& component = system_.components.emplace_back();
      component.name = simulator.name;
      component.fmu = simulator.path;
      component.set = simulator.parameters;
      component.place = simulator.place;
      ranks_.push_back(rank);
    }
  }

  /// Two tables: for slaves that receive the value at the start of a step, or at its end.
  void add_table(const Simulator& simulator) {
    tables_.emplace(simulator.name, system_.inputs.tables.size());
    InputFile table;
    table.file = simulator.path;
    table.time_factor = time_factor_of(folder_ / simulator.path);
    table.place = simulator.place;
    for (const SamplePoint sample : {SamplePoint::start, SamplePoint::end}) {
      table.sample = sample;
      system_.inputs.tables.push_back(table);
    }
    if (!simulator.parameters.empty())
      problems_.add(simulator.place,
                    fmt::format("\"{}\" is a table and has no parameters", simulator.name));
  }

  /// A table is a slave: slaves called after it receive its value at the end of the step, and so
  /// do iterations that contain both (AlgorithmGaussSeidel.cpp, AlgorithmNewton.cpp of MASTERSIM).
  bool sees_end(const Rank& table, const Rank& slave) const {
    if (project_.mode == MasterMode::gauss_jacobi) return false;
    if (table.first != slave.first) return table.first < slave.first;
    return iterates() || (project_.mode == MasterMode::gauss_seidel && table < slave);
  }

  void add_lines() {
    for (const Line& line : project_.lines) {
      if (tables_.contains(line.to.component)) {
        problems_.add(line.place,
                      fmt::format("\"{}\" is a table: it has outputs only", line.to.component));
      } else if (const auto table = tables_.find(line.from.component); table != tables_.end()) {
        const auto to = rank_of_.find(line.to.component);
        const bool end = to != rank_of_.end() && sees_end(rank_of_.at(table->first), to->second);
        add_column(line, system_.inputs.tables[table->second + (end ? 1 : 0)].columns);
      } else {
        Connection& connection = system_.connections.emplace_back();
        connection.from = line.from;
        connection.to = line.to;
        connection.factor = line.scale;
        connection.offset = line.offset;
        // In MASTERSIM, they convert units.
        connection.convert_units = line.scale == 1 && line.offset == 0;
        connection.place = line.place;
      }
    }
    auto& tables = system_.inputs.tables;
    tables.erase(std::remove_if(tables.begin(), tables.end(),
                                [](const InputFile& table) { return table.columns.empty(); }),
                 tables.end());
  }

  void add_column(const Line& line, std::vector<InputColumn>& columns) {
    for (const InputColumn& known : columns)
      if (known.to.component == line.to.component && known.to.variable == line.to.variable)
        problems_.add(line.place, fmt::format("\"{}.{}\" is driven by two columns of one table",
                                              line.to.component, line.to.variable));
    columns.push_back({line.from.variable, line.to, line.scale, line.offset});
  }

  void check_settings() {
    const bool doubling = project_.error_control == ErrorControl::step_doubling;
    if (project_.stop <= project_.start) problems_.add("tEnd is not after tStart");
    if (project_.mode == MasterMode::gauss_jacobi && project_.iterations > 1)
      problems_.add(project_.mode_place, "GAUSS_JACOBI does not iterate: maxIterations must be 1");
    if (doubling && !project_.adjust_step)
      problems_.add(project_.error_control_place, "STEP_DOUBLING needs adjustStepSize yes");
    if (project_.adjust_step && !doubling && project_.iterations == 1)
      problems_.add(
          "adjustStepSize needs maxIterations above 1, or ErrorControlMode "
          "STEP_DOUBLING");
    if (project_.adjust_step && project_.shortest_step > project_.longest_step)
      problems_.add("hMin is above hMax");
    if (project_.error_control == ErrorControl::check)
      log_.warning("", fmt::format("{}ErrorControlMode CHECK only reports errors of steps; "
                                   "it is ignored",
                                   system::at(project_.error_control_place)));
  }

  void add_method() {
    SimulationSettings& run = system_.simulation;
    run.start = project_.start;
    run.stop = project_.stop;
    run.step = first_step();
    if (project_.mode == MasterMode::gauss_jacobi)
      run.methods = {"jacobi"};
    else if (project_.mode == MasterMode::newton)
      run.methods = {"newton"};
    else
      run.methods = {iterates() ? "iterated" : "gauss-seidel"};
    if (project_.mode == MasterMode::gauss_seidel && !iterates() && project_.iterations > 1)
      log_.info("", fmt::format("the step {} s is below hFallBackLimit {} s: there is no iteration",
                                *run.step, project_.fall_back));
    run.tolerance.abs = project_.abs_tol;
    run.tolerance.rel = project_.rel_tol;
    run.tolerance.iterations = std::max<std::uint32_t>(1, project_.iterations);
    run.tolerance.on_limit = OnLimit::go_on;  // with a fixed step it warns and accepts
    if (project_.internal_variables) system_.results.variables = {"*"};
  }

  double first_step() const {
    return project_.first_step > 0 ? project_.first_step : (project_.stop - project_.start) / 1000;
  }

  /// Below the limit one pass is accepted; with a fixed step, in the whole run.
  bool iterates() const {
    return project_.iterations > 1 && (project_.mode == MasterMode::newton ||
                                       project_.adjust_step || first_step() >= project_.fall_back);
  }

  /// Outputs are those of the first point at or after a multiple of hOutputMin.
  void add_interval() {
    if (project_.output_place.line == 0) return;
    if (project_.adjust_step && project_.output_step <= project_.shortest_step) return;
    const double step = *system_.simulation.step;
    if (project_.adjust_step || !project_.stop_at_end)
      system_.results.interval = project_.output_step;
    else if (project_.output_step > step)
      system_.results.interval = step * std::ceil(project_.output_step / step * (1 - 1e-9));
  }

  void add_control() {
    ControlSettings& control = system_.simulation.control;
    if (!project_.stop_at_end) control.end = LastStep::overshoot;
    if (!project_.adjust_step) return;
    const bool doubling = project_.error_control == ErrorControl::step_doubling;
    control.name = doubling ? "richardson" : "convergence";
    control.variant = ControlVariant::mastersim;
    control.atol = project_.abs_tol;
    control.rtol = project_.rel_tol;
    if (project_.shortest_step > 0) control.min = project_.shortest_step;
    if (project_.longest_step > 0) control.max = project_.longest_step;
    control.fall_back = project_.fall_back;
    // A step of hMin that fails the error test is accepted; one that does not converge is not.
    if (doubling) control.at_min = OnLimit::go_on;
  }

  void add_cycles() {
    std::map<std::string, system::Graph::Node> index;
    for (std::size_t i = 0; i < system_.components.size(); ++i)
      index.emplace(system_.components[i].name, static_cast<system::Graph::Node>(i));
    std::vector<system::Graph::Edge> edges;
    for (const Connection& c : system_.connections)
      edges.push_back({index.at(c.from.component), index.at(c.to.component)});
    const system::Graph graph(system_.components.size(), edges);
    const system::Components found = system::strong_components(graph);
    for (std::vector<system::Graph::Node> members : found.members) {
      if (members.size() < 2) continue;
      std::ranges::sort(members, [&](auto a, auto b) { return ranks_[a] < ranks_[b]; });
      CycleSettings& cycle = system_.cycles.emplace_back();
      for (const auto node : members) cycle.order.push_back(system_.components[node].name);
      cycle.of = cycle.order;
      if (ranks_[members.front()].first != ranks_[members.back()].first)
        log_.warning("", fmt::format("{} are in different cycles in the file, but in one cycle "
                                     "of the graph: they are solved together",
                                     fmt::join(cycle.of, ", ")));
    }
    for (const system::Graph::Edge& edge : edges)
      if (found.component_of[edge.from] != found.component_of[edge.to] &&
          ranks_[edge.from] > ranks_[edge.to])
        log_.info(
            "", fmt::format("\"{}\" feeds \"{}\" and is called before it, against the order "
                            "of the file",
                            system_.components[edge.from].name, system_.components[edge.to].name));
  }

  Project project_;
  fs::path folder_;
  Log log_;
  System system_;
  std::map<std::string, std::size_t> tables_;  // by name of the slave: the first of its two
  std::map<std::string, Rank> rank_of_;        // by name of the slave
  std::vector<Rank> ranks_;                    // by component
  system::Problems problems_;
};

}  // namespace

System read(const fs::path& file, const Surroundings& surroundings) {
  return Builder(parse(text_content(file), file.string()), file.parent_path(), surroundings).run();
}

}  // namespace tutti::formats::msim
