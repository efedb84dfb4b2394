// SPDX-License-Identifier: BSD-2-Clause
#include "run.hpp"

#include <fmt/format.h>

#include <tutti/system_file.hpp>

#include "file_kind.hpp"
#include "system_inputs.hpp"

namespace tutti::cli {
namespace {

std::filesystem::path result_file(const RunCommand& command, const System& system) {
  if (command.output == "none") return {};
  if (!command.output.empty()) return command.output;
  if (const auto& resumed = command.options.resume) {
    const std::filesystem::path& results = resumed->results;
    if (command.set.empty() || results.empty()) return results;
    // Other values make it another run.
    return results.parent_path() /
           (results.stem().string() + "-branch" + results.extension().string());
  }
  if (!system.results.file.empty()) return system.folder / system.results.file;
  // The name of a folder, also with a trailing slash, and of the current folder.
  std::filesystem::path named = std::filesystem::absolute(command.system).lexically_normal();
  if (!named.has_filename()) named = named.parent_path();
  return named.stem().string() + ".csv";
}

System read_given(const RunCommand& command, Console& console) {
  if (command.system.empty())
    throw Error(ErrorCode::usage, "a system file is required, or a checkpoint to resume (%key%)",
                {.key = "resume"});
  expect_kind("run", FileKind::system, command.system);
  System system = read_system(command.system, command.options.open, console.log());
  if (!command.start_from.empty())
    assign(system, read_values(command.start_from), command.options.open, console.log());
  for (const std::string& assignment : command.set) assign(system, assignment, console.log());
  for (const auto& [key, value] :
       {std::pair("start", command.start), {"stop", command.stop}, {"step", command.step}})
    if (value) assign(system, fmt::format("simulation.{}={}", key, *value));
  return system;
}

/// The system of the checkpoint, with other values.
System resume(RunCommand& command, Console& console) {
  if (!command.system.empty() || command.start || command.step)
    throw Error(ErrorCode::usage,
                "%key% resumes the system of the checkpoint: SYSTEM, --start and --step "
                "cannot be used with it",
                {.key = "resume"});
  if (!command.start_from.empty())
    throw Error(ErrorCode::usage,
                "a resumed run starts with the values of the checkpoint: --start-from cannot be "
                "used with %key%",
                {.key = "resume"});
  Checkpoint& checkpoint =
      command.options.resume.emplace(read_checkpoint(command.resume, command.options.open));
  for (const std::string& assignment : command.set) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      throw Error(ErrorCode::usage, fmt::format("\"{}\" is not of the form NAME=VALUE", assignment),
                  {.key = "set"});
    checkpoint.set.emplace_back(assignment.substr(0, equals), assignment.substr(equals + 1));
  }
  const std::optional<double>& stop = checkpoint.system.simulation.stop;
  if (command.stop) {
    checkpoint.system.simulation.stop = *command.stop;
    if (!(*command.stop >= checkpoint.time))
      throw Error(ErrorCode::usage,
                  fmt::format("the checkpoint is at t = {:.13g} s, after the stop time {} s",
                              checkpoint.time, *command.stop),
                  {.key = "stop"});
  } else if (stop && checkpoint.time >= *stop) {
    console.note(
        fmt::format("the checkpoint is at t = {:.13g} s, the stop time: the run is complete "
                    "(--stop sets a later one)",
                    checkpoint.time));
  }
  const bool is_branch = !command.output.empty() || !command.set.empty();
  if (checkpoint.results.empty() && command.output.empty())
    console.note("the checkpoint names no result file, so nothing is recorded (-o names one)");
  // Another result file contains only later rows.
  std::error_code none;
  if (is_branch && !std::filesystem::equivalent(result_file(command, checkpoint.system),
                                                checkpoint.results, none))
    checkpoint.rows = 0;
  return checkpoint.system;
}

/// Variables of ports are recorded in a file beside the results. Null: none.
std::unique_ptr<Observer> open_ports(const RunCommand& command, const System& system,
                                     Delivery& delivery, Console& console) {
  const std::filesystem::path& results = delivery.file;
  if (system.results.ports.empty() || results.empty()) return nullptr;
  std::error_code none;
  if (std::filesystem::exists(results, none) && !std::filesystem::is_regular_file(results, none))
    throw Error(ErrorCode::usage, "%key%: ports cannot be recorded beside a pipe or device",
                {.key = "results.ports", .hint = "Write the results to a file with --output."});
  if (!command.resume.empty()) {
    console.note("ports of lines are not recorded in a resumed run (results.ports)");
    return nullptr;
  }
  delivery.ports = part_of_results(results, "ports");
  protect_inputs(delivery.ports, delivery.inputs);
  return make_result_writer(delivery.ports, {.compress = system.results.compress});
}

}  // namespace

int run(RunCommand command, Console& console) {
  prepare_opening(command.options.open);
  System system = command.resume.empty() ? read_given(command, console) : resume(command, console);
  if (command.diagnosis.wanted)
    for (System* const given :
         {&system, command.options.resume ? &command.options.resume->system : nullptr})
      if (given != nullptr)
        for (Component& component : given->components) component.solver.diagnose = true;
  if (!command.checkpoint.empty()) {
    const std::filesystem::path results = result_file(command, system);
    command.options.checkpoint = {command.checkpoint, command.every.value_or(0), results};
    std::vector<std::filesystem::path> others = system_inputs(command.system, system);
    if (!command.start_from.empty()) others.push_back(command.start_from);
    if (!results.empty()) others.insert(others.end(), {results, metadata_path(results)});
    protect_inputs(command.checkpoint, others);
    protect_inputs(command.checkpoint.string() + ".new", others);
  }

  Delivery delivery;
  delivery.file = result_file(command, system);
  delivery.plot = command.plot;
  delivery.json = command.json;
  delivery.statistics = command.statistics;
  delivery.diagnosis = command.diagnosis;
  delivery.gnuplot = command.gnuplot || system.results.gnuplot;
  delivery.results = {.compress = system.results.compress, .groups = system.results.groups};
  if (delivery.gnuplot && !delivery.results.groups.empty())
    throw Error(ErrorCode::usage, "%key%: the script for gnuplot cannot plot results in groups",
                {.key = "results.gnuplot", .hint = "Leave out %key%, or results.groups."});
  delivery.inputs = system_inputs(command.resume.empty() ? command.system : command.resume, system);
  if (!command.start_from.empty()) delivery.inputs.push_back(command.start_from);
  const std::unique_ptr<Observer> ports = open_ports(command, system, delivery, console);
  command.options.ports = ports.get();
  delivery.run = [&](Observer* sink) {
    return tutti::run(system, command.options, sink, console.log());
  };
  delivery.json_text = [&](const RunReport& report) { return statistics_json(system, report); };
  delivery.write_metadata = [&](const std::filesystem::path& file, const RunReport& report) {
    write_metadata(file, system, report);
  };
  return deliver(delivery, command.options, console);
}

}  // namespace tutti::cli
