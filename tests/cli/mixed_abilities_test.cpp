// SPDX-License-Identifier: BSD-2-Clause
// FMUs that can do more and less, coupled with each other; and what happens inside their steps.
#include <gmock/gmock.h>

#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

class MixedAbilities : public SystemRun {
 protected:
  /// C. Andersson's two linear parts with d1 = -d2 = 0.5. The error of the states at 1 s.
  double error(const std::string& first, const std::string& second, double h,
               const std::string& inputs) {
    place_.write(
        "s.toml",
        fmt::format("[components.a]\nfmu = \"{}\"\nset = {{ a = -1.0, b = 1.0, c = 1.0, d = 0.5, "
                    "x = 1.0 }}\n[components.b]\nfmu = \"{}\"\nset = {{ a = -1.0, b = 3.0, c = "
                    "-5.0, d = -0.5, x = 1.0 }}\n[connections]\nlist = [\"a.y -> b.u\", \"b.y -> "
                    "a.u\"]\n[simulation]\nstop = 1.0\nstep = {}\nmethod = \"jacobi\"\ninputs = "
                    "{{ {} }}\n[results]\nvariables = [\"*.x\"]\n",
                    first, second, h, inputs));
    const auto last = run();
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    // The digits of the exact solution.
    return std::max(std::abs(last.at("a.x") + 0.0095369), std::abs(last.at("b.x") + 0.0007624));
  }
};

// Errors of second order, whoever tells derivatives of outputs: halving the step quarters them.
TEST_F(MixedAbilities, AreCorrectedWhereOnlySomeTellDerivatives) {
  const std::string all = fmu("2.0", "Feedback");
  const std::string none = described("Feedback", {{"maxOutputDerivativeOrder", "0"}});
  const std::string one = described("Feedback", {{"maxOutputDerivativeOrder", "1"}});
  const std::string values =
      described("Feedback", {{"maxOutputDerivativeOrder", "0"}, {"canInterpolateInputs", "false"}});
  struct Case {
    std::string first, second;
    const char* inputs;
  };
  for (const auto& [first, second, inputs] : {Case{all, none, "order = 1, correct = \"linear\""},
                                              Case{none, all, "order = 1, correct = \"linear\""},
                                              Case{all, values, "order = 1, correct = \"linear\""},
                                              Case{one, all, "order = 2, correct = \"linear\""}}) {
    const double coarse = error(first, second, 0.02, inputs),
                 fine = error(first, second, 0.01, inputs);
    EXPECT_LT(fine, 6e-5) << first << " " << second;
    EXPECT_LT(fine, 0.35 * coarse) << first << " " << second;
  }
}

// One after the other, some inputs lead to values that are known and others are extrapolated with
// derivatives that are told: what nobody tells must not feed on itself (rho(D L) = 4.5).
TEST_F(MixedAbilities, AreCorrectedWhereOnlySomeInputsAreExtrapolated) {
  ASSERT_EQ(place_.tutti({"examples", "copy", "eas_10_circuit", "circuit"}).status, 0);
  answer_ = place_.tutti({"run", "circuit/system.toml", "--set", "simulation.method=gauss-seidel",
                          "--set", "simulation.inputs={order=2,correct=\"linear\"}", "--set",
                          "simulation.step=0.005", "--set", "simulation.tolerance.on-limit=stop",
                          "-o", "r.csv"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  // f2.x of newton with steps of 0.1 ms, to its digits
  EXPECT_NEAR(std::stod(csv_rows(place_.read("r.csv")).back()[2]), -0.2890057, 1e-6);
}

// Nothing is smoothed where only values come in: the same, digit by digit.
TEST_F(MixedAbilities, AreNotSmoothedWhereOnlyValuesComeIn) {
  const std::string values = described("Feedback", {{"canInterpolateInputs", "false"}});
  EXPECT_EQ(error(values, values, 0.01, "order = 1, correct = \"linear\""),
            error(values, values, 0.01, "order = 1, correct = \"linear\", smooth = true"));
}

// A ball meets the ground inside steps, where the steps of all others end, too: x(3) is the
// integral of 3 t.
TEST_F(MixedAbilities, FollowTablesWhenAnotherEndsTheStepEarly) {
  place_.write("ramp.csv", "time,i.u\n0,0\n3,9\n");
  place_.write(
      "s.toml",
      fmt::format("[components.ball]\nfmu = \"{}\"\n[components.i]\nfmu = \"{}\"\nset = {{ "
                  "a = 0.0, b = 1.0, c = 1.0, d = 0.0, x = 0.0 }}\n[inputs]\nfile = "
                  "\"ramp.csv\"\n[simulation]\nstop = 3.0\nstep = 0.2\nmethod = "
                  "\"jacobi\"\ninputs.inside = \"linear\"\ncontrol = {{ name = "
                  "\"convergence\", max = 0.2 }}\n[results]\nvariables = [\"i.x\"]\n",
                  fmu("3.0", "BouncingBall"), fmu("2.0", "Feedback")));
  EXPECT_NEAR(run().at("i.x"), 13.5, 1e-9);
  EXPECT_EQ(answer_.status, 0) << answer_.err;
}

// A value of another type is held at its value at the begin of the step, as the doubles are.
TEST_F(MixedAbilities, HoldWhatComesFromOutsideInSinglePrecision) {
  place_.write("u.csv", "time,f.float32_in,f.real_in\n0,0,0\n1,10,10\n");
  write({{"f", "Feedthrough", ""}}, {},
        "[inputs]\nfile = \"u.csv\"\n[simulation]\nstop = 0.25\nstep = 0.25\ninputs = { inside = "
        "\"constant\", correct = \"linear\" }\n[results]\nvariables = [\"f.float32_out\", "
        "\"f.real_out\"]\n",
        "3.0");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_EQ(last.at("f.real_out"), 0);
  EXPECT_EQ(last.at("f.float32_out"), 0);
}

// y = 1 + w u, u = -0.5 y: w jumps from 0.5 to 0.9 at 0.5, and y from 0.8 to 0.68966. What is
// learnt of a jump would be a slope of thousands, and freeze y where it is.
TEST_F(MixedAbilities, LearnNothingFromJumps) {
  place_.write("w.csv", "time,p.w\n0,0.5\n0.5,0.5001\n0.5,0.9\n1,0.9001\n");
  write({{"p", "Product", ""}, {"g", "Gain", "k = -0.5"}}, {"\"p.y -> g.u\"", "\"g.y -> p.u\""},
        "[inputs]\nfile = \"w.csv\"\n[simulation]\nstop = 0.6\nstep = 0.05\nmethod = \"jacobi\"\n"
        "inputs.correct = \"linear\"\n[results]\nvariables = [\"p.y\"]\n",
        "1.0-cs");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("p.y"), 0.68966, 0.06);  // as far as without correction
}

// The loop has a gain of 1, and no solution: all that auto knows fails, from where it began.
TEST_F(MixedAbilities, EndWithAnErrorWhereNoCouplingHasASolution) {
  write({{"a", "StepGain", "k = 2.0, b = 1.0"}, {"b", "StepGain", "k = 0.5"}},
        {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
        "[simulation]\nmethod = \"auto\"\ntolerance = 1e-4\n");
  run();
  EXPECT_NE(answer_.status, 0);
  EXPECT_THAT(answer_.err, ::testing::Not(HasSubstr("the step starts at")));
}

// y1 = 1 + y1 at the start. A step of enormous length would end where the residual is small beside
// y.
TEST_F(MixedAbilities, RefuseALoopWithoutSolutionAtTheStart) {
  write({{"a", "Feedback", "a = -1.0, b = 1.0, c = 1.0, d = 2.0, x = 1.0"},
         {"b", "Feedback", "a = -1.0, b = 3.0, c = -5.0, d = 0.5, x = 1.0"}},
        {"\"a.y -> b.u\"", "\"b.y -> a.u\""}, "[simulation]\nmethod = \"newton\"\n");
  run();
  EXPECT_EQ(answer_.status, 2);
  EXPECT_THAT(answer_.err, HasSubstr("no solution found for the algebraic loop of 2 variables"));
}

// FMI 1.0 has neither directional derivatives nor a way back. Where inputs are smooth, there is
// nothing to learn: the errors are those without correction, which are of second order.
TEST_F(MixedAbilities, LearnNothingFromSmoothInputs) {
  const std::string first = fmu("1.0-cs", "Feedback");
  EXPECT_LT(error(first, first, 0.01, "order = 1, correct = \"linear\""), 5e-3);
}

// Nobody can go back, and the loop gain is 2: errors are told, and so is what becomes of them.
TEST_F(MixedAbilities, DivergeNoticeablyUnderAPredictorThatCannotGoBack) {
  write({{"a", "FeedbackBare", "a = -1.0, b = 1.0, c = 1.0, d = 1.0, x = 1.0"},
         {"b", "FeedbackBare", "a = -1.0, b = 3.0, c = -5.0, d = -2.0, x = 1.0"}},
        {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
        "[simulation]\nstop = 1.0\nstep = 0.01\nmethod = \"jacobi\"\ncontrol = { name = "
        "\"predictor\", at-min = \"continue\", min = 0.001 }\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("grow by a factor of"));
}

}  // namespace
}  // namespace tutti::testing
