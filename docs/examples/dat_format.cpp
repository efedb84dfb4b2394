// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <sstream>

#include "base/file_error.hpp"
#include "base/text.hpp"
#include "results/result_file.hpp"
#include "results/result_format.hpp"

namespace tutti::results {
namespace {

/// Numbers between tabs below a line `# time`, as gnuplot and numpy.loadtxt read them. A text is
/// written as nan.
class DatWriter final : public Observer {
 public:
  explicit DatWriter(const std::filesystem::path& file) : file_(file) {}

  void begin(std::span<const Column> columns) override {
    file_.begin();
    text_ = "# time";
    for (const Column& column : columns) {
      types_.push_back(column.type);
      text_ += "\t" + column.name;
    }
    text_ += '\n';
    flush();  // a run that ends before its first row leaves the names
  }
  void row(const Row& row) override {
    append_number(text_, row.time);
    for (std::size_t i = 0; i < types_.size(); ++i) {
      text_ += '\t';
      append_number(text_, is_text(types_[i]) ? std::numeric_limits<double>::quiet_NaN()
                                              : as_real(types_[i], row.cells[i]));
    }
    text_ += '\n';
    if (text_.size() > 1 << 18) flush();
  }
  void flush() override {
    if (file_.is_begun() && file_.write(text_) < text_.size()) file_.fail("write");
    text_.clear();
  }
  bool rewind(std::uint64_t rows) override {
    flush();
    return file_.keep_lines(1 + rows);
  }
  void finish() override {
    flush();
    if (file_.is_begun()) file_.close();
  }

 private:
  ResultFile file_;
  std::vector<Type> types_;
  std::string text_;  ///< that is not yet in the file
};

}  // namespace

std::unique_ptr<Observer> make_dat_writer(const std::filesystem::path& file) {
  return std::make_unique<DatWriter>(file);
}

ResultTable read_dat(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line, cell;
  if (!std::getline(in, line))
    throw file_error(file, ErrorCode::file, fmt::format("cannot read \"{}\"", file.string()));
  ResultTable table;
  std::istringstream names(line);
  std::getline(names, cell, '\t');  // "# time"
  while (std::getline(names, cell, '\t')) table.columns.emplace_back().name = cell;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    for (std::size_t i = 0; i <= table.columns.size(); ++i) {
      double number = 0;
      if (!std::getline(cells, cell, '\t') || !parse_number(cell, number))
        throw file_error(file, ErrorCode::file,
                         fmt::format("\"{}\": \"{}\" is not a row of {} numbers", file.string(),
                                     printable(line), table.columns.size() + 1));
      (i == 0 ? table.times : table.columns[i - 1].numbers).push_back(number);
    }
  }
  return table;
}

}  // namespace tutti::results
