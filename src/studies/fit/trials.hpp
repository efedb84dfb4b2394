// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <tutti/cases.hpp>
#include <tutti/estimate.hpp>
#include <vector>

#include "studies/fit/search_space.hpp"

namespace tutti::studies {

/// The runs of one point, one for each system.
struct Trial {
  std::vector<std::vector<double>> values;  ///< by system; of all its measures
  std::vector<RunEnd> ends;                 ///< by system
  std::string failure;  ///< why the point cannot be evaluated; empty: all runs are complete
};

/// Thrown through a search when the user interrupts it.
struct SearchInterrupted {};

/// Runs all systems of a search at given points, as many at the same time as there are workers, and
/// keeps account of failures and of the best point.
class Trials {
 public:
  /// Opens the systems. The arguments must outlive it. @throws Error
  Trials(std::vector<CaseSystem> systems, const SearchSpace& space, const SearchControl& control,
         const Log& log);

  /// Evaluates the values of a point. Sets Trial::failure if that is impossible.
  using Judge = std::function<Evaluation(Trial&, const Point&)>;
  /// @throws SearchInterrupted, Error(file) of a worker that cannot be started
  std::vector<Evaluation> evaluate(std::span<const Point> points, const Judge& judge);
  /// What progress reports show of an objective; evaluations are counted up to the maximum.
  void report_as(std::function<double(double)> shown, std::uint64_t max_evaluations);

  /// Of all points that could be evaluated, the one with the smallest objective among those that
  /// violate the constraints least. Empty: none.
  const Point& best() const { return best_; }
  const Evaluation& at_best() const { return at_best_; }
  std::uint64_t evaluations() const { return evaluations_; }
  std::uint64_t failed() const { return failed_; }
  std::uint64_t runs() const { return runs_; }
  std::uint32_t jobs() const { return cases_.jobs(); }
  double seconds() const;

  /// The most frequent failure, with its share: "12 of 20 evaluations: ...".
  std::string frequent_failure() const;
  const std::string& first_failure() const { return first_failure_; }

 private:
  void note_failure(const Trial& trial);
  void consider(const Point& x, const Evaluation& evaluation);

  struct Failure {
    std::uint64_t count = 0;
    std::string example;
  };

  const SearchSpace& space_;
  const SearchControl& control_;
  std::size_t systems_;
  Cases cases_;
  std::function<double(double)> shown_;
  std::uint64_t max_evaluations_ = 0;
  std::uint64_t evaluations_ = 0, failed_ = 0, runs_ = 0;
  std::map<std::string, Failure> failures_;  // by the text without time and values
  std::string first_failure_;
  Point best_;
  Evaluation at_best_;
  double violation_ = 0;  // of the best point
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// `experiments[2]: ` where there are several, to begin a message with.
std::string experiment_prefix(std::size_t index, std::size_t count);

}  // namespace tutti::studies
