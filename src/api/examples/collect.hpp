// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/examples.hpp>
#include <tutti/result_table.hpp>
#include <vector>

namespace tutti::examples {

/// Columns of numbers by name; of two rows of the same time the later one counts.
class Collector final : public Observer {
 public:
  void begin(std::span<const Column> columns) override;
  void row(const Row& row) override;
  bool rewind(std::uint64_t rows) override;
  void finish() override {}
  /// @throws Error(usage) if nothing of this name is recorded
  const std::vector<double>& of(const std::string& name) const;
  /// As it would be read from a file.
  ResultTable table(std::string name) const;

  std::vector<Column> columns;
  std::vector<double> times;
  std::vector<std::vector<double>> values;  ///< by column
};

/// What the program of a run writes. @throws Error(numeric) with its words if it fails
Collector run_program_of(const Example& example, const ExampleRun& run, const RunControl& control);

/// The system of an example with the changes of one of its runs.
System system_of(const Example& example, const ExampleRun& run);

/// The reference of a run at the given times, the first of which is the start time. Where a
/// reference file has no row of a time, the values are not numbers.
/// @throws Error(fmu) if it fails
Collector run_reference(const Example& example, const ExampleRun& run,
                        const std::vector<double>& times, const RunControl& control);

}  // namespace tutti::examples
