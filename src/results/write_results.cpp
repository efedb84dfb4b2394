// SPDX-License-Identifier: BSD-2-Clause
#include <fstream>
#include <iterator>
#include <tutti/results.hpp>

#include "base/whole_file.hpp"
#include "results/result_format.hpp"

namespace tutti {
namespace {

/// `<name>.meta.json` if the results that were read have the same one, as r.mat and r.csv do:
/// writing the others must not remove it.
std::string shared_metadata(const ResultTable& table, const std::filesystem::path& file) {
  const std::filesystem::path metadata = metadata_path(file);
  std::error_code none;
  if (!std::filesystem::equivalent(metadata, metadata_path(table.name), none)) return {};
  std::ifstream in(metadata, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::vector<std::string> write_results(const ResultTable& given, const std::filesystem::path& file,
                                       const ResultOptions& options) {
  ResultTable converted;
  if (given.time_unit != "s") converted = results::with_time_in(given, "s");
  const ResultTable& table = given.time_unit != "s" ? converted : given;
  std::vector<std::string> notes;  // those of reading are known
  if (&table == &converted)
    notes.assign(table.notes.begin() + static_cast<std::ptrdiff_t>(given.notes.size()),
                 table.notes.end());
  std::vector<Column> columns;
  for (const ResultColumn& column : table.columns)
    columns.push_back({column.name, column.is_text ? Type::string : Type::float64, column.unit,
                       column.motion == Motion::discrete, column.description});
  const std::unique_ptr<Observer> writer = make_result_writer(file, options);
  const std::string metadata = shared_metadata(table, file);
  writer->begin(columns);
  if (!metadata.empty()) write_whole_file(metadata_path(file), metadata);
  std::vector<Cell> cells(columns.size());
  std::vector<std::string_view> texts;
  for (std::size_t row = 0; row < table.times.size(); ++row) {
    texts.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const ResultColumn& column = table.columns[i];
      if (!column.is_text) {
        cells[i].real = column.numbers[row];
        continue;
      }
      cells[i].natural = texts.size();
      texts.push_back(column.texts[row]);
    }
    writer->row({table.times[row], cells, texts});
  }
  writer->finish();
  if (metadata.empty()) results::write_metadata_of(table, file);
  for (std::string& note : writer->notes()) notes.push_back(std::move(note));
  return notes;
}

}  // namespace tutti
