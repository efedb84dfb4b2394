// SPDX-License-Identifier: BSD-2-Clause
#include "run.hpp"

#include <fmt/format.h>

#include <tutti/system_file.hpp>

#include "deliver.hpp"
#include "file_kind.hpp"
#include "system_inputs.hpp"

namespace tutti::cli {
namespace {

std::filesystem::path result_file(const RunCommand& command, const System& system) {
  if (command.output == "none") return {};
  if (!command.output.empty()) return command.output;
  if (!system.results.file.empty()) return system.folder / system.results.file;
  // Of a folder, its own name: also of one that ends with a slash, and of the present one.
  std::filesystem::path named = std::filesystem::absolute(command.system).lexically_normal();
  if (!named.has_filename()) named = named.parent_path();
  return named.stem().string() + ".csv";
}

}  // namespace

int run(RunCommand command, Console& console) {
  expect_kind("run", FileKind::system, command.system);
  prepare_opening(command.options.open);
  System system = read_system(command.system, command.options.open, console.log());
  for (const std::string& assignment : command.set) assign(system, assignment);
  for (const auto& [key, value] :
       {std::pair("start", command.start), {"stop", command.stop}, {"step", command.step}})
    if (value) assign(system, fmt::format("simulation.{}={}", key, *value));

  Delivery delivery;
  delivery.file = result_file(command, system);
  delivery.plot = command.plot;
  delivery.json = command.json;
  delivery.gnuplot = command.gnuplot || system.results.gnuplot;
  delivery.inputs = system_inputs(command.system, system);
  delivery.run = [&](Observer* sink) {
    return tutti::run(system, command.options, sink, console.log());
  };
  delivery.json_text = [&](const RunReport& report) { return statistics_json(system, report); };
  delivery.write_metadata = [&](const RunReport& report) {
    write_metadata(delivery.file, system, report);
  };
  return deliver(delivery, command.options, console);
}

}  // namespace tutti::cli
