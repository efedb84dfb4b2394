// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tutti/error.hpp>

#include "base/file_error.hpp"
#include "base/text.hpp"
#include "results/hdf5_library.hpp"
#include "results/result_format.hpp"

namespace tutti::results {
namespace {

using hdf5::Handle;
using hdf5::library;

/// One-dimensional datasets of equal length, one of them with the time.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::filesystem::path& path)
      : path_(path), file_(hdf5::open_file(path, hdf5::read_only)) {
    list_names();
  }

  std::vector<std::string> columns() {
    std::vector<std::string> columns;
    for (const std::string& name : names_) {
      const Handle object = open(name);
      if (name != time_name_ && is_series(object)) columns.push_back(column_name(object, name));
    }
    return columns;
  }

  ResultTable table() {
    ResultTable table;
    table.time_name = time_name_;
    const Handle time = open(time_name_);
    if (!is_series(time)) refuse(fmt::format("\"{}\" is not a list of numbers", time_name_));
    if (const auto unit = text_of(time, {"unit", "units"})) table.time_unit = *unit;
    rows_ = size_of(time);
    check_memory();
    table.times = numbers(time, time_name_);
    check_times(table.times);
    std::vector<std::string> omitted;
    for (const std::string& name : names_) {
      if (name == time_name_) continue;
      const Handle object = open(name);
      if (!is_series(object) || !has_all_rows(object)) {
        omitted.push_back(name);
        continue;
      }
      read_column(object, name, table.columns.emplace_back());
    }
    if (!rounded_.empty())
      table.notes.push_back(
          fmt::format("\"{}\": integers beyond 2^53 of {} may be rounded, because they are read as "
                      "floating-point numbers",
                      path_.string(), list_some(rounded_)));
    if (!omitted.empty())
      table.notes.push_back(fmt::format(
          "\"{}\": {} {} omitted, not one value for each of {} points of time", path_.string(),
          list_some(omitted), omitted.size() == 1 ? "is" : "are", rows_));
    return table;
  }

 private:
  void list_names() {
    const hdf5::Library& h5 = library();
    hdf5::GroupInfo info{};
    if (h5.Gget_info(file_.get(), &info) < 0) refuse(hdf5::failure_text());
    for (hdf5::Size i = 0; i < info.links; ++i) {
      std::string name = link(hdf5::Index::creation_order, i);
      if (name.empty()) name = link(hdf5::Index::name, i);  // the order was not stored
      if (!name.empty()) names_.push_back(std::move(name));
    }
    for (const char* const candidate : {"time", "Time", "TIME", "t"})
      if (time_name_.empty() && std::ranges::find(names_, candidate) != names_.end())
        time_name_ = candidate;
    if (time_name_.empty())
      refuse("there is no dataset \"time\"",
             "Results are one-dimensional datasets of equal length, one of them named \"time\".");
  }

  std::string link(hdf5::Index index, hdf5::Size number) const {
    const hdf5::Library& h5 = library();
    const auto get = [&](char* to, std::size_t size) {
      return h5.Lget_name_by_idx(file_.get(), ".", index, hdf5::Order::increasing, number, to, size,
                                 hdf5::standard);
    };
    const std::ptrdiff_t size = get(nullptr, 0);
    constexpr std::ptrdiff_t most = 1 << 16;
    if (size <= 0 || size > most) return {};
    std::string name(static_cast<std::size_t>(size) + 1, '\0');
    get(name.data(), name.size());
    name.pop_back();
    return name;
  }

  Handle open(const std::string& name) const {
    return {library().Oopen(file_.get(), name.c_str(), hdf5::standard), library().Oclose};
  }

  /// Numbers or texts in one dimension.
  static bool is_series(const Handle& object) {
    const hdf5::Library& h5 = library();
    if (!object || h5.Iget_type(object.get()) != hdf5::of_dataset) return false;
    const Handle space(h5.Dget_space(object.get()), h5.Sclose);
    if (h5.Sget_simple_extent_ndims(space.get()) != 1) return false;
    const int kind = class_of(object);
    return kind == hdf5::integer_class || kind == hdf5::float_class || kind == hdf5::string_class;
  }
  static int class_of(const Handle& set) {
    const Handle type(library().Dget_type(set.get()), library().Tclose);
    return library().Tget_class(type.get());
  }
  static std::uint64_t size_of(const Handle& set) {
    const Handle space(library().Dget_space(set.get()), library().Sclose);
    hdf5::Size size = 0;
    library().Sget_simple_extent_dims(space.get(), &size, nullptr);
    return size;
  }

  /// The writer was killed between the columns and the time: the rest is no whole row.
  bool has_all_rows(const Handle& object) const {
    const std::uint64_t size = size_of(object);
    return size == rows_ || (size > rows_ && text_of(object, {"interpolation"}));
  }

  /// A damaged file may state any size; compression makes files smaller.
  void check_memory() const {
    std::error_code failed;
    const std::uint64_t bytes = std::filesystem::file_size(path_, failed);
    constexpr std::uint64_t base = std::uint64_t{1} << 26, times = 1100;
    if (rows_ > (base + times * bytes) / sizeof(double) / names_.size())
      refuse(fmt::format("it states {} points of time, too many for its size", rows_));
  }

  std::vector<double> numbers(const Handle& set, const std::string& name) const {
    std::vector<double> values(rows_);
    read(set, name, library().native_double, values.data());
    return values;
  }

  /// The first rows of a dataset.
  void read(const Handle& set, const std::string& name, hdf5::Id type, void* to) const {
    const hdf5::Library& h5 = library();
    if (rows_ == 0) return;
    const hdf5::Size first = 0, count = rows_;
    const Handle memory(h5.Screate_simple(1, &count, nullptr), h5.Sclose);
    const Handle stored(h5.Dget_space(set.get()), h5.Sclose);
    if (h5.Sselect_hyperslab(stored.get(), hdf5::replacing, &first, nullptr, &count, nullptr) < 0 ||
        h5.Dread(set.get(), type, memory.get(), stored.get(), hdf5::standard, to) < 0)
      refuse(fmt::format("\"{}\": {}", printable(name), hdf5::failure_text()));
  }

  void check_times(const std::vector<double>& times) const {
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (!std::isfinite(times[i]))
        refuse(fmt::format("the time of point {} is {}", i + 1, times[i]));
      if (i > 0 && times[i] < times[i - 1])
        refuse(fmt::format("the time decreases from {} to {}", times[i - 1], times[i]));
    }
  }

  void read_column(const Handle& set, const std::string& name, ResultColumn& column) {
    column.name = column_name(set, name);
    column.unit = text_of(set, {"unit", "units"}).value_or("");
    column.description = text_of(set, {"description"}).value_or("");
    if (const auto motion = text_of(set, {"interpolation"})) {
      column.motion = *motion == "constant" ? Motion::discrete : Motion::continuous;
      column.is_stated = true;
    }
    column.is_text = class_of(set) == hdf5::string_class;
    if (column.is_text)
      column.texts = texts(set, name);
    else
      column.numbers = numbers(set, name);
    constexpr double most_exact = 9007199254740992;  // 2^53
    if (class_of(set) == hdf5::integer_class &&
        std::ranges::any_of(column.numbers, [](double v) { return std::abs(v) >= most_exact; }))
      rounded_.push_back(column.name);
  }

  static std::string column_name(const Handle& set, const std::string& name) {
    return text_of(set, {"name"}).value_or(name);
  }

  std::vector<std::string> texts(const Handle& set, const std::string& name) const {
    const Handle type(library().Dget_type(set.get()), library().Tclose);
    if (library().Tis_variable_str(type.get()) > 0) {
      std::vector<char*> pointers(rows_);
      std::vector<std::string> all;
      read(set, name, type.get(), static_cast<void*>(pointers.data()));
      for (char* const text : pointers) {
        all.emplace_back(text != nullptr ? text : "");
        library().free_memory(text);
      }
      return all;
    }
    const std::size_t size = library().Tget_size(type.get());
    constexpr std::size_t most = 1 << 20;
    if (size == 0 || size > most)
      refuse(fmt::format("\"{}\" has texts of {} bytes", printable(name), size));
    std::string bytes(size * rows_, '\0');
    read(set, name, type.get(), bytes.data());
    std::vector<std::string> all;
    for (std::uint64_t i = 0; i < rows_; ++i)
      all.push_back(shortened(bytes.substr(i * size, size)));
    return all;
  }

  static std::string shortened(std::string text) {
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
  }

  /// The first of these attributes that is one text.
  static std::optional<std::string> text_of(const Handle& object,
                                            std::initializer_list<const char*> names) {
    const hdf5::Library& h5 = library();
    for (const char* const name : names) {
      if (h5.Aexists(object.get(), name) <= 0) continue;
      const Handle attribute(h5.Aopen(object.get(), name, hdf5::standard), h5.Aclose);
      const Handle type(h5.Aget_type(attribute.get()), h5.Tclose);
      const Handle space(h5.Aget_space(attribute.get()), h5.Sclose);
      if (h5.Tget_class(type.get()) != hdf5::string_class ||
          h5.Sget_simple_extent_ndims(space.get()) != 0)
        continue;
      if (h5.Tis_variable_str(type.get()) > 0) {
        char* text = nullptr;
        if (h5.Aread(attribute.get(), type.get(), static_cast<void*>(&text)) < 0 || text == nullptr)
          continue;
        std::string copy = text;
        h5.free_memory(text);
        return copy;
      }
      constexpr std::size_t most = 1 << 16;
      const std::size_t size = h5.Tget_size(type.get());
      std::string text(std::min(size, most), '\0');
      if (size <= most && h5.Aread(attribute.get(), type.get(), text.data()) >= 0)
        return shortened(std::move(text));
    }
    return std::nullopt;
  }

  [[noreturn]] void refuse(const std::string& text, std::string hint = "") const {
    throw file_error(path_, ErrorCode::file,
                     fmt::format("cannot read \"{}\": {}.", path_.string(), text),
                     {.hint = std::move(hint)});
  }

  std::filesystem::path path_;
  Handle file_;
  std::vector<std::string> names_;
  std::string time_name_;
  std::uint64_t rows_ = 0;
  std::vector<std::string> rounded_;  ///< columns with integers that a double may not represent
};

}  // namespace

ResultTable read_hdf5_results(const std::filesystem::path& file) {
  const hdf5::Guard guard;
  return Hdf5Reader(file).table();
}

std::vector<std::string> hdf5_result_columns(const std::filesystem::path& file) {
  const hdf5::Guard guard;
  return Hdf5Reader(file).columns();
}

}  // namespace tutti::results
