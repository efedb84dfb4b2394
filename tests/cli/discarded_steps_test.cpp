// SPDX-License-Identifier: BSD-2-Clause
// Steps that an FMU discards: they are repeated from where they started, and count once.
#include <gmock/gmock.h>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// time and value of the only column.
std::vector<std::pair<double, double>> rows_of(const std::string& csv) {
  std::vector<std::pair<double, double>> rows;
  for (const auto& row : csv_rows(csv))
    if (row[0] != "time") rows.emplace_back(std::stod(row[0]), std::stod(row[1]));
  return rows;
}

class DiscardedSteps : public Run {};
INSTANTIATE_TEST_SUITE_P(Cli, DiscardedSteps, ::testing::Values("1.0-cs", "2.0"),
                         [](const auto& tested) {
                           return fmt::format("Fmi{}", std::string(tested.param).front());
                         });

// y integrates u = 1. From t = 0.5 on the FMU discards steps longer than 0.05, half done, and says
// that it did not move: y = t all the same.
TEST_P(DiscardedSteps, AreNotIntegratedTwice) {
  const Answer answer =
      place_.tutti({"simulate", fmu(GetParam(), "faulty_discard_after_progress"), "--step", "0.1",
                    "--stop", "1", "--set", "longest=0.05", "-o", "y.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  for (const auto& [t, y] : rows_of(place_.read("y.csv"))) EXPECT_NEAR(y, t, 1e-14);  // rounding
}

// Where nothing may be saved, the truth is an error, not a number.
TEST_F(SystemRun, DoesNotGoOnAfterADiscardedStepThatCannotBeRepeated) {
  write(
      {{"first", "faulty_discard_after_progress", "longest = 0.02"}, {"second", "Integrator", ""}},
      {"\"first.y -> second.u\""},
      "[simulation]\nstop = 1.0\nstep = 0.1\nsave-states = \"never\"\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("component \"first\" discarded a step"));
  EXPECT_THAT(answer_.err, HasSubstr("save-states"));
}

// A discarded step whose last successful time is its end is a step like any other: every row of the
// grid is there.
TEST_P(DiscardedSteps, ThatReachedTheirEndAreDone) {
  const Answer answer = place_.tutti({"simulate", fmu(GetParam(), "faulty_discard_at_the_end"),
                                      "--step", "0.1", "--stop", "1", "-o", "y.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const auto rows = rows_of(place_.read("y.csv"));
  ASSERT_EQ(rows.size(), 11u);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    EXPECT_DOUBLE_EQ(rows[n].first, 0.1 * static_cast<double>(n));
    EXPECT_NEAR(rows[n].second, rows[n].first, 1e-14);  // rounding
  }
}

// One integrator feeds another one, with gauss-seidel: x_(n+1) = x_n + h y_(n+1) over every step
// that was accepted. The second must not see what the discarded step of the first gave.
TEST_P(DiscardedSteps, DoNotReachOtherComponents) {
  for (const char* method : {"gauss-seidel", "jacobi"}) {
    write({{"first", "faulty_discard_after_progress", "longest = 0.05"},
           {"second", "Integrator", ""}},
          {"\"first.y -> second.u\""},
          fmt::format("[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"{}\"\n"
                      "[results]\nvariables = [\"first.y\", \"second.x\"]\n",
                      method),
          GetParam());
    run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const auto rows = csv_rows(place_.read("r.csv"));
    // Of the grid; between the rows from 0.5 on there are two steps of 0.05.
    const bool new_values = std::string(method) == "gauss-seidel";
    double x = 0, t = 0;
    for (std::size_t n = 1; n < rows.size(); ++n) {
      const double end = std::stod(rows[n][0]);
      for (const double h = end > 0.55 ? 0.05 : 0.1; t < end - 1e-9; t += h)
        x += h * (new_values ? t + h : t);
      EXPECT_NEAR(std::stod(rows[n][1]), end, 1e-14);
      EXPECT_NEAR(std::stod(rows[n][2]), x, 1e-14) << method << " at " << end;
    }
  }
}

TEST_F(SystemRun, WarnsOfDiscardedStepsOnceAndSavesStatesFromTheStart) {
  const std::string file = fmu("2.0", "faulty_discard_after_progress");
  const Answer answer = place_.tutti({"simulate", file, "--step", "0.1", "-o", "y.csv"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.err, HasSubstr("discarded a step"));
  EXPECT_THAT(answer.err, HasSubstr("repeated from its start"));
  // With states from the start there is nothing to repeat.
  write({{"it", "faulty_discard_after_progress", "longest = 0.05"}}, {},
        "[simulation]\nstop = 1.0\nstep = 0.1\nsave-states = \"always\"\n");
  const auto last = run();
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err, Not(HasSubstr("repeated")));
  EXPECT_NEAR(last.at("it.y"), 1, 1e-14);
}

// FMI 1.0: in the cycle, the first member discards a step before the second has made it. The second
// must not be told to repeat its last step. Both integrate: a' = b, b' = -a/4 by their outputs.
TEST_F(SystemRun, TellsNoSlaveToRepeatAStepThatItHasNotMade) {
  const auto simulate = [&](const char* first) {
    write({{"a", first, "longest = 0.025"}, {"b", "Integrator", "x = 1.0"}},
          {"{ from = \"b.y\", to = \"a.u\", factor = 0.25 }",
           "{ from = \"a.y\", to = \"b.u\", factor = -0.25 }"},
          "[simulation]\nstop = 1.0\nstep = 0.05\nmethod = \"iterated\"\n"
          "tolerance = { abs = 1e-12, rel = 1e-12, iterations = 100 }\n"
          "[results]\nvariables = [\"a.y\", \"b.x\"]\n",
          "1.0-cs");
    const auto last = run();
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    return last;
  };
  const auto discards = simulate("faulty_discard_after_progress");
  ASSERT_EQ(discards.size(), 3u);
  // x_(n+1) = x_n + h f(x_(n+1)), with h = 0.05 up to 0.5 and half of it from there on.
  double a = 0, b = 1;
  for (double t = 0; t < 1 - 1e-9;) {
    const double h = t < 0.5 - 1e-9 ? 0.05 : 0.025;
    // u_b = -a/4, y_b = 2 b + 3 u_b, a' = y_b/4
    const double k = 1 + h * 3.0 / 16 + h * h / 8;
    const double a1 = (a + h * b / 2) / k;
    b -= h * a1 / 4;
    a = a1;
    t += h;
  }
  EXPECT_NEAR(discards.at("a.y"), a, 1e-9);
  EXPECT_NEAR(discards.at("b.x"), b, 1e-9);
}

}  // namespace
}  // namespace tutti::testing
