// SPDX-License-Identifier: BSD-2-Clause
#include "simulate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <fstream>
#include <tutti/system_file.hpp>

#include "file_kind.hpp"

namespace tutti::cli {
namespace {

void read_variables_file(const std::filesystem::path& file, std::vector<std::string>& variables) {
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file))
    throw Error(ErrorCode::file, fmt::format("cannot read \"{}\"", file.string()));
  constexpr const char* blanks = " \t\r";
  bool any = false;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find_first_not_of(blanks);
    if (first == std::string::npos || line[first] == '#') continue;
    std::string name = line.substr(first, line.find_last_not_of(blanks) - first + 1);
    // Copied from the header of a result file: "A[1,2]".
    if (name.size() > 2 && name.front() == '"' && name.back() == '"')
      name = name.substr(1, name.size() - 2);
    variables.push_back(std::move(name));
    any = true;
  }
  if (!any)
    throw Error(ErrorCode::file, fmt::format("\"{}\" does not name a variable", file.string()));
}

void split_assignments(const std::vector<std::string>& texts, SimulateOptions& run) {
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorCode::usage,
                  fmt::format("--set \"{}\": expected NAME=VALUE, for example --set mu=2.5", text));
    run.set.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
}

void set_once(std::optional<double>& setting, const std::string& text, std::string_view option) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0')
    throw Error(ErrorCode::usage,
                fmt::format("--solver-option \"{}\": expected a number, not \"{}\"", option, text));
  if (setting)
    throw Error(
        ErrorCode::usage,
        fmt::format("--solver-option {0} and the option of `tutti simulate` for it are both "
                    "given; leave one of them out",
                    option));
  setting = number;
}

/// Maximum and first step are options of `tutti simulate`, but in other tools options of the
/// solver.
void split_solver_options(const std::vector<std::string>& texts, SimulateOptions& run) {
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorCode::usage,
                  fmt::format("--solver-option \"{}\": expected NAME=VALUE, for example "
                              "--solver-option maxh=0.1",
                              text));
    const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
    if (name == "maxh" || name == "max-step")
      set_once(run.max_step, value, name);
    else if (name == "inith" || name == "first-step")
      set_once(run.first_step, value, name);
    else if (!run.solver_options.emplace(name, value).second)
      throw Error(ErrorCode::usage,
                  fmt::format("--solver-option {} is given twice; leave one of them out", name));
  }
}

std::string listed(const std::vector<std::string>& options) {
  return fmt::format("{} {}", fmt::join(options, ", "),
                     options.size() == 1 ? "is an option" : "are options");
}

/// An option for one interface selects that interface: it is never ignored.
void choose_interface(SimulateCommand& command) {
  SimulateOptions& run = command.run;
  const std::vector<std::string>&solver = command.me_options, &steps = command.cs_options;
  if (solver.empty() && steps.empty()) return;
  if (run.kind == FmuKind::co_simulation) {
    if (solver.empty()) return;
    throw Error(ErrorCode::usage,
                fmt::format("{} of model exchange. Leave --type cs out.", listed(solver)));
  }
  const ModelDescription description = read_description(run.fmu, run.open);
  if (!solver.empty() && run.kind == FmuKind::automatic) {
    if (!description.model_exchange)
      throw Error(
          ErrorCode::capability,
          fmt::format("{} of model exchange, which the FMU does not have: it contains its own "
                      "solver",
                      listed(solver)));
    run.kind = FmuKind::model_exchange;
  }
  const bool model_exchange = run.kind == FmuKind::model_exchange || !description.co_simulation;
  if (model_exchange && !steps.empty())
    throw Error(
        ErrorCode::usage,
        fmt::format("{} of co-simulation, but the run is one of model exchange{}", listed(steps),
                    solver.empty() ? "" : fmt::format(" (because of {})", solver.front())));
}

}  // namespace

int simulate(SimulateCommand command, Console& console) {
  SimulateOptions& run = command.run;
  console.has_system_file = false;
  expect_kind("simulate", FileKind::fmu, run.fmu);
  run.stop_request = &interrupted();
  prepare_opening(run.open);
  if (!command.start_from.empty()) {
    System system = system_of(run);
    assign(system, read_values(command.start_from), run.open);
    run.set = system.components.front().set;
  }
  split_assignments(command.set, run);
  split_solver_options(command.solver_options, run);
  run.diagnose = command.diagnosis.wanted;
  choose_interface(command);
  if (!command.variables_file.empty()) read_variables_file(command.variables_file, run.variables);

  Delivery delivery;
  delivery.plot = command.plot;
  delivery.json = command.json;
  delivery.statistics = command.statistics;
  delivery.diagnosis = command.diagnosis;
  if (command.output != "none") {
    std::filesystem::path stem = run.fmu;
    if (!stem.has_filename()) stem = stem.parent_path();  // a folder written with a trailing slash
    delivery.file = command.output.empty() ? stem.stem().string() + ".csv" : command.output;
  }
  delivery.inputs = {run.fmu, run.input, command.variables_file, command.start_from};
  delivery.run = [&](Observer* sink) { return tutti::simulate(run, sink, console.log()); };
  delivery.json_text = [&](const RunReport& report) { return statistics_json(run, report); };
  delivery.write_metadata = [&](const std::filesystem::path& file, const RunReport& report) {
    write_metadata(file, run, report);
  };
  return deliver(delivery, run, console);
}

}  // namespace tutti::cli
