// SPDX-License-Identifier: BSD-2-Clause
// <tutti/system_check.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <tutti/system_check.hpp>

#include "api/systems.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

TEST(SystemChecks, CountWhatTheyFindInOrder) {
  const SystemReport report = check_system(oscillator());
  EXPECT_TRUE(report.errors.empty());
  EXPECT_EQ(report.components, 2u);
  EXPECT_EQ(report.connections, 2u);
  EXPECT_EQ(report.cycles, 1u);
}

TEST(SystemChecks, ReportAllErrorsAtOnce) {
  System system = oscillator();
  system.connections[0].to.variable = "uu";
  system.components[1].set.emplace_back("no", "1");
  const SystemReport report = check_system(system);
  ASSERT_GE(report.errors.size(), 2u);
  std::string all;
  for (const Error& error : report.errors) all += std::string(error.what()) + "\n";
  EXPECT_THAT(all, HasSubstr("uu"));
  EXPECT_THAT(all, HasSubstr("\"no\""));
}

TEST(SystemChecks, RefuseMethodsThatTheComponentsCannotServe) {
  System system = oscillator("1.0-cs");
  system.simulation.methods = {"newton"};
  const SystemReport report = check_system(system);
  ASSERT_FALSE(report.errors.empty());
  EXPECT_EQ(report.errors[0].code(), ErrorCode::capability);
}

TEST(SystemChecks, EndWhenTheyAreInterrupted) {
  const std::atomic<bool> stop = true;
  FmuOptions options;
  options.stop = &stop;
  EXPECT_EQ(error_of([&] { check_system(oscillator(), options); }).code(), ErrorCode::interrupted);
}

}  // namespace
}  // namespace tutti::testing
