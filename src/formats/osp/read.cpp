// SPDX-License-Identifier: BSD-2-Clause
#include "formats/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>

#include "base/number_type.hpp"
#include "base/text.hpp"
#include "formats/files.hpp"
#include "formats/osp/functions.hpp"
#include "formats/osp/models.hpp"
#include "formats/osp/rates.hpp"
#include "formats/value.hpp"

namespace tutti::formats::osp {
namespace fs = std::filesystem;
namespace {

bool fits(ValueType type, const Variable& variable) {
  switch (type) {
    case ValueType::real:
      return is_float(variable.type);
    case ValueType::boolean:
      return variable.type == Type::boolean;
    case ValueType::string:
      return variable.type == Type::string;
    case ValueType::integer:
      break;
  }
  return !is_float(variable.type) && variable.type != Type::boolean &&
         variable.type != Type::string && variable.type != Type::binary &&
         variable.type != Type::clock;
}

bool is_source(const Variable* variable) {
  return variable != nullptr && (variable->causality == Causality::output ||
                                 variable->causality == Causality::calculated_parameter);
}

/// Converts a structure to a system.
class Builder {
 public:
  Builder(Structure file, const fs::path& folder, const Surroundings& surroundings)
      : file_(std::move(file)),
        log_(surroundings.log),
        models_(file_.simulators, folder, surroundings, problems_) {}

  System run() {
    problems_.raise();
    for (std::size_t i = 0; i < file_.simulators.size(); ++i) add_component(i);
    Functions functions(file_.functions, models_);
    for (const OspConnection& connection : file_.connections)
      problems_.attempt([&] { add_connection(connection, functions); });
    for (const FunctionLinks& function : functions.finish(log_, problems_))
      problems_.attempt([&] { add_function(function); });
    problems_.raise();
    add_settings();
    problems_.raise();
    return std::move(system_);
  }

 private:
  void add_component(std::size_t index) {
    const Simulator& simulator = file_.simulators[index];
    Component& component = system_.components.emplace_back();
    component.name = simulator.name;
    component.fmu = models_.fmu(index);
    component.as = FmuKind::co_simulation;
    component.place = simulator.place;
    for (const InitialValue& value : simulator.values) {
      problems_.attempt([&] { check(value, index); });
      set_value(component.set, value.variable, value.value);
    }
  }

  /// libcosim accepts the type of the variable only.
  void check(const InitialValue& value, std::size_t index) const {
    const ModelDescription& model = models_.description(index);
    const Variable* const variable = model.find(value.variable);
    const std::string& simulator = file_.simulators[index].name;
    const auto refuse = [&](const std::string& text) {
      throw Error(ErrorCode::usage, text,
                  system::where(value.place, {.component = simulator, .variable = value.variable}));
    };
    if (variable == nullptr)
      refuse(fmt::format("simulator \"{}\" has no variable \"{}\".{}", simulator,
                         printable(value.variable),
                         did_you_mean(value.variable, names_of(model.variables))));
    if (!fits(value.type, *variable))
      refuse(
          fmt::format("\"{}\" of simulator \"{}\" is of type {}, but its initial value is a <{}>",
                      variable->name, simulator, to_string(variable->type), to_string(value.type)));
  }

  void add_connection(const OspConnection& connection, Functions& functions) {
    if (connection.is_bond) ++bonds_;
    if (connection.a.is_signal || connection.b.is_signal)
      functions.add(connection);
    else if (!connection.is_group)
      connect(connection.a, connection.b, connection.place);
    else
      connect_groups(models_.group(connection.a), models_.group(connection.b), connection);
  }

  /// Variables and inner groups in their order, whatever their names.
  void connect_groups(const VariableGroup& a, const VariableGroup& b,
                      const OspConnection& connection) {
    if (a.variables.size() != b.variables.size() || a.groups.size() != b.groups.size())
      throw Error(
          ErrorCode::usage,
          fmt::format("\"{}\" of \"{}\" has {} and {}, but \"{}\" of \"{}\" has {} and {}", a.name,
                      connection.a.owner, counted(a.variables.size(), "variable"),
                      counted(a.groups.size(), "group"), b.name, connection.b.owner,
                      counted(b.variables.size(), "variable"), counted(b.groups.size(), "group")),
          system::where(connection.place));
    for (std::size_t i = 0; i < a.variables.size(); ++i) {
      End from = connection.a, to = connection.b;
      from.name = a.variables[i];
      to.name = b.variables[i];
      connect(from, to, connection.place);
    }
    for (std::size_t i = 0; i < a.groups.size(); ++i)
      connect_groups(a.groups[i], b.groups[i], connection);
  }

  /// The causality in the model descriptions determines the direction.
  void connect(const End& a, const End& b, const Place& place) {
    const Variable *const first = models_.find(a), *const second = models_.find(b);
    const bool forward = is_source(first) || (first == nullptr && !is_source(second));
    const End &from = forward ? a : b, &to = forward ? b : a;
    links_.emplace_back(models_.index(from), models_.index(to));
    link(from, to, place);
  }

  void add_function(const FunctionLinks& function) {
    for (const End& source : function.sources)
      for (const End& target : function.targets)
        links_.emplace_back(models_.index(source), models_.index(target));
    if (function.kind != Function::Kind::linear_transformation) {
      add_sum(function);
      return;
    }
    for (const End& target : function.targets) {
      Connection& connection = link(function.sources.front(), target, function.place);
      connection.factor = function.factor;
      connection.offset = function.offset;
    }
  }

  void add_sum(const FunctionLinks& function) {
    if (system_.find(function.name) >= 0)
      throw Error(
          ErrorCode::usage,
          fmt::format("there are two components \"{}\"; rename the function or the simulator",
                      function.name),
          system::where(function.place));
    Component& sum = system_.components.emplace_back();
    sum.name = function.name;
    sum.built_in.type = "sum";
    sum.built_in.inputs = static_cast<std::uint32_t>(function.sources.size());
    sum.place = function.place;
    sums_.push_back(function.name);
    for (std::size_t i = 0; i < function.sources.size(); ++i)
      link(function.sources[i], {false, function.name, fmt::format("u{}", i + 1), {}},
           function.place);
    for (const End& target : function.targets)
      link({false, function.name, "y", {}}, target, function.place);
  }

  Connection& link(const End& from, const End& to, const Place& place) {
    Connection& connection = system_.connections.emplace_back();
    connection.from = {from.owner, from.name};
    connection.to = {to.owner, to.name};
    connection.convert_units = false;  // libcosim passes numbers as they are
    connection.place = place;
    return connection;
  }

  void add_settings() {
    SimulationSettings& run = system_.simulation;
    run.start = file_.start;
    run.stop = file_.stop;
    if (run.stop && *run.stop <= file_.start) problems_.add("EndTime is not after StartTime");
    run.methods = {"jacobi"};
    if (file_.algorithm == Algorithm::ecco)
      add_ecco(*file_.ecco);
    else
      add_steps();
    warn_of_sums();
    if (bonds_ > 0 && file_.algorithm != Algorithm::ecco)
      log_.info("", fmt::format("powerBond of {} is not used: it belongs to the algorithm ecco",
                                counted(bonds_, "connection")));
  }

  double base_steps(std::uint64_t count) const {
    const double product = file_.step * static_cast<double>(count);
    constexpr double nanoseconds = 1e9;  // what libcosim counts
    const double rounded = std::round(product * nanoseconds) / nanoseconds;
    return std::abs(rounded - product) <= 1e-12 * product ? rounded : product;
  }

  void add_steps() {
    std::vector<std::uint64_t> decimations;
    for (const Simulator& simulator : file_.simulators) {
      const double wanted = simulator.step.value_or(0) == 0 ? file_.step : *simulator.step;
      const std::uint64_t factor = decimation_of(wanted, file_.step);
      decimations.push_back(factor);
      if (const double taken = base_steps(factor); std::abs(taken - wanted) > 1e-9 * wanted)
        log_.warning(
            "",
            fmt::format("{}stepSize {} of \"{}\" is not a multiple of BaseStepSize {}; "
                        "the step is {} s, as in libcosim",
                        system::at(simulator.place), wanted, simulator.name, file_.step, taken));
    }
    const Rates rates = choose_rates(decimations, links_);
    system_.simulation.step = base_steps(rates.system);
    for (std::size_t i = 0; i < rates.of.size(); ++i)
      if (rates.of[i] != rates.system) system_.components[i].step = base_steps(rates.of[i]);
    for (const std::size_t i : rates.shortened)
      log_.warning("", fmt::format("{}\"{}\" has steps of {} s and transfers its values as "
                                   "often; in libcosim, its step is {} s",
                                   system::at(file_.simulators[i].place), file_.simulators[i].name,
                                   *system_.simulation.step, base_steps(decimations[i])));
    note_last_step();
  }

  void warn_of_sums() {
    if (!sums_.empty())
      log_.warning("", fmt::format("{} {}: the sum is computed within the step, from the values at "
                                   "its start, so it is one step ({} s) later than in libcosim",
                                   sums_.size() == 1 ? "function" : "functions",
                                   fmt::join(sums_, ", "), *system_.simulation.step));
  }

  void note_last_step() {
    const SimulationSettings& run = system_.simulation;
    if (!run.stop) return;
    const double steps = (*run.stop - *run.start) / *run.step;
    if (const double rest = steps - std::floor(steps); rest > 0.01 && rest < 0.99)
      log_.info("", fmt::format("the last step is shorter, to end at EndTime; libcosim's "
                                "ends {} s later",
                                (1 - rest) * *run.step));
  }

  /// Both control the steps by the coupling error, with different measures.
  void add_ecco(const EccoSettings& ecco) {
    SimulationSettings& run = system_.simulation;
    run.step = ecco.step;
    run.control.name = "predictor";
    run.control.min = ecco.min;
    run.control.max = ecco.max;
    run.control.safety = ecco.safety;
    run.control.shrink = ecco.shrink;
    run.control.grow = ecco.grow;
    run.control.at_min = OnLimit::go_on;
    log_.warning("", fmt::format("{}the algorithm ecco is not available: steps are controlled by "
                                 "the errors of inputs (control = \"predictor\", atol = {}, rtol = "
                                 "{}), not by the energy that power bonds lose. Its tolerances and "
                                 "gains are not used.",
                                 system::at(ecco.place), run.control.atol, run.control.rtol));
    for (const Simulator& simulator : file_.simulators)
      if (simulator.step)
        log_.info("", fmt::format("{}stepSize of \"{}\" is not used with the algorithm ecco",
                                  system::at(simulator.place), simulator.name));
  }

  Structure file_;
  Log log_;
  system::Problems problems_;
  Models models_;
  System system_;
  std::vector<std::pair<std::size_t, std::size_t>> links_;  // of simulators
  std::vector<std::string> sums_;
  std::size_t bonds_ = 0;
};

}  // namespace

System read(const fs::path& file, const Surroundings& surroundings) {
  return Builder(
             parse(file_content(file), file.string(), surroundings.open.limits, surroundings.log),
             file.parent_path(), surroundings)
      .run();
}

}  // namespace tutti::formats::osp
