// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <tutti/steady.hpp>

#include "models/me_problem.hpp"
#include "session/steady/whole_model.hpp"
#include "solvers/nonlinear/steady_search.hpp"
#include "solvers/ode/jacobian.hpp"

namespace tutti::session {

/// A scalar of the whole model, with its name for the user.
struct SteadyScalar {
  std::int32_t variable = -1;  ///< of the description of the whole; -1: it has no name there
  std::uint64_t element = 0;
  std::string name, unit;
  double nominal = 1;
};

/// How the equations change later in a run.
struct TimeDependence {
  std::vector<std::string> states;  ///< whose derivatives change although no state does
  std::string failure;              ///< of an evaluation at a later time; empty: none
};

/// The equations of a WholeModel: der(x) = 0, and fixed values. Unknowns: states and free inputs.
class SteadyEquations final : public solvers::SteadyProblem {
 public:
  /// Called before every evaluation; may throw.
  using Look = std::function<void()>;
  SteadyEquations(WholeModel& model, const SteadyOptions& options, Look look);
  ~SteadyEquations() override;

  std::size_t size() const override { return states_.size() + free_.size(); }
  std::size_t state_count() const override { return states_.size(); }
  double nominal(std::size_t unknown) const override {
    return unknown < states_.size() ? states_[unknown].nominal
                                    : free_[unknown - states_.size()].nominal;
  }
  bool evaluate(std::span<const double> z, std::span<double> r) override;
  bool linearize(std::span<const double> z, std::span<const double> r,
                 std::vector<solvers::Entry>& jacobian) override;
  double jacobian_error() const override;
  bool accept(std::vector<double>& z) override;
  bool confirm(std::vector<double>& z) override;

  /// Where the search starts: the values after initialization. A fixed state has its given value.
  std::vector<double> start() const;
  const std::vector<SteadyScalar>& states() const { return states_; }
  const std::vector<SteadyScalar>& free() const { return free_; }
  const std::vector<SteadyScalar>& fixed() const { return fixed_; }
  double target(std::size_t fixed) const { return targets_[fixed]; }
  double initial(std::size_t unknown) const { return initial_[unknown]; }
  /// Whether runs can set its start value.
  bool is_settable(const SteadyScalar& scalar) const;
  TimeDependence time_dependence(std::span<const double> z, std::span<const double> r,
                                 std::span<const double> allowed);
  /// Why the model last rejected a point; empty: it did not.
  const std::string& refusal() const { return refusal_; }

 private:
  void open();
  void name_states();
  void choose_free(const std::vector<std::string>& patterns);
  void choose_fixed(const std::vector<std::pair<std::string, double>>& fixed);
  void check_counts() const;
  std::string why_not_free(const models::Scalar& scalar) const;
  SteadyScalar scalar_of(std::int32_t variable, std::uint64_t element,
                         const std::string& name) const;
  bool move_inputs(std::span<const double> u);
  bool update(std::vector<double>& z);
  bool reopen(const Error& error);
  void settle();
  bool compute(std::span<const double> z, std::span<double> r);
  bool by_columns(std::span<const double> z, std::span<const double> r,
                  std::vector<solvers::Entry>& jacobian);
  bool add_column(std::size_t j, std::size_t first_row, std::span<const double> z,
                  std::span<const double> r, std::vector<solvers::Entry>& jacobian);
  std::span<const double> states_of(std::span<const double> z);

  WholeModel& model_;
  Look look_;
  fmi::Owned<fmi::ModelExchange> instance_;
  models::ValueSet inputs_;  ///< the variables of free_
  models::ValueSet outputs_;
  std::unique_ptr<models::MeProblem> problem_;
  std::unique_ptr<solvers::Jacobian> jacobian_;
  models::KnownIndicators indicators_;
  std::vector<SteadyScalar> states_, free_, fixed_;
  std::vector<double> targets_;
  std::vector<std::int32_t> fixed_state_;  ///< by fixed value: its state; -1: none
  std::vector<double> initial_;            ///< unknowns after initialization
  std::vector<double> accepted_;           ///< the last accepted unknowns; empty: none
  bool has_tunable_ = false;               ///< parameters, which only events change
  std::vector<double> present_;            ///< free inputs, as the instance has them
  std::vector<double> x_, f_;              ///< scratch, of the problem
  std::string refusal_;
  int reopened_ = 0;
};

}  // namespace tutti::session
