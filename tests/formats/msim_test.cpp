// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/error.hpp>

#include "formats/registry.hpp"
#include "support/command.hpp"

namespace tutti::formats {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

const Words msim_words;

constexpr std::string_view math003 = R"(# Created: 2018-08-14
# Math003, two iterations, step doubling

tStart 0 s
tEnd 10 s
hMax 0.14 s
hMin 1e-05 s
hFallBackLimit 0.0001 s
hStart 0.14 s
hOutputMin 1e-05 s
adjustStepSize yes
absTol 1e-05
relTol 1e-05
MasterMode GAUSS_SEIDEL
ErrorControlMode STEP_DOUBLING
maxIterations 2

simulator 0 0 Part1 #447cb4 "fmus/Part1.fmu"
simulator 1 1 Part2 #c38200 "fmus/Part2.fmu"
simulator 2 1 Part3 #ff0000 "fmus/Part3.fmu"

graph Part1.x1 Part2.x1
graph Part1.x2 Part2.x2
graph Part2.x3 Part3.x3
graph Part3.x4 Part2.x4
)";

class Msim : public ::testing::Test {
 protected:
  System read(const std::string& text) {
    return read_system(work_.write("s.msim", text), {msim_words});
  }
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing refused";
  }
  static std::string changed(std::string_view from, std::string_view to) {
    std::string text(math003);
    return text.replace(text.find(from), from.size(), to);
  }
  testing::Workplace work_;
};

TEST_F(Msim, ReadsTheExampleOfThePaper) {
  const System s = read(std::string(math003));
  ASSERT_EQ(s.components.size(), 3u);
  EXPECT_EQ(s.components[2].name, "Part3");
  EXPECT_EQ(s.components[2].fmu, "fmus/Part3.fmu");
  ASSERT_EQ(s.connections.size(), 4u);
  EXPECT_EQ(s.connections[3].from.variable, "x4");
  const SimulationSettings& run = s.simulation;
  EXPECT_EQ(run.stop, 10);
  EXPECT_EQ(run.step, 0.14);
  EXPECT_THAT(run.methods, ElementsAre("iterated"));
  EXPECT_EQ(run.tolerance.iterations, 2u);
  EXPECT_EQ(run.tolerance.abs, 1e-5);
  EXPECT_EQ(run.tolerance.norm, Norm::wrms);
  EXPECT_EQ(run.control.name, "richardson");
  EXPECT_EQ(run.control.variant, ControlVariant::mastersim);
  EXPECT_EQ(run.control.min, 1e-5);
  EXPECT_EQ(run.control.max, 0.14);
  EXPECT_EQ(run.control.fall_back, 1e-4);
  EXPECT_EQ(run.control.at_min, OnLimit::go_on);
  ASSERT_EQ(s.cycles.size(), 1u);
  EXPECT_THAT(s.cycles[0].order, ElementsAre("Part2", "Part3"));
  EXPECT_FALSE(s.results.interval);
}

TEST_F(Msim, MapsModesAndUnits) {
  const System adjusted = read(changed("ErrorControlMode STEP_DOUBLING\n", ""));
  EXPECT_EQ(adjusted.simulation.control.name, "convergence");
  const System fixed = read(R"(tEnd 1 d
hStart 10 min
hOutputMin 1 h
MasterMode GAUSS_JACOBI
preventOversteppingOfEndTime no
simulator 0 0 A #000000 a.fmu
)");
  EXPECT_EQ(fixed.simulation.stop, 86400);
  EXPECT_EQ(fixed.simulation.step, 600);
  EXPECT_EQ(fixed.results.interval, 3600);
  EXPECT_THAT(fixed.simulation.methods, ElementsAre("jacobi"));
  EXPECT_EQ(fixed.simulation.control.name, "fixed");
  EXPECT_EQ(fixed.simulation.control.end, LastStep::overshoot);
  const System newton = read("MasterMode NEWTON\nmaxIterations 5\nhStart 0 s\ntEnd 1 s\n");
  EXPECT_THAT(newton.simulation.methods, ElementsAre("newton"));
  EXPECT_EQ(newton.simulation.step, 0.001);
}

// The printed run with a step of 0.005 s did not iterate: its step was below the limit.
TEST_F(Msim, DoesNotIterateWithAFixedStepBelowTheLimit) {
  EXPECT_THAT(read("hStart 5 ms\nhFallBackLimit 10 ms\nmaxIterations 2\n").simulation.methods,
              ElementsAre("gauss-seidel"));
}

TEST_F(Msim, ReadsParametersScalesAndTables) {
  work_.write("climate.tsv", "Time [h]\tT [C]\n0\t1\n");
  const System s = read(R"(simulator 0 0 climate #ffffff climate.tsv
simulator 1 0 house #ff000000 "my fmus/house.fmu"
simulator 2 0 heater #000000 heater.fmu
parameter house.wall.R 0.5
parameter house.label "two words\\n\nend"
parameter house.wall.R 0.75
graph climate.T house.T_out 273.15 1
graph house.zone.T heater.T -1 2 1 #aabbcc
graph heater.Q house.Q
outputOnly house.x
)");
  ASSERT_EQ(s.components.size(), 2u);
  EXPECT_EQ(s.components[0].fmu, "my fmus/house.fmu");
  EXPECT_THAT(s.components[0].set,
              ElementsAre(Pair("wall.R", "0.75"), Pair("label", "two words\\n\nend")));
  ASSERT_EQ(s.inputs.tables.size(), 1u);
  EXPECT_EQ(s.inputs.tables[0].time_factor, 3600);
  EXPECT_EQ(s.inputs.tables[0].columns.at(0).column, "T");
  EXPECT_EQ(s.inputs.tables[0].columns.at(0).offset, 273.15);
  ASSERT_EQ(s.connections.size(), 2u);
  EXPECT_EQ(s.connections[0].from.variable, "zone.T");
  EXPECT_EQ(s.connections[0].factor, 2);
  EXPECT_EQ(s.connections[0].offset, -1);
  EXPECT_FALSE(s.connections[0].convert_units);
  EXPECT_TRUE(s.connections[1].convert_units);
}

TEST_F(Msim, TakesWhatIsNoUtf8ForWindows1252) {
  const System s = read("simulator 0 0 B\xF6ller #000000 a.fmu\n");
  EXPECT_EQ(s.components.at(0).name, "Böller");
}

TEST_F(Msim, TellsWhatIsWrongAndWhere) {
  EXPECT_THAT(refusal(changed("tEnd 10 s", "tEnd 10")),
              HasSubstr("s.msim:5:1: \"tEnd\" is followed by a number and a unit of time"));
  EXPECT_THAT(refusal(changed("tEnd 10 s", "tEnd 10 sec")),
              HasSubstr("s.msim:5:9: unknown unit of time \"sec\""));
  EXPECT_THAT(refusal(changed("hStart", "hStrat")), HasSubstr("Did you mean \"hStart\"?"));
  EXPECT_THAT(refusal(changed("GAUSS_SEIDEL", "GAUS_SEIDEL")),
              HasSubstr("Did you mean \"GAUSS_SEIDEL\"?"));
  EXPECT_THAT(refusal(changed("graph Part3.x4 Part2.x4", "graph Part3.x4 Prat2.x4")),
              HasSubstr("Did you mean \"Part2\"?"));
  EXPECT_THAT(refusal(changed("adjustStepSize yes", "adjustStepSize no")),
              HasSubstr("STEP_DOUBLING needs adjustStepSize yes"));
  EXPECT_THAT(refusal(changed("GAUSS_SEIDEL", "GAUSS_JACOBI")),
              HasSubstr("maxIterations must be 1"));
  EXPECT_THAT(refusal("parameter A.b 1\nsimulator 0 0 A #000000 a.fmu\n"),
              HasSubstr("s.msim:1:11: unknown slave \"A\""));
  EXPECT_THAT(refusal("simulator 0 0 T #000000 t.csv\nsimulator 1 0 A #000000 a.fmu\n"
                      "graph T.x A.u\ngraph T.y A.u\n"),
              HasSubstr("driven by two columns"));
  EXPECT_THAT(refusal("parameters A.b 1\n"), HasSubstr("Did you mean \"parameter\"?"));
  EXPECT_THAT(refusal("simulator 0 0 A #000000 \"a.fmu\n"), HasSubstr("is not closed"));
}

}  // namespace
}  // namespace tutti::formats
