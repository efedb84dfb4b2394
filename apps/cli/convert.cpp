// SPDX-License-Identifier: BSD-2-Clause
#include "convert.hpp"

#include <fmt/format.h>

#include <tutti/error.hpp>
#include <tutti/explain.hpp>
#include <tutti/result_table.hpp>
#include <tutti/results.hpp>
#include <tutti/system_file.hpp>

#include "file_kind.hpp"
#include "system_inputs.hpp"

namespace tutti::cli {
namespace {

std::string result_extensions() {
  std::string all;
  for (const Topic& topic : topics())
    if (topic.kind == TopicKind::result_format)
      all += fmt::format("{}.{}", all.empty() ? "" : ", ", topic.name);
  return all;
}

int convert_results(const ConvertCommand& command, Console& console) {
  if (!is_result_file(command.output))
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" is a result file, and \"{}\" is not: results are written as {}",
                            command.input.string(), command.output.string(), result_extensions()));
  if (!command.format.empty() || !command.set.empty())
    throw Error(ErrorCode::usage, "--to and --set are for system files, not for results");
  const std::vector<std::filesystem::path> inputs = {command.input, metadata_path(command.input)};
  protect_inputs(command.output, inputs);
  protect_inputs(metadata_path(command.output), {command.input});
  console.open_log(inputs, {command.output});
  const ResultTable table = read_results(command.input);
  for (const std::string& note : table.notes) console.note(note);
  for (const std::string& note :
       write_results(table, command.output, {.compress = command.compress}))
    console.note(note);
  return 0;
}

int convert_system(const ConvertCommand& command, Console& console) {
  expect_kind("convert", FileKind::system, command.input);
  if (is_result_file(command.output))
    throw Error(ErrorCode::usage,
                fmt::format("\"{0}\" is a system file, which cannot be converted to results. Try "
                            "`tutti run {0} -o {1}`.",
                            command.input.string(), command.output.string()));
  if (command.compress)
    throw Error(ErrorCode::usage, "--compress is for results, not for system files");
  System system = read_system(command.input, command.open, console.log());
  for (const std::string& assignment : command.set) assign(system, assignment, console.log());
  const auto inputs = system_inputs(command.input, system);
  protect_inputs(command.output, inputs);
  console.open_log(inputs, {command.output});
  write_system(system, command.output, command.format, command.open, console.log());
  return 0;
}

}  // namespace

int convert(const ConvertCommand& command, Console& console) {
  const FileKind given = kind_of(command.input);
  // Tables with other extensions are read as CSV.
  const bool is_result =
      given == FileKind::result || (given == FileKind::unknown && is_result_file(command.output));
  return is_result ? convert_results(command, console) : convert_system(command, console);
}

}  // namespace tutti::cli
