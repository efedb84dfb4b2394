// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <limits>

#include "fmi/model_exchange.hpp"
#include "models/input_signal.hpp"
#include "solvers/ode/ode.hpp"

namespace tutti::models {

/// The equations of a model-exchange FMU as an ODE; its event indicators are the root functions.
/// A model without states gets one that stays at zero, so that time still runs.
class MeProblem final : public solvers::OdeProblem {
 public:
  /// @pre the instance is initialized: it may be asked for its numbers of states and indicators
  MeProblem(fmi::ModelExchange& instance, ValueSet& inputs);

  std::size_t size() const override { return std::max<std::size_t>(state_count_, 1); }
  std::size_t root_count() const override { return indicator_count_; }
  bool evaluate(double t, std::span<const double> y, std::span<double> f) override;
  bool evaluate_roots(double t, std::span<const double> y, std::span<double> g) override;
  const solvers::SparsityPattern* jacobian_pattern() const override {
    return pattern_.column_start.empty() ? nullptr : &pattern_;
  }
  bool has_directional_derivatives() const override { return !derivatives_.empty(); }
  bool differentiate(double t, std::span<const double> y, std::span<const double> seed,
                     std::span<double> result) override;

  /// Brings the instance to t and y, with the inputs that belong there.
  void move_to(double t, std::span<const double> y);

  /// The inputs follow this signal; null: they hold.
  void follow(InputSignal* signal) { signal_ = signal; }
  /// From t on the equations are smooth until the next start.
  void start(double t);
  /// Until then the roots are taken to be `indicators`: the guard against chattering.
  /// @pre it has just been started
  void look_away(double until, std::span<const double> indicators);
  /// The event indicators at t and y; zero is on the negative side. False: they are not known.
  bool read_indicators(double t, std::span<const double> y, std::span<double> z);

  std::size_t state_count() const { return state_count_; }
  /// What the FMU last refused to compute since the start, and when; empty: nothing.
  const std::string& refusal() const { return refusal_; }
  /// For people: the name of a continuous state.
  std::string state_name(std::size_t state) const;

 private:
  /// Does something with the FMU at (t, y). False: it cannot be done there.
  template <class Action>
  bool attempt(double t, std::span<const double> y, const Action& action);
  bool refuse(double t, std::string_view why);  ///< answers false
  void find_states();
  void find_pattern();

  fmi::ModelExchange& instance_;
  ValueSet& inputs_;
  InputSignal* signal_ = nullptr;
  std::size_t state_count_, indicator_count_;
  double start_ = 0;
  double blind_until_ = -std::numeric_limits<double>::infinity();
  std::vector<double> blind_indicators_;
  std::string refusal_;

  std::vector<std::int32_t> state_variables_;  ///< scalars only; empty if that cannot be told
  std::vector<ValueReference> states_, derivatives_;  ///< for directional derivatives
  solvers::SparsityPattern pattern_;
};

}  // namespace tutti::models
