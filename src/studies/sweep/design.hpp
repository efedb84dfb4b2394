// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tutti/study.hpp>
#include <vector>

#include "studies/study_system.hpp"
#include "studies/sweep/sobol_sequence.hpp"

namespace tutti::studies {

/// The values of the parameters in each run of a sweep. A row is a function of its number alone: no
/// table of rows exists, and parts of a sweep agree with the whole.
class SweepDesign {
 public:
  /// @param parameters of the study, as its system knows them
  /// @throws Error(usage) where a range does not suit its parameter
  SweepDesign(const Study& study, const std::vector<ParameterInfo>& parameters);

  std::uint64_t runs() const { return runs_; }
  /// The values as written. @param run counts from 0
  std::vector<std::string> row(std::uint64_t run) const;

  /// With Sobol indices, runs are in blocks of this size, one for each sample: matrix A, matrix B,
  /// and for each parameter A with the column of this parameter from B. Without: 1.
  std::uint64_t block() const { return has_indices_ ? parameters_.size() + 2 : 1; }

 private:
  struct Parameter {
    StudyParameter given;
    bool is_integer = false;
  };
  std::string grid_value(const Parameter& parameter, std::uint64_t point) const;
  std::string sampled_value(const Parameter& parameter, double u) const;
  std::vector<double> sample(std::uint64_t number) const;
  void check_integer(const Parameter& parameter) const;

  SweepSettings settings_;
  std::vector<Parameter> parameters_;
  bool has_indices_ = false;
  std::uint64_t runs_ = 0;
  std::unique_ptr<SobolSequence> sequence_;
};

}  // namespace tutti::studies
