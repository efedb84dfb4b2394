// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <vector>

#include "models/value_set.hpp"

namespace tutti::models {

/// How outputs of a model-exchange FMU change with its inputs at the same time, by differences.
/// Its equations may be evaluated again with other inputs; where they were is where they end.
class FeedThrough {
 public:
  /// What is asked for, as in Instance::differentiate. @pre scalar reals
  struct Question {
    std::span<const std::int32_t> unknowns, knowns;
    std::span<const double> seed;
    std::span<double> sensitivity;
  };
  /// @param discrete_too inputs that are not continuous may be set, too; else nothing follows from
  /// them before the next event
  /// @param make_set makes the set of some variables of the FMU
  template <class MakeSet>
  void differentiate(fmi::FmuInstance& fmu, const Question& question, bool discrete_too,
                     const MakeSet& make_set) {
    const auto set_of = [&](std::span<const std::int32_t> variables) -> ValueSet& {
      key_.assign(variables.begin(), variables.end());
      const auto known = sets_.find(key_);
      return (known != sets_.end() ? known : sets_.emplace(key_, make_set(variables)).first)
          ->second;
    };
    ValueSet& outputs = set_of(question.unknowns);
    differentiate(fmu, set_of(question.knowns), outputs, question, discrete_too);
  }

 private:
  void differentiate(fmi::FmuInstance& fmu, ValueSet& inputs, ValueSet& outputs,
                     const Question& question, bool discrete_too);

  std::map<std::vector<std::int32_t>, ValueSet> sets_;  ///< the same ones are asked for every time
  std::vector<std::int32_t> key_;
  std::vector<double> present_;  ///< scratch
};

}  // namespace tutti::models
