// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "fmi/support/fixture.hpp"

namespace tutti::fmi::test {
namespace {

std::size_t open_files() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

// From a folder, so that it is loading that is repeated and not unpacking.
TEST(Fmu, CanBeLoadedTwoThousandTimes) {
  const auto unpacked = open_fmu("2.0", "Trivial");
  const std::size_t files = open_files();
  for (int n = 0; n < 2000; ++n) {
    const auto it = Fmu::open(unpacked->folder(), {}, {})->instantiate_co_simulation(named("it"));
    initialize(*it);
    it->do_step(0, 0.1);
  }
  EXPECT_EQ(open_files(), files);
}

TEST(Fmu, LivesAsLongAsItsInstances) {
  std::filesystem::path folder;
  {
    Owned<CoSimulation> it;
    {
      const auto fmu = open_fmu("2.0", "Dahlquist");
      folder = fmu->folder();
      it = fmu->instantiate_co_simulation(named("it"));
    }
    EXPECT_TRUE(std::filesystem::exists(folder));
    initialize(*it);
    it->do_step(0, 0.1);
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

class EveryVersionAndFace : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Versions, EveryVersionAndFace,
                         testing::Values("1.0-cs", "1.0-me", "2.0", "3.0"));

// What the instances leave behind is for the leak sanitizer to see.
TEST_P(EveryVersionAndFace, IsInstantiatedAndFreedInEveryMode) {
  const auto fmu = open_fmu(GetParam(), "BouncingBall");
  for (int n = 0; n < 100; ++n) {
    if (fmu->description().co_simulation) {
      const auto it = fmu->instantiate_co_simulation(named("it"));
      if (n % 4 > 0) it->enter_initialization({});
      if (n % 4 > 1) it->exit_initialization();
      if (n % 4 > 2) it->do_step(0, 0.01);
    }
    if (fmu->description().model_exchange) {
      const auto it = fmu->instantiate_model_exchange({"it"});
      if (n % 4 > 0) it->enter_initialization({});
      if (n % 4 > 1) it->exit_initialization();
      if (n % 4 > 2) it->terminate();
    }
  }
}

TEST_P(EveryVersionAndFace, HasInstancesThatDoNotDisturbEachOther) {
  const auto fmu = open_fmu(GetParam(), "Dahlquist");
  if (!fmu->description().co_simulation) GTEST_SKIP();
  const auto one = fmu->instantiate_co_simulation(named("one"));
  const auto two = fmu->instantiate_co_simulation(named("two"));
  set_real(*two, "k", 0);
  initialize(*one);
  initialize(*two);
  one->do_step(0, 0.5);
  two->do_step(0, 0.5);
  EXPECT_LT(real(*one, "x"), 0.7);
  EXPECT_EQ(real(*two, "x"), 1.0);
}

// The kit logs "bounce at t = ..." when logging is on.
TEST_P(EveryVersionAndFace, LogsUnderTheNameOfTheInstance) {
  const Lines lines;
  const auto fmu = open_fmu(GetParam(), "BouncingBall", lines.log());
  if (!fmu->description().co_simulation) GTEST_SKIP();
  CoSimulationOptions first = named("first");
  CoSimulationOptions second = named("second");
  second.logging = true;
  const auto silent = fmu->instantiate_co_simulation(first);
  const auto talking = fmu->instantiate_co_simulation(second);
  for (const auto& it : {silent.get(), talking.get()}) {
    initialize(*it);
    for (int n = 0; n < 60; ++n) it->do_step(n * 0.01, 0.01);
  }
  EXPECT_EQ(lines.count("|first|"), 0u);
  EXPECT_GE(lines.count("|second|"), 1u);
  EXPECT_TRUE(lines.contain("bounce at t = 0.45"));  // sqrt(2 / 9.81) = 0.4515
}

}  // namespace
}  // namespace tutti::fmi::test
