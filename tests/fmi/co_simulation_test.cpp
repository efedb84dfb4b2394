// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/co_simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fmi/support/fixture.hpp"

namespace tutti::fmi::test {
namespace {

Owned<CoSimulation> make(const std::string& version, const std::string& model,
                         const Log& log = {}) {
  return open_fmu(version, model, log)->instantiate_co_simulation(named("it"));
}

class EveryCoSimulation : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Versions, EveryCoSimulation, testing::Values("1.0-cs", "2.0", "3.0"),
                         [](const auto& version) {
                           return "Fmi" + std::string(1, *version.param);
                         });

// x' = -k x with k = 1, x(0) = 1; the kit integrates with a Runge-Kutta method of order 4, so at
// h = 0.1 the error after t = 1 is about h^4 / 120 = 8e-7.
TEST_P(EveryCoSimulation, StepsThroughAnExponential) {
  const auto it = make(GetParam(), "Dahlquist");
  initialize(*it);
  for (int n = 0; n < 10; ++n) {
    const StepOutcome outcome = it->do_step(n * 0.1, 0.1);
    EXPECT_EQ(outcome.status, StepOutcome::Status::done);
    EXPECT_EQ(outcome.reached, n * 0.1 + 0.1);
  }
  EXPECT_NEAR(real(*it, "x"), std::exp(-1.0), 1e-6);  // see above
  EXPECT_EQ(it->counts().do_step, 10u);
}

TEST_P(EveryCoSimulation, StepsByBareCallsAsByItsOwnFunctions) {
  const auto apart = make(GetParam(), "Feedthrough"), bare = make(GetParam(), "Feedthrough");
  initialize(*apart);
  initialize(*bare);
  const ValueReference in[] = {reference(*bare, "real_in")};
  const ValueReference out[] = {reference(*bare, "real_out")};
  double u = 0, y = 0;
  const DirectStep step =
      bare->direct_step({Type::float64, in, &u, 1}, {Type::float64, out, &y, 1});
  using Version = DirectStep::Version;
  if (std::string(GetParam()) == "1.0-cs") {
    EXPECT_EQ(step.version, Version::none);
    return;
  }
  std::uint64_t counter = 5;
  bare->count_direct_steps(&counter, true, true);
  for (int n = 0; n < 3; ++n) {
    u = 2.5 + n;
    DirectStep::End end;
    ++counter;
    const bool plain = step.version == Version::fmi2 ? step.run<Version::fmi2>(n, 1, end)
                                                     : step.run<Version::fmi3>(n, 1, end);
    EXPECT_TRUE(plain);
    set_real(*apart, "real_in", u);
    apart->do_step(n, 1);
    EXPECT_EQ(y, real(*apart, "real_out"));
  }
  EXPECT_EQ(bare->counts().do_step, 3u);
  EXPECT_EQ(bare->counts().set, 3u);
  EXPECT_EQ(bare->counts().get, 3u);
  bare->uncount_direct_step();
  EXPECT_EQ(bare->counts().do_step, 2u);
  bare->count_direct_steps(nullptr, false, false);
  EXPECT_EQ(bare->counts().do_step, 2u);
}

TEST_P(EveryCoSimulation, TakesStartValuesBeforeInitialization) {
  const auto it = make(GetParam(), "Dahlquist");
  set_real(*it, "k", 0);
  initialize(*it);
  it->do_step(0, 1);
  EXPECT_EQ(real(*it, "x"), 1.0);  // x' = 0
}

TEST_P(EveryCoSimulation, RefusesCallsInTheWrongOrder) {
  const auto it = make(GetParam(), "Feedthrough");
  EXPECT_THROW(it->do_step(0, 1), std::logic_error);
  EXPECT_THROW(it->exit_initialization(), std::logic_error);
  EXPECT_THROW(it->terminate(), std::logic_error);
  it->enter_initialization({});
  EXPECT_THROW(it->enter_initialization({}), std::logic_error);
  EXPECT_THROW(it->do_step(0, 1), std::logic_error);
  it->exit_initialization();
  it->do_step(0, 1);
  it->terminate();
  EXPECT_THROW(it->do_step(1, 1), std::logic_error);
  EXPECT_THROW(set_real(*it, "real_in", 1), std::logic_error);
  EXPECT_NO_THROW(real(*it, "real_out"));  // final values may be read
}

// FMI 2.0.5 section 4.2.4, FMI 3.0 section 4.2.1.
TEST_P(EveryCoSimulation, RefusesToReadBetweenSettingInputsAndStepping) {
  const auto it = make(GetParam(), "Feedthrough");
  initialize(*it);
  set_real(*it, "real_in", 1);
  EXPECT_THROW(real(*it, "real_out"), std::logic_error);
  it->do_step(0, 1);
  EXPECT_EQ(real(*it, "real_out"), 1.0);
}

TEST_P(EveryCoSimulation, SaysWhetherOutputsExistDuringInitialization) {
  const auto it = make(GetParam(), "Feedthrough");
  it->enter_initialization({});
  set_real(*it, "real_in", 2.5);
  if (it->can_get_in_initialization()) {
    EXPECT_EQ(real(*it, "real_out"), 2.5);
  } else {
    EXPECT_THROW(real(*it, "real_out"), std::logic_error);
  }
}

TEST_P(EveryCoSimulation, StartsAgainAfterReset) {
  const auto it = make(GetParam(), "Dahlquist");
  initialize(*it);
  it->do_step(0, 1);
  it->terminate();
  it->reset();
  initialize(*it);
  it->do_step(0, 0.1);
  EXPECT_NEAR(real(*it, "x"), std::exp(-0.1), 1e-6);  // order 4 at h = 0.1
}

TEST_P(EveryCoSimulation, FindsItsResources) {
  const auto it = make(GetParam(), "Resource");
  initialize(*it);
  it->do_step(0, 1);
  EXPECT_EQ(integer(*it, "y"), 'a');  // the first byte of y.txt
}

// The fourth-order method is exact for the quadratic x(t) = u t + u' t^2 / 2 with u = 1, u' = 2.
TEST_P(EveryCoSimulation, TakesInputDerivativesWhereTheVersionHasThem) {
  const auto it = make(GetParam(), "Integrator");
  initialize(*it);
  const ValueReference u[] = {reference(*it, "u")};
  const std::int32_t first[] = {1};
  const double slope[] = {2};
  set_real(*it, "u", 1);
  if (std::string(GetParam()) == "3.0") {
    EXPECT_CONTAINS(
        error_of(ErrorCode::capability, [&] { it->set_input_derivatives(u, first, slope); }),
        "intermediate update");
    return;
  }
  it->set_input_derivatives(u, first, slope);
  it->do_step(0, 0.5);
  EXPECT_NEAR(real(*it, "x"), 0.5 + 0.25, 1e-14);  // rounding
}

TEST_P(EveryCoSimulation, AsksForTerminationOnce) {
  const auto it = make(GetParam(), "Stair");
  set_integer(*it, "last", 3);  // reached at t = 2
  initialize(*it);
  StepOutcome outcome;
  int n = 0;
  while (n < 10 && outcome.status == StepOutcome::Status::done) {
    outcome = it->do_step(n * 0.5, 0.5);
    ++n;
  }
  if (std::string(GetParam()) == "1.0-cs") return;  // FMI 1.0 has no way to say it
  EXPECT_EQ(outcome.status, StepOutcome::Status::terminated);
  EXPECT_NEAR(outcome.reached, 2.0, 1e-9);  // the kit steps to the event within rounding
}

TEST_P(EveryCoSimulation, NamesTheCapabilityThatIsMissing) {
  const auto it = make(GetParam(), "Stair");
  const ValueReference some[] = {0};
  const double seed[] = {1};
  double sensitivity[] = {0};
  if (!it->capabilities().provides_directional_derivatives) {
    EXPECT_CONTAINS(error_of(ErrorCode::capability,
                             [&] { it->directional_derivative(some, some, seed, sensitivity); }),
                    "component \"it\"");
  }
  EXPECT_THROW(it->enter_event_mode(), std::logic_error);
  const std::int32_t order[] = {1};
  double value[] = {0};
  if (it->capabilities().max_output_derivative_order == 0) {
    initialize(*it);
    EXPECT_CONTAINS(
        error_of(ErrorCode::capability, [&] { it->get_output_derivatives(some, order, value); }),
        "maxOutputDerivativeOrder");
  }
}

// x' = u, x(0) = 0: the step from 0 to 0.5 is repeated with another input.
TEST(CoSimulationOfFmi1, RepeatsAStepWithOtherInputs) {
  const auto it = make("1.0-cs", "Integrator");
  ASSERT_TRUE(it->capabilities().can_redo_step);
  initialize(*it);
  set_real(*it, "u", 1);
  it->do_step(0, 0.5);
  EXPECT_NEAR(real(*it, "x"), 0.5, 1e-15);  // one rounding
  set_real(*it, "u", 4);
  it->redo_step(0, 0.5);
  EXPECT_NEAR(real(*it, "x"), 2.0, 1e-15);
}

TEST(CoSimulationOfFmi1, CannotRepeatAStepWithoutTheCapability) {
  const auto it = make("1.0-cs", "Dahlquist");
  initialize(*it);
  it->do_step(0, 0.5);
  EXPECT_CONTAINS(error_of(ErrorCode::capability, [&] { it->redo_step(0, 0.5); }),
                  "canRejectSteps");
}

}  // namespace
}  // namespace tutti::fmi::test
