// SPDX-License-Identifier: BSD-2-Clause
// FMUs that promise derivatives of inputs or outputs and do not keep it, and FMUs that compute
// other values when they may be rolled back.
#include <gmock/gmock.h>

#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PromisedDerivatives : public SystemRun {
 protected:
  /// a' = b, b' = -a, from (1, 0): the error at t = 1.
  double error(const std::string& model, const std::string& settings) {
    write({{"a", model, "x = 1.0"}, {"b", model, ""}},
          {"{ from = \"b.x\", to = \"a.u\" }", "{ from = \"a.x\", to = \"b.u\", factor = -1.0 }"},
          "[simulation]\nstop = 1.0\nstep = 0.01\n" + settings);
    const auto last = run();
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    if (last.empty()) return NAN;
    EXPECT_EQ(last.at("time"), 1);
    return std::hypot(last.at("a.x") - std::cos(1.0), last.at("b.x") + std::sin(1.0));
  }
  std::size_t warnings() const {
    std::size_t count = 0;
    for (std::size_t at = answer_.err.find("warning"); at != std::string::npos;
         at = answer_.err.find("warning", at + 1))
      ++count;
    return count;
  }
};

// Lines instead of parabolas: errors of the second order, h^2/2 of a step, not of the third.
TEST_F(PromisedDerivatives, OfTheSecondOrderAreReplacedByLines) {
  const double second =
      error("faulty_refuses_second_order", "method = \"jacobi\"\ninputs = { order = 2 }\n");
  EXPECT_LT(second, 1e-4);
  EXPECT_EQ(warnings(), 1u) << answer_.err;  // of an FMU with two instances
  EXPECT_THAT(answer_.err, HasSubstr("derivatives of order 1"));
  EXPECT_THAT(answer_.err, HasSubstr("fmi2SetRealInputDerivatives"));
  // The same as with order 1 from the start.
  EXPECT_EQ(second,
            error("faulty_refuses_second_order", "method = \"jacobi\"\ninputs = { order = 1 }\n"));
  EXPECT_EQ(warnings(), 0u) << answer_.err;
}

TEST_F(PromisedDerivatives, OfAnyOrderCanBeDoneWithout) {
  EXPECT_LT(error("faulty_refuses_derivatives", "method = \"jacobi\"\ninputs = { order = 2 }\n"),
            1e-4);
  EXPECT_THAT(answer_.err, HasSubstr("no derivatives"));
}

TEST_F(PromisedDerivatives, ThatAreNotNumbersAreReplacedByDifferences) {
  for (const char* order : {"1", "2"}) {
    const std::string inputs =
        fmt::format("method = \"jacobi\"\ninputs = {{ order = {} }}\n", order);
    EXPECT_LT(error("faulty_derivatives_are_nan", inputs), 1e-4);
    EXPECT_EQ(warnings(), 1u) << answer_.err;
    EXPECT_THAT(answer_.err, HasSubstr("are NaN"));
  }
}

TEST_F(PromisedDerivatives, AreNoObstacleForAuto) {
  for (const char* model : {"faulty_refuses_second_order", "faulty_refuses_derivatives",
                            "faulty_derivatives_are_nan"}) {
    EXPECT_LT(error(model, "method = \"auto\"\n"), 1e-2) << model;
    EXPECT_LE(warnings(), 2u) << answer_.err;
    // Time goes forward in the results, also where the run was repeated.
    double before = -1;
    for (const auto& row : csv_rows(place_.read("r.csv"))) {
      if (row[0] == "time") continue;
      EXPECT_GT(std::stod(row[0]), before);
      before = std::stod(row[0]);
    }
  }
}

class RollbackFlag : public SystemRun {};

TEST_F(RollbackFlag, ThatChangesTheResultsIsFoundInARun) {
  const std::string rest =
      "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"{}\"\n[results]\nvariables = "
      "[\"a.y\"]\n";
  const std::vector<std::string> loop = {
      "\"a.y -> b.u\"", "{ from = \"b.y\", to = \"a.u\", factor = 0.1, offset = 1.0 }"};
  write({{"a", "faulty_starts_anew", ""}, {"b", "StepGain", ""}}, loop,
        fmt::format(fmt::runtime(rest), "newton"));
  run();
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err, HasSubstr("noSetFMUStatePriorToCurrentPoint"));
  EXPECT_THAT(answer_.err, HasSubstr("a: "));
  // A run that repeats nothing does not tell the FMU so.
  write({{"a", "faulty_starts_anew", ""}, {"b", "StepGain", ""}}, loop,
        fmt::format(fmt::runtime(rest), "gauss-seidel"));
  run();
  EXPECT_THAT(answer_.err, Not(HasSubstr("noSetFMUState")));
}

// Some FMUs keep the flag's effect where no saved state knows of it: they are found all the same.
TEST_F(RollbackFlag, ThatMovesWhatNoStateHoldsIsFoundInARunAndByACheck) {
  write({{"a", "faulty_moves_on", ""}}, {},
        "[simulation]\nstop = 1.0\nstep = 0.1\nsave-states = \"always\"\n");
  run();
  EXPECT_THAT(answer_.err, HasSubstr("warning: a: t = 0.1 s: the FMU computes different values"));
  const Answer bad = place_.tutti({"check", "--run", fmu("2.0", "faulty_moves_on")});
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.out + bad.err, HasSubstr("run-flag"));
}

// What is tried is a step that the FMU may take.
TEST_F(RollbackFlag, IsTriedWithTheStepOfTheComponent) {
  write({{"a", "FixedStep", ""}, {"b", "Gain", ""}}, {},
        "[simulation]\nstop = 1.0\nstep = 0.2\nsave-states = \"always\"\n");
  run({"--set", "components.a.step=0.1"});
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err, Not(HasSubstr("error")));
}

// The steps that compare are not among the statistics: those of a good FMU are as many as without.
TEST_F(RollbackFlag, IsTriedWithoutBeingCounted) {
  write({{"a", "Integrator", ""}, {"b", "StepGain", ""}}, {"\"a.y -> b.u\""},
        "[simulation]\nstop = 1.0\nstep = 0.1\nsave-states = \"always\"\n");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err, Not(HasSubstr("noSetFMUState")));
  const nlohmann::json counts = statistics();
  for (const auto& component : counts["components"]) EXPECT_EQ(component["doStep"], 10);
}

TEST_F(RollbackFlag, ThatChangesTheResultsIsFoundByACheck) {
  const Answer bad = place_.tutti({"check", "--run", fmu("2.0", "faulty_starts_anew")});
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.out + bad.err, HasSubstr("run-flag"));
  for (const std::string version : {"1.0-cs", "2.0", "3.0"}) {
    const Answer good = place_.tutti({"check", "--run", fmu(version, "Integrator")});
    EXPECT_THAT(good.out + good.err, Not(HasSubstr("run-flag")));
  }
}

}  // namespace
}  // namespace tutti::testing
