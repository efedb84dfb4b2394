// SPDX-License-Identifier: BSD-2-Clause
#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

class MeRollback : public Run {
 protected:
  /// Two of them in a loop, x' = -y and y' = x.
  void write_circle(const std::string& settings) {
    write({{"a", "faulty_rollback_flags", "x = 1.0"}, {"b", "faulty_rollback_flags", ""}},
          {"{ from = \"b.x\", to = \"a.u\", factor = -1.0 }", "\"a.x -> b.u\""},
          "[simulation]\nstop = 1.0\nstep = 0.1\n" + settings, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Cli, MeRollback, ::testing::Values("2.0", "3.0"),
                         [](const auto& tested) { return std::string("Fmi") + tested.param[0]; });

// FMI 2.0, 3.2.2 and 3.0, 3.2.1: noSetFMUStatePriorToCurrentPoint is false where a state from
// before may be restored.
TEST_P(MeRollback, IsAnnouncedToTheFmuWhereItMayHappen) {
  for (const char* settings :
       {"method = \"newton\"\n", "method = \"iterated\"\n", "save-states = \"always\"\n",
        "control = \"richardson\"\n", "inputs = { order = 1, correct = \"linear\" }\n"}) {
    write_circle(settings);
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << settings << answer_.err;
    EXPECT_EQ(last.at("a.final"), 0) << settings;
    EXPECT_GT(last.at("a.open"), 0) << settings;
  }
}

TEST_P(MeRollback, IsRuledOutWhereItCannotHappen) {
  write_circle("method = \"gauss-seidel\"\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_EQ(last.at("a.open"), 0);
  EXPECT_GT(last.at("a.final"), 0);
}

}  // namespace
}  // namespace tutti::testing
