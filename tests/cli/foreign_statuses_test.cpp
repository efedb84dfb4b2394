// SPDX-License-Identifier: BSD-2-Clause
// Numbers that an FMU returns instead of a status, and what it changes in the floating-point unit.
#include <gmock/gmock.h>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ForeignStatus : public Run {};
INSTANTIATE_TEST_SUITE_P(Cli, ForeignStatus, ::testing::Values("1.0-cs", "2.0", "3.0"),
                         [](const auto& tested) {
                           return fmt::format("Fmi{}", std::string(tested.param).front());
                         });

TEST_P(ForeignStatus, OfAStepIsAnErrorThatNamesIt) {
  const std::string version = std::string(GetParam()).substr(0, 3);
  for (const char* step : {"0.1", "0.001"}) {  // the shorter ones are not recorded one by one
    const Answer answer =
        place_.tutti({"simulate", fmu(GetParam(), "faulty_unknown_status_of_step"), "--step", step,
                      "--interval", "0.1", "-o", "y.csv"});
    EXPECT_EQ(answer.status, 1);
    EXPECT_THAT(answer.err, HasSubstr(fmt::format("-1, which is not a status of FMI {}", version)));
    EXPECT_THAT(answer.err, HasSubstr("DoStep"));
  }
}

TEST_P(ForeignStatus, OfAStepIsAnErrorInACoupledSystem) {
  write({{"bad", "faulty_unknown_status_of_step", ""}, {"good", "Integrator", ""}},
        {"\"bad.y -> good.u\""}, "[simulation]\nstop = 1.0\nstep = 0.1\n", GetParam());
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("component \"bad\""));
  EXPECT_THAT(answer_.err, HasSubstr("-1, which is not a status"));
}

TEST_F(SystemRun, TakesAnUnknownStatusOfGetOrOfAFinishedStepForAnError) {
  for (const char* function : {"get", "pending"}) {
    const Answer answer =
        place_.tutti({"simulate", fmu("2.0", fmt::format("faulty_unknown_status_of_{}", function)),
                      "--step", "0.1", "--step-timeout", "5", "-o", "y.csv"});
    EXPECT_EQ(answer.status, 1) << function;
    EXPECT_THAT(answer.err, HasSubstr("-7, which is not a status of FMI 2.0")) << function;
  }
}

/// What another component computes is not changed by what an FMU does to the floating-point unit.
class ForeignRounding : public Run {
 protected:
  std::string column(const char* bad) {
    write({{"bad", bad, ""}, {"good", "Dahlquist", ""}}, {},
          "[simulation]\nstop = 1.0\nstep = 0.001\n[results]\ninterval = 0.1\nvariables = "
          "[\"bad.y\", \"good.x\"]\n",
          GetParam());
    run();
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    std::string values;
    for (const auto& row : csv_rows(place_.read("r.csv"))) values += row.back() + ' ';
    return values;
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};
INSTANTIATE_TEST_SUITE_P(Cli, ForeignRounding, ::testing::Values("1.0-cs", "2.0", "3.0"),
                         [](const auto& tested) {
                           return fmt::format("Fmi{}", std::string(tested.param).front());
                         });

TEST_P(ForeignRounding, StaysInTheComponentThatChangedIt) {
  const std::string expected = column("Integrator");
  for (const char* bad : {"faulty_change_rounding_in_step", "faulty_change_rounding_in_get",
                          "faulty_change_traps_in_step", "faulty_change_rounding"}) {
    EXPECT_EQ(column(bad), expected) << bad;
    EXPECT_EQ(count(answer_.err, "warning"), 1u) << answer_.err;
    EXPECT_THAT(answer_.err, HasSubstr("bad: ")) << bad;
    EXPECT_THAT(answer_.err, HasSubstr(std::string(bad).find("traps") == std::string::npos
                                           ? "the rounding mode"
                                           : "the floating-point traps"));
  }
}

TEST_P(ForeignRounding, IsFoundInOneFmuAlone) {
  for (const char* step : {"0.1", "0.001"}) {
    const Answer answer =
        place_.tutti({"simulate", fmu(GetParam(), "faulty_change_rounding_in_step"), "--step", step,
                      "--interval", "0.1", "-o", "y.csv"});
    EXPECT_EQ(answer.status, 0);
    EXPECT_EQ(count(answer.err, "changed the rounding mode"), 1u) << answer.err;
  }
}

}  // namespace
}  // namespace tutti::testing
