// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/result_table.hpp>
#include <tutti/results.hpp>
#include <utility>

namespace tutti::results {

/// Collects the rows of a run in a table, and hands them on.
class TableSink final : public Observer {
 public:
  /// `next` may be null.
  explicit TableSink(Observer* next) : next_(next) {}
  void begin(std::span<const Column> columns) override;
  void row(const Row& row) override;
  void flush() override;
  bool rewind(std::uint64_t rows) override;
  void finish() override;
  const ResultTable& table() const { return table_; }
  ResultTable take_table() { return std::move(table_); }

 private:
  Observer* next_;
  std::vector<Type> types_;  ///< by column
  ResultTable table_;
};

}  // namespace tutti::results
