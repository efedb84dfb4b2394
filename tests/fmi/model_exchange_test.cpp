// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/model_exchange.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fmi/support/fixture.hpp"

namespace tutti::fmi::test {
namespace {

/// The smallest integrator with events: explicit Euler on a fixed grid; time events are hit, state
/// events are noticed at the end of the step.
class Euler {
 public:
  explicit Euler(ModelExchange& model)
      : model_(model),
        x(model.continuous_state_count()),
        dx_(x.size()),
        z_(model.event_indicator_count()) {}

  void start(double t0, double stop) {
    t = t0;
    model_.enter_initialization({t0, stop, std::nullopt});
    model_.exit_initialization();
    handle_events();
  }
  void step(double h) {
    const bool time_event = next_event_ <= t + h;
    const double to = time_event ? next_event_ : t + h;
    model_.get_derivatives(dx_);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += (to - t) * dx_[i];
    t = to;
    model_.set_time(t);
    model_.set_continuous_states(x);
    const IntegratorStep accepted = model_.completed_integrator_step();
    terminated |= accepted.terminate;
    const std::vector<double> before = z_;
    model_.get_event_indicators(z_);
    bool state_event = false;
    for (std::size_t i = 0; i < z_.size(); ++i) state_event |= (z_[i] > 0) != (before[i] > 0);
    if (!time_event && !state_event && !accepted.enter_event_mode) return;
    ++events;
    model_.enter_event_mode();
    handle_events();
  }

 private:
  void handle_events() {
    const DiscreteUpdate update = iterate_events(model_);
    terminated |= update.terminate;
    next_event_ = update.next_event_time.value_or(std::numeric_limits<double>::infinity());
    model_.enter_continuous_time_mode();
    model_.get_continuous_states(x);
    model_.get_event_indicators(z_);
  }
  ModelExchange& model_;

 public:
  double t = 0;
  std::vector<double> x;
  int events = 0;
  bool terminated = false;

 private:
  std::vector<double> dx_, z_;
  double next_event_ = 0;
};

Owned<ModelExchange> make_me(const std::string& version, const std::string& model) {
  return open_fmu(version, model)->instantiate_model_exchange({"it"});
}

class EveryModelExchange : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Versions, EveryModelExchange, testing::Values("1.0-me", "2.0", "3.0"),
                         [](const auto& version) {
                           return "Fmi" + std::string(1, *version.param);
                         });

// x' = -x by explicit Euler is x(n) = (1 - h)^n, up to the rounding of n multiplications.
TEST_P(EveryModelExchange, GivesTheDerivatives) {
  const auto model = make_me(GetParam(), "Dahlquist");
  Euler euler(*model);
  euler.start(0, 1);
  for (int n = 0; n < 100; ++n) euler.step(0.01);
  EXPECT_NEAR(euler.x[0], std::pow(0.99, 100), 1e-13);  // 100 roundings of 1e-16, and the pow
  EXPECT_EQ(model->counts().derivatives, 100u);
}

// The ball falls from 1 m: first contact at sqrt(2/g) = 0.4515 s, then it keeps 0.7 of its speed,
// so the next flights last 2 * 0.7^n * 0.4515 s; all contacts up to rest are over at
// 0.4515 * (1 + 2 * 0.7/0.3) = 2.56 s. At rest h and v stay.
TEST_P(EveryModelExchange, HandlesStateEvents) {
  const auto model = make_me(GetParam(), "BouncingBall");
  Euler euler(*model);
  euler.start(0, 3);
  double first_contact = 0;
  for (int n = 0; n < 3000; ++n) {
    euler.step(1e-3);
    if (euler.events == 1 && first_contact == 0) first_contact = euler.t;
  }
  EXPECT_NEAR(first_contact, std::sqrt(2 / 9.81), 2e-3);  // grid and Euler: O(h) each
  // Speed 4.43 * 0.7^n falls below 0.1 at n = 11: contacts 1 to 11.
  EXPECT_NEAR(euler.events, 11, 1);  // the last, tiny flights are shorter than h
  EXPECT_NEAR(euler.x[0], 0, 1e-3);  // one step of fall
  EXPECT_EQ(euler.x[1], 0);
}

TEST_P(EveryModelExchange, HandlesTimeEventsAndTermination) {
  const auto model = make_me(GetParam(), "Stair");
  Euler euler(*model);
  euler.start(0, 10);
  while (!euler.terminated && euler.t < 20) euler.step(0.3);
  EXPECT_EQ(euler.t, 9.0);  // counter 1 -> 10 takes nine events, each hit exactly
  EXPECT_EQ(euler.events, 9);
  EXPECT_EQ(integer(*model, "counter"), 10);
}

// x' = 1 with h = 1/4 is exact in binary: x reaches 1 at every fourth step and loses 1.
TEST_P(EveryModelExchange, HandlesStepEvents) {
  const auto model = make_me(GetParam(), "Saw");
  Euler euler(*model);
  euler.start(0, 5);
  for (int n = 0; n < 20; ++n) euler.step(0.25);
  EXPECT_EQ(integer(*model, "jumps"), 5);
  EXPECT_EQ(euler.x[0], 0.0);
}

TEST_P(EveryModelExchange, GivesNominalsAboveZero) {
  const auto model = make_me(GetParam(), "Thermostat");
  Euler euler(*model);
  euler.start(0, 1);
  std::vector<double> nominals(model->continuous_state_count(), -1);
  model->get_nominals(nominals);
  for (const double nominal : nominals) EXPECT_GT(nominal, 0);
}

TEST_P(EveryModelExchange, RefusesCallsInTheWrongOrder) {
  const auto model = make_me(GetParam(), "Dahlquist");
  std::vector<double> x(1);
  EXPECT_THROW(model->set_continuous_states(x), std::logic_error);
  EXPECT_THROW(model->update_discrete_states(), std::logic_error);
  model->enter_initialization({});
  EXPECT_THROW(model->enter_continuous_time_mode(), std::logic_error);
  model->exit_initialization();
  EXPECT_THROW(model->set_time(1), std::logic_error);  // event mode
  EXPECT_THROW(model->completed_integrator_step(), std::logic_error);
  iterate_events(*model);
  model->enter_continuous_time_mode();
  EXPECT_THROW(model->update_discrete_states(), std::logic_error);
  model->terminate();
  EXPECT_THROW(model->set_time(1), std::logic_error);
}

// FMI 3.0: the structural parameter n is the number of states.
TEST(ModelExchangeOfFmi3, CountsStatesAfterConfiguration) {
  const auto model = make_me("3.0", "StateSpace");
  EXPECT_EQ(model->continuous_state_count(), 3u);
  model->enter_configuration_mode();
  const ValueReference n[] = {reference(*model, "n")};
  const std::uint64_t five = 5;
  model->set(Type::uint64, n, &five, 1);
  model->exit_configuration_mode();
  EXPECT_EQ(model->continuous_state_count(), 5u);
  model->reset();
  EXPECT_EQ(model->continuous_state_count(), 3u);
}

}  // namespace
}  // namespace tutti::fmi::test
