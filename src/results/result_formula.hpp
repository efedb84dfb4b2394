// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tutti/results.hpp>
#include <vector>

#include "base/expression.hpp"

/// Formulas of the results of a run (tutti::Measure), computed row by row.
namespace tutti::results {

struct ReductionKind;

struct ReductionText {
  std::string_view name, summary;
};
/// The functions for numbers that the whole run determines, sorted by name.
std::vector<ReductionText> reductions();

/// What a reduction keeps of the rows so far.
struct Reduced {
  bool any = false;           ///< there was a row; the other members belong to it
  double time = 0, last = 0;  ///< of the last row
  double start_time = 0, first = 0;
  double sum = 0;  ///< of the integral
  double best = 0, best_time = 0;
};

/// One number of a whole run. Columns vary along straight lines between rows, discrete ones are
/// constant; two rows of the same time are the two sides of an event.
class ResultFormula {
 public:
  /// @throws Error(usage) that names the formula and the position in it
  explicit ResultFormula(std::string_view formula);

  /// The variables without the time.
  const std::vector<std::string>& names() const { return names_; }
  /// The constants pi and e, as far as the formula names them.
  std::vector<std::string> constants() const;
  /// Those of at().
  std::vector<double> times() const;
  /// @pre the columns contain all of names()
  void bind(std::span<const Column> columns);
  /// Forgets all rows.
  void start();
  /// @param values of the columns given to bind()
  void row(double time, std::span<const double> values);
  /// NaN without rows.
  double value() const;

 private:
  struct Reduction {
    const ReductionKind* kind;
    Expression inner;
    double argument = 0;   ///< the time of at()
    bool is_held = false;  ///< its value is constant between rows
    Reduced state = {};
  };
  Expression take_reductions(std::string_view formula);
  void add_name(const std::string& name);

  std::vector<std::string> names_;
  std::vector<Reduction> reductions_;
  Expression outer_;  ///< of the columns, the time and the reductions
  std::vector<double> last_;
  bool any_ = false;
};

/// A formula at given times.
class SampledFormula {
 public:
  /// @throws Error(usage)
  SampledFormula(std::string_view formula, std::vector<double> times);

  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& constants() const { return formula_.constants(); }
  void bind(std::span<const Column> columns);
  void start();
  void row(double time, std::span<const double> values);
  /// For each time; NaN for those that were not reached.
  const std::vector<double>& values();

 private:
  void fill_until(double time, double value);

  Expression formula_;
  std::vector<double> times_, values_, scratch_;
  std::vector<std::string> names_;
  std::size_t next_ = 0;
  bool is_held_ = false, any_ = false;
  double last_time_ = 0, last_value_ = 0;
};

}  // namespace tutti::results
