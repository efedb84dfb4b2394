// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "fmi/support/fixture.hpp"

namespace tutti::fmi::test {
namespace {

Owned<CoSimulation> make_saving(const std::string& version, const std::string& model) {
  return open_fmu(version, model)->instantiate_co_simulation(named("it"));
}

class FmuStates : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Versions, FmuStates, testing::Values("2.0", "3.0"),
                         [](const auto& version) {
                           return "Fmi" + std::string(1, *version.param);
                         });

// Same state, same input, same arithmetic: the same bits.
TEST_P(FmuStates, TakeAStepBack) {
  const auto it = make_saving(GetParam(), "Dahlquist");
  initialize(*it);
  it->do_step(0, 0.1, true);
  FmuState state;
  EXPECT_FALSE(state);
  it->save_state(state);
  EXPECT_TRUE(state);
  it->do_step(0.1, 0.1, true);
  const double first = real(*it, "x");
  it->restore_state(state);
  EXPECT_GT(real(*it, "x"), first);
  it->do_step(0.1, 0.1, true);
  EXPECT_EQ(real(*it, "x"), first);
  EXPECT_EQ(it->counts().get_state, 1u);
  EXPECT_EQ(it->counts().set_state, 1u);
}

TEST_P(FmuStates, AreSavedAgainIntoTheSamePlace) {
  const auto it = make_saving(GetParam(), "Dahlquist");
  initialize(*it);
  FmuState state;
  for (int n = 0; n < 100; ++n) {
    it->save_state(state);
    it->do_step(n * 0.1, 0.1, true);
  }
  const double last = real(*it, "x");
  it->restore_state(state);
  it->do_step(9.9, 0.1, true);
  EXPECT_EQ(real(*it, "x"), last);
}

TEST_P(FmuStates, BringBackTheMode) {
  const auto it = make_saving(GetParam(), "Dahlquist");
  FmuState before;
  it->save_state(before);  // instantiated
  initialize(*it);
  it->do_step(0, 0.1, true);
  it->restore_state(before);
  EXPECT_THROW(it->do_step(0, 0.1), std::logic_error);
  initialize(*it);
  it->do_step(0, 0.1);
}

TEST_P(FmuStates, TravelAsBytes) {
  const auto it = make_saving(GetParam(), "Dahlquist");
  ASSERT_TRUE(it->capabilities().can_serialize_state);
  initialize(*it);
  it->do_step(0, 0.1, true);
  FmuState state;
  it->save_state(state);
  const std::vector<std::uint8_t> bytes = it->serialize_state(state);
  it->do_step(0.1, 0.1);
  const double expected = real(*it, "x");

  const auto other = make_saving(GetParam(), "Dahlquist");
  const FmuState copy = other->deserialize_state(bytes);
  other->restore_state(copy);  // into step mode, without an initialization of its own
  other->do_step(0.1, 0.1);
  EXPECT_EQ(real(*other, "x"), expected);
}

TEST_P(FmuStates, OfAnotherInstanceAreRefused) {
  const auto it = make_saving(GetParam(), "Dahlquist");
  const auto other = make_saving(GetParam(), "Dahlquist");
  initialize(*it);
  initialize(*other);
  FmuState state;
  it->save_state(state);
  EXPECT_THROW(other->restore_state(state), std::logic_error);
  EXPECT_THROW(it->restore_state(FmuState()), std::logic_error);
}

TEST_P(FmuStates, CanBeMoved) {
  const auto it = make_saving(GetParam(), "Dahlquist");
  initialize(*it);
  std::vector<FmuState> states(3);
  for (FmuState& state : states) it->save_state(state);
  states.erase(states.begin());
  FmuState moved = std::move(states.back());
  it->restore_state(moved);
}

TEST(FmuStatesOfFmi1, DoNotExist) {
  const auto it = make_saving("1.0-cs", "Dahlquist");
  FmuState state;
  EXPECT_CONTAINS(error_of(ErrorCode::capability, [&] { it->save_state(state); }), "FMI 1.0");
}

// y = 2 x + 3 u
TEST_P(FmuStates, StandBesideDirectionalDerivatives) {
  const auto it = make_saving(GetParam(), "Integrator");
  ASSERT_TRUE(it->capabilities().provides_directional_derivatives);
  initialize(*it);
  it->do_step(0, 0.1);
  const ValueReference unknowns[] = {reference(*it, "y")};
  const ValueReference knowns[] = {reference(*it, "u")};
  const double seed[] = {2};
  double sensitivity[] = {0};
  it->directional_derivative(unknowns, knowns, seed, sensitivity);
  EXPECT_NEAR(sensitivity[0], 6, 1e-6);  // by differences of the kit, if not exact
}

}  // namespace
}  // namespace tutti::fmi::test
