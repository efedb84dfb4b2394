// SPDX-License-Identifier: BSD-2-Clause
#include "results/row_spool.hpp"

#include <fmt/format.h>

#include <fstream>
#include <tutti/error.hpp>

#include "base/file_error.hpp"

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

RowSpool::RowSpool(std::filesystem::path file) : path_(std::move(file)) { open(); }

void RowSpool::open() {
  file_.reset();
  file_.reset(std::fopen(path_.c_str(), "wb"));
  if (!file_) throw write_error(path_);
}

void RowSpool::write(const void* bytes, std::size_t size) {
  if (size > 0 && std::fwrite(bytes, size, 1, file_.get()) != 1) throw write_error(path_);
}

void RowSpool::begin(std::span<const Column> columns) {
  types_.clear();
  for (const Column& column : columns) types_.push_back(column.type);
  const std::uint64_t count = types_.size();
  write(&count, sizeof count);
}

void RowSpool::row(const Row& row) {
  write(&row.time, sizeof row.time);
  for (std::size_t i = 0; i < types_.size(); ++i) {
    write(&row.cells[i], sizeof(Cell));
    if (!is_text(types_[i])) continue;
    const std::string_view text = row.texts[row.cells[i].natural];
    const std::uint64_t size = text.size();
    write(&size, sizeof size);
    write(text.data(), text.size());
  }
}

bool RowSpool::rewind(std::uint64_t rows) {
  if (rows > 0) return false;
  open();
  const std::uint64_t count = types_.size();
  write(&count, sizeof count);
  return true;
}

void RowSpool::finish() {
  if (std::fflush(file_.get()) != 0) throw write_error(path_);
}

ResultTable read_spool(const std::filesystem::path& file, std::span<const Column> columns) {
  std::ifstream in(file, std::ios::binary);
  const auto take = [&](void* bytes, std::size_t size) {
    in.read(static_cast<char*>(bytes), static_cast<std::streamsize>(size));
    return static_cast<bool>(in);
  };
  TableSink table(nullptr);
  std::uint64_t count = 0;
  if (!take(&count, sizeof count) || count > columns.size())
    throw file_error(file, ErrorCode::file,
                     fmt::format("\"{}\" contains no results", file.string()));
  columns = columns.first(count);
  table.begin(columns);
  std::vector<Cell> cells(count);
  std::vector<std::string> own_texts(count);
  std::vector<std::string_view> texts(count);
  for (double time = 0; take(&time, sizeof time);) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!take(&cells[i], sizeof(Cell)))
        throw file_error(file, ErrorCode::file,
                         fmt::format("\"{}\" ends within a row", file.string()));
      if (!is_text(columns[i].type)) continue;
      std::uint64_t size = 0;
      take(&size, sizeof size);
      own_texts[i].resize(size);
      take(own_texts[i].data(), size);
      texts[i] = own_texts[i];
      cells[i].natural = i;
    }
    table.row({time, cells, texts});
  }
  return table.take_table();
}

}  // namespace tutti::results
