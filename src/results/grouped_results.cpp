// SPDX-License-Identifier: BSD-2-Clause
#include "results/grouped_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tutti/error.hpp>
#include <utility>

#include "base/text.hpp"
#include "results/result_format.hpp"

namespace tutti::results {
namespace {

/// One of the files.
class Part {
 public:
  Part(std::filesystem::path file, std::uint32_t every, bool compress)
      : file_(std::move(file)),
        every_(every),
        writer_(make_result_writer(file_, {.compress = compress})) {}

  Observer& writer() const { return *writer_; }
  std::span<const Column> columns() const { return columns_; }
  void clear() {
    columns_.clear();
    cells_.clear();
  }
  void add(std::size_t cell, const Column& column) {
    cells_.push_back(cell);
    columns_.push_back(column);
  }

  bool has_point(std::uint64_t number) const { return number % every_ == 0; }
  void row(const Row& row) { writer_->row(own(row)); }
  Row own(const Row& row) {
    values_.clear();
    texts_.clear();
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      Cell cell = row.cells[cells_[i]];
      if (is_text(columns_[i].type)) {
        texts_.push_back(row.texts[cell.natural]);
        cell.natural = texts_.size() - 1;
      }
      values_.push_back(cell);
    }
    return {row.time, values_, texts_};
  }

  ResultTable read() const { return result_format_of(file_).read(file_); }

 private:
  std::filesystem::path file_;
  std::uint32_t every_;
  std::unique_ptr<Observer> writer_;
  std::vector<std::size_t> cells_;  ///< of the row, by column
  std::vector<Column> columns_;
  std::vector<Cell> values_;
  std::vector<std::string_view> texts_;
};

class GroupedWriter final : public Observer {
 public:
  GroupedWriter(const std::filesystem::path& file, const ResultOptions& options)
      : groups_(options.groups) {
    parts_.emplace_back(file, 1, options.compress);
    for (const ResultGroup& group : groups_)
      parts_.emplace_back(part_of_results(file, group.name), group.every, options.compress);
  }

  void begin(std::span<const Column> columns) override {
    assign(columns);
    for (Part& part : parts_) part.writer().begin(part.columns());
  }

  bool resume(std::span<const Column> columns, std::uint64_t rows, const Row& last) override {
    assign(columns);
    Part& main = parts_.front();
    if (!main.writer().resume(main.columns(), rows, main.own(last))) return false;
    main.writer().flush();
    const std::vector<double> times = main.read().times;
    if (times.size() < rows) return false;
    rows_ = points_ = 0;
    repeated_.clear();
    for (std::uint64_t i = 0; i < rows; ++i) count(times[i]);
    return std::all_of(parts_.begin() + 1, parts_.end(), [&](Part& part) {
      return part.writer().resume(part.columns(), rows_in(part, rows), {});  // any last row
    });
  }

  void row(const Row& row) override {
    count(row.time);
    for (Part& part : parts_)
      if (part.has_point(points_ - 1)) part.row(row);
  }

  void flush() override {
    for (Part& part : parts_) part.writer().flush();
  }

  bool rewind(std::uint64_t rows) override {
    if (rows > rows_) return false;
    for (Part& part : parts_)
      if (!part.writer().rewind(rows_in(part, rows))) return false;
    while (!repeated_.empty() && repeated_.back() >= rows) repeated_.pop_back();
    rows_ = rows;
    points_ = rows - repeated_.size();
    last_time_.reset();
    if (rows > 0) {
      flush();
      last_time_ = parts_.front().read().times.back();
    }
    return true;
  }

  void finish() override {
    for (Part& part : parts_) part.writer().finish();
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> all;
    for (const Part& part : parts_)
      for (std::string& note : part.writer().notes()) all.push_back(std::move(note));
    return all;
  }
  std::string_view needs_own_process() const override {
    return parts_.front().writer().needs_own_process();
  }

 private:
  void assign(std::span<const Column> columns) {
    for (Part& part : parts_) part.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto found = std::ranges::find_if(groups_, [&](const ResultGroup& group) {
        return std::ranges::any_of(group.variables, [&](const std::string& pattern) {
          return selects(pattern, columns[i].name);
        });
      });
      const auto group = static_cast<std::size_t>(found - groups_.begin());
      parts_[group == groups_.size() ? 0 : group + 1].add(i, columns[i]);
    }
  }

  /// The next row: a row of the same time belongs to the same point.
  void count(double time) {
    if (last_time_ == time)
      repeated_.push_back(rows_);
    else
      ++points_;
    ++rows_;
    last_time_ = time;
  }

  /// Of the first `rows` rows.
  std::uint64_t rows_in(const Part& part, std::uint64_t rows) const {
    std::uint64_t count = 0, points = 0;
    auto next = repeated_.begin();
    for (std::uint64_t i = 0; i < rows; ++i) {
      if (next != repeated_.end() && *next == i)
        ++next;
      else
        ++points;
      if (part.has_point(points - 1)) ++count;
    }
    return count;
  }

  std::vector<ResultGroup> groups_;
  std::vector<Part> parts_;  ///< the variables without a group, then those of each group
  std::uint64_t rows_ = 0, points_ = 0;
  std::vector<std::uint64_t> repeated_;  ///< rows at the same time as the one before
  std::optional<double> last_time_;
};

}  // namespace

bool selects(std::string_view pattern, std::string_view name) {
  return pattern == name || glob_match(pattern, name) ||
         (name.starts_with(pattern) && name.substr(pattern.size()).starts_with('['));
}

std::unique_ptr<Observer> make_grouped_writer(const std::filesystem::path& file,
                                              const ResultOptions& options) {
  std::set<std::string> names = {"ports"};  // of another file
  for (const ResultGroup& group : options.groups) {
    const auto refuse = [&](std::string_view what, std::string_view hint) {
      throw Error(ErrorCode::usage,
                  fmt::format("%key%: the group \"{}\" {}", printable(group.name), what),
                  {.key = "results.groups", .hint = std::string(hint)});
    };
    if (group.name.empty() || group.name.find('/') != std::string::npos)
      refuse("cannot be part of a file's name", "Use letters and digits.");
    if (!names.insert(group.name).second)
      refuse("would have the file of another one", "Choose another name.");
    if (group.every == 0) refuse("is stored at every 0th point", "The smallest number is 1.");
    if (group.variables.empty()) refuse("has no variables", "Name some, with * and ?.");
  }
  std::error_code none;
  if (std::filesystem::exists(file, none) && !std::filesystem::is_regular_file(file, none))
    throw Error(ErrorCode::usage, "%key%: groups cannot be stored beside a pipe or device",
                {.key = "results.groups", .hint = "Write the results to a file with --output."});
  return std::make_unique<GroupedWriter>(file, options);
}

}  // namespace tutti::results
