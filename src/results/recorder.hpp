// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/results.hpp>
#include <vector>

#include "execution/ring.hpp"
#include "master/observer.hpp"
#include "models/value_set.hpp"

namespace tutti::results {

/// Writes each accepted point into a ring. The reader of the ring, another process or thread,
/// formats it, so that the stepping thread does not.
class Recorder final : public master::StepObserver {
 public:
  /// Records the chosen outputs of the instances, in this order.
  struct Choice {
    const models::ValueSet* values;
    std::vector<const models::Scalar*> scalars;
  };
  /// Messages of this kind are rows.
  Recorder(execution::Ring& ring, std::vector<Choice> choices, std::uint32_t kind);
  void record(double t) override;
  void hold() override { holds_ = true; }
  bool is_holding() const override { return holds_; }
  void release() override;
  void drop() override;
  /// All variables of a set.
  static Choice all_of(const models::ValueSet& values);
  /// The bytes of one row, without strings.
  static std::size_t row_bytes(std::size_t columns) { return (columns + 1) * sizeof(Cell); }

 private:
  execution::Ring& ring_;
  std::vector<Choice> choices_;
  std::uint32_t kind_;
  std::size_t column_count_ = 0;
  bool has_text_ = false;
  bool holds_ = false;
  std::vector<std::vector<std::byte>> held_;  ///< rows
};

/// Writes a row into a ring as a recorder does.
void send_row(execution::Ring& ring, std::uint32_t kind, const Row& row);

/// Reads rows back as they were recorded.
class RowReader {
 public:
  explicit RowReader(std::vector<Column> columns);
  const std::vector<Column>& columns() const { return columns_; }
  /// Valid until the next call and during the lifetime of the message.
  Row read(std::span<const std::byte> message);

 private:
  std::vector<Column> columns_;
  std::size_t text_count_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::string_view> texts_;
};

/// The columns that result from recording `values`.
std::vector<Column> columns_of(const models::ValueSet& values, const ModelDescription& description);

}  // namespace tutti::results
