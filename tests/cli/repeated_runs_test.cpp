// SPDX-License-Identifier: BSD-2-Clause
// Runs that are repeated from their start with other settings, and where their rows go.
#include <gmock/gmock.h>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

class RepeatedRun : public SystemRun {
 protected:
  /// y = 1 - t y: FMI 1.0 cannot roll back when the gain of the loop exceeds 1, and auto repeats
  /// the run with another coupling.
  void write_growing_gain(const std::string& results) {
    write({{"ramp", "TunableGain", "gain = 1.0"}, {"a", "Product", ""}, {"b", "Gain", "k = -1.0"}},
          {"\"ramp.y -> a.w\"", "\"b.y -> a.u\"", "\"a.y -> b.u\""},
          "[simulation]\nstop = 4.0\nmethod = \"auto\"\ntolerance = 1e-4\n"
          "[results]\nvariables = [\"a.y\"]\n" +
              results,
          "1.0-cs");
  }
};

TEST_F(RepeatedRun, WritesToAPipeWhatItWritesToAFile) {
  write_growing_gain("");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  ASSERT_THAT(answer_.err, HasSubstr("The run is repeated from its start"));
  const Answer piped = place_.shell("mkfifo p; cat p > piped.csv & \"$TUTTI\" run s.toml -o p");
  EXPECT_EQ(piped.status, 0) << piped.err;
  place_.shell("wait; sleep 0.2");
  EXPECT_EQ(place_.read("piped.csv"), place_.read("r.csv"));
}

// A row every 10 microseconds: more than what is kept back before it goes into the pipe. The rows
// of the first attempt were left there, and -q hid the warning.
TEST_F(RepeatedRun, FailsWhereWrongRowsAreInAPipeAlready) {
  write_growing_gain("interval = 1e-5\n");
  const Answer piped = place_.shell("mkfifo p; cat p > piped.csv & \"$TUTTI\" run -q s.toml -o p");
  EXPECT_EQ(piped.status, 1) << piped.err;
  EXPECT_THAT(piped.err, HasSubstr("are already in a pipe or device and cannot be removed"));
}

}  // namespace
}  // namespace tutti::testing
