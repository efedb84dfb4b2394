// SPDX-License-Identifier: BSD-2-Clause
// Steps that are chosen on the way, as a user sees them.
#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Control : public SystemRun {
 protected:
  /// p' = v, v' = -p: p = cos t.
  void write_oscillator(const std::string& simulation, const std::string& results = "",
                        const std::string& version = "2.0") {
    write({{"p", "Integrator", "x = 1.0"}, {"v", "Integrator", ""}},
          {"{ from = \"p.x\", to = \"v.u\", factor = -1 }", "\"v.x -> p.u\""},
          "[simulation]\n" + simulation + "[results]\n" + results, version);
  }
  /// One component beside a lonely integrator of 1.
  void write_beside(const Part& part, const std::string& rest, const std::string& version = "2.0") {
    write({part, {"clock", "Integrator", "u = 1.0"}}, {}, rest, version);
  }
  std::vector<double> column(const std::string& name) const {
    const auto rows = csv_rows(place_.read("r.csv"));
    std::vector<double> values;
    const auto at = std::find(rows.at(0).begin(), rows[0].end(), name) - rows[0].begin();
    if (at == static_cast<std::ptrdiff_t>(rows[0].size())) return values;
    for (std::size_t r = 1; r < rows.size(); ++r)
      values.push_back(std::stod(rows[r][static_cast<std::size_t>(at)]));
    return values;
  }
  std::string refusal(const std::string& simulation) {
    write_oscillator(simulation);
    run();
    EXPECT_EQ(answer_.status, 2) << simulation;
    return answer_.err;
  }
};

TEST_F(Control, RefusesSettingsThatMakeNoSense) {
  const std::string r = "control.name = \"richardson\"\n";
  EXPECT_THAT(refusal(r + "control.min = 0.1\ncontrol.max = 0.01\n"),
              HasSubstr("min = 0.1 s is larger than max = 0.01 s"));
  EXPECT_THAT(refusal(r + "control.min = -1.0\n"), HasSubstr("control.min"));
  EXPECT_THAT(refusal(r + "control.max = 0\n"), HasSubstr("control.max"));
  EXPECT_THAT(refusal(r + "control.min = 1e-20\n"), HasSubstr("too short for time to advance"));
  EXPECT_THAT(refusal(r + "control.atol = 0\ncontrol.rtol = 0\n"), HasSubstr("must not both be 0"));
  EXPECT_THAT(refusal(r + "control.atol = -1e-4\n"), HasSubstr("control.atol"));
  EXPECT_THAT(refusal(r + "control.shrink = 1.5\n"), HasSubstr("control.shrink = 1.5"));
  EXPECT_THAT(refusal(r + "control.grow = 0.5\n"), HasSubstr("control.grow = 0.5"));
  EXPECT_THAT(refusal(r + "control.safety = 2\n"), HasSubstr("control.safety = 2"));
  EXPECT_THAT(refusal("control = \"richardsen\"\n"), HasSubstr("Did you mean \"richardson\"?"));
  EXPECT_THAT(refusal("control = { name = \"predictor\", atol = 0, rtol = 0 }\n"),
              HasSubstr("must not both be 0"));
}

TEST_F(Control, RefusesComponentsThatCannotDoIt) {
  for (const char* control : {"convergence", "richardson"}) {
    const std::string simulation = fmt::format("[simulation]\ncontrol = \"{}\"\n", control);
    write_beside({"stiff", "FixedStep", ""}, simulation);
    run();
    EXPECT_EQ(answer_.status, 2);
    EXPECT_THAT(answer_.err, HasSubstr("component \"stiff\" cannot vary its step"));
    EXPECT_EQ(place_.tutti({"check", "s.toml"}).status, 1);
    write_beside({"old", "Gain", ""}, simulation, "1.0-cs");
    run();
    EXPECT_EQ(answer_.status, 2);
    EXPECT_THAT(answer_.err,
                HasSubstr("component \"old\" cannot save and restore its state (FMI 1.0"));
    EXPECT_THAT(answer_.err, HasSubstr("Use control = \"predictor\""));
  }
  write_beside({"stiff", "FixedStep", ""}, "[simulation]\ncontrol = \"predictor\"\n");
  run();
  EXPECT_EQ(answer_.status, 2);
  EXPECT_THAT(answer_.err, HasSubstr("component \"stiff\" cannot vary its step"));
}

// Gauss-Seidel on the oscillator is of first order: an error of the order of the tolerance in each
// step gives one of its root at the end; 20 times that is allowed. Iterated, it is no better.
TEST_F(Control, RichardsonGoesWithEveryMethodAndVariant) {
  for (const char* method : {"jacobi", "gauss-seidel", "iterated", "newton", "broyden", "anderson"})
    for (const char* variant : {"tutti", "eas", "mastersim", "mastersim-2018", "pyfmi", "textbook"})
      for (const char* inside : {"constant", "linear"}) {
        write_oscillator(
            fmt::format("stop = 2.0\nmethod = \"{}\"\ninputs.inside = \"{}\"\n"
                        "control = {{ name = \"richardson\", variant = \"{}\", atol = 1e-6, "
                        "rtol = 1e-6{} }}\n",
                        method, inside, variant,
                        // Its slope test has no factor h: it fails at every kink.
                        std::string_view(variant) == "mastersim-2018"
                            ? ", min = 1e-3, at-min = \"continue\""
                            : ""),
            "variables = [\"p.x\"]\n");
        const auto last = run();
        ASSERT_EQ(answer_.status, 0) << answer_.err << method << ' ' << variant << ' ' << inside;
        EXPECT_EQ(last.at("time"), 2);
        EXPECT_NEAR(last.at("p.x"), std::cos(2), 0.02) << method << ' ' << variant << inside;
      }
}

TEST_F(Control, RecordsAtTheIntervalAndNowhereElse) {
  write_oscillator("stop = 1.0\ncontrol = \"richardson\"\n",
                   "interval = 0.3\nvariables = [\"p.x\"]\n");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(column("time"), ElementsAre(0, 0.3, 0.6, 0.3 * 3, 1));
}

// 0.1 three times is not 0.3: no step of a rounding error's size follows.
TEST_F(Control, TakesNoStepOfARoundingErrorsSize) {
  for (const char* stop : {"0.3", "0.7", "1.1", "2.3"}) {
    write_oscillator(fmt::format("stop = {}\ncontrol = \"richardson\"\n", stop),
                     "interval = 0.1\nvariables = [\"p.x\"]\nsteps = true\n");
    run();
    const std::vector<double> steps = column("step");
    for (std::size_t i = 1; i < steps.size(); ++i) EXPECT_GT(steps[i], 1e-4);
    EXPECT_EQ(column("time").back(), std::stod(stop));
  }
}

TEST_F(Control, RecordsItsStepsOnRequest) {
  write_oscillator("stop = 1.0\nmethod = \"iterated\"\ncontrol = \"richardson\"\n",
                   "steps = true\nvariables = [\"p.x\"]\n");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  const auto time = column("time"), step = column("step"), error = column("error"),
             iterations = column("iterations");
  ASSERT_EQ(step.size(), time.size());
  EXPECT_EQ(statistics()["steps"], time.size() - 1);
  EXPECT_EQ(step.front(), 0);
  for (std::size_t i = 1; i < time.size(); ++i) {
    EXPECT_NEAR(step[i], time[i] - time[i - 1], 1e-15);  // the difference is rounded
    EXPECT_LE(error[i], 1);
    EXPECT_GE(iterations[i], 3);  // at least one in each pass: whole step and halves
  }
}

TEST_F(Control, BringsTheFirstStepBetweenSmallestAndLargest) {
  for (const char* step : {"1e-7", "0.5"}) {
    write_oscillator(fmt::format("stop = 1.0\nstep = {}\ncontrol = {{ name = \"convergence\", min "
                                 "= 1e-3, max = 0.1 }}\n",
                                 step),
                     "steps = true\n");
    run();
    EXPECT_DOUBLE_EQ(column("step").at(1), step[0] == '1' ? 1e-3 : 0.1);
  }
}

// Years or microseconds: the smallest and the largest step follow the simulated time.
TEST_F(Control, HasLimitsThatFitEveryTimeScale) {
  for (const double span : {1e-6, 1e7}) {
    write({{"a", "Gain", "b = 1.0"}, {"b", "Gain", "k = 0.5"}}, {"\"a.y -> b.u\""},
          fmt::format("[simulation]\nstop = {}\ncontrol = \"richardson\"\n", span));
    run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_LT(statistics()["steps"], 30);  // from span/500 up to span/10, by doubling
  }
}

TEST_F(Control, HasASmallestStepThatMovesLateTimes) {
  write_oscillator("start = 1e9\nstop = 1000000001.0\ncontrol = \"richardson\"\n");
  EXPECT_EQ(run().at("time"), 1000000001.0) << answer_.err;
}

// The event of the stair lies at n * 0.37, and the row before is that of the same time.
TEST_F(Control, KnownTimeEventsOfFmusFallOnCommunicationPoints) {
  for (const char* control : {"convergence", "richardson"}) {
    write_beside({"stair", "Stair", "period = 0.37"},
                 fmt::format("[simulation]\nstop = 1.0\ncontrol = \"{}\"\n", control), "3.0");
    run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const auto time = column("time"), counter = column("stair.counter");
    EXPECT_THAT(time, Contains(0.37).Times(2));
    EXPECT_THAT(time, Contains(0.74).Times(2));
    EXPECT_EQ(counter.back(), 3);
    EXPECT_EQ(time.back(), 1);
  }
}

// So do those of model exchange, in which time events are of every version.
TEST_F(Control, KnownTimeEventsOfModelExchangeFallOnCommunicationPoints) {
  for (const char* version : {"2.0", "3.0"}) {
    write_beside({"stair", "Stair", "period = 0.37"},
                 "[simulation]\nstop = 1.0\ncontrol = \"richardson\"\n", version);
    run({"--set", "components.stair.as=me"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_THAT(column("time"), Contains(0.37).Times(2)) << version;
    EXPECT_EQ(column("stair.counter").back(), 3);
  }
}

// Near t = 2 it switches without end, for which it is not looked at for a while: in a step that is
// tried and taken back, that must not last.
TEST_F(Control, WhatChattersInAStepThatIsTakenBackIsSeenAgain) {
  write({{"slider", "Slider", ""}, {"sink", "Integrator", ""}}, {"\"slider.x -> sink.u\""},
        "[simulation]\nstop = 3.0\nstep = 0.01\ncontrol = \"richardson\"\n");
  const auto last = run({"--set", "components.slider.as=me"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("slider.x"), 0, 1e-3);  // x' is at most 1.5, and it is blind for 1e-4 s
}

// What is tried and taken back depends on neither thread nor repetition.
TEST_F(Control, ThreadsGiveTheSameBits) {
  for (const char* method : {"jacobi", "iterated"}) {
    write_oscillator(
        fmt::format("stop = 5.0\nmethod = \"{}\"\ncontrol = \"richardson\"\n", method));
    run();
    const std::string alone = place_.read("r.csv");
    run({"--set", "simulation.threads=2"});
    EXPECT_EQ(place_.read("r.csv"), alone);
  }
}

TEST_F(Control, AnFmuMayEndTheRunAtItsEvent) {
  write_beside({"stair", "Stair", "period = 0.25, last = 3"},
               "[simulation]\nstop = 1.0\ncontrol = \"richardson\"\n", "3.0");
  run();
  EXPECT_THAT(answer_.err + answer_.out, HasSubstr("t = 0 to 0.5 s"));
}

// Early returns, and events at 0.5, 1.5 and 2.5 that the master does not know beforehand.
TEST_F(Control, EventsInsideStepsEndThem) {
  for (const char* control : {"convergence", "richardson"})
    for (const char* variant : {"tutti", "eas", "mastersim"}) {
      write({{"pulse", "Pulse", "u = 2.0"}, {"sink", "Integrator", ""}}, {"\"pulse.y -> sink.u\""},
            fmt::format("[simulation]\nstop = 3.0\n[simulation.control]\nname = \"{}\"\n"
                        "variant = \"{}\"\natol = 1e-3\nrtol = 1e-3\n",
                        control, variant),
            "3.0");
      const auto last = run();
      ASSERT_EQ(answer_.status, 0) << answer_.err;
      EXPECT_THAT(column("time"), Contains(0.5).Times(2)) << control << variant;
      EXPECT_THAT(column("time"), Contains(2.5).Times(2)) << control << variant;
      EXPECT_EQ(last.at("pulse.level"), 3);
      EXPECT_NEAR(last.at("pulse.y"), 6, 1e-12);  // 2 t, summed up
    }
}

// u = 0 up to t = 0.333 and 3 from there on: held over each step, x = 3 (t - 0.333), exactly.
TEST_F(Control, JumpsOfInputTablesFallOnCommunicationPoints) {
  for (const char* control : {"convergence", "richardson"}) {
    write({{"x", "Integrator", ""}, {"sink", "Gain", ""}}, {"\"x.y -> sink.u\""},
          fmt::format("[inputs]\nfile = \"u.csv\"\n[simulation]\nstop = 1.0\ncontrol = {{ name = "
                      "\"{}\", at-min = \"continue\", min = 1e-4 }}\n"
                      "[results]\nvariables = [\"*\"]\n",
                      control));
    place_.write("u.csv", "time,x.u\n0,0\n0.333,0\n0.333,3\n1,3\n");
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_THAT(column("time"), Contains(0.333)) << control;
    EXPECT_NEAR(last.at("x.x"), 2.001, 1e-12);  // rounding of some hundred sums
  }
}

TEST_F(Control, DiscardedStepsAreRepeatedWithShorterOnes) {
  for (const char* fault : {"faulty_discard_with_progress", "faulty_discard_without_progress"})
    for (const char* control : {"convergence", "richardson"})
      for (const char* version : {"2.0", "3.0"}) {
        write_beside({"fmu", fault, ""},
                     fmt::format("[simulation]\nstop = 1.0\ncontrol = \"{}\"\n", control), version);
        const auto last = run();
        ASSERT_EQ(answer_.status, 0) << answer_.err << fault << control;
        EXPECT_NEAR(last.at("fmu.y"), 1, 1e-12);
        EXPECT_EQ(last.at("time"), 1);
      }
}

TEST_F(Control, AStepThatIsAlwaysDiscardedEndsTheRun) {
  for (const char* control : {"convergence", "richardson"}) {
    write_beside({"fmu", "faulty_discard_always", ""},
                 fmt::format("[simulation]\nstop = 1.0\ncontrol = \"{}\"\n", control));
    run();
    EXPECT_EQ(answer_.status, 1);
    EXPECT_THAT(answer_.err, HasSubstr(" s fails, and the next"));
  }
}

TEST_F(Control, AnFmuMayAskToEndTheRun) {
  for (const char* control : {"convergence", "richardson"})
    for (const char* version : {"2.0", "3.0"}) {
      write_beside({"fmu", "faulty_asks_for_termination", ""},
                   fmt::format("[simulation]\nstop = 1.0\ncontrol = \"{}\"\n", control), version);
      const auto last = run();
      EXPECT_THAT(answer_.err + answer_.out, HasSubstr("asked to end the run"))
          << control << version;
      EXPECT_GE(last.at("time"), 0.499);
      EXPECT_LE(last.at("time"), 0.7);  // it asks in a step from 0.5 on, and these are of 0.1 s
    }
}

TEST_F(Control, ValuesThatAreNotNumbersEndTheRun) {
  for (const char* control : {"convergence", "richardson"})
    for (const char* at_min : {"stop", "continue"}) {
      write(
          {{"fmu", "faulty_nan_in_step", ""}, {"sink", "Integrator", ""}}, {"\"fmu.y -> sink.u\""},
          fmt::format("[simulation]\nstop = 1.0\ncontrol = {{ name = \"{}\", at-min = \"{}\" }}\n",
                      control, at_min));
      run();
      EXPECT_EQ(answer_.status, 1) << control << at_min;
      EXPECT_THAT(answer_.err, ::testing::AnyOf(HasSubstr("NaN"), HasSubstr("not finite")));
    }
}

TEST_F(Control, AnIterationThatNeverConvergesEndsTheRun) {
  write({{"plant", "Integrator", "x = 1.0"}, {"back", "Gain", "k = -2.0"}},  // gain -6
        {"\"plant.y -> back.u\"", "\"back.y -> plant.u\""},
        "[simulation]\nmethod = \"iterated\"\ncontrol = \"convergence\"\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr(" s fails, and the next"));
}

/// The statistics of MASTERSIM's Math003 that the paper prints: steps, failures, and for each part
/// doStep, getState, setState.
struct Printed {
  std::string settings;
  std::vector<int> counts;
};
TEST_F(Control, ReproducesThePrintedStatisticsOfMath003) {
  const std::string drifts = "clock = \"accumulate\", end = \"overshoot\"";
  const std::string errors =
      "name = \"richardson\", max = 0.14, min = 1e-5, fall-back = 1e-4, atol = 1e-5, rtol = 1e-5, "
      "at-min = \"continue\"";
  const std::vector<Printed> all = {
      {"jacobi 0.1 " + drifts, {101, 0, 0, 101, 0, 0, 101, 0, 0}},
      {"jacobi 0.001 " + drifts, {10001, 0, 0, 10001, 0, 0, 10001, 0, 0}},
      {"iterated 0.1 variant = \"mastersim\", " + drifts, {101, 0, 0, 101, 101, 0, 130, 101, 29}},
      {"iterated 0.005 variant = \"mastersim\", fall-back = 0.01, " + drifts,
       {2000, 0, 0, 2000, 2000, 0, 2000, 2000, 0}},
      {"iterated 0.14 name = \"convergence\", variant = \"mastersim\", max = 0.14, min = 1e-4, "
       "fall-back = 0.004",
       {101, 15, 0, 116, 101, 15, 159, 101, 58}},
      {"iterated 0.14 variant = \"mastersim-2018\", " + errors,
       {326, 41, 91, 1244, 1128, 517, 1511, 1128, 784}},
      // Not printed: the default, which restores time and state together and searches the jumps.
      {"iterated 0.14 " + errors, {136, 12, 70, 548, 136, 215, 707, 333, 374}},
      // The rule of MASTERSIM with the time restored together with the state.
      {"iterated 0.14 shrink = 0.2, " + errors, {275, 27, 77, 1056, 275, 438, 1318, 618, 700}},
  };
  const std::filesystem::path examples =
      std::filesystem::path(fmu("2.0", "Gain")).parent_path() / "../../examples";
  for (const Printed& printed : all) {
    std::istringstream words(printed.settings);
    std::string method, step, control;
    words >> method >> step;
    std::getline(words, control);
    answer_ =
        place_.tutti({"run", (examples / "math003/system.toml").string(), "-o", "r.csv", "--set",
                      "simulation.method=" + method, "--set", "simulation.step=" + step, "--set",
                      "simulation.control={" + control + " }"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const nlohmann::json told = statistics();
    std::vector<int> counts = {told["steps"], 0, 0};
    if (told.contains("failures"))
      counts = {told["steps"], told["failures"]["convergence"], told["failures"]["errorTest"]};
    for (const char* part : {"part1", "part2"})
      for (const char* call : {"doStep", "getState", "setState"})
        counts.push_back(told["components"][part][call]);
    EXPECT_EQ(counts, printed.counts) << printed.settings;
  }
}

// A. Nicolai, MASTERSIM, 2018: 0.1 added up is 9.99999999999998 after 100 steps.
TEST_F(Control, TheDriftingClockIsThatOfThePapers) {
  write_oscillator(
      "stop = 10.0\nstep = 0.1\ncontrol.clock = \"accumulate\"\n"
      "control.end = \"overshoot\"\n");
  EXPECT_DOUBLE_EQ(run().at("time"), 10.09999999999998);
  EXPECT_EQ(statistics()["steps"], 101);

  write_oscillator("stop = 10.0\nstep = 0.1\ncontrol.clock = \"accumulate\"\n", "interval = 2.5\n");
  EXPECT_EQ(run().at("time"), 10);
  EXPECT_EQ(statistics()["steps"], 100);
  const auto time = column("time");
  ASSERT_EQ(time.size(), 5u);
  EXPECT_NEAR(time[1], 2.5, 1e-12);  // where the sum of steps is
}

// Counted steps do not drift, and go beyond the stop time only if they do not meet it.
TEST_F(Control, TheLastStepMayBeAWholeOne) {
  for (const auto& [stop, last] : {std::pair(10.0, 10.0), {0.3, 0.3}, {0.7, 0.7}, {0.95, 1.0}}) {
    write_oscillator(fmt::format("stop = {}\nstep = 0.1\ncontrol.end = \"overshoot\"\n", stop));
    EXPECT_NEAR(run().at("time"), last, 2e-16) << stop;  // 0.3 is not 3 times 0.1
    EXPECT_EQ(statistics()["steps"], std::lround(last * 10));
  }
}

TEST_F(Control, AddedUpStepsDoForFmusOfOneStep) {
  write_beside({"stiff", "FixedStep", ""},
               "[simulation]\nstop = 1.0\nstep = 0.1\ncontrol.clock = \"accumulate\"\n"
               "control.end = \"overshoot\"\n");
  EXPECT_EQ(run().at("stiff.steps"), 11);
  write_beside({"stiff", "FixedStep", ""},
               "[simulation]\nstop = 0.95\nstep = 0.1\ncontrol.clock = \"accumulate\"\n");
  run();
  EXPECT_EQ(answer_.status, 2);
  EXPECT_THAT(answer_.err, HasSubstr("cannot vary its step"));
}

TEST_F(Control, AddedUpStepsAreNotRepeated) {
  write_beside({"fmu", "faulty_discard_without_progress", ""},
               "[simulation]\nstop = 1.0\nstep = 0.1\ncontrol.clock = \"accumulate\"\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("Try \"integer\""));
}

}  // namespace
}  // namespace tutti::testing
