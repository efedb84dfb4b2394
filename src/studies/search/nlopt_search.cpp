// SPDX-License-Identifier: BSD-2-Clause
#include "studies/search/nlopt_search.hpp"

#include <fmt/format.h>
#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <tutti/error.hpp>

#include "base/private_library.hpp"
#include "studies/search/samples.hpp"

namespace tutti::studies {
namespace {

/// The functions of NLopt that are used.
struct NloptLibrary {
  PrivateLibrary file{"libnlopt.so.0", "libnlopt0", "NLopt 2.7", "use this search method",
                      "use the method \"levenberg-marquardt\""};
  decltype(&nlopt_algorithm_from_string) algorithm_from_string =
      file.find("nlopt_algorithm_from_string");
  decltype(&nlopt_srand) srand = file.find("nlopt_srand");
  decltype(&nlopt_create) create = file.find("nlopt_create");
  decltype(&nlopt_destroy) destroy = file.find("nlopt_destroy");
  decltype(&nlopt_optimize) optimize = file.find("nlopt_optimize");
  decltype(&nlopt_get_errmsg) get_errmsg = file.find("nlopt_get_errmsg");
  decltype(&nlopt_set_min_objective) set_min_objective = file.find("nlopt_set_min_objective");
  decltype(&nlopt_set_lower_bounds) set_lower_bounds = file.find("nlopt_set_lower_bounds");
  decltype(&nlopt_set_upper_bounds) set_upper_bounds = file.find("nlopt_set_upper_bounds");
  decltype(&nlopt_add_inequality_mconstraint) add_inequality_mconstraint =
      file.find("nlopt_add_inequality_mconstraint");
  decltype(&nlopt_set_xtol_abs1) set_xtol_abs1 = file.find("nlopt_set_xtol_abs1");
  decltype(&nlopt_set_initial_step) set_initial_step = file.find("nlopt_set_initial_step");
  decltype(&nlopt_force_stop) force_stop = file.find("nlopt_force_stop");
};

const NloptLibrary& nlopt_library() {
  static const NloptLibrary loaded;
  return loaded;
}

constexpr double nlopt_constraint_tolerance = 1e-8;

/// One search. NLopt asks for objective and constraints at a point one after the other, so both
/// are kept. No exception passes through its code.
class NloptSearch {
 public:
  NloptSearch(const SearchMethod& method, const SearchProblem& problem,
              const SearchOptions& options)
      : method_(method), problem_(problem), options_(options), samples_(problem, options) {}

  /// Where points fail, methods that model the objective may stop at the edge of the failures. They
  /// continue from there with new models as long as that improves the result.
  SearchResult run() {
    library_.srand(options_.seed);
    Point x = problem_.start;
    for (int pass = 0; pass < most_passes; ++pass) {
      const SearchResult before = samples_.result(SearchEnd::converged);
      run_once(x);
      if (is_limited_) return samples_.result(SearchEnd::limit);
      const SearchResult after = samples_.result(SearchEnd::converged);
      const bool has_failed = after.failed > before.failed;
      if (method_.is_global || !has_failed || after.x.empty() || after.x == before.x) break;
      x = after.x;
    }
    return samples_.result(SearchEnd::converged);
  }

 private:
  static constexpr int most_passes = 20;

  void run_once(Point x) {
    const nlopt_algorithm algorithm = library_.algorithm_from_string(method_.nlopt_name);
    const auto n = static_cast<unsigned>(x.size());
    const std::unique_ptr<nlopt_opt_s, decltype(library_.destroy)> owner(
        static_cast<int>(algorithm) < 0 ? nullptr : library_.create(algorithm, n),
        library_.destroy);
    nlopt_ = owner.get();
    if (nlopt_ == nullptr)
      throw Error(ErrorCode::capability,
                  fmt::format("this NLopt does not have the method \"{}\"", method_.name));
    set_up();
    double objective = 0;
    const nlopt_result end = library_.optimize(nlopt_, x.data(), &objective);
    if (failure_) std::rethrow_exception(failure_);
    // Roundoff: the objective cannot be improved with the accuracy of its values.
    if (end < 0 && end != NLOPT_ROUNDOFF_LIMITED && !is_limited_) refuse(end);
  }

  void set_up() {
    library_.set_min_objective(nlopt_, objective_of_nlopt, this);
    library_.set_lower_bounds(nlopt_, problem_.lower.data());
    library_.set_upper_bounds(nlopt_, problem_.upper.data());
    library_.set_xtol_abs1(nlopt_, options_.tolerance);
    Point steps;
    for (std::size_t j = 0; j < problem_.start.size(); ++j)
      steps.push_back(std::min(0.1 * std::max(1.0, std::abs(problem_.start[j])),
                               (problem_.upper[j] - problem_.lower[j]) / 4));
    library_.set_initial_step(nlopt_, steps.data());
    if (problem_.constraints == 0) return;
    const std::vector<double> tolerances(problem_.constraints, nlopt_constraint_tolerance);
    library_.add_inequality_mconstraint(nlopt_, static_cast<unsigned>(problem_.constraints),
                                        constraints_of_nlopt, this, tolerances.data());
  }

  [[noreturn]] void refuse(nlopt_result end) const {
    const char* const why = library_.get_errmsg(nlopt_);
    throw Error(ErrorCode::numeric,
                fmt::format("the method \"{}\" of NLopt failed{}{}", method_.name,
                            end == NLOPT_OUT_OF_MEMORY ? ": there is not enough memory"
                            : end == NLOPT_INVALID_ARGS
                                ? ": it cannot solve this problem (number of parameters, bounds)"
                                : "",
                            why != nullptr ? fmt::format(" ({})", why) : ""),
                {.hint = "Use another method."});
  }

  /// Evaluates x, unless that is where it was evaluated last. False: the search ends.
  bool visit(const double* x, bool with_slopes) {
    const std::size_t n = problem_.start.size();
    const bool is_new = asked_.empty() || !std::equal(asked_.begin(), asked_.end(), x);
    const bool needs_slopes = with_slopes && (is_new || slopes_.columns.empty());
    const std::size_t needed =
        (is_new ? 1 : 0) + (needs_slopes ? count_of_differences(n, Differences::central) : 0);
    if (needed > 0 && !samples_.has_room(needed)) {
      is_limited_ = true;
      return false;
    }
    if (is_new) {
      asked_.assign(x, x + n);
      at_ = asked_;  // without the rounding of methods that scale the box
      for (std::size_t j = 0; j < n; ++j)
        at_[j] = std::clamp(at_[j], problem_.lower[j], problem_.upper[j]);
      slopes_ = {};
      here_ = samples_.at(at_);
    }
    if (needs_slopes) find_slopes();
    return true;
  }

  void find_slopes() {
    const auto all = [this](const Evaluation& evaluation) {
      std::vector<double> values = samples_.constraints_of(evaluation);
      values.insert(values.begin(), samples_.objective_of(evaluation));
      return values;
    };
    if (here_.is_valid)
      slopes_ = slopes_at(samples_, at_, here_, all, Differences::central);
    else
      slopes_.columns.assign(at_.size(), std::vector<double>(1 + problem_.constraints, 0.0));
  }

  /// Runs an action of a callback. False: the search ends.
  template <class Action>
  bool guarded(const Action& action) {
    try {
      if (!failure_ && action()) return true;
    } catch (...) {
      failure_ = std::current_exception();
    }
    library_.force_stop(nlopt_);
    return false;
  }

  static double objective_of_nlopt(unsigned n, const double* x, double* gradient, void* data) {
    auto& self = *static_cast<NloptSearch*>(data);
    if (!self.guarded([&] { return self.visit(x, gradient != nullptr); })) return HUGE_VAL;
    for (unsigned j = 0; gradient != nullptr && j < n; ++j)
      gradient[j] = self.slopes_.columns[j].front();
    return self.samples_.objective_of(self.here_);
  }

  static void constraints_of_nlopt(unsigned m, double* result, unsigned n, const double* x,
                                   double* gradient, void* data) {
    auto& self = *static_cast<NloptSearch*>(data);
    std::fill_n(result, m, 1.0);
    if (!self.guarded([&] { return self.visit(x, gradient != nullptr); })) return;
    std::ranges::copy(self.samples_.constraints_of(self.here_), result);
    for (unsigned i = 0; gradient != nullptr && i < m; ++i)
      for (unsigned j = 0; j < n; ++j)
        gradient[std::size_t{i} * n + j] = self.slopes_.columns[j][1 + i];
  }

  const SearchMethod& method_;
  const SearchProblem& problem_;
  SearchOptions options_;
  Samples samples_;
  const NloptLibrary& library_ = nlopt_library();
  nlopt_opt nlopt_ = nullptr;
  Point asked_, at_;  // the last point, as asked for and as evaluated
  Evaluation here_;
  Slopes slopes_;
  std::exception_ptr failure_;
  bool is_limited_ = false;
};

}  // namespace

SearchResult search_nlopt(const SearchMethod& method, const SearchProblem& problem,
                          const SearchOptions& options) {
  SearchResult result = NloptSearch(method, problem, options).run();
  if (result.x.empty())
    throw Error(ErrorCode::numeric, "none of the points of the search could be evaluated");
  return result;
}

}  // namespace tutti::studies
