// SPDX-License-Identifier: BSD-2-Clause
// What can happen inside a step of FMI 3.0: events, early return, intermediate update.
#include <gtest/gtest.h>

#include "fmi/support/fixture.hpp"

namespace tutti::fmi::test {
namespace {

Owned<CoSimulation> make(const CoSimulationOptions& given) {
  CoSimulationOptions options = given;
  options.name = "it";
  return open_fmu("3.0", "Pulse")->instantiate_co_simulation(options);
}

// Pulse has an event at 0.5, 1.5, 2.5: the step from 0.4 to 0.6 ends there.
TEST(Fmi3Step, EndsEarlyAtAnEventAndAsksForEventMode) {
  CoSimulationOptions options;
  options.event_mode = true;
  options.early_return = true;
  const auto it = make(options);
  EXPECT_TRUE(it->event_mode_used());
  initialize(*it);
  EXPECT_EQ(it->do_step(0, 0.4).status, StepOutcome::Status::done);
  const StepOutcome outcome = it->do_step(0.4, 0.2);
  EXPECT_EQ(outcome.status, StepOutcome::Status::event);
  EXPECT_EQ(outcome.reached, 0.5);
  EXPECT_THROW(it->do_step(0.5, 0.1), std::logic_error);  // event mode is due
  it->enter_event_mode();
  const DiscreteUpdate update = iterate_events(*it);
  EXPECT_EQ(update.next_event_time, 1.5);
  it->enter_step_mode();
  EXPECT_EQ(integer(*it, "level"), 1);
  EXPECT_EQ(it->do_step(0.5, 0.1).status, StepOutcome::Status::done);
}

TEST(Fmi3Step, StartsInEventModeOnlyIfAskedTo) {
  const auto it = make({});
  EXPECT_FALSE(it->event_mode_used());
  it->enter_initialization({});
  it->exit_initialization();
  EXPECT_THROW(it->enter_event_mode(), std::logic_error);
  const StepOutcome outcome = it->do_step(0, 1);  // over the event: the FMU handles it itself
  EXPECT_EQ(outcome.status, StepOutcome::Status::done);
  EXPECT_EQ(integer(*it, "level"), 1);
}

TEST(Fmi3Step, CallsBackAtEachInternalStep) {
  std::vector<double> times;
  CoSimulationOptions options;
  options.intermediate_update = [&](CoSimulation&, const IntermediateMoment& moment) {
    times.push_back(moment.time);
    return std::optional<double>();
  };
  const auto it = make(options);
  initialize(*it);
  it->do_step(0, 0.4);
  // Four parts; the kit calls back inside the step.
  ASSERT_GE(times.size(), 3u);
  EXPECT_DOUBLE_EQ(times[0], 0.1);
  EXPECT_DOUBLE_EQ(times[1], 0.2);
  EXPECT_DOUBLE_EQ(times[2], 0.3);
}

// y integrates u by the rectangle rule; u becomes 1, 2, 3 after the first, second and third of four
// parts of length 0.1, so y = 0.1 * (0 + 1 + 2 + 3).
TEST(Fmi3Step, TakesInputsInside) {
  const auto description = open_fmu("3.0", "Pulse")->description();
  const ValueReference u = description.find("u")->value_reference;
  const ValueReference y = description.find("y")->value_reference;
  int part = 0;
  double seen = -1;
  CoSimulationOptions options;
  options.intermediate_variables = {u, y};
  options.intermediate_update = [&](CoSimulation& it, const IntermediateMoment& moment) {
    if (moment.get_allowed) it.get(Type::float64, {&y, 1}, &seen, 1);
    if (moment.set_requested) {
      const double value = ++part;
      it.set(Type::float64, {&u, 1}, &value, 1);
      EXPECT_THROW(real(it, "y"), std::logic_error);  // first read, then write (section 4.2.2)
    }
    return std::optional<double>();
  };
  const auto it = make(options);
  initialize(*it);
  it->do_step(0, 0.4);
  EXPECT_NEAR(real(*it, "y"), 0.6, 1e-15);  // rounding
  EXPECT_NEAR(seen, 0.3, 1e-15);            // at the last moment inside: 0 + 0.1 + 0.2
}

TEST(Fmi3Step, ReturnsEarlyWhenAsked) {
  CoSimulationOptions options;
  options.early_return = true;
  options.intermediate_update = [](CoSimulation&, const IntermediateMoment& moment) {
    return moment.can_return_early && moment.time >= 0.2 ? std::optional(moment.time)
                                                         : std::nullopt;
  };
  const auto it = make(options);
  initialize(*it);
  const StepOutcome outcome = it->do_step(0, 0.4);
  EXPECT_EQ(outcome.status, StepOutcome::Status::early);
  EXPECT_DOUBLE_EQ(outcome.reached, 0.2);
  it->do_step(0.2, 0.1);
}

TEST(Fmi3Step, CarriesExceptionsAroundTheFmu) {
  CoSimulationOptions options;
  options.intermediate_update = [](CoSimulation&, const IntermediateMoment&) {
    throw std::runtime_error("from inside");
    return std::optional<double>();
  };
  const auto it = make(options);
  initialize(*it);
  try {
    it->do_step(0, 0.4);
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "from inside");
  }
}

TEST(Fmi3Step, RefusesStepsFromInsideAStep) {
  CoSimulationOptions options;
  options.intermediate_update = [](CoSimulation& it, const IntermediateMoment& moment) {
    it.do_step(moment.time, 0.1);
    return std::optional<double>();
  };
  const auto it = make(options);
  initialize(*it);
  EXPECT_THROW(it->do_step(0, 0.4), std::logic_error);
}

TEST(Fmi3Step, RefusesWhatTheFmuCannotDo) {
  const auto fmu = open_fmu("3.0", "Dahlquist");
  CoSimulationOptions options;
  options.name = "it";
  options.intermediate_update = [](CoSimulation&, const IntermediateMoment&) {
    return std::optional<double>();
  };
  if (!fmu->description().co_simulation->provides_intermediate_update) {
    EXPECT_CONTAINS(
        error_of(ErrorCode::capability, [&] { fmu->instantiate_co_simulation(options); }),
        "providesIntermediateUpdate");
  }
  options.intermediate_update = nullptr;
  options.event_mode = true;
  if (!fmu->description().co_simulation->has_event_mode) {
    EXPECT_CONTAINS(
        error_of(ErrorCode::capability, [&] { fmu->instantiate_co_simulation(options); }),
        "hasEventMode");
  }
}

}  // namespace
}  // namespace tutti::fmi::test
