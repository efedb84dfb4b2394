// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include "base/csv.hpp"
#include "base/run_program.hpp"
#include "base/text.hpp"
#include "studies/examples/collect.hpp"

namespace tutti::examples {
namespace {

constexpr double most_seconds = 60;
constexpr std::size_t most_bytes = 16u << 20;

std::string ending_of(const ProgramEnd& end) {
  switch (end.kind) {
    case ProgramEnd::Kind::exited:
      return fmt::format("ended with status {}", end.status);
    case ProgramEnd::Kind::killed:
      return fmt::format("was killed by signal {}", end.status);
    default:
      return fmt::format("did not end within {:g} s", most_seconds);
  }
}

Collector numbers_of(const CsvTable& table) {
  Collector numbers;
  for (std::size_t c = 1; c < table.header().size(); ++c)
    numbers.columns.push_back({std::string(table.header()[c]), Type::float64, ""});
  numbers.values.resize(numbers.columns.size());
  for (std::size_t r = 0; r < table.row_count(); ++r) {
    const double t = table.number(r, 0);
    const bool again = !numbers.times.empty() && numbers.times.back() == t;
    if (!again) numbers.times.push_back(t);
    for (std::size_t c = 0; c < numbers.values.size(); ++c) {
      if (again) numbers.values[c].pop_back();
      numbers.values[c].push_back(table.number(r, c + 1));
    }
  }
  return numbers;
}

}  // namespace

Collector run_program_of(const Example& example, const ExampleRun& run, const RunControl& control) {
  std::vector<std::string> command = run.program;
  command.front() = (std::filesystem::absolute(example.folder) / run.program.front()).string();
  const ProgramEnd end = run_program(command, {.folder = example.folder,
                                               .timeout = most_seconds,
                                               .most_output = most_bytes,
                                               .stop = control.stop_request});
  if (end.kind == ProgramEnd::Kind::stopped) throw Error(ErrorCode::interrupted, "interrupted");
  if (end.kind != ProgramEnd::Kind::exited || end.status != 0)
    throw Error(ErrorCode::numeric,
                fmt::format("{} {}: {}", run.program.front(), ending_of(end), trim(end.output)));
  Collector numbers = numbers_of(CsvTable::parse(end.output, run.program.front()));
  if (numbers.times.empty())
    throw Error(ErrorCode::numeric, fmt::format("{} wrote no results", run.program.front()));
  return numbers;
}

}  // namespace tutti::examples
