// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/estimate.hpp>
#include <tutti/study.hpp>
#include <vector>

#include "studies/search/search.hpp"
#include "studies/study_system.hpp"

namespace tutti::studies {

/// The parameters of a study as the unknowns x of a search: value = nominal * x, or for
/// scale = "log" value = start * e^x, so that changes of x by 1 are large.
class SearchSpace {
 public:
  /// @throws Error(usage) with all parameters that cannot be searched
  SearchSpace(const Study& study, const StudySystem& system);

  std::size_t size() const { return parameters_.size(); }
  std::vector<std::string> names() const;
  const Point& start() const { return start_; }
  const Point& lower() const { return lower_; }
  const Point& upper() const { return upper_; }

  /// Within the bounds.
  double value(std::size_t j, double x) const;
  double free_value(std::size_t j, double x) const;
  /// d value / dx
  double slope(std::size_t j, double x) const;
  /// The values at a point, as cases take them.
  std::vector<std::string> texts(const Point& x) const;
  /// `a = 2.5, b = 1e-6`
  std::string described(const Point& x) const;
  /// A parameter counts as being at a bound within the tolerance of the search.
  AtBound bound(std::size_t j, double x, double tolerance) const;
  std::vector<FoundParameter> found(const Point& x, double tolerance) const;

 private:
  struct Parameter {
    FoundParameter known;
    bool is_logarithmic = false;
  };
  void add(const StudyParameter& given, const ParameterInfo& info);
  double unknown(const Parameter& parameter, double value) const;

  std::vector<Parameter> parameters_;
  Point start_, lower_, upper_;
};

/// The method, checked against the parameters. @param key of it in the study
/// @throws Error(usage)
const SearchMethod& method_for(const std::string& name, const Study& study, const std::string& key);

}  // namespace tutti::studies
