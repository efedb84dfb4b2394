// SPDX-License-Identifier: BSD-2-Clause
// What a run and the advice report of a stiff coupling.
#include <gmock/gmock.h>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class StiffReports : public SystemRun {
 protected:
  /// x' = 1e4 (u - x), u = -z; z' = x
  void write_stiff(const std::string& settings) {
    write({{"fast", "Exact", "a = -1e4, b = 1e4, x = 0.0"},
           {"slow", "Exact", "a = 0.0, b = 1.0, x = 1.0"}},
          {"{ from = \"slow.y\", to = \"fast.u\", factor = -1.0 }", "\"fast.y -> slow.u\""},
          "[simulation]\nstop = 1.0\nstep = 0.1\n" + settings);
  }
};

TEST_F(StiffReports, HaveANoteOfACorrectionThatHasNoEffect) {
  const std::string note = "simulation.inputs.correct has no effect in cycles of method linear-";
  write_stiff("method = \"linear-implicit\"\ninputs = { correct = \"linear\" }\n");
  run();
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err, HasSubstr(note));
  for (const char* settings : {"method = \"linear-implicit\"\n", "method = \"auto\"\n"}) {
    write_stiff(settings);
    run();
    EXPECT_THAT(answer_.err, Not(HasSubstr(note))) << settings;
  }
}

// With order 1, the longest stable step is that of the fast component; with order 2 it is shorter.
TEST_F(StiffReports, HaveTheStiffnessOfBothOrdersInTheJsonOfTheAdvice) {
  write_stiff("");
  const Answer answer = place_.tutti({"advise", "s.toml", "--json"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const auto cycle = nlohmann::json::parse(answer.out)["cycles"][0];
  EXPECT_GT(cycle["stiffness"], 0);
  EXPECT_GT(cycle["quadraticStiffness"], 0);
}

}  // namespace
}  // namespace tutti::testing
