// SPDX-License-Identifier: BSD-2-Clause
#include "convert.hpp"

#include <tutti/system_file.hpp>

#include "console.hpp"
#include "file_kind.hpp"

namespace tutti::cli {

int convert(const ConvertCommand& command, const Log& log) {
  expect_kind("convert", FileKind::system, command.system);
  System system = read_system(command.system, command.open, log);
  for (const std::string& assignment : command.set) assign(system, assignment);
  protect_inputs(command.output, {command.system});
  write_system(system, command.output, command.format, command.open, log);
  return 0;
}

}  // namespace tutti::cli
