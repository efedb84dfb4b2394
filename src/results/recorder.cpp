// SPDX-License-Identifier: BSD-2-Clause
#include "results/recorder.hpp"

#include <algorithm>
#include <cstring>

namespace tutti::results {

// A row is the time and one cell per column, 8 bytes each; then for each text its length (8 bytes)
// and its characters.

Recorder::Recorder(execution::Ring& ring, std::vector<Choice> choices, std::uint32_t kind)
    : ring_(ring), choices_(std::move(choices)), kind_(kind) {
  for (const Choice& choice : choices_) {
    column_count_ += choice.scalars.size();
    has_text_ |= std::any_of(choice.scalars.begin(), choice.scalars.end(),
                             [](const models::Scalar* scalar) { return is_text(scalar->type); });
  }
}

Recorder::Choice Recorder::all_of(const models::ValueSet& values) {
  Choice choice{&values, {}};
  for (const models::Scalar& scalar : values.scalars()) choice.scalars.push_back(&scalar);
  return choice;
}

void Recorder::record(double t) {
  std::vector<std::string> texts;
  std::size_t size = row_bytes(column_count_);
  if (has_text_)
    for (const Choice& choice : choices_)
      for (const models::Scalar* scalar : choice.scalars)
        if (is_text(scalar->type))
          size += sizeof(std::uint64_t) + texts.emplace_back(choice.values->text(*scalar)).size();

  // A row that is deferred, or longer than the largest message of the ring, is assembled in a
  // buffer.
  const bool is_apart = holds_ || size > ring_.largest_message();
  std::byte* to = is_apart ? held_.emplace_back(size).data() : ring_.reserve(size).data();
  const auto put = [&to](const void* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
    to += bytes;
  };
  put(&t, sizeof t);
  std::uint64_t text_index = 0;
  for (const Choice& choice : choices_)
    for (const models::Scalar* scalar : choice.scalars) {
      const Cell cell =
          is_text(scalar->type) ? Cell{.natural = text_index++} : choice.values->read(*scalar);
      put(&cell, sizeof cell);
    }
  for (const std::string& text : texts) {
    const std::uint64_t length = text.size();
    put(&length, sizeof length);
    put(text.data(), text.size());
  }
  if (!is_apart) ring_.commit(kind_);
  if (is_apart && !holds_) release();
}

void Recorder::release() {
  holds_ = false;
  for (const std::vector<std::byte>& row : held_)
    ring_.send(kind_, {reinterpret_cast<const char*>(row.data()), row.size()});
  held_.clear();
}

void Recorder::drop() {
  holds_ = false;
  held_.clear();
}

void send_row(execution::Ring& ring, std::uint32_t kind, const Row& row) {
  std::string bytes;
  const auto put = [&bytes](const void* from, std::size_t size) {
    bytes.append(static_cast<const char*>(from), size);
  };
  put(&row.time, sizeof row.time);
  put(row.cells.data(), row.cells.size_bytes());
  for (const std::string_view text : row.texts) {
    const std::uint64_t length = text.size();
    put(&length, sizeof length);
    put(text.data(), text.size());
  }
  ring.send(kind, bytes);
}

RowReader::RowReader(std::vector<Column> columns) : columns_(std::move(columns)) {
  cells_.resize(columns_.size());
  text_count_ = static_cast<std::size_t>(std::count_if(
      columns_.begin(), columns_.end(), [](const Column& column) { return is_text(column.type); }));
  texts_.resize(text_count_);
}

Row RowReader::read(std::span<const std::byte> message) {
  // If a row is too short, the remaining values are unchanged.
  const auto take = [&message](void* to, std::size_t bytes) {
    if (bytes == 0 || bytes > message.size()) return;
    std::memcpy(to, message.data(), bytes);
    message = message.subspan(bytes);
  };
  Row row;
  take(&row.time, sizeof row.time);
  take(cells_.data(), cells_.size() * sizeof(Cell));
  for (std::string_view& text : texts_) {
    std::uint64_t length = 0;
    take(&length, sizeof length);
    length = std::min<std::uint64_t>(length, message.size());
    text = {reinterpret_cast<const char*>(message.data()), length};
    message = message.subspan(length);
  }
  row.cells = cells_;
  row.texts = texts_;
  return row;
}

std::vector<Column> columns_of(const models::ValueSet& values,
                               const ModelDescription& description) {
  std::vector<Column> columns;
  for (const models::Scalar& scalar : values.scalars()) {
    const Variable& variable = description.variables[static_cast<std::size_t>(scalar.variable)];
    columns.push_back({scalar.name, scalar.type, variable.attributes.unit,
                       variable.variability != Variability::continuous, variable.description});
  }
  return columns;
}

}  // namespace tutti::results
