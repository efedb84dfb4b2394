// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "fmi/model_exchange.hpp"
#include "models/boundary.hpp"
#include "models/element_pattern.hpp"
#include "models/input_signal.hpp"
#include "solvers/ode/ode.hpp"

namespace tutti::models {

/// The equations of a model-exchange FMU as an ODE; its event indicators are the root functions.
/// A model without states gets one that stays at zero, so that time still runs.
class MeProblem final : public OdeProblem {
 public:
  /// @pre the instance is initialized, so that its numbers of states and indicators are known
  MeProblem(fmi::ModelExchange& instance, ValueSet& inputs,
            const fmi::StructuralValues& structure = {});

  std::size_t size() const override { return std::max<std::size_t>(state_count_, 1); }
  std::size_t root_count() const override { return indicator_count_; }
  bool evaluate(double t, std::span<const double> y, std::span<double> f) override;
  bool evaluate_roots(double t, std::span<const double> y, std::span<const double> yp,
                      std::span<double> g) override;
  /// A cluster whose loops are equations is a DAE.
  OdeForm form() const override {
    return algebraic().empty() ? OdeForm::explicit_ode : OdeForm::mass_matrix;
  }
  bool mass(double t, std::span<const double> y, std::span<double> values) override;
  const SparsityPattern* mass_pattern() const override {
    return mass_pattern_.column_start.empty() ? nullptr : &mass_pattern_;
  }
  std::span<const std::uint8_t> algebraic() const override;
  const SparsityPattern* jacobian_pattern() const override {
    return pattern_.column_start.empty() ? nullptr : &pattern_;
  }
  bool has_directional_derivatives() const override {
    return (!derivatives_.empty() && instance_.capabilities().provides_directional_derivatives) ||
           state_count_ == 0 || (structure_ != nullptr && structure_->has_derivatives);
  }
  bool differentiate(double t, std::span<const double> y, std::span<const double> seed,
                     std::span<double> result) override;
  bool has_adjoint_derivatives() const override {
    return elements_ && !derivatives_.empty() &&
           instance_.capabilities().provides_adjoint_derivatives;
  }
  bool differentiate_adjoint(double t, std::span<const double> y, std::span<const double> seed,
                             std::span<double> result) override;
  /// By a forward difference along the inputs; only with an exact Jacobian, because methods that
  /// use it need one.
  bool has_time_derivative() const override { return has_exact_jacobian(); }
  bool time_derivative(double t, std::span<const double> y, std::span<double> result) override;

  /// Sets the instance to t and y, with the inputs at t.
  void move_to(double t, std::span<const double> y);

  /// The inputs follow this signal; null: constant.
  void follow(InputSignal* signal) { signal_ = signal; }
  /// Some inputs follow the law of lines, from the outputs read into this set.
  void couple(Boundary& boundary, ValueSet read_inside);
  /// Time derivatives of the outputs in that set at the present time; NaN: unknown, for outputs
  /// that are not states. Empty: all unknown.
  std::span<const double> slopes_inside();
  /// At the start of a step: df/dt is not evaluated beyond this time, where the equations are not
  /// smooth, or end.
  void set_limit(double t) { limit_ = t; }
  /// From t on the equations are smooth until the next start.
  void start(double t);
  /// Until then the event indicators are reported as `indicators`: the guard against chattering.
  /// @pre it has just been started
  void look_away(double until, std::span<const double> indicators);
  /// The event indicators at t and y; zero is on the negative side. False: not available.
  bool read_indicators(double t, std::span<const double> y, std::span<double> z);

  std::size_t state_count() const { return state_count_; }
  /// After an event: asks the FMU again which elements of its derivatives depend on which states,
  /// if it can state that. True: jacobian_pattern() has changed, so that the integrator must be
  /// made again.
  bool update_pattern();
  /// What was wrong with the answer; empty: nothing.
  std::string pattern_complaint() const {
    return asked_pattern_ ? asked_pattern_->complaint() : std::string();
  }
  /// The last evaluation that the FMU rejected since the start, with its time; empty: none.
  const std::string& refusal() const { return refusal_; }
  /// The name of a continuous state for messages, and for tables.
  std::string state_name(std::size_t state) const;
  std::string state_label(std::size_t state) const;
  /// Of the algebraic unknowns.
  std::vector<std::string> algebraic_names() const;

 private:
  /// Runs an action with the FMU at (t, y). False: not possible there.
  template <class Action>
  bool attempt(double t, std::span<const double> y, const Action& action);
  bool refuse(double t, std::string_view why);  ///< returns false
  void set_inputs();
  void apply_boundary(double t);
  void find_states(const fmi::StructuralValues& structure);
  void find_pattern();

  fmi::ModelExchange& instance_;
  ValueSet& inputs_;
  InputSignal* signal_ = nullptr;
  Boundary* boundary_ = nullptr;
  ValueSet read_inside_;
  std::vector<std::int32_t>
      states_inside_;  ///< by variable read inside: number of the state; -1: none
  std::vector<double> derivatives_inside_, slopes_inside_;  ///< scratch
  std::size_t state_count_, indicator_count_;
  double start_ = 0;
  double limit_ = std::numeric_limits<double>::infinity();
  std::vector<double> ahead_;  ///< scratch
  double blind_until_ = -std::numeric_limits<double>::infinity();
  std::vector<double> blind_indicators_;
  std::string refusal_;

  const fmi::StateStructure* structure_;   ///< null: the description has it
  std::optional<StateElements> elements_;  ///< nothing: the description does not list them
  std::vector<ValueReference> states_, derivatives_;  ///< of directional and adjoint derivatives
  std::optional<ElementPattern> asked_pattern_;       ///< by the FMU
  SparsityPattern pattern_, mass_pattern_;
};

/// While it exists, algebraic unknowns of the model are solved for, also where they are unknowns of
/// the integrator.
class SolvedUnknowns {
 public:
  explicit SolvedUnknowns(fmi::ModelExchange& model) : model_(model) { model.solve_unknowns(true); }
  ~SolvedUnknowns() { model_.solve_unknowns(false); }
  SolvedUnknowns(const SolvedUnknowns&) = delete;
  SolvedUnknowns& operator=(const SolvedUnknowns&) = delete;

 private:
  fmi::ModelExchange& model_;
};

/// The event indicators at the last evaluation of the FMU's relations: at the end of a step or an
/// event.
class KnownIndicators {
 public:
  /// @param x the states at t
  void note(MeProblem& problem, double t, std::span<const double> x);
  /// Whether a relation has changed since then. @pre !empty()
  bool differ(MeProblem& problem, double t, std::span<const double> x);
  bool empty() const { return known_.empty(); }
  const std::vector<double>& values() const { return known_; }
  void restore(const std::vector<double>& values) { known_ = values; }

 private:
  std::vector<double> known_;
  std::vector<double> now_;  ///< scratch
};

}  // namespace tutti::models
