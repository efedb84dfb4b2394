// SPDX-License-Identifier: BSD-2-Clause
#include "results/table_sink.hpp"

namespace tutti::results {

void TableSink::begin(std::span<const Column> columns) {
  for (const Column& column : columns) {
    ResultColumn& own = table_.columns.emplace_back();
    own.name = column.name;
    own.unit = column.unit;
    own.is_text = is_text(column.type);
    own.motion = column.discrete || own.is_text ? Motion::discrete : Motion::continuous;
    own.is_stated = true;
    types_.push_back(column.type);
  }
  if (next_ != nullptr) next_->begin(columns);
}

void TableSink::row(const Row& row) {
  table_.times.push_back(row.time);
  for (std::size_t i = 0; i < types_.size(); ++i)
    if (table_.columns[i].is_text)
      table_.columns[i].texts.emplace_back(row.texts[row.cells[i].natural]);
    else
      table_.columns[i].numbers.push_back(as_real(types_[i], row.cells[i]));
  if (next_ != nullptr) next_->row(row);
}

void TableSink::flush() {
  if (next_ != nullptr) next_->flush();
}

bool TableSink::rewind(std::uint64_t rows) {
  if (next_ != nullptr && !next_->rewind(rows)) return false;
  table_.times.resize(rows);
  for (ResultColumn& column : table_.columns)
    if (column.is_text)
      column.texts.resize(rows);
    else
      column.numbers.resize(rows);
  return true;
}

void TableSink::finish() {
  if (next_ != nullptr) next_->finish();
}

}  // namespace tutti::results
