// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>
#include <tutti/cases.hpp>
#include <variant>
#include <vector>

#include "master/ensemble.hpp"
#include "master/observer.hpp"
#include "results/result_formula.hpp"
#include "session/prepared_system.hpp"
#include "session/session_values.hpp"

namespace tutti::session {

/// Computes the measures of runs row by row, where the rows are made.
class CaseMeasures final : public master::StepObserver {
 public:
  /// @throws Error(usage) for a formula
  explicit CaseMeasures(std::span<const Measure> measures);

  /// Finds the variables; they are read after each step. @pre the FMUs are not yet loaded.
  /// @throws Error(usage) for a variable that does not exist, or is not a
  /// scalar number
  void find_in(PreparedSystem& prepared);
  /// A run starts. @pre find_in() of its prepared system
  void start(const master::Ensemble& running);
  /// Of the rows so far, in the order of the measures.
  std::vector<double> values();

  void record(double t) override;
  void hold() override { holds_ = true; }
  bool is_holding() const override { return holds_; }
  void release() override;
  void drop() override;

 private:
  using Formula = std::variant<results::ResultFormula, results::SampledFormula>;
  /// Where the value of a variable is during a run.
  struct Source {
    const double* number = nullptr;  ///< of a double
    const models::ValueSet* values = nullptr;
    const models::Scalar* scalar = nullptr;
  };
  struct Held {
    double time = 0;
    std::vector<double> values;
  };
  void add_row(double t, std::span<const double> values);

  std::vector<Formula> formulas_;
  std::vector<std::string> names_;  ///< of all variables
  std::vector<FoundVariable> found_;
  std::vector<Source> sources_;
  std::vector<double> row_;
  bool holds_ = false;
  std::vector<Held> held_;
};

}  // namespace tutti::session
