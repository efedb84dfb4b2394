// SPDX-License-Identifier: BSD-2-Clause
// Inputs between communication points: extrapolated, smoothed, corrected.
#include <gmock/gmock.h>

#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The FMUs of a version, and how they are used.
struct Kind {
  const char *name, *version, *as;
};
class InputCurves : public SystemRun, public ::testing::WithParamInterface<Kind> {
 protected:
  /// A ramp, its integral, and the integral of that: y = 2 x + 3 u each.
  void write_chain(const std::string& settings) {
    const Kind& kind = GetParam();
    write({{"ramp", "TunableGain", ""}, {"first", "Integrator", ""}, {"second", "Integrator", ""}},
          {"\"ramp.y -> first.u\"", "\"first.y -> second.u\""},
          "[simulation]\nstop = 1.0\nstep = 0.1\n" + settings +
              "[results]\nvariables = [\"*.x\", \"*.y\"]\n",
          kind.version);
    run({"--set", fmt::format("components.ramp.as={}", kind.as), "--set",
         fmt::format("components.first.as={}", kind.as), "--set",
         fmt::format("components.second.as={}", kind.as)});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
  }
  double at(const std::string& column, std::size_t row) const {
    const auto rows = csv_rows(place_.read("r.csv"));
    for (std::size_t i = 0; i < rows[0].size(); ++i)
      if (rows[0][i] == column) return std::stod(rows.at(row + 1)[i]);
    ADD_FAILURE() << column;
    return 0;
  }
  /// CS FMUs of the kit integrate polynomials exactly, the ME ones have rtol 1e-6.
  double tolerance() const { return GetParam().as == std::string("cs") ? 1e-12 : 2e-6; }
};
INSTANTIATE_TEST_SUITE_P(Cli, InputCurves,
                         ::testing::Values(Kind{"Fmi1", "1.0-cs", "cs"}, Kind{"Fmi2", "2.0", "cs"},
                                           Kind{"Fmi3", "3.0", "cs"}, Kind{"Me1", "1.0-me", "me"},
                                           Kind{"Me2", "2.0", "me"}, Kind{"Me3", "3.0", "me"}),
                         [](const auto& tested) { return std::string(tested.param.name); });

// In the first step nothing is known of the ramp but its value 0; later it is followed exactly, and
// h^2/2 stays missing.
TEST_P(InputCurves, FollowARampExactlyFromTheSecondStepOn) {
  for (const char* derivatives : {"differences", "backward", "auto"}) {
    write_chain(fmt::format("method = \"jacobi\"\ninputs = {{ order = 1, derivatives = \"{}\" }}\n",
                            derivatives));
    for (const std::size_t n : {2, 5, 10})
      EXPECT_NEAR(at("first.x", n), std::pow(0.1 * static_cast<double>(n), 2) / 2 - 0.005,
                  tolerance())
          << derivatives << n;
  }
}

// From the second point on, the output of `first` is the parabola t^2 + 3 t - h^2; three points on
// it, and its integral is exact.
TEST_P(InputCurves, FollowAParabolaExactlyOnceThreePointsOfItAreKnown) {
  write_chain(
      "method = \"jacobi\"\ninputs = { order = 2, derivatives = \"differences\", start = "
      "\"constant\" }\n");
  const auto integral = [](double t) { return t * t * t / 3 + 1.5 * t * t - 0.01 * t; };
  EXPECT_NEAR(at("second.x", 10) - at("second.x", 4), integral(1) - integral(0.4),
              10 * tolerance());
}

// What is called later knows the end of the step already.
TEST_P(InputCurves, LeadToTheNewValueWhereItIsKnown) {
  write_chain("inputs.order = 1\n");
  EXPECT_NEAR(at("first.x", 10), 0.5, tolerance());
  // The input of `second` is a parabola with lines between its points: h^2/12 of the slope's
  // change.
  EXPECT_NEAR(at("second.x", 10), 1.0 / 3 + 1.5 + 0.01 * 2 / 12, 10 * tolerance());
  write_chain("inputs.order = 2\n");  // lines only in the first step
  EXPECT_NEAR(at("second.x", 10), 1.0 / 3 + 1.5 + 0.001 * 2 / 12, 10 * tolerance());
}

// Smoothing moves no end of a step: on a ramp it makes up for what was missed in the first one.
TEST_P(InputCurves, JoinWithoutJumpsIfTheyAreSmooth) {
  write_chain(
      "method = \"jacobi\"\ninputs = { order = 1, derivatives = \"differences\", smooth = true "
      "}\n");
  // At t = h the curve still is at 0, and has to be at 2 h at the end of the next step.
  EXPECT_NEAR(at("first.x", 2), 0.01, tolerance());
  EXPECT_NEAR(at("first.x", 10), 0.5 - 0.005 - 0.005, tolerance());
}

using CurvesInRuns = SystemRun;

// x' = u, y = 2 x + 3 u, u = -y/4 and therefore u = -2 x/7: explicit Euler's method, while the
// uncorrected coupling has a loop gain of -0.75.
TEST_F(CurvesInRuns, CorrectOutputsLinearlyWhateverTheFmuCanDo) {
  struct Case {
    const char *back, *says;
    double tolerance;  // of the derivatives: exact, by differences, learnt
  };
  for (const auto& [back, says, tolerance] :
       {Case{"Gain", "", 1e-12}, Case{"StepGain", "by tiny steps that are rolled back", 1e-7},
        Case{"BareGain", "estimates them during the run", 0.05}}) {
    write({{"plant", "Integrator", "x = 1.0"}, {"back", back, "k = -0.25"}},
          {"\"plant.y -> back.u\"", "\"back.y -> plant.u\""},
          "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"jacobi\"\ninputs.correct = "
          "\"linear\"\n[results]\nvariables = [\"plant.x\", \"plant.y\"]\n");
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const double x = std::pow(1 - 0.2 / 7, 10);
    EXPECT_NEAR(last.at("plant.x"), x, tolerance * x) << back;
    EXPECT_NEAR(last.at("plant.y"), 8 * x / 7, 2 * tolerance * x) << back;
    EXPECT_THAT(answer_.err, HasSubstr(says));
  }
}

// Model exchange without directional derivatives and without going back: the equations themselves
// can be asked, also at the start, as soon as the FMUs are initialized.
TEST_F(CurvesInRuns, CorrectOutputsOfEquationsOfFmi1) {
  for (const char* correct : {"linear", "consistent"}) {
    write({{"plant", "Port", "x = 1.0, c = 2.0, d = 3.0"}, {"back", "Port", "c = 0.0, d = -0.25"}},
          {"\"plant.y -> back.u\"", "\"back.y -> plant.u\""},
          fmt::format("[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"jacobi\"\ninputs.correct = "
                      "\"{}\"\n[results]\nvariables = [\"plant.x\", \"plant.y\"]\n",
                      correct),
          "1.0-me");
    const auto last = run({"--set", "components.plant.solver.rtol=1e-10"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const double x = std::pow(1 - 0.2 / 7, 10);
    EXPECT_NEAR(last.at("plant.x"), x, 1e-7) << correct;  // D by differences
    EXPECT_NEAR(last.at("plant.y"), 8 * x / 7, 1e-7) << correct;
    EXPECT_THAT(answer_.err, Not(HasSubstr("estimates them during the run"))) << correct;
    EXPECT_THAT(answer_.err, Not(HasSubstr("initial values may be inconsistent"))) << correct;
  }
}

// With a factor of -1 on the connection, everything is as if nothing were negated: to the bit.
TEST_F(CurvesInRuns, KnowTheSignOfNegatedAliases) {
  double plain = 0;
  for (const auto& [one, two, factor] : {std::tuple("Feedback", "Feedback", 1.0),
                                         {"FeedbackNegated", "Feedback", -1.0},
                                         {"Feedback", "FeedbackNegated", -1.0}}) {
    write({{"one", one, "a = -1.0"}, {"two", two, "a = 0.0, x = 0.0"}},
          {fmt::format("{{ from = \"one.y\", to = \"two.u\", factor = {:.1f} }}", factor)},
          "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"jacobi\"\ninputs = { order = 2, "
          "derivatives = \"fmu\" }\n[results]\nvariables = [\"two.x\"]\n",
          "1.0-cs");
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_THAT(answer_.err, Not(HasSubstr("at the middle of each step")));
    if (factor == 1) plain = last.at("two.x");
    EXPECT_EQ(last.at("two.x"), plain) << one << two;
  }
  // In the first step nothing is known of the source but its value: h^2/2 of its slope is missing.
  EXPECT_NEAR(plain, 1 - std::exp(-1), 0.005);
}

// The output is the input where the step ends, whatever else the FMU is given.
TEST_F(CurvesInRuns, FollowRealsBesideInputsOfOtherTypes) {
  place_.write("u.csv", "time,q.real_in\n0,0\n1,10\n");
  for (const char* version : {"1.0-cs", "2.0", "3.0"}) {
    write({{"q", "Feedthrough", ""}}, {},
          "[inputs]\nfile = \"u.csv\"\nset = { q.string_in = \"abc\", q.discrete_in = 1.0 }\n"
          "[simulation]\nstop = 1.0\nstep = 0.25\ninputs.inside = \"linear\"\n"
          "[results]\nvariables = [\"q.real_out\"]\n",
          version);
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_NEAR(last.at("q.real_out"), 10, 1e-12) << version;
  }
}

// u = -0.9 y: without correction the values grow by sqrt(2.7) in each step.
TEST_F(CurvesInRuns, StayStableByCorrectionWhereTheLoopGainIsLarge) {
  write({{"plant", "Integrator", "x = 1.0"}, {"back", "Gain", "k = -0.9"}},
        {"\"plant.y -> back.u\"", "\"back.y -> plant.u\""},
        "[simulation]\nstop = 10.0\nstep = 0.1\nmethod = \"jacobi\"\n"
        "[results]\nvariables = [\"plant.x\"]\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("grow by a factor of 1.6"));
  const auto last = run({"--set", "simulation.inputs.correct=linear"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("plant.x"), std::pow(1 - 0.18 / 3.7, 100), 1e-12);
}

// u = 0.3 y: a slow growth, which a model could have, until no number is left.
TEST_F(CurvesInRuns, FailWhenValuesHaveGrownBeyondAllNumbers) {
  write({{"plant", "Integrator", "x = 1.0"}, {"back", "Gain", "k = 0.3"}},
        {"\"plant.y -> back.u\"", "\"back.y -> plant.u\""},
        "[simulation]\nstop = 1000.0\nstep = 0.1\nmethod = \"jacobi\"\n"
        "[results]\nvariables = [\"plant.x\"]\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("is infinite: the values of its cycle overflow"));
  EXPECT_THAT(answer_.err, HasSubstr("a smaller step"));
}

TEST_F(CurvesInRuns, TellThatALoopHasNoSolution) {
  write({{"a", "StepGain", "k = 2.0, b = 1.0"}, {"b", "StepGain", "k = 0.5"}},
        {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
        "[simulation]\nmethod = \"jacobi\"\ninputs.correct = true\n", "1.0-cs");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("linear correction: the loop a.y, b.y has gain 1"));
}

// FMI 3.0 in event mode and model exchange: the same as with the linear correction, which is exact
// here.
TEST_F(CurvesInRuns, ComputeOutputsAgainWhereTheStandardLetsThem) {
  for (const auto& [version, as] : {std::pair("3.0", "cs"), {"3.0", "me"}, {"2.0", "me"}}) {
    write({{"plant", "Port", "x = 1.0, c = 2.0, d = 3.0"}, {"back", "Port", "c = 0.0, d = -0.25"}},
          {"\"plant.y -> back.u\"", "\"back.y -> plant.u\""},
          "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"jacobi\"\ninputs.correct = "
          "\"consistent\"\n[results]\nvariables = [\"plant.x\", \"plant.y\", \"*.updates\"]\n",
          version);
    const auto last = run({"--set", fmt::format("components.plant.as={}", as), "--set",
                           fmt::format("components.back.as={}", as), "--set",
                           "components.plant.solver.rtol=1e-10"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const double x = std::pow(1 - 0.2 / 7, 10);
    EXPECT_NEAR(last.at("plant.x"), x, 1e-8) << version << as;
    EXPECT_NEAR(last.at("plant.y"), 8 * x / 7, 1e-8) << version << as;
    EXPECT_GE(last.at("back.updates"), 10) << version << as;
  }
}

// The ball of FMI 2.0 bounces inside its steps, and tells nobody; an FMU of FMI 3.0 with event mode
// learns of the jump of its input by an event (FMI 3.0, 4.1.1), and only of that.
TEST_F(CurvesInRuns, TellJumpsToFmusThatHaveAnEventMode) {
  for (const double stop : {0.4, 0.6}) {  // the first bounce is at 0.45 s
    place_.write("s.toml", fmt::format("[components.ball]\nfmu = \"{}\"\n"
                                       "[components.port]\nfmu = \"{}\"\n"
                                       "[connections]\nlist = [\"ball.v -> port.u\"]\n"
                                       "[simulation]\nstop = {}\nstep = 0.01\nmethod = "
                                       "\"jacobi\"\ncontrol = {{ name = \"convergence\", max = "
                                       "0.01 }}\ninputs.order = 1\n",
                                       fmu("2.0", "BouncingBall"), fmu("3.0", "Port"), stop));
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_EQ(last.at("port.updates"), stop < 0.45 ? 1 : 2);  // one at the start
  }
}

// A component of several shorter steps sees the same line, whatever it asks for inside of them.
TEST_F(CurvesInRuns, GoOnThroughTheStepsOfAComponent) {
  for (const char* version : {"1.0-cs", "2.0", "3.0"}) {
    write({{"ramp", "TunableGain", ""}, {"first", "Integrator", ""}}, {"\"ramp.y -> first.u\""},
          "[simulation]\nstop = 2.0\nstep = 0.2\ninputs.order = 1\n"
          "[results]\nvariables = [\"first.x\"]\n",
          version);
    const auto last = run({"--set", "components.first.step=0.05"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_NEAR(last.at("first.x"), 2, 1e-12) << version;
  }
}

// The table jumps from 0 to 1 at 0.5: what was before is no help behind it.
TEST_F(CurvesInRuns, ForgetWhatWasBeforeAJumpOfATable) {
  place_.write("u.csv", "time,q.u\n0,0\n0.5,0\n0.5,1\n1,1\n");
  write({{"q", "Integrator", ""}}, {},
        "[inputs]\nfile = \"u.csv\"\n[simulation]\nstop = 1.0\nstep = 0.1\ninputs.order = 2\n"
        "[results]\nvariables = [\"q.x\"]\n");
  for (const char* control : {"fixed", "predictor", "richardson"}) {
    const auto last = run({"--set", std::string("simulation.control.name=") + control});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_NEAR(last.at("q.x"), 0.5, 1e-12) << control;
  }
}

TEST_F(CurvesInRuns, RefuseWhatTheFmusCannotDo) {
  write_loop(0.5, 0.5, "method = \"jacobi\"\ninputs.correct = \"consistent\"\n");
  run();
  EXPECT_EQ(answer_.status, 2);
  EXPECT_THAT(answer_.err, HasSubstr("component \"a\" (Gain.fmu, FMI 2.0): "
                                     "simulation.inputs.correct = \"consistent\" recomputes "
                                     "\"y\" from a new \"u\""));
  write({{"a", "BareGain", ""}, {"b", "BareGain", ""}}, {"\"a.y -> b.u\""},
        "[simulation]\nmethod = \"jacobi\"\ninputs = { order = 1, derivatives = \"fmu\" }\n");
  run();
  EXPECT_EQ(answer_.status, 2);
  EXPECT_THAT(answer_.err, HasSubstr("maxOutputDerivativeOrder=\"0\""));
  EXPECT_THAT(place_.tutti({"check", "s.toml"}).out, HasSubstr("maxOutputDerivativeOrder"));
}

TEST_F(CurvesInRuns, HaveSettingsOfTheirOwnForEachConnection) {
  write({{"ramp", "TunableGain", ""}, {"held", "Integrator", ""}, {"led", "Integrator", ""}},
        {"\"ramp.y -> held.u\"", "{ from = \"ramp.y\", to = \"led.u\", order = 1 }"},
        "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"jacobi\"\n"
        "[results]\nvariables = [\"*.x\"]\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("held.x"), 0.45, 1e-12);  // the left-hand rectangle rule
  EXPECT_NEAR(last.at("led.x"), 0.495, 1e-12);  // only in the first step
}

// An output that follows a jump of a table at once jumps in the next step, however short that is.
TEST_F(CurvesInRuns, NameJumpsThatStopThePredictor) {
  write({{"gain", "Gain", ""}, {"plant", "Integrator", ""}}, {"\"gain.y -> plant.u\""},
        "[inputs]\nfile = \"ramp.csv\"\n[simulation]\nstop = 1.0\nstep = 0.01\nmethod = "
        "\"jacobi\"\ncontrol = { name = \"predictor\", estimator = \"linear\" }\n");
  place_.write("ramp.csv", "time,gain.u\n0,0\n0.5,0\n0.5,2\n1,2\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("as that of longer ones: a coupled value jumps there"));
  EXPECT_THAT(answer_.err, HasSubstr("estimator has no effect"));
  EXPECT_NEAR(run({"--set", "simulation.control.at-min=continue"}).at("plant.y"), 2 + 6, 1e-3);
  EXPECT_EQ(answer_.status, 0) << answer_.err;
}

TEST_F(CurvesInRuns, SayIfSmoothingHasNoEffect) {
  write_loop(0.5, 0.5, "inputs.smooth = true\n");
  run();
  EXPECT_THAT(answer_.err, HasSubstr("simulation.inputs.smooth has no effect with order = 0"));
  run({"--set", "simulation.inputs.order=1"});
  EXPECT_THAT(answer_.err, Not(HasSubstr("no effect")));
  run({"--set", "simulation.inputs.order=1", "--set", "simulation.method=newton"});
  EXPECT_THAT(answer_.err, HasSubstr("simulation.inputs.smooth has no effect with method newton"));
}

}  // namespace
}  // namespace tutti::testing
