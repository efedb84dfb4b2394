// SPDX-License-Identifier: BSD-2-Clause
#include "api/trial_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tutti::api {
namespace {

constexpr int most_event_iterations = 1000;

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
  void begin(const Trial& trial) override {
    position.time = trial.start;
    step_ = trial.step;
  }
  bool advance() override {
    const fmi::StepOutcome outcome = instance_->do_step(position.time, step_, true);
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
  std::unique_ptr<fmi::CoSimulation> instance_;
};

/// Explicit Euler with the events that the FMU asks for.
class MePlayer final : public TrialPlayer {
 public:
  MePlayer(const Trial& trial, const std::string& name) : TrialPlayer(trial.fmu->description()) {
    fmi::InstanceOptions options;
    options.name = name;
    instance_ = trial.fmu->instantiate_model_exchange(options);
  }

  fmi::FmuInstance& instance() override { return *instance_; }

  void begin(const Trial& trial) override {
    position.time = trial.start;
    step_ = trial.step;
    const std::size_t count = instance_->continuous_state_count();
    const std::size_t indicators = instance_->event_indicator_count();
    position.states.resize(count);
    derivatives_.resize(count);
    indicators_.resize(indicators);
    for (std::size_t i = 1; i <= count; ++i) names_.push_back(fmt::format("state {}", i));
    for (std::size_t i = 1; i <= count; ++i) names_.push_back(fmt::format("derivative {}", i));
    for (std::size_t i = 1; i <= indicators; ++i) {
      names_.push_back(fmt::format("event indicator {}", i));
    }
    handle_event();
    nominals_.resize(count);
    if (count > 0) instance_->get_nominals(nominals_);
  }

  bool advance() override {
    read_derivatives();
    const double h = step_size();
    for (std::size_t i = 0; i < derivatives_.size(); ++i) {
      position.states[i] += h * derivatives_[i];
    }
    position.time += h;
    instance_->set_time(position.time);
    if (!position.states.empty()) instance_->set_continuous_states(position.states);
    const fmi::IntegratorStep end = instance_->completed_integrator_step(true);
    if (end.terminate || ended_) return false;
    const bool due = position.next_event && *position.next_event <= position.time;
    if (end.enter_event_mode || due) {
      instance_->enter_event_mode();
      handle_event();
    }
    return !ended_;
  }

  void read(std::vector<double>& to) override {
    read_outputs(to);
    read_derivatives();
    if (!indicators_.empty()) instance_->get_event_indicators(indicators_);
    to.insert(to.end(), position.states.begin(), position.states.end());
    to.insert(to.end(), derivatives_.begin(), derivatives_.end());
    to.insert(to.end(), indicators_.begin(), indicators_.end());
  }

 private:
  /// No state moves by more than a thousandth in a step, so Euler cannot blow up where the model is
  /// stiff.
  double step_size() const {
    double h = step_;
    for (std::size_t i = 0; i < derivatives_.size(); ++i) {
      const double most = 1e-3 * std::max(std::abs(position.states[i]), nominals_[i]);
      if (std::abs(derivatives_[i]) * h > most) h = most / std::abs(derivatives_[i]);
    }
    return h;
  }

  void handle_event() {
    fmi::DiscreteUpdate update;
    int count = 0;
    do {
      update = instance_->update_discrete_states();
      if (++count > most_event_iterations) {
        throw Error(ErrorCode::numeric, "its event iteration does not end");
      }
      ended_ = ended_ || update.terminate;
    } while (update.needs_another && !ended_);
    position.next_event = update.next_event_time;
    instance_->enter_continuous_time_mode();
    if (!position.states.empty()) instance_->get_continuous_states(position.states);
  }

  // Some FMUs refuse to answer with no values.
  void read_derivatives() {
    if (!derivatives_.empty()) instance_->get_derivatives(derivatives_);
  }

  std::unique_ptr<fmi::ModelExchange> instance_;
  std::vector<double> derivatives_, indicators_, nominals_;
  bool ended_ = false;
};

}  // namespace

std::optional<double> number_in(const models::ValueSet& set, const models::Scalar& scalar) {
  switch (scalar.type) {
    case Type::string:
    case Type::binary:
      return std::nullopt;
    case Type::float32:
    case Type::float64:
      return set.read(scalar).real;
    case Type::int8:
    case Type::int16:
    case Type::int32:
    case Type::int64:
    case Type::enumeration:
      return static_cast<double>(set.read(scalar).integer);
    default:
      return static_cast<double>(set.read(scalar).natural);
  }
}

TrialPlayer::TrialPlayer(const ModelDescription& description)
    : outputs_(description, outputs_of(description), {}) {
  for (const models::Scalar& scalar : outputs_.scalars()) {
    if (scalar.type != Type::string && scalar.type != Type::binary) names_.push_back(scalar.name);
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

}  // namespace tutti::api
