// SPDX-License-Identifier: BSD-2-Clause
// The process in which FMUs run: what becomes of it, and what callers may be like.
#include <gmock/gmock.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class WorkerProcess : public ::testing::Test {
 protected:
  static std::string simulate(const std::string& name, const std::string& more = "") {
    return "$TUTTI simulate " + fmu("2.0", name) + " --step 0.1 -o y.csv " + more;
  }
  /// Names of the processes that have the temporary folder of this test.
  static std::string list_processes() {
    return "for p in /proc/[0-9]*; do grep -qsz \"^TMPDIR=$TMPDIR$\" $p/environ && cat $p/comm; "
           "done; true";
  }
  Workplace place_;
};

TEST_F(WorkerProcess, EndsWithWhateverAnFmuHasStarted) {
  const Answer answer =
      place_.shell("set -o pipefail; timeout 10 " + simulate("faulty_leave_process") +
                   "| cat\necho status $?\n" + list_processes());
  EXPECT_THAT(answer.out, HasSubstr("status 0"));
  EXPECT_THAT(answer.out, Not(HasSubstr("tutti-")));
}

TEST_F(WorkerProcess, EndsWithAKilledCallerWhoseFilesTheNextOneRemoves) {
  const Answer answer = place_.shell(
      simulate("faulty_slow_step", "--set at=0 --stop 100") + "&\nsleep 1; " + list_processes() +
      "\nkill -9 $!; wait $!; sleep 1\necho then\n" + list_processes());
  const std::size_t then = answer.out.find("then");
  ASSERT_NE(then, std::string::npos) << answer.out << answer.err;
  EXPECT_THAT(answer.out.substr(0, then), HasSubstr("tutti-worker"));
  EXPECT_THAT(answer.out.substr(then), Not(HasSubstr("tutti-")));
  EXPECT_EQ(place_.leftover_count(), 1u);
  EXPECT_EQ(place_.shell(simulate("Dahlquist")).status, 0);
  EXPECT_EQ(place_.leftover_count(), 0u);
}

TEST_F(WorkerProcess, NeedsNoStandardStreams) {
  const Answer answer = place_.shell(simulate("Dahlquist", "0<&- 1>&- 2>&-"));
  EXPECT_EQ(answer.status, 0);
  EXPECT_GT(csv_rows(place_.read("y.csv")).size(), 10u);
  EXPECT_EQ(place_.shell(simulate("faulty_crash_in_step", "0<&- 1>&- 2>&-")).status, 1);
}

}  // namespace
}  // namespace tutti::testing
