// SPDX-License-Identifier: BSD-2-Clause
#include "session/trial/trial_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/element_pattern.hpp"
#include "models/fmu_model.hpp"

namespace tutti::session {
namespace {

std::vector<std::int32_t> outputs_of(const ModelDescription& description) {
  std::vector<std::int32_t> list;
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (variable.causality == Causality::output && variable.type != Type::clock) {
      list.push_back(static_cast<std::int32_t>(i));
    }
  }
  return list;
}

class CsPlayer final : public TrialPlayer {
 public:
  CsPlayer(const Trial& trial, const std::string& name)
      : TrialPlayer(trial.fmu->description()),
        instance_(trial.fmu->instantiate_co_simulation(options(name))) {}

  fmi::FmuInstance& instance() override { return *instance_; }
  bool begin(const Trial& trial) override {
    position.time = trial.start;
    step_ = trial.step;
    return true;
  }
  bool advance() override {
    const StepOutcome outcome = instance_->do_step(position.time, step_, may_go_back);
    position.time = outcome.reached;
    return outcome.is_plain();
  }
  void read(std::vector<double>& to) override { read_outputs(to); }

 private:
  static fmi::CoSimulationOptions options(const std::string& name) {
    fmi::CoSimulationOptions options;
    options.name = name;
    return options;
  }
  fmi::Owned<fmi::CoSimulation> instance_;
};

/// Explicit Euler with the events that the FMU requests.
class MePlayer final : public TrialPlayer {
 public:
  MePlayer(const Trial& trial, const std::string& name) : TrialPlayer(trial.fmu->description()) {
    fmi::InstanceOptions options;
    options.name = name;
    instance_ = trial.fmu->instantiate_model_exchange(options);
  }

  fmi::FmuInstance& instance() override { return *instance_; }

  bool begin(const Trial& trial) override {
    position.time = trial.start;
    step_ = trial.step;
    const std::size_t count = instance_->continuous_state_count();
    const std::size_t indicators = instance_->event_indicator_count();
    position.states.resize(count);
    position.indicators.resize(indicators);
    derivatives_.resize(count);
    nominals_.resize(count);
    name_all(count, indicators);
    if (!handle_event()) return false;
    const auto states = models::find_state_elements(instance_->description());
    if (states && states->count == count && instance_->capabilities().per_element_dependencies)
      complaint = models::ElementPattern(*instance_, *states).complaint();
    return true;
  }

  bool advance() override {
    read_derivatives();
    const double h = step_size();
    for (std::size_t i = 0; i < derivatives_.size(); ++i) {
      position.states[i] += h * derivatives_[i];
    }
    const double end_of_step = position.time + h;
    constexpr double rounding = 1e-9;
    const bool time_event =
        position.next_event && *position.next_event <= end_of_step + rounding * h;
    const bool hit = time_event && *position.next_event > position.time;
    position.time = hit ? *position.next_event : end_of_step;
    instance_->set_time(position.time);
    if (!position.states.empty()) instance_->set_continuous_states(position.states);
    const bool state_event = indicators_changed_sign();
    const fmi::IntegratorStep end = instance_->completed_integrator_step(may_go_back);
    if (end.terminate) return false;
    if (!end.enter_event_mode && !time_event && !state_event) return true;
    instance_->enter_event_mode();
    return handle_event();
  }

  void read(std::vector<double>& to) override {
    read_outputs(to);
    read_derivatives();
    to.insert(to.end(), position.states.begin(), position.states.end());
    to.insert(to.end(), derivatives_.begin(), derivatives_.end());
    to.insert(to.end(), position.indicators.begin(), position.indicators.end());
  }

 private:
  void name_all(std::size_t states, std::size_t indicators) {
    names_.resize(output_count_);  // it may restart after a reset
    for (std::size_t i = 1; i <= states; ++i) names_.push_back(fmt::format("state {}", i));
    for (std::size_t i = 1; i <= states; ++i) names_.push_back(fmt::format("derivative {}", i));
    for (std::size_t i = 1; i <= indicators; ++i) {
      names_.push_back(fmt::format("event indicator {}", i));
    }
  }

  /// No state moves by more than a thousandth in a step, so Euler cannot diverge where the model is
  /// stiff; and none beyond a time event (FMI 2.0, 3.2.2; FMI 3.0, 2.3.5).
  double step_size() const {
    double h = step_;
    if (position.next_event && *position.next_event > position.time) {
      h = std::min(h, *position.next_event - position.time);
    }
    for (std::size_t i = 0; i < derivatives_.size(); ++i) {
      const double most = 1e-3 * std::max(std::abs(position.states[i]), nominals_[i]);
      if (std::abs(derivatives_[i]) * h > most) h = most / std::abs(derivatives_[i]);
    }
    return h;
  }

  /// Evaluates the indicators at the end of a step. An event is a change between z > 0 and z <= 0
  /// (FMI 2.0, 3.1.1; FMI 3.0, 3.1.1).
  bool indicators_changed_sign() {
    before_ = position.indicators;
    read_indicators();
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if ((before_[i] > 0) != (position.indicators[i] > 0)) return true;
    }
    return false;
  }

  /// From event mode to continuous-time mode; false if the FMU asks to end the run instead, after
  /// which nothing but terminating and freeing is allowed (FMI 2.0, 3.2.2; FMI 3.0, 2.3).
  bool handle_event() {
    const fmi::DiscreteUpdate update = models::settle_discrete_states(*instance_, position.time);
    if (update.terminate) return false;
    position.next_event = update.next_event_time;
    instance_->enter_continuous_time_mode();
    if (!position.states.empty()) {
      instance_->get_continuous_states(position.states);
      instance_->get_nominals(nominals_);
    }
    read_indicators();
    return true;
  }

  // Some FMUs return an error if there are no values.
  void read_derivatives() {
    if (!derivatives_.empty()) instance_->get_derivatives(derivatives_);
  }
  void read_indicators() {
    if (!position.indicators.empty()) instance_->get_event_indicators(position.indicators);
  }

  fmi::Owned<fmi::ModelExchange> instance_;
  std::vector<double> derivatives_, nominals_, before_;
  const std::size_t output_count_ = names_.size();
};

}  // namespace

std::optional<double> number_in(const models::ValueSet& set, const models::Scalar& scalar) {
  if (is_text(scalar.type)) return std::nullopt;
  return as_real(scalar.type, set.read(scalar));
}

TrialPlayer::TrialPlayer(const ModelDescription& description)
    : outputs_(description, outputs_of(description), {}) {
  for (const models::Scalar& scalar : outputs_.scalars()) {
    if (!is_text(scalar.type)) names_.push_back(scalar.name);
  }
}

void TrialPlayer::read_outputs(std::vector<double>& to) {
  outputs_.get_from(instance());
  for (const models::Scalar& scalar : outputs_.scalars()) {
    if (const std::optional<double> number = number_in(outputs_, scalar)) to.push_back(*number);
  }
}

std::unique_ptr<TrialPlayer> make_player(const Trial& trial, const std::string& name) {
  if (trial.model_exchange) return std::make_unique<MePlayer>(trial, name);
  return std::make_unique<CsPlayer>(trial, name);
}

}  // namespace tutti::session
