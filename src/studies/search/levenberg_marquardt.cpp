// SPDX-License-Identifier: BSD-2-Clause
#include "studies/search/levenberg_marquardt.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tutti/error.hpp>

#include "solvers/linear/least_squares.hpp"
#include "studies/search/box_step.hpp"
#include "studies/search/samples.hpp"

namespace tutti::studies {
namespace {

double squared(std::span<const double> values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

/// Levenberg and Marquardt's method with scaling by the norms of columns (J. J. More, The
/// Levenberg-Marquardt algorithm: implementation and theory, 1978), the damping of H. B. Nielsen
/// (Damping parameter in Marquardt's method, IMM-REP-1999-05, 1999), and bounds: each step
/// minimizes the linear model in the box.
/// Notation: r(x) residuals, J Jacobian, D scaling, mu damping:
///   min |r + J p|^2 + mu |D p|^2   subject to   lower <= x + p <= upper
/// J is made of forward differences until the search has converged with them, then of central
/// ones, whose errors do not move the minimum noticeably.
class LevenbergMarquardt {
 public:
  LevenbergMarquardt(const SearchProblem& problem, const SearchOptions& options)
      : problem_(problem), options_(options), samples_(problem, options) {}

  SearchResult run() {
    x_ = problem_.start;
    if (!samples_.has_room(1)) return finish(SearchEnd::limit);
    here_ = samples_.at(x_);
    if (!here_.is_valid)
      throw Error(ErrorCode::numeric, "the objective cannot be evaluated at the start values");
    scale_.assign(x_.size(), 0.0);
    kind_ = Differences::forward;
    for (;;) {
      if (!samples_.has_room(count_of_differences(x_.size(), kind_) + 1))
        return finish(SearchEnd::limit);
      linearize();
      ++iterations_;
      const Attempt attempt = improve();
      if (attempt == Attempt::limit) return finish(SearchEnd::limit);
      if (attempt == Attempt::improved) continue;
      if (kind_ == Differences::central) return finish(SearchEnd::converged);
      kind_ = Differences::central;
    }
  }

 private:
  enum class Attempt { improved, converged, limit };

  void linearize() {
    const Slopes slopes = slopes_at(
        samples_, x_, here_, [](const Evaluation& one) { return one.residuals; }, kind_);
    std::vector<double> jacobian, minus_r;
    for (std::size_t j = 0; j < x_.size(); ++j) {
      const std::vector<double>& column = slopes.columns[j];
      jacobian.insert(jacobian.end(), column.begin(), column.end());
      scale_[j] = std::max(scale_[j], std::sqrt(squared(column)));
    }
    for (const double r : here_.residuals) minus_r.push_back(-r);
    model_ = solvers::reduce_least_squares(jacobian, x_.size(), minus_r);
  }

  /// |c - R p|^2, the model of |r|^2 up to a constant.
  double model_at(const Point& p) const {
    const std::size_t n = x_.size();
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double row = model_.c[i];
      for (std::size_t j = i; j < n; ++j) row -= model_.r[j * n + i] * p[j];
      sum += row * row;
    }
    return sum;
  }

  Point damped_step() const {
    const std::size_t n = x_.size();
    BoxProblem step{.columns = n};
    for (std::size_t j = 0; j < n; ++j) {
      step.a.insert(step.a.end(), model_.r.begin() + static_cast<std::ptrdiff_t>(j * n),
                    model_.r.begin() + static_cast<std::ptrdiff_t>((j + 1) * n));
      step.a.resize((2 * j + 2) * n, 0.0);
      step.a[(2 * j + 1) * n + j] = std::sqrt(damping_) * (scale_[j] > 0 ? scale_[j] : 1);
      step.lower.push_back(problem_.lower[j] - x_[j]);
      step.upper.push_back(problem_.upper[j] - x_[j]);
    }
    step.b = model_.c;
    step.b.resize(2 * n, 0.0);
    return solve_in_box(step);
  }

  Attempt improve() {
    for (;;) {
      const Point p = damped_step();
      const double size = std::transform_reduce(
          p.begin(), p.end(), 0.0, [](double a, double b) { return std::max(a, b); },
          [](double value) { return std::abs(value); });
      const double predicted = model_at(Point(p.size(), 0.0)) - model_at(p);
      // The model expects nothing, or less than rounding of the sum.
      if (size == 0 || predicted <= 1e-15 * here_.objective) return Attempt::converged;
      if (!samples_.has_room(1)) return Attempt::limit;
      Point trial = x_;
      for (std::size_t j = 0; j < trial.size(); ++j)
        trial[j] = std::clamp(trial[j] + p[j], problem_.lower[j], problem_.upper[j]);
      const Evaluation there = samples_.at(trial);
      const double gain = there.is_valid ? (here_.objective - there.objective) / predicted : -1;
      const bool is_small = size <= options_.tolerance;
      if (!(gain > 1e-4)) {
        damping_ *= growth_;
        growth_ *= 2;
        // The errors of runs or differences are as large as what could still be gained.
        if (is_small) return Attempt::converged;
        continue;
      }
      x_ = trial;
      here_ = there;
      damping_ = std::max(1e-14, damping_ * std::max(1.0 / 3, 1 - std::pow(2 * gain - 1, 3)));
      growth_ = 2;
      // A damped step may be small far from the minimum: the model must hold as well.
      return is_small && gain > 0.25 && damping_ < 1 ? Attempt::converged : Attempt::improved;
    }
  }

  SearchResult finish(SearchEnd end) const {
    SearchResult result = samples_.result(end);
    result.x = x_;
    result.at_x = here_;
    result.iterations = iterations_;
    return result;
  }

  const SearchProblem& problem_;
  SearchOptions options_;
  Samples samples_;
  Point x_;
  Evaluation here_;
  Differences kind_{};
  solvers::ReducedSystem model_;
  std::vector<double> scale_;  // largest norm of each column so far
  double damping_ = 1e-3, growth_ = 2;
  std::uint64_t iterations_ = 0;
};

}  // namespace

SearchResult search_levenberg_marquardt(const SearchMethod& /*method*/,
                                        const SearchProblem& problem,
                                        const SearchOptions& options) {
  return LevenbergMarquardt(problem, options).run();
}

}  // namespace tutti::studies
