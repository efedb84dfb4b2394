// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>

#include "fmi/instance_core.hpp"
#include "fmi/model_exchange.hpp"

namespace tutti::fmi {

/// The symbols of one version, and the modes in which they may be called. Null: FMI 1.0 has no such
/// mode.
struct ContinuousTimeRules {
  const char *set_time, *set_continuous_states, *get_derivatives, *get_event_indicators,
      *get_continuous_states, *get_nominals, *enter_continuous_time_mode;
  std::uint32_t states_readable, evaluable, nominals_readable;
};

/// The common part of model exchange in all versions: states, derivatives and event indicators.
template <class Component, class Status>
class ContinuousTime : public ModelExchange, public Component {
 public:
  std::size_t continuous_state_count() const override {
    return this->description().continuous_state_count;
  }
  std::size_t event_indicator_count() const override {
    return this->description().event_indicator_count;
  }

  void enter_continuous_time_mode() final {
    this->expect(mode::event, "enter_continuous_time_mode");
    if (rules_.enter_continuous_time_mode) this->call(enter_continuous_time_mode_);
    this->set_mode(mode::continuous_time);
  }
  void set_time(double t) final {
    this->expect(mode::continuous_time, "set_time");
    this->note_time(t);
    this->call(set_time_, t);
  }
  void set_continuous_states(std::span<const double> x) final {
    this->expect(mode::continuous_time, "set_continuous_states");
    this->call(set_continuous_states_, x.data(), x.size());
  }
  void get_continuous_states(std::span<double> x) final {
    this->expect(rules_.states_readable, "get_continuous_states");
    this->call(get_continuous_states_, x.data(), x.size());
  }
  void get_derivatives(std::span<double> dx) final {
    this->expect(rules_.evaluable, "get_derivatives");
    ++Component::counts().derivatives;
    this->call(get_derivatives_, dx.data(), dx.size());
  }
  void get_event_indicators(std::span<double> z) final {
    this->expect(rules_.evaluable, "get_event_indicators");
    this->call(get_event_indicators_, z.data(), z.size());
  }
  DirectFunctions direct_functions() const final {
    const auto address = [](const auto& function) {
      return reinterpret_cast<DirectFunctions::Address>(function.address);
    };
    return {.version = this->description().version == FmiVersion::v3
                           ? DirectFunctions::Version::fmi3
                           : DirectFunctions::Version::scalar,
            .component = this->component(),
            .set_time = address(set_time_),
            .set_states = address(set_continuous_states_),
            .derivatives = address(get_derivatives_),
            .set = address(this->values().set_real()),
            .get = address(this->values().get_real()),
            .corrupted = &this->corrupted()};
  }
  void follow_direct_evaluations(const DirectUse& use) final {
    Component::follow_direct_evaluations(use);
  }
  void count_direct_call(DirectFunctions::Call call) final {
    using enum DirectFunctions::Call;
    CallCounts& counts = Component::counts();
    counts.set += call == set ? 1 : 0;
    counts.get += call == get ? 1 : 0;
    counts.derivatives += call == derivatives ? 1 : 0;
  }
  void judge_direct_call(DirectFunctions::Call call, int status,
                         const std::exception_ptr& thrown) final {
    const char* const function = name_of(call);
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (...) {
      this->escaped(function);
    }
    this->judge(status, function);
  }
  /// The standard requires positive nominals; of a negative one the absolute value is used, and for
  /// zero or a value that is not finite the default of the standard, 1.
  void get_nominals(std::span<double> nominals) final {
    this->expect(rules_.nominals_readable, "get_nominals");
    this->call(get_nominals_, nominals.data(), nominals.size());
    for (double& nominal : nominals) {
      nominal = std::abs(nominal);
      if (!std::isfinite(nominal) || nominal == 0) nominal = 1;
    }
  }

 protected:
  ContinuousTime(const InstanceSetup& setup, const InstanceOptions& options,
                 const ContinuousTimeRules& rules)
      : Component(setup, options), rules_(rules) {}

  void bind() {
    set_time_ = this->require(rules_.set_time);
    set_continuous_states_ = this->require(rules_.set_continuous_states);
    get_derivatives_ = this->require(rules_.get_derivatives);
    get_event_indicators_ = this->find(rules_.get_event_indicators);
    get_continuous_states_ = this->require(rules_.get_continuous_states);
    get_nominals_ = this->find(rules_.get_nominals);
    if (rules_.enter_continuous_time_mode)
      enter_continuous_time_mode_ = this->require(rules_.enter_continuous_time_mode);
  }

  Function<Status(void*, double)> set_time_;

 private:
  const char* name_of(DirectFunctions::Call call) const {
    switch (call) {
      case DirectFunctions::Call::set_time:
        return set_time_.name;
      case DirectFunctions::Call::set_states:
        return set_continuous_states_.name;
      case DirectFunctions::Call::set:
        return this->values().set_real().name;
      case DirectFunctions::Call::get:
        return this->values().get_real().name;
      case DirectFunctions::Call::derivatives:
        break;
    }
    return get_derivatives_.name;
  }

  const ContinuousTimeRules& rules_;
  Function<Status(void*)> enter_continuous_time_mode_;
  Function<Status(void*, const double*, std::size_t)> set_continuous_states_;
  Function<Status(void*, double*, std::size_t)> get_continuous_states_, get_derivatives_,
      get_event_indicators_, get_nominals_;
};

}  // namespace tutti::fmi
