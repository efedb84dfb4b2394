// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tutti/error.hpp>
#include <utility>

#include "base/text.hpp"
#include "results/mat4.hpp"
#include "results/result_format.hpp"

namespace tutti::results {
namespace {

/// Where a variable is: a row of dataInfo.
struct MatPlace {
  std::uint32_t set = 0;    ///< k of data_k; 0: the time, in all of them
  std::uint32_t index = 0;  ///< of the variable in it, starting at 0
  bool is_negated = false;
};

/// A trajectory of Dymola, OpenModelica or Tutti: the variables of data_1 are constant, those of
/// data_2 vary over its first variable, the time. Further sets have times of their own.
class Trajectory {
 public:
  explicit Trajectory(const std::filesystem::path& path) : file_(path) {
    const std::vector<std::string> kind = class_lines();
    is_transposed_ = kind.size() > 3 && kind[3] == "binTrans";
    names_ = file_.lines(needed("name"), is_transposed_);
    if (names_.empty()) file_.refuse("it has no variables");
    is_time_first_ = lower_case(names_.front()) == "time";
  }

  /// All names but that of the time.
  std::vector<std::string> columns() {
    if (is_time_first_) names_.erase(names_.begin());
    return std::move(names_);
  }

  ResultTable table() {
    read_places();
    if (const MatMatrix* const texts = file_.find("description"))
      descriptions_ = file_.lines(*texts, is_transposed_);
    descriptions_.resize(names_.size());
    choose_set();
    make_columns();
    read_constants();
    read_points();
    note_rest();
    return std::move(table_);
  }

 private:
  /// A data_k with a length for each direction.
  struct Set {
    const MatMatrix* matrix = nullptr;
    std::uint64_t variables = 0, points = 0;
  };

  std::vector<std::string> class_lines() {
    const MatMatrix* const found = file_.find("Aclass");
    if (found == nullptr)
      file_.refuse("it does not contain results (there is no matrix \"Aclass\")",
                   "Results are trajectories in the layout of Dymola and OpenModelica.");
    std::vector<std::string> kind = file_.lines(*found);
    const std::string given = kind.empty() ? "" : kind[0];
    if (given != "Atrajectory") kind = file_.lines(*found, true);
    if (kind.empty() || kind[0] != "Atrajectory")
      file_.refuse(
          fmt::format("it contains \"{}\", not results (\"Atrajectory\")", printable(given)));
    if (kind.size() > 1 && kind[1] != "1.1")
      file_.refuse(fmt::format("its layout has version {}; 1.1 can be read", printable(kind[1])));
    return kind;
  }

  const MatMatrix& needed(std::string_view name) const {
    const MatMatrix* const found = file_.find(name);
    if (found == nullptr) file_.refuse(fmt::format("the matrix \"{}\" is missing", name));
    return *found;
  }

  void read_places() {
    const MatMatrix& info = needed("dataInfo");
    const std::uint64_t count = is_transposed_ ? info.columns : info.rows;
    const std::uint64_t parts = is_transposed_ ? info.rows : info.columns;
    if (count != names_.size() || parts < 2)
      file_.refuse(fmt::format("there are {} names, but \"dataInfo\" is {} x {}", names_.size(),
                               info.rows, info.columns));
    const std::vector<double> numbers = file_.numbers(info);
    for (std::uint64_t i = 0; i < count; ++i) {
      const double set = numbers[is_transposed_ ? i * parts : i];
      const double index = numbers[is_transposed_ ? i * parts + 1 : count + i];
      constexpr double most = 0x7fffffff;
      if (!(set >= 0 && set <= most && std::abs(index) >= 1 && std::abs(index) <= most))
        file_.refuse(fmt::format("the place of \"{}\" is invalid: matrix {}, variable {}",
                                 printable(names_[i]), set, index));
      places_.push_back({static_cast<std::uint32_t>(set),
                         static_cast<std::uint32_t>(std::abs(index)) - 1, index < 0});
    }
  }

  Set set_of(std::uint32_t number) const {
    Set set;
    set.matrix = file_.find(fmt::format("data_{}", number));
    if (set.matrix == nullptr) return set;
    const MatMatrix& m = *set.matrix;
    set.variables = is_transposed_ ? m.rows : m.columns;
    set.points = is_transposed_ ? m.columns : m.rows;
    if (m.available == m.size()) return set;
    // Cut off: the whole points that are there.
    if (!is_transposed_)
      file_.refuse(fmt::format("it ends within the matrix \"{}\", which has {} x {} elements",
                               m.name, m.rows, m.columns));
    set.points = m.available / std::max<std::uint64_t>(set.variables, 1);
    return set;
  }

  /// The set of points: that of most variables, as sets with other times are rare.
  void choose_set() {
    std::vector<std::pair<std::size_t, std::uint32_t>> uses;  // number of variables, set
    for (const MatPlace& place : places_) {
      if (place.set < 2) continue;
      const auto known =
          std::ranges::find(uses, place.set, &std::pair<std::size_t, std::uint32_t>::second);
      if (known != uses.end())
        ++known->first;
      else
        uses.emplace_back(1, place.set);
    }
    const auto most = std::ranges::max_element(uses, {}, [](const auto& use) { return use.first; });
    chosen_ = most == uses.end() ? 2 : most->second;
    points_ = set_of(chosen_);
    if (points_.matrix == nullptr) chosen_ = 1, points_ = set_of(1);  // constants only
    if (points_.matrix == nullptr || points_.variables == 0)
      file_.refuse(fmt::format("the matrix \"data_{}\" is missing or empty", chosen_));
  }

  void make_columns() {
    std::vector<std::string> elsewhere;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const MatPlace& place = places_[i];
      if (i == 0 && (is_time_first_ || place.set == 0)) {
        table_.time_name = names_[0];
        take_description(descriptions_[0], table_.time_unit);
        continue;
      }
      if (place.set > 1 && place.set != chosen_) {
        elsewhere.push_back(names_[i]);
        continue;
      }
      const bool is_constant = place.set == 1;
      const Set set = is_constant ? set_of(1) : points_;
      if (place.index >= set.variables || (is_constant && set.points == 0))
        file_.refuse(fmt::format("\"{}\" is variable {} of the matrix \"data_{}\", which has {}",
                                 printable(names_[i]), place.index + 1, place.set, set.variables));
      (is_constant ? constants_ : moving_).emplace_back(table_.columns.size(), i);
      ResultColumn& column = table_.columns.emplace_back();
      column.name = names_[i];
      column.description = take_description(descriptions_[i], column.unit);
    }
    if (!elsewhere.empty())
      table_.notes.push_back(fmt::format(
          "\"{}\": {} {} omitted, at other points of time than the rest", file_.path().string(),
          list_some(elsewhere), elsewhere.size() == 1 ? "is" : "are"));
    // Aliases take no space in the file, but in memory.
    constexpr std::uint64_t base = std::uint64_t{1} << 30, times = 64;
    const std::uint64_t room = base + times * points_.matrix->available * sizeof(double);
    if (table_.columns.size() > room / sizeof(double) / std::max<std::uint64_t>(points_.points, 1))
      file_.refuse(
          fmt::format("it has {} variables at {} points of time, too many for the size of "
                      "the file",
                      table_.columns.size(), points_.points));
  }

  /// Splits `text [unit]`, `text [unit|display unit]`, with an annotation of the type behind it.
  static std::string take_description(std::string_view text, std::string& unit) {
    text = trim(text.substr(0, text.rfind(":#(")));
    if (!text.ends_with(']')) return std::string(text);
    const std::size_t open = text.rfind('[');
    if (open == text.npos) return std::string(text);
    const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    unit = trim(inside.substr(0, inside.find('|')));
    return std::string(trim(text.substr(0, open)));
  }

  void read_constants() {
    const Set set = constants_.empty() ? Set{} : set_of(1);
    for (const auto& [column, name] : constants_) {
      const MatPlace& place = places_[name];
      double value = 0;
      file_.read(*set.matrix, is_transposed_ ? place.index : place.index * set.points, {&value, 1});
      table_.columns[column].numbers.assign(points_.points, place.is_negated ? -value : value);
    }
  }

  void read_points() {
    table_.times.resize(points_.points);
    for (const auto& [column, name] : moving_)
      table_.columns[column].numbers.resize(points_.points);
    if (is_transposed_)
      read_point_by_point();
    else
      read_variable_by_variable();
    for (std::size_t i = 0; i < table_.times.size(); ++i) {
      const double t = table_.times[i];
      if (!std::isfinite(t)) file_.refuse(fmt::format("the time of point {} is {}", i + 1, t));
      if (i > 0 && t < table_.times[i - 1])
        file_.refuse(fmt::format("the time decreases from {} to {}", table_.times[i - 1], t));
    }
  }

  void read_point_by_point() {
    constexpr std::uint64_t block = 1 << 17;  // numbers
    const std::uint64_t width = points_.variables;
    const std::uint64_t at_once = std::max<std::uint64_t>(1, block / width);
    std::vector<double> numbers;
    for (std::uint64_t first = 0; first < points_.points; first += at_once) {
      const std::uint64_t count = std::min(at_once, points_.points - first);
      numbers.resize(count * width);
      file_.read(*points_.matrix, first * width, numbers);
      for (std::uint64_t i = 0; i < count; ++i) table_.times[first + i] = numbers[i * width];
      for (const auto& [column, name] : moving_) {
        const MatPlace& place = places_[name];
        double* const to = table_.columns[column].numbers.data() + first;
        for (std::uint64_t i = 0; i < count; ++i) {
          const double value = numbers[i * width + place.index];
          to[i] = place.is_negated ? -value : value;
        }
      }
    }
  }

  void read_variable_by_variable() {
    file_.read(*points_.matrix, 0, table_.times);
    for (const auto& [column, name] : moving_) {
      const MatPlace& place = places_[name];
      std::vector<double>& numbers = table_.columns[column].numbers;
      file_.read(*points_.matrix, place.index * points_.points, numbers);
      if (place.is_negated)
        for (double& number : numbers) number = -number;
    }
  }

  void note_rest() {
    const std::string path = file_.path().string();
    if (points_.matrix->available < points_.matrix->size())
      table_.notes.push_back(fmt::format("\"{}\" is cut off: {} of {} points can be read", path,
                                         points_.points, points_.matrix->columns));
    else if (file_.rest() > 0)
      table_.notes.push_back(
          fmt::format("\"{}\" ends with {} bytes that belong to no matrix: they are ignored", path,
                      file_.rest()));
  }

  MatReader file_;
  bool is_transposed_ = false, is_time_first_ = false;
  std::vector<std::string> names_, descriptions_;
  std::vector<MatPlace> places_;
  std::uint32_t chosen_ = 2;
  Set points_;
  std::vector<std::pair<std::size_t, std::size_t>> constants_, moving_;  ///< column, name
  ResultTable table_;
};

}  // namespace

ResultTable read_mat_results(const std::filesystem::path& file) { return Trajectory(file).table(); }

std::vector<std::string> mat_result_columns(const std::filesystem::path& file) {
  return Trajectory(file).columns();
}

}  // namespace tutti::results
