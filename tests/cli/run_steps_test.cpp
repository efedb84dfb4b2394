// SPDX-License-Identifier: BSD-2-Clause
// What happens inside and at the ends of the steps of a coupled system.
#include <array>
#include <cmath>
#include <complex>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

/// x' = u with y = 2 x + 3 u and u = -y/4, so that u = -2 x/7.
class Feedback : public Run {
 protected:
  void write_feedback(const std::string& settings) {
    write({{"plant", "Integrator", "x = 1.0"}, {"back", "Gain", "k = -0.25"}},
          {"\"plant.y -> back.u\"", "\"back.y -> plant.u\""},
          fmt::format("[simulation]\nstop = 1.0\nstep = 0.1\n"
                      "tolerance = {{ abs = 1e-12, rel = 1e-12, iterations = 200 }}\n{}"
                      "[results]\nvariables = [\"plant.x\"]\n",
                      settings));
  }
};

// Linear inputs and iteration are the trapezoidal rule: x_(n+1) = x_n + h/2 (u_n + u_(n+1)), so
// every step multiplies x by (1 - h/7)/(1 + h/7).
TEST_F(Feedback, IteratedWithLinearInputsIsTheTrapezoidalRule) {
  write_feedback("method = \"iterated\"\ninputs.inside = \"linear\"\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("plant.x"), std::pow((1 - 0.1 / 7) / (1 + 0.1 / 7), 10), 1e-11);
}

// Held inputs and iteration are implicit Euler: x is divided by 1 + 2 h/7.
TEST_F(Feedback, IteratedWithHeldInputsIsImplicitEuler) {
  write_feedback("method = \"iterated\"\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("plant.x"), std::pow(1 + 0.2 / 7, -10), 1e-11);
}

TEST_F(Feedback, EveryIteratingMethodFindsTheSame) {
  for (const char* method : {"newton", "broyden", "anderson"})
    for (const char* inside : {"constant", "linear"}) {
      write_feedback(fmt::format("method = \"{}\"\ninputs.inside = \"{}\"\n", method, inside));
      const double x = run().at("plant.x");
      ASSERT_EQ(answer_.status, 0) << answer_.err;
      const bool linear = std::string(inside) == "linear";
      EXPECT_NEAR(x,
                  linear ? std::pow((1 - 0.1 / 7) / (1 + 0.1 / 7), 10) : std::pow(1 + 0.2 / 7, -10),
                  1e-10)
          << method << ' ' << inside;  // ten steps, each to 1e-12
    }
}

class LinearInputs : public Run {};
INSTANTIATE_TEST_SUITE_P(Cli, LinearInputs, ::testing::Values("1.0-cs", "2.0", "3.0"),
                         [](const auto& tested) {
                           return fmt::format("Fmi{}", std::string(tested.param).front());
                         });

// The second of two integrators in a row sees the line between the values of the first one:
// x2' = x1 = t, exactly, although the step is long.
TEST_P(LinearInputs, AreExactForTheSecondOfTwoIntegrators) {
  write({{"first", "Integrator", "u = 1.0"}, {"second", "Integrator", ""}},
        {"{ from = \"first.y\", to = \"second.u\", factor = 0.5, offset = -1.5 }"},
        "[simulation]\nstop = 1.0\nstep = 0.5\ninputs.inside = \"linear\"\n"
        "[results]\nvariables = [\"*.x\"]\n",
        GetParam());
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("second.x"), 0.5, 1e-14);  // t^2/2
}

/// Two integrators x' = u with p' = v, v' = -p; z = p + i v at t = 1 after ten steps.
class Oscillator : public LinearInputs {
 protected:
  std::complex<double> oscillate(const char* model, const char* state, const char* method) {
    write({{"p", model, fmt::format("{} = 1.0", state)}, {"v", model, ""}},
          {fmt::format("\"v.{} -> p.u\"", state),
           fmt::format("{{ from = \"p.{}\", to = \"v.u\", factor = -1 }}", state)},
          fmt::format("[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"{}\"\n"
                      "inputs.inside = \"linear\"\n"
                      "tolerance = {{ abs = 1e-12, rel = 1e-12, iterations = 200 }}\n"
                      "[results]\nvariables = [\"*.{}\"]\n",
                      method, state),
          GetParam());
    const auto last = run();
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    return {last.at(fmt::format("p.{}", state)), last.at(fmt::format("v.{}", state))};
  }
  static constexpr std::complex<double> i{0, 1};
  const std::complex<double> trapezoidal = (1.0 - 0.05 * i) / (1.0 + 0.05 * i);
};
INSTANTIATE_TEST_SUITE_P(Cli, Oscillator, ::testing::Values("1.0-cs", "2.0", "3.0"),
                         [](const auto& tested) {
                           return fmt::format("Fmi{}", std::string(tested.param).front());
                         });

// Derivatives are told anew with each repeated step, and FMI 3.0 asks: the lines end where the
// iteration ends, which is the trapezoidal rule.
TEST_P(Oscillator, IsTheTrapezoidalRuleInEveryVersion) {
  for (const char* method : {"iterated", "newton"})
    EXPECT_LT(std::abs(oscillate("Integrator", "x", method) - std::pow(trapezoidal, 10)), 1e-10)
        << method;  // ten steps, each to 1e-12
}

class DeafOscillator : public Oscillator {};
INSTANTIATE_TEST_SUITE_P(Cli, DeafOscillator, ::testing::Values("3.0"),
                         [](const auto&) { return "Fmi3"; });

// The first step shows that the FMUs do not ask for inputs: it is explicit Euler, z := (1 - i h) z,
// in every iteration. From then on the middle of the line has the integral of the line.
TEST_P(DeafOscillator, GetsTheMiddleFromItsSecondStepOn) {
  for (const char* method : {"iterated", "newton"}) {
    const auto expected = (1.0 - 0.1 * i) * std::pow(trapezoidal, 9);
    EXPECT_LT(std::abs(oscillate("Deaf", "y", method) - expected), 1e-10) << method;
    const std::size_t told = answer_.err.find("does not request inputs inside a step");
    ASSERT_NE(told, std::string::npos) << answer_.err;
  }
}

// The FMU's start values are 1, 2, 3.
TEST_F(Run, ConstantInputsMayBeArraysOrElements) {
  const auto write_constants = [&](const std::string& constants) {
    write({{"a", "Feedthrough", ""}}, {},
          "[inputs.set]\n" + constants +
              "[simulation]\nstop = 0.2\nstep = 0.1\n"
              "[results]\nvariables = [\"a.array_out\"]\n",
          "3.0");
    auto last = run();
    return std::array{last["a.array_out[1]"], last["a.array_out[2]"], last["a.array_out[3]"]};
  };
  using Three = std::array<double, 3>;
  EXPECT_EQ(write_constants("\"a.array_in\" = [4.0, 5.0, 6.0]\n"), (Three{4, 5, 6}));
  EXPECT_EQ(write_constants("\"a.array_in\" = 7\n"), (Three{7, 7, 7}));
  EXPECT_EQ(write_constants("\"a.array_in[2]\" = 8\n\"a.array_in[3]\" = 9\n"), (Three{1, 8, 9}));
  for (const char* wrong : {"\"a.array_in\" = [1.0, 2.0]\n", "\"a.array_in[2]\" = \"much\"\n"}) {
    write_constants(wrong);
    EXPECT_EQ(answer_.status, 2) << wrong << answer_.err;
    EXPECT_EQ(place_.tutti({"check", "s.toml"}).status, 1) << wrong;
  }
}

// a[2] comes from a file, a[3] from a connection, a[1] stays.
TEST_F(Run, ElementsOfAnInputThatNothingDrivesKeepTheirStartValues) {
  place_.write("in.csv", "time,a.array_in[2]\n0,5\n");
  write({{"a", "Feedthrough", ""}, {"b", "Feedthrough", "real_in = 6"}},
        {"\"b.real_out -> a.array_in[3]\""},
        "[inputs]\nfile = \"in.csv\"\n[simulation]\nstop = 0.2\nstep = 0.1\n"
        "[results]\nvariables = [\"a.array_out\"]\n",
        "3.0");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_EQ(last.at("a.array_out[1]"), 1);
  EXPECT_EQ(last.at("a.array_out[2]"), 5);
  EXPECT_EQ(last.at("a.array_out[3]"), 6);
}

TEST_F(Run, SaysWhoCannotFollowItsInputs) {
  write({{"a", "Gain", ""}, {"b", "Trivial", ""}}, {"\"a.y -> b.u\""},
        "[simulation]\ninputs.inside = \"linear\"\n");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NE(answer_.err.find("canInterpolateInputs"), std::string::npos) << answer_.err;
}

TEST_F(Feedback, AComponentMayTakeShorterStepsOfItsOwn) {
  write_feedback("method = \"gauss-seidel\"\n");
  const auto last = run({"--set", "components.plant.step=0.02"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_EQ(statistics()["components"]["plant"]["doStep"], 50);
  EXPECT_EQ(statistics()["components"]["back"]["doStep"], 10);
  EXPECT_NEAR(last.at("plant.x"), std::exp(-2.0 / 7), 0.03);  // h times a slope below 0.3
  run({"--set", "components.plant.step=0.03"});
  EXPECT_EQ(answer_.status, 2);
  EXPECT_NE(answer_.err.find("not an integer multiple"), std::string::npos) << answer_.err;
}

// FMI 1.0 can repeat its last step only.
TEST_F(Run, RefusesToRepeatSeveralStepsOfFmi1) {
  write({{"p", "Integrator", "x = 1.0"}, {"v", "Integrator", ""}},
        {"\"v.x -> p.u\"", "{ from = \"p.x\", to = \"v.u\", factor = -1 }"},
        "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"iterated\"\n", "1.0-cs");
  run({"--set", "components.p.step=0.1"});
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  run({"--set", "components.p.step=0.05"});
  EXPECT_EQ(answer_.status, 2);
  for (const char* words : {"component \"p\"", "can repeat only its last step (canRejectSteps)",
                            "components.p.step = 0.05", "Leave this key out"})
    EXPECT_NE(answer_.err.find(words), std::string::npos) << answer_.err;
  run({"--set", "components.p.step=0.05", "--set", "simulation.method=gauss-seidel"});
  EXPECT_EQ(answer_.status, 0) << answer_.err;
}

TEST_F(Run, JacobiSweepsNeedMoreIterations) {
  const auto iterations = [&](const char* sweeps) {
    write({{"plant", "Integrator", "x = 1.0"}, {"back", "Gain", "k = -0.1"}},
          {"\"plant.y -> back.u\"", "\"back.y -> plant.u\""},
          fmt::format("[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"iterated\"\n"
                      "sweeps = \"{}\"\n",
                      sweeps));
    run();
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    return statistics()["cycles"][0]["iterations"].get<int>();
  };
  EXPECT_GT(iterations("jacobi"), iterations("seidel"));
}

/// One that steps before the one that ends its steps early.
class Discards : public Run {
 protected:
  void write_discarding(const std::string& fault, const std::string& settings = "",
                        const std::string& version = "2.0") {
    write({{"good", "Integrator", "u = 1.0"}, {"bad", "faulty_" + fault, ""}}, {},
          "[simulation]\nstop = 1.0\nstep = 0.1\n" + settings +
              "[results]\nvariables = [\"good.y\", \"bad.y\"]\n",
          version);
  }
};

// good.y = 2 t + 3 and bad.y = t: every row belongs to one time.
TEST_F(Discards, EndTheStepForAll) {
  for (const char* fault : {"discard_with_progress", "discard_without_progress"}) {
    write_discarding(fault);
    run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_NE(answer_.err.find("repeated"), std::string::npos) << answer_.err;
    const auto rows = csv_rows(place_.read("r.csv"));
    EXPECT_GE(rows.size(), 12u);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const double t = std::stod(rows[i][0]);
      EXPECT_NEAR(std::stod(rows[i][1]), 2 * t + 3, 1e-12);
      EXPECT_NEAR(std::stod(rows[i][2]), t, 1e-12);
    }
    const std::string repeated = place_.read("r.csv");
    run({"--set", "simulation.save-states=always"});
    EXPECT_EQ(answer_.err.find("repeated"), std::string::npos) << answer_.err;
    EXPECT_EQ(place_.read("r.csv"), repeated);
  }
}

TEST_F(Discards, AreAnErrorWhereNobodyCanGoBack) {
  write_discarding("discard_with_progress", "save-states = \"never\"\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_NE(answer_.err.find("save-states"), std::string::npos) << answer_.err;
  EXPECT_EQ(csv_rows(place_.read("r.csv")).size(), 7u) << "0 to 0.5, and the header";
  write_discarding("discard_with_progress", "", "1.0-cs");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_NE(answer_.err.find("cannot roll back: \"good\", \"bad\""), std::string::npos)
      << answer_.err;
}

TEST_F(Discards, OfTheFirstOneNeedNoGoingBack) {
  write({{"bad", "faulty_discard_with_progress", ""}, {"good", "Integrator", "u = 1.0"}}, {},
        "[simulation]\nstop = 1.0\nstep = 0.1\nsave-states = \"never\"\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("good.y"), 5, 1e-12);
}

// FMI 1.0 cannot go back, but with one thread nobody has to: "bad" is the first.
TEST_F(Discards, AreNoHarmWithThreads) {
  std::vector<Part> parts = {{"bad", "faulty_discard_with_progress", "at = 0.7"}};
  for (int i = 0; i < 4; ++i) parts.push_back({fmt::format("c{}", i), "Busy", ""});
  write(parts, {}, "[simulation]\nstop = 1.0\nstep = 0.01\n", "1.0-cs");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  const std::string serial = place_.read("r.csv");
  run({"--set", "simulation.threads=2"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_EQ(place_.read("r.csv"), serial);
}

// The members of a cycle at the begin of a step go back by themselves; the one behind it is
// FMI 1.0.
TEST_F(Discards, InsideACycleNeedNothingOfTheOthers) {
  write({{"bad", "faulty_discard_with_progress", ""}, {"back", "Gain", "k = -0.5"}},
        {"\"bad.y -> back.u\"", "\"back.y -> bad.u\""},
        "[components.z]\nfmu = \"" + fmu("1.0-cs", "Integrator") +
            "\"\n[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"newton\"\n");
  run();
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_EQ(answer_.err.find("repeated"), std::string::npos) << answer_.err;
}

// The line to the table's next value must not get steeper because the step got shorter.
TEST_F(Discards, LeaveLinearInputsTheirSlope) {
  place_.write("in.csv", "time,i.u\n0,0\n1,1\n");
  write({{"bad", "faulty_discard_with_progress", ""}, {"i", "Integrator", ""}}, {},
        "[inputs]\nfile = \"in.csv\"\n[simulation]\nstop = 1.0\nstep = 0.1\n"
        "inputs.inside = \"linear\"\n[results]\nvariables = [\"i.x\"]\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("i.x"), 0.5, 1e-12);
}

TEST_F(Run, AListOfMethodsEndsWithTheOneThatDoesNotIterate) {
  write_loop(0.5, 0.5, "method = [\"gauss-seidel\", \"newton\"]\n");
  run();
  EXPECT_EQ(answer_.status, 2);
  EXPECT_NE(answer_.err.find("Put it last"), std::string::npos) << answer_.err;
  run({"--set", "simulation.method=[\"newton\", \"gauss-seidel\"]"});
  EXPECT_EQ(answer_.status, 0) << answer_.err;
}

TEST_F(Discards, AreAnErrorIfTheyNeverEnd) {
  write_discarding("discard_always");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_NE(answer_.err.find("discards every step"), std::string::npos) << answer_.err;
}

TEST_F(Discards, AWishToEndEndsTheRunForAll) {
  write_discarding("asks_for_termination");
  run();
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  const auto rows = csv_rows(place_.read("r.csv"));
  EXPECT_EQ(rows.back()[0], "0.6");
  EXPECT_NEAR(std::stod(rows.back()[1]), 2 * 0.6 + 3, 1e-12);
}

/// Several that do some work: in a ring, in a chain, and side by side.
class Threads : public Run {
 protected:
  void write_busy(const std::string& method) {
    std::vector<Part> parts;
    std::vector<std::string> connections;
    for (int i = 0; i < 6; ++i) parts.push_back({fmt::format("c{}", i), "Busy", ""});
    // c0 and c1 are a ring, c2 and c3 follow it, c4 follows both, c5 stands alone.
    for (const char* connection :
         {"c0.y -> c1.u", "c1.y -> c0.u", "c1.y -> c2.u", "c0.y -> c3.u", "c3.y -> c4.u"})
      connections.push_back(fmt::format("\"{}\"", connection));
    write(parts, connections,
          fmt::format("[inputs.set]\n\"c5.u\" = 1.0\n[simulation]\nstop = 1.0\nstep = 0.001\n"
                      "method = \"{}\"\n",
                      method));
  }
};

TEST_F(Threads, GiveTheSameBits) {
  for (const char* method : {"gauss-seidel", "jacobi", "iterated", "newton"}) {
    write_busy(method);
    run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const std::string serial = place_.read("r.csv");
    run({"--set", "simulation.threads=2"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_EQ(place_.read("r.csv"), serial) << method;
  }
}

TEST_F(Threads, ReportTheErrorOfAComponent) {
  write({{"a", "Busy", ""}, {"b", "Busy", ""}, {"bad", "faulty_error_in_step", ""}}, {},
        "[simulation]\nstop = 1.0\nstep = 0.001\nthreads = 2\nmethod = \"jacobi\"\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_NE(answer_.err.find("component \"bad\""), std::string::npos) << answer_.err;
}

/// The one that is at fault is named, whatever it was doing.
struct Blame {
  const char* fmu;
  int status;
};
class WhoIsToBlame : public SystemRun, public ::testing::WithParamInterface<Blame> {};
INSTANTIATE_TEST_SUITE_P(Cli, WhoIsToBlame,
                         ::testing::Values(Blame{"crash_in_instantiate", 2},
                                           Blame{"crash_in_initialization", 2},
                                           Blame{"hang_in_initialization", 2},
                                           Blame{"crash_in_step", 1}, Blame{"hang_in_step", 1},
                                           Blame{"crash_in_terminate", 1}),
                         [](const auto& tested) {
                           std::string name = tested.param.fmu;
                           std::erase(name, '_');
                           return name;
                         });

TEST_P(WhoIsToBlame, IsNamed) {
  const std::string fault = std::string("faulty_") + GetParam().fmu;
#ifdef __SANITIZE_ADDRESS__
  if (fault.find("crash") != std::string::npos) GTEST_SKIP() << "the sanitizer itself reports this";
#endif
  for (const char* method : {"gauss-seidel", "iterated"}) {
    write({{"good", "Gain", ""}, {"bad", fault, ""}, {"other", "Gain", ""}},
          {"\"good.y -> bad.u\"", "\"bad.y -> other.u\"", "\"other.y -> good.u\""},
          fmt::format("[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"{}\"\n", method));
    run({"--step-timeout", "1"});
    EXPECT_EQ(answer_.status, GetParam().status) << answer_.err;
    EXPECT_NE(answer_.err.find("component \"bad\""), std::string::npos) << answer_.err;
  }
}

TEST_F(Run, AComponentMayHaveATimeoutOfItsOwn) {
  write({{"good", "Gain", ""}, {"bad", "faulty_hang_in_step", ""}}, {},
        "[simulation]\nstop = 1.0\nstep = 0.1\n");
  run({"--set", "components.bad.timeout=0.5"});
  EXPECT_EQ(answer_.status, 1);
  EXPECT_NE(answer_.err.find("did not return within 0.5 s"), std::string::npos) << answer_.err;
}

}  // namespace
}  // namespace tutti::testing
