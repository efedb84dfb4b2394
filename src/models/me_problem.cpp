// SPDX-License-Identifier: BSD-2-Clause
#include "models/me_problem.hpp"

#include <fmt/format.h>

#include <cmath>

#include "solvers/ode/components.hpp"

namespace tutti::models {

using solvers::has_only_finite;

MeProblem::MeProblem(fmi::ModelExchange& instance, ValueSet& inputs,
                     const fmi::StructuralValues& structure)
    : instance_(instance),
      inputs_(inputs),
      state_count_(instance.continuous_state_count()),
      indicator_count_(instance.event_indicator_count()),
      blind_indicators_(indicator_count_),
      structure_(instance.state_structure()) {
  if (structure_ != nullptr) {
    if (state_count_ > 0) pattern_ = structure_->pattern;
    if (!algebraic().empty())
      mass_pattern_ = pattern_of_rows(std::vector<std::vector<std::size_t>>(state_count_));
    return;
  }
  find_states(structure);
  if (elements_) find_pattern();
}

// Where the description does not list the states, J is dense and computed by differences.
void MeProblem::find_states(const fmi::StructuralValues& structure) {
  const ModelDescription& description = instance_.description();
  elements_ = find_state_elements(description, structure);
  if (!elements_) return;
  for (const StateElements::Array& array : elements_->arrays) {
    const auto reference = [&](std::int32_t variable) {
      return description.variables[static_cast<std::size_t>(variable)].value_reference;
    };
    states_.push_back(reference(array.state));
    derivatives_.push_back(reference(array.derivative));
  }
  if (elements_->count != state_count_) elements_.reset();
}

// The dependencies of ModelStructure are those of whole arrays. An FMU of FMI 3.0 may know better.
void MeProblem::find_pattern() {
  const bool has_arrays = elements_->count > elements_->arrays.size();
  if (has_arrays && instance_.capabilities().per_element_dependencies) {
    asked_pattern_.emplace(instance_, *elements_);
    if (!asked_pattern_->is_full()) pattern_ = asked_pattern_->pattern();
    return;
  }
  const auto dependencies = described_dependencies(instance_.description(), *elements_);
  if (!dependencies) return;
  const bool is_full =
      has_arrays && entry_count(*elements_, *dependencies) == state_count_ * state_count_;
  if (!is_full) pattern_ = pattern_of_arrays(*elements_, *dependencies);
}

bool MeProblem::update_pattern() {
  if (!asked_pattern_ || !asked_pattern_->update()) return false;
  pattern_ = asked_pattern_->is_full() ? SparsityPattern() : asked_pattern_->pattern();
  return true;
}

std::span<const std::uint8_t> MeProblem::algebraic() const {
  return structure_ == nullptr ? std::span<const std::uint8_t>() : structure_->algebraic;
}

bool MeProblem::mass(double /*t*/, std::span<const double> /*y*/, std::span<double> values) {
  std::ranges::transform(algebraic(), values.begin(),
                         [](std::uint8_t is_algebraic) { return is_algebraic != 0 ? 0.0 : 1.0; });
  return true;
}

std::string MeProblem::state_name(std::size_t state) const {
  if (structure_ != nullptr || elements_) return fmt::format("\"{}\"", state_label(state));
  return fmt::format("number {}", state + 1);
}

std::string MeProblem::state_label(std::size_t state) const {
  if (structure_ != nullptr && state < structure_->names.size()) return structure_->names[state];
  if (!elements_ || state >= elements_->count) return fmt::format("state {}", state + 1);
  const auto after =
      std::ranges::upper_bound(elements_->arrays, state, {}, &StateElements::Array::first);
  const StateElements::Array& array = *std::prev(after);
  const Variable& variable =
      instance_.description().variables[static_cast<std::size_t>(array.state)];
  if (!variable.is_array()) return variable.name;
  return fmi::element_name(variable.name, array.shape, state - array.first);
}

std::vector<std::string> MeProblem::algebraic_names() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < algebraic().size(); ++i)
    if (algebraic()[i] != 0) names.push_back(state_label(i));
  return names;
}

void MeProblem::start(double t) {
  start_ = t;
  refusal_.clear();
  blind_until_ = -std::numeric_limits<double>::infinity();
}

void MeProblem::look_away(double until, std::span<const double> indicators) {
  std::ranges::copy(indicators, blind_indicators_.begin());
  blind_until_ = until;
}

void MeProblem::move_to(double t, std::span<const double> y) {
  instance_.set_time(t);
  if (state_count_ > 0) instance_.set_continuous_states(y);
  if (inputs_.empty() && boundary_ == nullptr) return;
  // Up to a jump of an input, the equations use its value before the jump.
  if (signal_ != nullptr) {
    if (t > start_)
      signal_->write_before(t, inputs_);
    else
      signal_->write(t, inputs_);
  }
  if (boundary_ != nullptr)
    apply_boundary(t);
  else
    set_inputs();
}

// FMI 2.0, 3.2.1 and 3.0, 3.2.3: in continuous-time mode only continuous inputs may be set.
void MeProblem::set_inputs() {
  if (instance_.description().version == FmiVersion::v1)
    inputs_.set_to(instance_);
  else
    inputs_.set_continuous_to(instance_);
}

void MeProblem::couple(Boundary& boundary, ValueSet read_inside) {
  boundary_ = &boundary;
  read_inside_ = std::move(read_inside);
  boundary.read_from(read_inside_);
  const auto& variables = instance_.description().variables;
  const auto reference = [&](std::int32_t variable) {
    return variables[static_cast<std::size_t>(variable)].value_reference;
  };
  if (states_.size() != state_count_) return;  // the states are not known
  for (const std::int32_t variable : read_inside_.variables()) {
    const auto found = std::ranges::find(states_, reference(variable));
    const bool is_state = found != states_.end() &&
                          !variables[static_cast<std::size_t>(variable)].is_array() &&
                          variables[static_cast<std::size_t>(variable)].type == Type::float64;
    states_inside_.push_back(is_state ? static_cast<std::int32_t>(found - states_.begin()) : -1);
  }
  if (std::ranges::all_of(states_inside_, [](std::int32_t s) { return s < 0; }))
    states_inside_.clear();
}

std::span<const double> MeProblem::slopes_inside() {
  if (states_inside_.empty()) return {};
  derivatives_inside_.resize(state_count_);
  instance_.get_derivatives(derivatives_inside_);
  slopes_inside_.clear();
  for (const std::int32_t state : states_inside_)
    slopes_inside_.push_back(state < 0 ? std::numeric_limits<double>::quiet_NaN()
                                       : derivatives_inside_[static_cast<std::size_t>(state)]);
  return slopes_inside_;
}

/// Flows without direct feed-through from efforts are read first. Others need a few iterations.
void MeProblem::apply_boundary(double t) {
  constexpr int most_rounds = 20;
  read_inside_.get_from(instance_);
  boundary_->apply(t, t > start_);
  set_inputs();
  if (!boundary_->has_feed_through()) return;
  for (int round = 0; round < most_rounds; ++round) {
    read_inside_.get_from(instance_);
    if (boundary_->correct()) return;
    set_inputs();
  }
  throw Discarded(Error(ErrorCode::numeric,
                        "the law of its lines cannot be solved: flows at its ports depend on "
                        "efforts directly"));
}

bool MeProblem::evaluate(double t, std::span<const double> y, std::span<double> f) {
  if (!has_only_finite(y)) return false;
  return attempt(t, y, [&] {
    if (state_count_ == 0) {
      f[0] = 0;
      return true;
    }
    instance_.get_derivatives(f);
    if (has_only_finite(f)) return true;
    if (structure_ == nullptr) return refuse(t, "its derivatives are not finite");
    const auto worst = std::ranges::find_if(f, [](double d) { return !std::isfinite(d); });
    const auto state = static_cast<std::size_t>(worst - f.begin());
    return refuse(t, fmt::format("the derivative of {} is not finite", state_name(state)));
  });
}

template <class Action>
bool MeProblem::attempt(double t, std::span<const double> y, const Action& action) {
  try {
    move_to(t, y);
    return action();
  } catch (const Discarded& discarded) {
    return refuse(t, discarded.what());
  }
}

bool MeProblem::refuse(double t, std::string_view why) {
  refusal_ = fmt::format("at t = {:.13g} s: {}", t, why);
  return false;
}

bool MeProblem::evaluate_roots(double t, std::span<const double> y, std::span<const double>,
                               std::span<double> g) {
  if (t >= blind_until_) return read_indicators(t, y, g);
  std::ranges::copy(blind_indicators_, g.begin());
  return true;
}

// FMI 2.0, 3.1.1 and 3.0, 3.1.1: an event is a change between z > 0 and z <= 0, so zero belongs to
// the negative side, where a root finder would treat it as neither. SUNDIALS looks for changes of
// sign in products of two values; those of tiny ones are 0, so no value may be that small.
bool MeProblem::read_indicators(double t, std::span<const double> y, std::span<double> z) {
  return attempt(t, y, [&] {
    instance_.get_event_indicators(z);
    constexpr double least = 1e-150;
    for (double& value : z)
      if (std::abs(value) < least) value = value > 0 ? least : -least;
    return has_only_finite(z) || refuse(t, "its event indicators are not finite");
  });
}

bool MeProblem::differentiate(double t, std::span<const double> y, std::span<const double> seed,
                              std::span<double> result) {
  if (state_count_ == 0) {
    std::ranges::fill(result, 0.0);
    return true;
  }
  return attempt(t, y, [&] {
    if (structure_ != nullptr)
      instance_.differentiate_states(seed, result);
    else
      instance_.directional_derivative(derivatives_, states_, seed, result);
    return has_only_finite(result) || refuse(t, "its directional derivatives are not finite");
  });
}

bool MeProblem::differentiate_adjoint(double t, std::span<const double> y,
                                      std::span<const double> seed, std::span<double> result) {
  return attempt(t, y, [&] {
    instance_.adjoint_derivative(derivatives_, states_, seed, result);
    return has_only_finite(result) || refuse(t, "its adjoint derivatives are not finite");
  });
}

// A Rosenbrock method takes h^2 df/dt. With rounding errors eps |f| in f and a difference over
// d = sqrt(eps max(|t|, 1e-5)), as in the code RODAS, the error is h^2 eps |f| / d, which at t = 1
// s is 1.5e-8 h of what f itself contributes, and by h^2 d/2 d2f/dt2. Near the limit d is what is
// left, and so is h at most: then the error is h eps |f|, a rounding error.
bool MeProblem::time_derivative(double t, std::span<const double> y, std::span<double> result) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const double ahead = std::min(t + std::sqrt(eps * std::max(std::abs(t), 1e-5)), limit_);
  std::ranges::fill(result, 0.0);
  if (!(ahead > t)) return true;  // no step follows
  ahead_.resize(size());
  if (!evaluate(ahead, y, ahead_) || !evaluate(t, y, result)) return false;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = (ahead_[i] - result[i]) / (ahead - t);
  return true;
}

void KnownIndicators::note(MeProblem& problem, double t, std::span<const double> x) {
  known_.resize(problem.root_count());
  if (!known_.empty() && !problem.read_indicators(t, x, known_)) known_.clear();
}

bool KnownIndicators::differ(MeProblem& problem, double t, std::span<const double> x) {
  now_.resize(known_.size());
  if (!problem.read_indicators(t, x, now_)) return false;
  return !std::ranges::equal(known_, now_,
                             [](double before, double now) { return (before > 0) == (now > 0); });
}

}  // namespace tutti::models
