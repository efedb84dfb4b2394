// SPDX-License-Identifier: BSD-2-Clause
#include "linearize.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <tutti/error.hpp>
#include <tutti/simulation.hpp>
#include <tutti/system_file.hpp>

#include "file_kind.hpp"
#include "plot.hpp"
#include "system_inputs.hpp"

namespace tutti::cli {
namespace {

/// Of an FMU alone its equations, where it has them: they are exact, and need no communication
/// step.
System system_of_fmu(const LinearizeCommand& command) {
  SimulateOptions run;
  run.fmu = command.model;
  run.open = command.options.open;
  run.kind = command.kind;
  if (run.kind == FmuKind::automatic && read_description(run.fmu, run.open).model_exchange)
    run.kind = FmuKind::model_exchange;
  run.start = command.start;
  run.stop = command.stop;
  run.step = command.step;
  for (const std::string& text : command.set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorCode::usage,
                  fmt::format("--set \"{}\": expected NAME=VALUE, for example --set mu=2.5", text));
    run.set.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  System system = system_of(run);
  if (!command.start_from.empty())
    assign(system, read_values(command.start_from), command.options.open);
  return system;
}

System system_of_file(const LinearizeCommand& command, Console& console) {
  if (command.kind != FmuKind::automatic)
    throw Error(ErrorCode::usage,
                "--type is an option for a single FMU: in a system file, `as` chooses the "
                "interface of each component");
  expect_kind("linearize", FileKind::system, command.model);
  System system = read_system(command.model, command.options.open, console.log());
  if (!command.start_from.empty())
    assign(system, read_values(command.start_from), command.options.open, console.log());
  for (const std::string& assignment : command.set) assign(system, assignment, console.log());
  for (const auto& [key, value] :
       {std::pair("start", command.start), {"stop", command.stop}, {"step", command.step}})
    if (value) assign(system, fmt::format("simulation.{}={}", key, *value));
  return system;
}

double frequency_of(const std::string& text, const std::string& whole) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0')
    throw Error(
        ErrorCode::usage,
        fmt::format("--frequencies \"{}\": expected MIN:MAX in Hz, for example 0.01:100", whole));
  return value;
}

FrequencyOptions frequencies_of(const std::string& text) {
  FrequencyOptions options;
  if (text.empty()) return options;
  const std::size_t colon = text.find(':');
  options.min = frequency_of(text.substr(0, colon), text);
  options.max = frequency_of(colon == std::string::npos ? "" : text.substr(colon + 1), text);
  return options;
}

void check_names(const LinearizeCommand& command) {
  const std::string extension = command.output.extension().string();
  if (!command.output.empty() && extension != ".json" && extension != ".csv" && extension != ".mat")
    throw Error(ErrorCode::usage,
                fmt::format("--output \"{}\": a linear model is written as .json, .csv or .mat",
                            command.output.string()));
  const bool draws_file = !command.picture.empty() && command.picture != "-";
  if (draws_file && !is_picture(command.picture))
    throw Error(ErrorCode::usage,
                fmt::format("--bode \"{}\": a plot is written as .svg or .png, or - draws it in "
                            "the terminal",
                            command.picture.string()));
  if (!command.frequencies.empty() && command.picture.empty())
    throw Error(ErrorCode::usage, "--frequencies is the range of a Bode plot: add --bode FILE.svg");
}

}  // namespace

int linearize(LinearizeCommand command, Console& console) {
  check_names(command);
  const FrequencyOptions frequencies = frequencies_of(command.frequencies);
  const bool is_fmu = kind_of(command.model) == FileKind::fmu;
  console.has_system_file = !is_fmu;
  prepare_opening(command.options.open);
  command.options.stop_request = &interrupted();
  const System system = is_fmu ? system_of_fmu(command) : system_of_file(command, console);
  std::vector<std::filesystem::path> inputs =
      is_fmu ? std::vector{command.model} : system_inputs(command.model, system);
  if (!command.start_from.empty()) inputs.push_back(command.start_from);
  const bool draws_here = command.picture == "-";
  const bool draws_file = !command.picture.empty() && !draws_here;
  if (draws_file) protect_inputs(command.picture, inputs);
  if (!command.output.empty()) protect_inputs(command.output, inputs);
  console.open_log(inputs, {command.output, command.picture});
  LinearModel model;
  try {
    model = tutti::linearize(system, command.options, console.log());
  } catch (const Error& error) {
    const double start = command.start.value_or(0);
    if (!command.options.at || !(error.details().time.value_or(start) > start)) throw;
    console.error(error);
    return 1;  // after the start of time
  }
  console.finish();
  for (const std::string& note : model.notes) console.warning(note);
  if (!command.output.empty()) {
    write_linear_model(model, command.output);
    console.note(fmt::format("linear model in \"{}\"", command.output.string()));
  }
  bool written = command.json ? put(stdout, linear_model_json(model))
                              : put_text(stdout, linear_model_text(model));
  if (!command.picture.empty()) {
    const Figure figure = bode_figure(model, frequencies);
    for (const std::string& note : figure.notes) console.note(note);
    if (draws_file) {
      write_picture(figure, {}, command.picture);
      console.note(fmt::format("Bode plot in \"{}\"", command.picture.string()));
    } else if (!command.json) {
      written &= put(stdout, '\n' + draw_text(figure, text_plot_options()));
    }
  }
  return written && std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace tutti::cli
