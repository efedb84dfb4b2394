// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "solvers/ode/ode.hpp"

namespace tutti::solvers {
namespace {

constexpr double tight = 1e-8;  // below, order 8 needs fewer evaluations than order 5
// Limits above which the factorizations of RADAU5, or its Jacobians by differences, which it
// evaluates far more often than CVODE, cost more than its fewer steps save.
constexpr std::size_t many_states = 100, many_differences = 50;
constexpr std::size_t most_dense_states = 500;  // 2 MB, and 8e7 operations to factorize them

/// Chooses by form, size and tolerance, starts without Jacobians, and changes to a stiff method
/// when the explicit one detects that its steps are limited by stability.
class Automatic final : public OdeIntegrator {
 public:
  Automatic(OdeProblem& problem, const OdeOptions& options) : problem_(problem), options_(options) {
    OptionValues("auto", {}, options.own);
    choose_first();
  }

  void start(double t, std::span<const double> y, std::span<const double> yp) override {
    if (std::exchange(must_change_, false)) change(from(t));
    t_ = t;
    current_->start(t, y, yp);
  }
  Step step(double limit) override {
    if (std::exchange(must_change_, false)) {
      std::vector<double> y(problem_.size());
      current_->interpolate(t_, y);
      change(from(t_));
      current_->start(t_, y);
    }
    const Step done = current_->step(limit);
    t_ = done.t;
    must_change_ = fallback_ != nullptr && current_->seems_stiff();
    return done;
  }
  void interpolate(double t, std::span<double> y) override { current_->interpolate(t, y); }
  void interpolate_derivative(double t, std::span<double> yp) override {
    current_->interpolate_derivative(t, yp);
  }
  std::span<const int> roots() const override { return current_->roots(); }
  int interpolation_degree() const override { return current_->interpolation_degree(); }
  void set_atol(std::span<const double> atol) override {
    options_.atol.assign(atol.begin(), atol.end());
    current_->set_atol(atol);
  }
  OdeStatistics statistics() const override;
  std::string note() const override { return note_; }
  std::uint64_t choice() const override {
    return current_->choice() << 2 | (must_change_ ? 2 : 0) | (has_changed_ ? 1 : 0);
  }
  void restore_choice(std::uint64_t choice) override;

 private:
  void choose_first();
  void use(const char* name, std::string_view why, bool has_equations = true);
  bool is_too_large_for_a_matrix() const;
  void change(std::string_view when);
  static std::string from(double t);

  OdeProblem& problem_;
  OdeOptions options_;
  std::unique_ptr<OdeIntegrator> current_;
  const char* fallback_ = nullptr;  ///< for stiff problems; null: none
  bool must_change_ = false, has_changed_ = false;
  double t_ = 0;
  std::string note_;
  OdeStatistics before_;  ///< of the integrators before this one
};

/// @param has_equations the method solves linear systems
void Automatic::use(const char* name, std::string_view why, bool has_equations) {
  OdeOptions options = options_;
  options.own.clear();
  const bool is_krylov = has_equations && is_too_large_for_a_matrix();
  if (is_krylov) options.own["linear_solver"] = std::string("krylov");
  if (current_) before_ += current_->statistics();
  current_ = find_ode_integrator(name)->make(problem_, options);
  note_ += fmt::format("{}{}: {}", note_.empty() ? "" : "; ", name, why);
  if (is_krylov)
    note_ += fmt::format(
        ", linear_solver = krylov: no sparsity pattern, and {} states are too many for a full "
        "matrix",
        problem_.size());
}

bool Automatic::is_too_large_for_a_matrix() const {
  const bool is_full =
      problem_.jacobian_pattern() == nullptr ||
      (problem_.form() == OdeForm::mass_matrix && problem_.mass_pattern() == nullptr);
  return is_full && problem_.size() > most_dense_states;
}

void Automatic::choose_first() {
  switch (problem_.form()) {
    case OdeForm::implicit:
      return use("ida", "the equations are implicit");
    case OdeForm::mass_matrix:
      return use(is_too_large_for_a_matrix() ? "ida" : "radau5",
                 "the equations have a mass matrix");
    case OdeForm::split:
      return use("arkode-imex", "the right-hand side is split");
    case OdeForm::explicit_ode:
      break;
  }
  const std::size_t n = problem_.size();
  const bool has_events = problem_.root_count() > 0;
  if (n > many_states && problem_.jacobian_pattern() != nullptr)
    return use("cvode", fmt::format("{} states with a sparse Jacobian", n));
  // One-step methods restart after an event at full order.
  const bool has_cheap_jacobian =
      problem_.has_exact_jacobian() || problem_.jacobian_pattern() != nullptr;
  const bool is_one_step = n <= (has_cheap_jacobian ? many_states : many_differences) &&
                           (has_events || options_.rtol <= tight);
  fallback_ = is_one_step ? "radau5" : "cvode";
  if (options_.rtol <= tight)
    use("dop853", "not stiff so far, tight tolerance", false);
  else
    use("dopri5", "not stiff so far", false);
}

void Automatic::change(std::string_view when) {
  use(std::exchange(fallback_, nullptr),
      fmt::format("{} stability limited the steps ({} states{})", when, problem_.size(),
                  problem_.root_count() > 0 ? ", events" : ""));
  has_changed_ = true;
}

std::string Automatic::from(double t) { return fmt::format("from t = {:.6g} on, where", t); }

void Automatic::restore_choice(std::uint64_t choice) {
  const bool had_changed = (choice & 1) != 0;
  if (has_changed_ && !had_changed) {
    note_.clear();
    has_changed_ = false;
    choose_first();
  } else if (had_changed && !has_changed_) {
    change("before, where");
  }
  must_change_ = (choice & 2) != 0;
  current_->restore_choice(choice >> 2);
}

OdeStatistics Automatic::statistics() const {
  OdeStatistics sum = before_;
  return sum += current_->statistics();
}

}  // namespace

std::unique_ptr<OdeIntegrator> make_automatic(OdeProblem& problem, const OdeOptions& options) {
  return std::make_unique<Automatic>(problem, options);
}

}  // namespace tutti::solvers
