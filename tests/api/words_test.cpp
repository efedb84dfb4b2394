// SPDX-License-Identifier: BSD-2-Clause
// <tutti/words.hpp>: enumerations have the words that files and messages use.
#include <gtest/gtest.h>

#include <tutti/check.hpp>
#include <tutti/fmu.hpp>
#include <tutti/simulation.hpp>
#include <tutti/system.hpp>

namespace tutti::testing {
namespace {

template <class Enum>
void expect_round_trip() {
  for (const std::string_view word : words_of<Enum>) {
    const auto value = from_word<Enum>(word);
    ASSERT_TRUE(value) << word;
    EXPECT_EQ(to_string(*value), word);
  }
}

TEST(Words, ReadBackAsTheValueThatTheyStandFor) {
  expect_round_trip<FmuKind>();
  expect_round_trip<FmiVersion>();
  expect_round_trip<Type>();
  expect_round_trip<Causality>();
  expect_round_trip<Variability>();
  expect_round_trip<DependencyKind>();
  expect_round_trip<AtPoints>();
  expect_round_trip<EventMode>();
  expect_round_trip<InsideStep>();
  expect_round_trip<DerivativeSource>();
  expect_round_trip<Correction>();
  expect_round_trip<FirstStep>();
  expect_round_trip<SamplePoint>();
  expect_round_trip<Norm>();
  expect_round_trip<Sweeps>();
  expect_round_trip<SaveStates>();
  expect_round_trip<OnLimit>();
  expect_round_trip<ControlVariant>();
  expect_round_trip<ErrorEstimator>();
  expect_round_trip<TimeStepping>();
  expect_round_trip<LastStep>();
  expect_round_trip<Finding::Severity>();
  expect_round_trip<RunEnd::Kind>();
  expect_round_trip<Verification::Outcome>();
}

TEST(Words, AreThoseOfTheSystemFile) {
  EXPECT_EQ(to_string(FmuKind::model_exchange), "me");
  EXPECT_EQ(interface_word(true), "me");
  EXPECT_EQ(interface_word(false), "cs");
  EXPECT_EQ(to_string(ControlVariant::mastersim_2018), "mastersim-2018");
}

TEST(Words, OfNoValueAreNothing) {
  EXPECT_FALSE(from_word<FmuKind>("ME"));
  EXPECT_FALSE(from_word<FmuKind>(""));
  EXPECT_EQ(to_string(static_cast<FmuKind>(9)), "?");
}

}  // namespace
}  // namespace tutti::testing
