// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "studies/search/search.hpp"

namespace tutti::studies {

/// The evaluations of a search: counts them and keeps the best one.
class Samples {
 public:
  Samples(const SearchProblem& problem, const SearchOptions& options)
      : problem_(problem), max_evaluations_(options.max_evaluations) {}

  /// This number of evaluations is still allowed.
  bool has_room(std::size_t count) const { return evaluations_ + count <= max_evaluations_; }
  /// @pre has_room()
  Evaluation at(const Point& x);
  /// Points of differences, which are no candidates for the best one. @pre has_room()
  std::vector<Evaluation> beside(std::span<const Point> points);

  /// The objective; of points that could not be evaluated, one that is worse than all others.
  double objective_of(const Evaluation& evaluation) const;
  /// The constraints; of points that could not be evaluated, violated ones.
  std::vector<double> constraints_of(const Evaluation& evaluation) const;

  const SearchProblem& problem() const { return problem_; }
  /// The best point so far, and the counts.
  SearchResult result(SearchEnd end) const;

 private:
  void consider(const Point& x, const Evaluation& evaluation);

  const SearchProblem& problem_;
  std::uint64_t max_evaluations_, evaluations_ = 0, failed_ = 0;
  Point best_;
  Evaluation at_best_;
  double violation_ = 0;  // of the best point, 0 within the tolerance
  double worst_ = 0;      // largest objective so far
};

enum class Differences : std::uint8_t { forward, central };

/// The derivatives of `values` with respect to each unknown.
struct Slopes {
  std::vector<std::vector<double>> columns;  ///< by unknown
  /// Unknowns whose points could not be evaluated; their columns are 0.
  std::vector<std::size_t> unknown;
};
using ValuesOf = std::function<std::vector<double>(const Evaluation&)>;
/// The number of evaluations that slopes_at() needs at most.
std::size_t count_of_differences(std::size_t unknowns, Differences kind);
/// By differences within the bounds; all points are evaluated together.
/// @pre has_room(count_of_differences()), `at_x` is valid
Slopes slopes_at(Samples& samples, const Point& x, const Evaluation& at_x, const ValuesOf& values,
                 Differences kind);

}  // namespace tutti::studies
