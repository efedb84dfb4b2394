// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <tutti/error.hpp>
#include <tutti/words.hpp>
#include <utility>

#include "base/file_error.hpp"
#include "base/number_type.hpp"
#include "base/text.hpp"
#include "results/hdf5_library.hpp"
#include "results/hdf5_names.hpp"
#include "results/result_file.hpp"
#include "results/result_format.hpp"

namespace tutti::results {
namespace {

using hdf5::Handle;
using hdf5::library;

/// A one-dimensional dataset for the time and for each column, in the order of the columns, with
/// unit, description and type as attributes. Rows are collected in blocks; after each block, and
/// after flush(), the file is complete.
class Hdf5Writer final : public Observer {
 public:
  Hdf5Writer(const std::filesystem::path& file, bool compress) : file_(file), compress_(compress) {
    if (file_.is_stream())
      throw file_error(
          file, ErrorCode::usage,
          fmt::format("\"{}\" is a pipe or device, to which HDF5 cannot be written", file.string()),
          {.key = "output", .hint = "Write CSV, or a file (%key%)."});
    const hdf5::Guard guard;
    if (library().Zfilter_avail(hdf5::deflate) <= 0 && compress)
      throw Error(ErrorCode::capability, "this HDF5 library cannot compress (%key%)",
                  {.key = "results.compress"});
  }
  ~Hdf5Writer() override { close(); }
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  void begin(std::span<const Column> columns) override {
    file_.begin();
    const hdf5::Guard guard;
    lay_out(columns);
    reserve(bytes_per_dataset * (columns.size() + 1));
    storage_ = hdf5::open_file(file_.path(), hdf5::truncate);
    time_.set = create("time", Type::float64);
    add_text(time_.set, "unit", "s");
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      Series& series = series_[i];
      const Column& column = columns_[i];
      series.set = create(names_[i], column.type);
      if (names_[i] != column.name) add_text(series.set, "name", column.name);
      add_text(series.set, "unit", column.unit);
      add_text(series.set, "description", column.description);
      add_text(series.set, "type", std::string(to_string(column.type)));
      add_text(series.set, "interpolation", column.discrete ? "constant" : "linear");
      close_if_rare(i);
    }
    save();
  }

  bool resume(std::span<const Column> columns, std::uint64_t rows, const Row& last) override {
    const hdf5::Guard guard;
    try {
      storage_ = hdf5::open_file(file_.path(), hdf5::read_write);
    } catch (const Error&) {
      return false;
    }
    lay_out(columns);
    hdf5::GroupInfo group{};
    library().Gget_info(storage_.get(), &group);
    bool fits = rows > 0 && group.links == columns.size() + 1 &&
                has_rows(open("time"), Type::float64, rows);
    for (std::size_t i = 0; fits && i < columns_.size(); ++i)
      fits = has_rows(open(names_[i]), columns_[i].type, rows);
    if (fits) time_.set = open("time");
    if (!fits || (!last.cells.empty() && !ends_with(last, rows))) {
      close();
      return false;
    }
    file_.begin_existing();
    keep(rows);
    return true;
  }

  void row(const Row& row) override {
    times_[filled_] = row.time;
    Cell* to = cells_.data() + filled_;
    for (std::size_t i = 0; i < columns_.size(); ++i, to += stride_)
      if (!is_text(columns_[i].type)) *to = row.cells[i];
    for (const std::size_t i : text_columns_) {
      const std::string_view text = row.texts[row.cells[i].natural];
      series_[i].texts.emplace_back(text);
      text_bytes_ += text.size();
    }
    ++filled_;
    if (filled_ == capacity_ || text_bytes_ > most_text_bytes) write_block();
  }

  void flush() override {
    if (storage_ && filled_ > 0) write_block();
  }

  bool rewind(std::uint64_t rows) override {
    if (!storage_) return rows == 0;
    if (filled_ > 0) write_block();
    if (rows > stored_) return false;
    const hdf5::Guard guard;
    keep(rows);
    return true;
  }

  void finish() override {
    if (!storage_) return;
    if (filled_ > 0) write_block();
    if (!close()) fail();
    file_.close();
  }

  std::string_view needs_own_process() const override {
    return "HDF5 files can only be written by a process without FMUs, which may contain another "
           "HDF5 library";
  }

 private:
  static constexpr std::size_t most_cells = std::size_t{1} << 22;  // 32 MB
  static constexpr std::size_t most_text_bytes = std::size_t{1} << 23;
  /// An open dataset takes 20 kB of memory, and 50 us to open it again.
  static constexpr std::size_t most_open = 200;
  static constexpr std::size_t bytes_per_dataset = 8192;  ///< at most, beside its values

  struct Series {
    Handle set;
    std::vector<std::string> texts;
  };

  void lay_out(std::span<const Column> columns) {
    columns_.assign(columns.begin(), columns.end());
    names_ = hdf5::dataset_names(columns);
    series_.clear();
    series_.resize(columns.size());
    text_columns_.clear();
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (is_text(columns[i].type)) text_columns_.push_back(i);
    constexpr std::size_t least = 16, most = 16384;
    capacity_ = std::clamp(most_cells / (columns.size() + 1), least, most);
    stride_ = capacity_ + 8;  // not a power of two: neighbours must not share a set of the cache
    cells_.resize(columns.size() * stride_);
    times_.resize(capacity_);
  }

  /// Rows of a block in the file: a short run should not fill many large ones.
  std::size_t chunk() const { return std::min<std::size_t>(capacity_, compress_ ? 4096 : 2048); }

  /// HDF5 leaves a file that cannot be read if the disk is full, so the space is taken before.
  void reserve(std::uint64_t bytes) {
    constexpr std::uint64_t of_file = std::uint64_t{1} << 20;
    if (file_.reserve(bytes + of_file)) return;
    const int cause = errno;
    for (Series& series : series_) series.texts.clear();  // as the rest of the block
    errno = cause;
    file_.fail("write", stored_time_ ? fmt::format("; it contains the results up to t = {} s",
                                                   number_text(*stored_time_))
                                     : "; it contains no results");
  }

  Handle create(const std::string& name, Type type) {
    const hdf5::Library& h5 = library();
    const hdf5::Size none = 0, size = chunk();
    const Handle space(h5.Screate_simple(1, &none, &hdf5::no_limit), h5.Sclose);
    const Handle settings(h5.Pcreate(h5.of_dataset_creation), h5.Pclose);
    h5.Pset_chunk(settings.get(), 1, &size);
    if (compress_ && !is_text(type)) {
      h5.Pset_shuffle(settings.get());
      h5.Pset_deflate(settings.get(), 1);
    }
    const Handle text = hdf5::make_text_type();
    const Handle access = access_settings();
    Handle made(h5.Dcreate2(storage_.get(), name.c_str(),
                            is_text(type) ? text.get() : hdf5::stored_type(type), space.get(),
                            hdf5::standard, settings.get(), access.get()),
                h5.Dclose);
    if (!made) fail();
    return made;
  }

  /// Blocks are written as a whole, so HDF5 need not keep any.
  static Handle access_settings() {
    const hdf5::Library& h5 = library();
    Handle settings(h5.Pcreate(h5.of_dataset_access), h5.Pclose);
    h5.Pset_chunk_cache(settings.get(), 1, 0, 0);
    return settings;
  }

  void add_text(const Handle& set, const char* name, const std::string& text) {
    const hdf5::Library& h5 = library();
    if (text.empty()) return;
    const Handle type = hdf5::make_text_type();
    constexpr int scalar = 0;
    const Handle space(h5.Screate(scalar), h5.Sclose);
    const Handle attribute(
        h5.Acreate2(set.get(), name, type.get(), space.get(), hdf5::standard, hdf5::standard),
        h5.Aclose);
    const char* const characters = text.c_str();
    if (!attribute || h5.Awrite(attribute.get(), type.get(), &characters) < 0) fail();
  }

  Handle open(const std::string& name) const {
    const Handle access = access_settings();
    return {library().Dopen2(storage_.get(), name.c_str(), access.get()), library().Dclose};
  }
  const Handle& opened(std::size_t column) {
    Handle& set = series_[column].set;
    if (!set) set = open(names_[column]);
    if (!set) fail();
    return set;
  }
  void close_if_rare(std::size_t column) {
    if (column >= most_open && !series_[column].set.reset()) fail();
  }

  static bool has_rows(const Handle& set, Type type, std::uint64_t rows) {
    const hdf5::Library& h5 = library();
    if (!set) return false;
    const Handle found(h5.Dget_type(set.get()), h5.Tclose);
    const Handle space(h5.Dget_space(set.get()), h5.Sclose);
    hdf5::Size size = 0;
    if (h5.Sget_simple_extent_ndims(space.get()) != 1 ||
        h5.Sget_simple_extent_dims(space.get(), &size, nullptr) != 1 || size < rows)
      return false;
    const Handle text = hdf5::make_text_type();
    return h5.Tequal(found.get(), is_text(type) ? text.get() : hdf5::stored_type(type)) > 0;
  }

  bool ends_with(const Row& last, std::uint64_t rows) {
    double time = 0;
    if (!transfer(time_.set, library().native_double, rows - 1, 1, &time, false) ||
        time != last.time)
      return false;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool is_equal = is_text(columns_[i].type)
                                ? stored_text(i, rows - 1) == last.texts[last.cells[i].natural]
                                : is_stored(i, rows - 1, last.cells[i]);
      close_if_rare(i);
      if (!is_equal) return false;
    }
    return true;
  }
  /// NaN is equal to itself here.
  bool is_stored(std::size_t column, std::uint64_t row, Cell cell) {
    Cell present{.natural = 0};
    return transfer(opened(column), hdf5::cell_type(columns_[column].type), row, 1, &present,
                    false) &&
           std::memcmp(&present, &cell, sizeof cell) == 0;
  }
  std::optional<std::string> stored_text(std::size_t column, std::uint64_t row) {
    const Handle type = hdf5::make_text_type();
    char* text = nullptr;
    if (!transfer(opened(column), type.get(), row, 1, static_cast<void*>(&text), false))
      return std::nullopt;
    std::string copy = text != nullptr ? text : "";
    library().free_memory(text);
    return copy;
  }

  /// Reads or writes rows of a dataset.
  bool transfer(const Handle& set, hdf5::Id memory_type, std::uint64_t first, std::uint64_t count,
                void* values, bool writes) {
    const hdf5::Library& h5 = library();
    const hdf5::Size from = first, size = count;
    const Handle memory(h5.Screate_simple(1, &size, nullptr), h5.Sclose);
    const Handle stored(h5.Dget_space(set.get()), h5.Sclose);
    bool is_done =
        h5.Sselect_hyperslab(stored.get(), hdf5::replacing, &from, nullptr, &size, nullptr) >= 0;
    if (is_done && writes)
      is_done = h5.Dwrite(set.get(), memory_type, memory.get(), stored.get(), hdf5::standard,
                          values) >= 0;
    else if (is_done)
      is_done =
          h5.Dread(set.get(), memory_type, memory.get(), stored.get(), hdf5::standard, values) >= 0;
    if (!is_done) cause_ = hdf5::failure_text();  // before another call replaces it
    return is_done;
  }

  /// The time grows last and shrinks first: it has the number of whole rows, also if that fails.
  void write_block() {
    const hdf5::Guard guard;
    const std::size_t count = std::exchange(filled_, 0);
    const std::size_t each = (count + chunk()) * sizeof(Cell) + bytes_per_dataset;
    reserve(each * (columns_.size() + 1) + 2 * std::exchange(text_bytes_, 0));
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      Series& series = series_[i];
      resize(opened(i), stored_ + count);
      if (is_text(columns_[i].type)) {
        std::vector<const char*> characters;
        characters.reserve(count);
        for (const std::string& text : series.texts) characters.push_back(text.c_str());
        const Handle type = hdf5::make_text_type();
        put(series.set, type.get(), count, static_cast<void*>(characters.data()));
        series.texts.clear();
      } else {
        put(series.set, hdf5::cell_type(columns_[i].type), count, cells_.data() + i * stride_);
      }
      close_if_rare(i);
    }
    resize(time_.set, stored_ + count);
    put(time_.set, library().native_double, count, times_.data());
    stored_ += count;
    save();
    stored_time_ = times_[count - 1];
  }
  void put(const Handle& set, hdf5::Id type, std::size_t count, void* values) {
    if (!transfer(set, type, stored_, count, values, true)) fail();
  }

  void keep(std::uint64_t rows) {
    stored_ = rows;
    resize(time_.set, rows);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      resize(opened(i), rows);
      close_if_rare(i);
    }
    save();
    double time = 0;
    stored_time_.reset();
    if (rows > 0 && transfer(time_.set, library().native_double, rows - 1, 1, &time, false))
      stored_time_ = time;
  }

  void resize(const Handle& set, std::uint64_t rows) {
    const hdf5::Size size = rows;
    if (library().Dset_extent(set.get(), &size) < 0) fail();
  }

  void save() {
    if (library().Fflush(storage_.get(), hdf5::whole_file) < 0) fail();
  }

  bool close() {
    if (!storage_) return true;
    const hdf5::Guard guard;
    if (is_broken_) {
      time_.set.abandon();
      for (Series& series : series_) series.set.abandon();
      storage_.abandon();
      return false;
    }
    bool is_stored = time_.set.reset();
    for (Series& series : series_) is_stored &= series.set.reset();
    is_stored = storage_.reset() && is_stored;
    file_.trim();
    return is_stored;
  }

  /// What is open then is not closed: HDF5 crashes where it cannot write.
  [[noreturn]] void fail() {
    is_broken_ = true;
    if (cause_.empty()) cause_ = hdf5::failure_text();
    throw write_error(file_.path(), {}, fmt::format("{}; it may be impossible to read", cause_));
  }

  ResultFile file_;
  bool compress_;
  std::vector<Column> columns_;
  std::vector<std::string> names_;  ///< of the datasets
  std::vector<std::size_t> text_columns_;
  std::size_t capacity_ = 0, stride_ = 0, filled_ = 0, text_bytes_ = 0;  // of the block
  std::vector<double> times_;
  std::vector<Cell> cells_;   ///< column by column
  std::uint64_t stored_ = 0;  ///< rows in the file
  std::optional<double> stored_time_;
  bool is_broken_ = false;
  std::string cause_;  ///< of a failure
  Handle storage_;
  Series time_;
  std::vector<Series> series_;
};

}  // namespace

std::unique_ptr<Observer> make_hdf5_writer(const std::filesystem::path& file) {
  return std::make_unique<Hdf5Writer>(file, false);
}

std::unique_ptr<Observer> make_compressed_hdf5_writer(const std::filesystem::path& file) {
  return std::make_unique<Hdf5Writer>(file, true);
}

}  // namespace tutti::results
