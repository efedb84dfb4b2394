// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/instance_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fmi/support/fixture.hpp"

namespace tutti::fmi::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A run of one instance, to its end or not.
void run_once(Fmu& fmu, const std::string& name, bool ends = true) {
  const auto it = fmu.instantiate_co_simulation(named(name));
  initialize(*it);
  it->do_step(0, 0.1);
  if (ends) it->terminate();
}

std::vector<std::string> reset_in(InstancePool& pool) {
  std::vector<std::string> names;
  EXPECT_TRUE(pool.reset([&](const std::string& name) { names.push_back(name); }).empty());
  return names;
}

TEST(InstancePool, KeepsInstancesThatEndedAndGivesThemOutOnceTheyAreReset) {
  for (const char* version : {"2.0", "3.0"}) {
    const auto fmu = open_fmu(version, "Dahlquist");
    const auto pool = std::make_shared<InstancePool>();
    fmu->reuse_instances(pool);
    run_once(*fmu, "a");
    run_once(*fmu, "b", false);
    EXPECT_THAT(pool->names(), ElementsAre("a"));
    run_once(*fmu, "a");  // it was not reset
    EXPECT_EQ(pool->reuse_count(), 0u);
    EXPECT_THAT(reset_in(*pool), ElementsAre("a"));
    EXPECT_THAT(reset_in(*pool), IsEmpty());
    run_once(*fmu, "c");
    EXPECT_EQ(pool->reuse_count(), 0u);
    {
      const auto it = fmu->instantiate_co_simulation(named("a"));
      EXPECT_EQ(pool->reuse_count(), 1u);
      EXPECT_EQ(it->counts().do_step, 0u);
      EXPECT_THAT(pool->names(), ElementsAre("c"));
    }
    EXPECT_THAT(pool->names(), ElementsAre("c"));  // a did not end
  }
}

TEST(InstancePool, KeepsNothingThatIsExcludedOrWhileItIsPaused) {
  const auto fmu = open_fmu("2.0", "Dahlquist");
  const auto pool = std::make_shared<InstancePool>();
  fmu->reuse_instances(pool);
  pool->exclude("a");
  run_once(*fmu, "a");
  pool->pause(true);
  run_once(*fmu, "b");
  EXPECT_THAT(pool->names(), IsEmpty());
  pool->pause(false);
  run_once(*fmu, "b");
  reset_in(*pool);
  pool->pause(true);
  run_once(*fmu, "b");
  EXPECT_EQ(pool->reuse_count(), 0u);
  pool->clear();
  EXPECT_THAT(pool->names(), IsEmpty());
}

TEST(InstancePool, ExcludesInstancesWhoseResetFails) {
  const auto fmu = open_fmu("2.0", "faulty_reset_fails");
  const auto pool = std::make_shared<InstancePool>();
  fmu->reuse_instances(pool);
  run_once(*fmu, "a");
  const auto failures = pool->reset([](const std::string&) {});
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].name, "a");
  EXPECT_THAT(failures[0].error.what(), ::testing::HasSubstr("fmi2Reset"));
  EXPECT_THAT(pool->excluded(), ElementsAre("a"));
  EXPECT_THAT(pool->names(), IsEmpty());
}

TEST(InstancePool, FreesInstancesOfFmi1) {
  const auto fmu = open_fmu("1.0-cs", "Dahlquist");
  const auto pool = std::make_shared<InstancePool>();
  fmu->reuse_instances(pool);
  run_once(*fmu, "a");
  EXPECT_THAT(pool->names(), IsEmpty());
}

}  // namespace
}  // namespace tutti::fmi::test
