// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/examples.hpp>
#include <tutti/result_table.hpp>
#include <vector>

namespace tutti::examples {

/// Columns of numbers by name; of two rows at the same time the second applies.
class Collector final : public Observer {
 public:
  void begin(std::span<const Column> columns) override;
  void row(const Row& row) override;
  bool rewind(std::uint64_t rows) override;
  void finish() override {}
  /// @throws Error(usage) if this name is not recorded
  const std::vector<double>& of(const std::string& name) const;
  /// As if read from a file.
  ResultTable table(std::string name) const;

  std::vector<Column> columns;
  std::vector<double> times;
  std::vector<std::vector<double>> values;  ///< by column
};

/// The output of the program of a run. @throws Error(numeric) with its message if it fails
Collector run_program_of(const Example& example, const ExampleRun& run, const RunControl& control);

/// The system of an example with the changes of one of its runs.
System system_of(const Example& example, const ExampleRun& run);

/// The reference of a run at the given times, the first of which is the start time. Where a
/// reference file has no row for a time, the values are NaN.
/// @throws Error(fmu) if it fails
Collector run_reference(const Example& example, const ExampleRun& run,
                        const std::vector<double>& times, const RunControl& control);

}  // namespace tutti::examples
