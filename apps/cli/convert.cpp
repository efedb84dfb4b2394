// SPDX-License-Identifier: BSD-2-Clause
#include "convert.hpp"

#include <tutti/system_file.hpp>

#include "file_kind.hpp"
#include "system_inputs.hpp"

namespace tutti::cli {

int convert(const ConvertCommand& command, Console& console) {
  expect_kind("convert", FileKind::system, command.system);
  System system = read_system(command.system, command.open, console.log());
  for (const std::string& assignment : command.set) assign(system, assignment, console.log());
  const auto inputs = system_inputs(command.system, system);
  protect_inputs(command.output, inputs);
  console.open_log(inputs, {command.output});
  write_system(system, command.output, command.format, command.open, console.log());
  return 0;
}

}  // namespace tutti::cli
