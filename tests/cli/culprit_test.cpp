// SPDX-License-Identifier: BSD-2-Clause
// The component at fault is the one that is named.
#include <gmock/gmock.h>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Culprit : public SystemRun {
 protected:
  /// A loop of `bad` between two others, which are called before and after it.
  void write_around(const std::string& bad, const std::string& settings) {
    write({{"first", "Gain", "k = 0.1"}, {"bad", bad, ""}, {"last", "Gain", "k = 0.1, b = 1.0"}},
          {"\"first.y -> bad.u\"", "\"bad.y -> last.u\"", "\"last.y -> first.u\""},
          "[simulation]\nstop = 1.0\nstep = 0.1\n" + settings);
  }
};

TEST_F(Culprit, OfACrashInTheStateFunctionsIsNamed) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself reports this";
#endif
  for (const std::string function : {"get", "set", "free"})
    for (const std::string settings :
         {"method = \"iterated\"\n", "method = \"newton\"\n", "save-states = \"always\"\n",
          "method = \"iterated\"\ncontrol = \"richardson\"\n"}) {
      if (function == "set" && settings.starts_with("save-states")) continue;  // nothing to restore
      write_around("faulty_crash_in_" + function + "_state", settings);
      run();
      EXPECT_EQ(answer_.status, 1) << function << settings;
      EXPECT_THAT(answer_.err, HasSubstr("component \"bad\" crashed")) << function << settings;
    }
}

// The loop settles at u = 1, where y is defined last: only difference quotients see what follows.
TEST_F(Culprit, OfAJacobianThatIsNotANumberIsNamed) {
  write({{"first", "Gain", "k = 0.5, b = 0.95"},
         {"bad", "faulty_nan_beyond", ""},
         {"last", "Gain", "k = 0.1"}},
        {"\"first.y -> bad.u\"", "\"bad.y -> last.u\"", "\"last.y -> first.u\""},
        "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"newton\"\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("not finite (NaN or infinity), at bad.y"));
}

// The second stack of 4 GB is too much.
TEST_F(Culprit, OfThreadsThatCannotStartIsTheLimit) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer has its own needs of stacks";
#endif
  write({{"a", "Gain", ""}, {"b", "Gain", ""}, {"c", "Gain", ""}, {"d", "Gain", ""}}, {},
        "[simulation]\nstop = 1.0\nstep = 0.1\nthreads = 4\n");
  for (const std::string where : {"", " --in-process"}) {
    answer_ =
        place_.shell("ulimit -s 4000000; ulimit -v 7000000; $TUTTI run s.toml -o r.csv" + where);
    EXPECT_EQ(answer_.status, 2) << answer_.err;
    EXPECT_THAT(answer_.err, HasSubstr("thread"));
    EXPECT_THAT(answer_.err, HasSubstr("ulimit"));
    EXPECT_THAT(answer_.err, Not(HasSubstr("component"))) << "no FMU is at fault";
  }
}

}  // namespace
}  // namespace tutti::testing
