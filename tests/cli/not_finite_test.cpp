// SPDX-License-Identifier: BSD-2-Clause
// Outputs that are infinite: an error where they are connected, one warning elsewhere.
#include <gmock/gmock.h>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class NotFinite : public SystemRun {
 protected:
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

TEST_F(NotFinite, AConnectedOutputEndsTheRun) {
  for (const std::string version : {"1.0-cs", "2.0", "3.0"})
    for (const std::string method : {"gauss-seidel", "jacobi"}) {
      write({{"bad", "faulty_infinite_in_step", ""}, {"g", "Gain", ""}}, {"\"bad.y -> g.u\""},
            "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"" + method + "\"\n", version);
      const auto last = run();
      EXPECT_EQ(answer_.status, 1) << version << method;
      EXPECT_THAT(answer_.err,
                  HasSubstr("t = 0.6 s: \"y\" of component \"bad\" is infinite, and it "
                            "is connected"));
      EXPECT_NEAR(last.at("time"), 0.5, 1e-12);  // the last point with numbers
    }
}

TEST_F(NotFinite, AnOutputThatNothingIsConnectedToIsOneWarning) {
  for (const std::string version : {"1.0-cs", "2.0", "3.0"}) {
    write({{"bad", "faulty_infinite_in_step", ""},
           {"worse", "faulty_infinite_in_step", ""},
           {"a", "Gain", "b = 1.0"},
           {"g", "Gain", ""}},
          {"\"a.y -> g.u\""}, "[simulation]\nstop = 1.0\nstep = 0.1\n", version);
    const auto last = run();
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_EQ(count(answer_.err, "is infinite"), 1u) << answer_.err;
    EXPECT_THAT(answer_.err,
                HasSubstr("warning: \"bad.y\" is infinite in 5 of 11 rows of the results, first "
                          "at t = 0.6 s; so is 1 other column. "));
    EXPECT_EQ(last.at("time"), 1);
    EXPECT_EQ(last.at("g.y"), 1);
  }
}

TEST_F(NotFinite, AConnectedOutputEndsTheRunAlsoAfterAnotherOne) {
  write({{"harmless", "faulty_infinite_in_step", "at = 0.1"},
         {"bad", "faulty_infinite_in_step", ""},
         {"g", "Gain", ""}},
        {"\"bad.y -> g.u\""}, "[simulation]\nstop = 1.0\nstep = 0.1\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("warning: \"harmless.y\" is infinite in 4 of 6 rows of the "
                                     "results, first at t = 0.2 s. "));
  EXPECT_THAT(answer_.err, HasSubstr("t = 0.6 s: \"y\" of component \"bad\" is infinite"));
}

TEST_F(NotFinite, OfOneFmuAloneIsOneWarning) {
  for (const std::string version : {"1.0-cs", "2.0", "3.0"}) {
    answer_ = place_.tutti({"simulate", fmu(version, "faulty_infinite_in_step"), "--step", "0.1",
                            "--stop", "1", "-o", "r.csv"});
    EXPECT_EQ(answer_.status, 0);
    EXPECT_EQ(count(answer_.err, "is infinite"), 1u) << answer_.err;
    EXPECT_THAT(answer_.err, HasSubstr("warning: \"y\" is infinite in 5 of 11 rows"));
    EXPECT_THAT(place_.read("r.csv"), HasSubstr("\n1,inf\n"));
  }
}

}  // namespace
}  // namespace tutti::testing
