// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <tutti/result_table.hpp>
#include <tutti/results.hpp>
#include <utility>

namespace tutti::results {

/// Collects the rows of a run in a table, and passes them on.
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

/// Writes rows to a temporary file, for another process of this program, with unformatted values.
class RowSpool final : public Observer {
 public:
  /// @throws Error(file) here or later when the file cannot be written
  explicit RowSpool(std::filesystem::path file);
  void begin(std::span<const Column> columns) override;
  void row(const Row& row) override;
  bool rewind(std::uint64_t rows) override;
  void finish() override;

 private:
  void open();
  void write(const void* bytes, std::size_t size);
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<Type> types_;
};

/// Reads the file of a RowSpool. `columns` are those of the spool, possibly followed by more.
/// @throws Error(file)
ResultTable read_spool(const std::filesystem::path& file, std::span<const Column> columns);

}  // namespace tutti::results
