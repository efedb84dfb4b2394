// SPDX-License-Identifier: BSD-2-Clause
// `tutti run` as a user calls it.
#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

class EveryMethod : public Run {};
INSTANTIATE_TEST_SUITE_P(Cli, EveryMethod,
                         ::testing::Values("anderson", "broyden", "gauss-seidel", "iterated",
                                           "jacobi", "newton"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase(name, '-');
                           return name;
                         });

// a = (1 + 2 ka)/(1 - ka kb), b = (2 + kb)/(1 - ka kb): found at the start, and kept.
TEST_P(EveryMethod, HoldsTheSolutionOfAnAsymmetricLoop) {
  write_loop(0.9, -0.3, fmt::format("method = \"{}\"\n", GetParam()));
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("a.y"), 2.8 / 1.27, 1e-6);
  EXPECT_NEAR(last.at("b.y"), 1.7 / 1.27, 1e-6);
  EXPECT_EQ(last.at("a.y"), last.at("b.u"));
}

// x' = u (the FMU gives y = 2 x + 3 u), u = -y/4: with held inputs each method has an error of
// order h at t = 1. The exact solution: u = -(2 x + 3 u)/4, so u = -2 x/7, x = exp(-2 t/7).
TEST_P(EveryMethod, FollowsAFeedbackLoop) {
  write({{"plant", "Integrator", "x = 1.0"}, {"back", "Gain", "k = -0.25"}},
        {"\"plant.y -> back.u\"", "\"back.y -> plant.u\""},
        fmt::format("[simulation]\nstop = 1.0\nstep = 0.001\nmethod = \"{}\"\n"
                    "[results]\nvariables = [\"plant.x\"]\n",
                    GetParam()));
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("plant.x"), std::exp(-2.0 / 7), 2e-3);  // h times a slope below 2
}

class EveryRunVersion : public Run {};
INSTANTIATE_TEST_SUITE_P(Cli, EveryRunVersion, ::testing::Values("1.0-cs", "2.0", "3.0"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return "Fmi" + name;
                         });

TEST_P(EveryRunVersion, IsCoupledAlike) {
  write_loop(0.5, 0.5, "method = \"gauss-seidel\"\n", GetParam());
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("a.y"), 2 / 0.75, 1e-5);  // one pass a step, error 0.25^10
}

TEST_F(Run, SaysThatFmi1CannotSolveALoopAtTheStart) {
  write_loop(0.5, 0.5, "method = \"gauss-seidel\"\n", "1.0-cs");
  run();
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NE(answer_.err.find("algebraic loop, which cannot be solved at the start with FMI 1.0"),
            std::string::npos)
      << answer_.err;
}

TEST_F(Run, NewtonHoldsALoopWhereSweepsDiverge) {
  write_loop(7, -40, "method = \"newton\"\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("a.y"), 15.0 / 281, 1e-6);
}

// Gauss-Seidel on a loop of gain -280 grows without bound: never a success.
TEST_F(Run, ADivergingMethodNeverEndsWell) {
  write({{"a", "Gain", "k = 7.0, b = 1.0"}, {"b", "Integrator", ""}},
        {"\"a.y -> b.u\"", "{ from = \"b.y\", to = \"a.u\", factor = -40.0 }"},
        "[simulation]\nstop = 10.0\nstep = 0.01\nmethod = \"iterated\"\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  for (const char* word : {"did not converge", "{", "newton"})
    EXPECT_NE(answer_.err.find(word), std::string::npos) << answer_.err;
  run({"--set", "simulation.tolerance.on-limit=continue"});
  EXPECT_EQ(answer_.status, 1) << "values that are not numbers are the end";
}

// A gain of -20 around an integrator with feed-through 3: one pass a step multiplies errors by 60.
TEST_F(Run, ADivergingSinglePassIsAnErrorToo) {
  for (const char* method : {"gauss-seidel", "jacobi"}) {
    write({{"a", "Gain", "k = -20.0, b = 1.0"}, {"b", "Integrator", ""}},
          {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
          fmt::format("[simulation]\nstop = 10.0\nstep = 0.1\nmethod = \"{}\"\n", method));
    run();
    EXPECT_EQ(answer_.status, 1);
    for (const char* word : {"{a, b}", "per step", "newton"})
      EXPECT_NE(answer_.err.find(word), std::string::npos) << answer_.err;
    run({"--set", "simulation.tolerance.on-limit=continue"});
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_NE(answer_.err.find("diverges"), std::string::npos) << answer_.err;
  }
}

// The same loop, and an integrator behind it that reads old values.
TEST_F(Run, ACycleMayIterateInAJacobiRun) {
  write({{"a", "Gain", "k = -20.0, b = 1.0"}, {"b", "Integrator", ""}, {"c", "Integrator", ""}},
        {"\"a.y -> b.u\"", "\"b.y -> a.u\"", "\"b.y -> c.u\""},
        "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"jacobi\"\n"
        "[[cycles]]\nof = [\"a\", \"b\"]\nmethod = \"newton\"\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  // u = 1 - 20 (2 x + 3 u), so u = (1 - 40 x)/61, and implicit Euler: x = (x + h/61)/(1 + 40 h/61).
  double x = 0;
  for (int n = 0; n < 10; ++n) x = (x + 0.1 / 61) / (1 + 4.0 / 61);
  EXPECT_NEAR(last.at("b.y"), 2 * x + 3 * (1 - 40 * x) / 61, 1e-6);
  EXPECT_GT(statistics()["cycles"][0]["iterations"], 10);
}

TEST_F(Run, FallsBackToAMethodThatConverges) {
  write({{"a", "Gain", "k = 2.0, b = 1.0"}, {"b", "Integrator", ""}},
        {"\"a.y -> b.u\"", "{ from = \"b.y\", to = \"a.u\", factor = -1.0 }"},
        "[simulation]\nstop = 1.0\nstep = 0.01\nmethod = [\"iterated\", \"newton\"]\n");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NE(answer_.err.find("newton is used"), std::string::npos) << answer_.err;
  EXPECT_GT(statistics()["cycles"][0]["fallbacks"], 0);
}

TEST_F(Run, AppliesFactorAndOffsetInTheLoopAndAtTheStart) {
  write({{"a", "Gain", "k = 1.0, b = 0.0"}, {"b", "Gain", "k = 1.0, b = 0.0"}},
        {"{ from = \"a.y\", to = \"b.u\", factor = 0.5, offset = 3.0 }",
         "{ from = \"b.y\", to = \"a.u\", factor = -0.5, offset = 1.0 }"},
        "[simulation]\nstop = 0.2\nstep = 0.1\nmethod = \"newton\"\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  // a = 1 - b/2, b = 3 + a/2 => a = -0.4, b = 2.8
  EXPECT_NEAR(last.at("a.y"), -0.4, 1e-9);
  EXPECT_NEAR(last.at("b.y"), 2.8, 1e-9);
}

// Example 5.0.1 of the thesis: y1 = x1, y2 = x2/u2, u2 = y1, u1 = y2. From u = 0 a division by
// zero; in the right order y1 = 1, u2 = 1, y2 = -1, u1 = -1.
TEST_F(Run, InitializesInTheRightOrder) {
  write({{"one", "Quotient", "x = 1.0"}, {"two", "Quotient", "x = -1.0, divides = true"}},
        {"\"one.y -> two.u\"", "\"two.z -> one.u\""},
        "[simulation]\nstop = 0.01\nstep = 0.01\n[results]\nvariables = [\"one.u\", \"two.u\"]\n");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  const auto rows = csv_rows(place_.read("r.csv"));
  EXPECT_EQ(rows[1], (std::vector<std::string>{"0", "-1", "1"}));
}

/// c_i = k c_(i-1) + 1 in a ring: all are 1/(1 - k), however they start.
class InitialRing : public Run {
 protected:
  /// Gets of the first component, after one step.
  int gets(const std::vector<std::string>& models, double k) {
    std::vector<Part> parts;
    std::vector<std::string> connections;
    for (std::size_t i = 0; i < models.size(); ++i) {
      parts.push_back({fmt::format("c{}", i), models[i], fmt::format("k = {:.17g}, b = 1.0", k)});
      connections.push_back(fmt::format("\"c{}.y -> c{}.u\"", i, (i + 1) % models.size()));
    }
    write(parts, connections, "[simulation]\nstop = 0.1\nstep = 0.1\nmethod = \"gauss-seidel\"\n");
    const auto last = run();
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    for (std::size_t i = 0; i < models.size(); ++i)
      EXPECT_NEAR(last.at(fmt::format("c{}.y", i)), 1 / (1 - k), 1e-6) << i;  // differences
    return statistics()["components"]["c0"]["get"];
  }
};

// Every FMU reads one other, so that all columns of the Jacobian are found at once: the initial
// values; the residual; two steps of Newton's method, each with one evaluation for the Jacobian,
// one back at the old values and one at the new; the end of initialization; the step. The gain -3
// of a member keeps sweeps from converging.
TEST_F(InitialRing, IsSolvedWithAsManyEvaluationsWhateverItsSize) {
  EXPECT_EQ(gets(std::vector<std::string>(3, "BareGain"), -3), 10);
  EXPECT_EQ(gets(std::vector<std::string>(12, "BareGain"), -3), 10);
}

// No evaluation for the Jacobian, and none to go back.
TEST_F(InitialRing, IsSolvedWithDirectionalDerivativesWhereAllHaveThem) {
  EXPECT_EQ(gets(std::vector<std::string>(12, "Gain"), -3), 6);
}

TEST_F(InitialRing, MixesDerivativesAndDifferences) {
  EXPECT_EQ(gets({"Gain", "BareGain", "Gain", "Gain", "BareGain"}, -3), 10);
}

TEST_F(Run, SaysWhichLoopHasNoSolution) {
  write({{"a", "Gain", "k = 1.0, b = 1.0"}, {"b", "Gain", "k = 1.0, b = 1.0"}},
        {"\"a.y -> b.u\"", "\"b.y -> a.u\""}, "[simulation]\nmethod = \"newton\"\n");
  run();
  EXPECT_EQ(answer_.status, 2);
  for (const char* word : {"algebraic loop", "a.y", "b.y", "residual"})
    EXPECT_NE(answer_.err.find(word), std::string::npos) << answer_.err;
}

TEST_F(Run, TakesInputsFromOutside) {
  place_.write("in.csv", "time,a.u\n0,0\n1,10\n");
  write({{"a", "Gain", ""}, {"b", "Gain", ""}}, {},
        "[inputs]\nfile = \"in.csv\"\n[inputs.set]\n\"b.u\" = 1.5\n"
        "[simulation]\nstop = 1.0\nstep = 0.25\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_EQ(last.at("a.y"), 7.5);  // the input as it is at the start of the last step
  EXPECT_EQ(last.at("a.u"), 10);   // what belongs to the time of the row
  EXPECT_EQ(last.at("b.y"), 1.5);
}

TEST_F(Run, MovesValuesOfEveryType) {
  place_.write("in.csv",
               "time,a.real_in,a.int32_in,a.boolean_in,a.string_in\n"
               "0,2.5,7,true,word\n");
  write({{"a", "Feedthrough", ""}, {"b", "Feedthrough", ""}},
        {"\"a.real_out -> b.real_in\"", "\"a.int32_out -> b.int32_in\"",
         "\"a.boolean_out -> b.boolean_in\"", "\"a.string_out -> b.string_in\""},
        "[inputs]\nfile = \"in.csv\"\n[simulation]\nstop = 0.2\nstep = 0.1\n"
        "[results]\nvariables = [\"b.real_out\", \"b.int32_out\", "
        "\"b.boolean_out\", \"b.string_out\"]\n");
  answer_ = place_.tutti({"run", "s.toml", "-o", "r.csv"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  auto last = csv_rows(place_.read("r.csv")).back();
  std::sort(last.begin(), last.end());
  std::vector<std::string> expected = {"0.2", "2.5", "7", "1", "word"};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(last, expected);
}

TEST_F(Run, KeepsTheResultsOfARunThatFails) {
  write({{"good", "Gain", ""}, {"bad", "faulty_error_in_step", ""}}, {},
        "[simulation]\nstop = 1.0\nstep = 0.1\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_NE(answer_.err.find("component \"bad\""), std::string::npos) << answer_.err;
  EXPECT_GT(csv_rows(place_.read("r.csv")).size(), 2u);
}

TEST_F(Run, NamesTheComponentThatCrashes) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself reports this";
#endif
  write({{"good", "Gain", ""}, {"bad", "faulty_crash_in_step", ""}}, {},
        "[simulation]\nstop = 1.0\nstep = 0.1\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_NE(answer_.err.find("component \"bad\" crashed"), std::string::npos) << answer_.err;
  EXPECT_GT(csv_rows(place_.read("r.csv")).size(), 2u);
}

TEST_F(Run, CountsTheCallsOfEachComponent) {
  write_loop(0.5, 0.5, "method = \"gauss-seidel\"\n");
  run();
  EXPECT_EQ(statistics()["components"]["a"]["doStep"], 10);
  EXPECT_EQ(statistics()["components"]["b"]["getState"], 0);
}

}  // namespace
}  // namespace tutti::testing
