// SPDX-License-Identifier: BSD-2-Clause
// tutti linearize: FMUs of all versions and interfaces, coupled systems, refusals.
#include <gmock/gmock.h>

#include <cmath>

#include "support/places.hpp"
#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

using DenseRows = std::vector<std::vector<double>>;

class LinearizeCommand : public SystemRun {
 protected:
  Json linearize(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "linearize");
    arguments.emplace_back("--json");
    answer_ = place_.tutti(arguments);
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    return answer_.status == 0 ? Json::parse(answer_.out) : Json();
  }
  std::string refusal(std::vector<std::string> arguments, int status = 2) {
    arguments.insert(arguments.begin(), "linearize");
    answer_ = place_.tutti(arguments);
    EXPECT_EQ(answer_.status, status) << answer_.err;
    return answer_.err;
  }
  static DenseRows dense(const Json& matrix) {
    DenseRows rows(matrix["rows"].get<std::size_t>(),
                   std::vector<double>(matrix["columns"].get<std::size_t>()));
    for (std::size_t k = 0; k < matrix["value"].size(); ++k)
      rows[matrix["row"][k].get<std::size_t>()][matrix["column"][k].get<std::size_t>()] =
          matrix["value"][k].get<double>();
    return rows;
  }
  static void expect_near(const DenseRows& found, const DenseRows& expected, double tolerance) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].size(), expected[i].size());
      for (std::size_t j = 0; j < found[i].size(); ++j)
        EXPECT_NEAR(found[i][j], expected[i][j], tolerance) << i << ", " << j;
    }
  }
  static std::string example(const std::string& path) {
    return (places::build_folder() / "examples" / path).string();
  }
  static std::vector<std::string> names(const Json& variables) {
    std::vector<std::string> all;
    for (const Json& variable : variables) all.push_back(variable["name"]);
    return all;
  }
};

// The road is a tunable parameter of the wheel.
TEST_F(LinearizeCommand, OfTheCoupledQuarterCarIsThatOfTheEquations) {
  const Json model = linearize({example("quarter_car/system.toml"), "--inputs", "wheel.road",
                                "--outputs", "chassis.x", "wheel.x"});
  EXPECT_THAT(names(model["states"]),
              ::testing::ElementsAre("chassis.x", "chassis.v", "wheel.x", "wheel.v"));
  // m_c = 400, m_w = 40, k_c = 15000, k_w = 150000, d_c = 1000, d_w = 0
  expect_near(dense(model["A"]),
              {{0, 1, 0, 0}, {-37.5, -2.5, 37.5, 2.5}, {0, 0, 0, 1}, {375, 25, -4125, -25}},
              4125e-8);
  expect_near(dense(model["B"]), {{0}, {0}, {0}, {3750}}, 3750e-8);
  expect_near(dense(model["C"]), {{1, 0, 0, 0}, {0, 0, 1, 0}}, 0);
  expect_near(dense(model["D"]), {{0}, {0}}, 0);
  // The figures of the example's README.
  EXPECT_NEAR(model["poles"][0]["value"][0], -1.0427, 1e-4);
  EXPECT_NEAR(model["poles"][0]["value"][1], 5.7812, 1e-4);
  EXPECT_NEAR(model["poles"][2]["value"][0], -12.707, 1e-3);
  EXPECT_EQ(model["poles"][0]["components"][0]["name"], "chassis");
  EXPECT_EQ(model["poles"][2]["components"][0]["name"], "wheel");
}

TEST_F(LinearizeCommand, OfACoupledSystemIsThatOfTheMonolithicFmu) {
  for (const char* const name : {"quarter_car", "mass_spring_damper"}) {
    const std::string folder = example(name);
    const Json coupled = linearize({folder + "/system.toml"});
    const Json whole = linearize({folder + "/fmus/reference.fmu"});
    expect_near(dense(coupled["A"]), dense(whole["A"]), 1e-8 * 4125);  // its largest entry
  }
}

// With an algebraic loop, and where the equations are nonlinear: both at the same states.
TEST_F(LinearizeCommand, OfADoublePendulumInMotionIsThatOfTheMonolithicFmu) {
  const std::string folder = example("double_pendulum");
  const Json coupled = linearize({folder + "/system.toml", "--at", "0.4"});
  std::vector<std::string> arguments = {folder + "/fmus/reference.fmu"};
  const Json first = linearize(arguments);
  ASSERT_EQ(first["states"].size(), coupled["states"].size());
  for (std::size_t i = 0; i < first["states"].size(); ++i) {
    arguments.emplace_back("--set");
    arguments.push_back(fmt::format("{}={:.17g}", first["states"][i]["name"].get<std::string>(),
                                    coupled["states"][i]["value"].get<double>()));
  }
  const Json whole = linearize(arguments);
  // The entries are of the order of 10.
  expect_near(dense(coupled["A"]), dense(whole["A"]), 1e-7);
  EXPECT_NE(coupled["states"][0]["value"], -1) << "it has moved";
}

TEST_F(LinearizeCommand, TakesFeedThroughLoopsApart) {
  const Json model = linearize({example("linear_feed_through/system.toml")});
  // y1 = x1 + 0.5 y2, y2 = -5 x2 - 0.5 y1: y1 = (x1 - 2.5 x2)/1.25, y2 = (-5 x2 - 0.5 x1)/1.25
  expect_near(dense(model["A"]), {{-1 - 0.4, -4}, {3 * 0.8, -1 - 3 * 2}}, 1e-9);
}

TEST_F(LinearizeCommand, AsksEveryVersionOfFmi) {
  for (const char* const version : {"1.0-me", "1.0-cs", "2.0", "3.0"}) {
    const Json model = linearize({fmu(version, "Feedback"), "--set", "a=-2", "--set", "b=3",
                                  "--set", "c=4", "--set", "d=5"});
    EXPECT_EQ(model["hasStates"], true) << version;
    ASSERT_EQ(model["states"].size(), 1u) << version;
    EXPECT_NEAR(dense(model["A"])[0][0], -2, 1e-4) << version;  // fitted, where there are no
    EXPECT_NEAR(dense(model["D"])[0][0], 5, 1e-4) << version;   // equations
    EXPECT_NEAR(dense(model["C"])[0][0] * dense(model["B"])[0][0], 12, 1e-3) << version;
  }
}

TEST_F(LinearizeCommand, KnowsNegatedAliases) {
  const Json model = linearize({fmu("1.0-me", "FeedbackNegated"), "--set", "a=-2", "--set", "b=3",
                                "--set", "c=4", "--set", "d=5"});
  EXPECT_NEAR(dense(model["A"])[0][0], -2, 1e-8);
  EXPECT_NEAR(dense(model["B"])[0][0], -3, 1e-8);
  EXPECT_NEAR(dense(model["C"])[0][0], -4, 1e-8);
  EXPECT_NEAR(dense(model["D"])[0][0], 5, 1e-8);
}

TEST_F(LinearizeCommand, TakesArraysElementByElement) {
  const Json model = linearize({fmu("3.0", "StateSpace"), "--set", "A=0 1 0 0 0 1 -6 -11 -6",
                                "--set", "B=1 0 0 0 2 0 0 0 3", "--set", "D=0 0 0 0 0 0 7 8 9",
                                "--inputs", "u[2]", "u[3]", "--outputs", "y[3]", "x[1]"});
  expect_near(dense(model["A"]), {{0, 1, 0}, {0, 0, 1}, {-6, -11, -6}}, 1e-8);
  expect_near(dense(model["B"]), {{0, 0}, {2, 0}, {0, 3}}, 1e-8);
  expect_near(dense(model["C"]), {{0, 0, 1}, {1, 0, 0}}, 1e-8);
  expect_near(dense(model["D"]), {{8, 9}, {0, 0}}, 1e-8);
  EXPECT_NEAR(model["poles"][0]["value"][0], -1, 1e-6);  // (s + 1)(s + 2)(s + 3)
  EXPECT_NEAR(model["poles"][2]["value"][0], -3, 1e-6);
}

// x_i' = 101^2 (x_(i-1) - 2 x_i + x_(i+1)): the poles are -4 101^2 sin^2(k pi / 202).
TEST_F(LinearizeCommand, KeepsALargeModelSparse) {
  const Json model = linearize({fmu("2.0", "Heat")});
  EXPECT_EQ(model["A"]["value"].size(), 298u);
  const double slowest = -4 * 101.0 * 101 * std::pow(std::sin(M_PI / 202), 2);
  EXPECT_NEAR(model["poles"][0]["value"][0], slowest, 1e-8 * 40804);
}

TEST_F(LinearizeCommand, OfMoreThanAThousandStatesIsSparseAndWithoutPoles) {
  std::vector<Part> parts;
  for (int k = 0; k < 11; ++k) parts.push_back({fmt::format("rod{}", k), "Heat", ""});
  write(parts, {}, "[simulation]\nstop = 0.1\nstep = 0.01\n");
  const Json model = linearize({"s.toml", "--outputs", "rod*.x50"});
  EXPECT_EQ(model["states"].size(), 1100u);
  EXPECT_EQ(model["A"]["value"].size(), 11 * 298u);
  EXPECT_EQ(model["C"]["value"].size(), 11u);
  EXPECT_TRUE(model["poles"].empty());
  EXPECT_THAT(model["polesOmitted"].get<std::string>(), HasSubstr("1100 states"));
}

// Two gains in a chain: u of the second is the output of the first, also at the point.
TEST_F(LinearizeCommand, ThroughAChainIsTheProduct) {
  write({{"a", "Gain", "k = 3.0"}, {"b", "Gain", "k = 5.0"}},
        {"{ from = \"a.y\", to = \"b.u\", factor = 2.0 }"},
        "[simulation]\nstop = 1.0\nstep = 0.1\n");
  const Json model = linearize({"s.toml", "--outputs", "b.y"});
  EXPECT_EQ(names(model["inputs"]), std::vector<std::string>{"a.u"});
  expect_near(dense(model["D"]), {{30}}, 1e-12);
}

TEST_F(LinearizeCommand, TakesListedStatesOfCoSimulation) {
  const Json model = linearize({fmu("2.0", "FeedbackCs"), "--set", "a=-2", "--at", "0.5"});
  EXPECT_EQ(model["components"][0]["source"], "directional derivatives");
  EXPECT_NEAR(dense(model["A"])[0][0], -2, 1e-12);
  EXPECT_NEAR(model["states"][0]["value"], std::exp(-1), 1e-6);  // the FMU's solver
}

TEST_F(LinearizeCommand, IdentifiesStatesThatAreHidden) {
  // Without directional derivatives: by rolling back at any point, or new instances at the start.
  const Json later = linearize({fmu("2.0", "StepGain"), "--at", "0.5"});
  EXPECT_EQ(later["components"][0]["source"], "a fit to small steps");
  const Json model = linearize({fmu("2.0", "FeedbackBare"), "--set", "a=-2"});
  ASSERT_EQ(model["states"].size(), 1u);
  EXPECT_NEAR(model["poles"][0]["value"][0], -2, 1e-4);  // the accuracy of a fit
  EXPECT_EQ(model["components"][0]["hasStates"], true);
}

TEST_F(LinearizeCommand, OfWhatIsNotLinearIsRefused) {
  EXPECT_THAT(refusal({fmu("2.0", "Erratic"), "--at", "0.5"}, 1),
              HasSubstr("cannot be linearized at t = 0.5 s"));
}

TEST_F(LinearizeCommand, WithoutStatesIsOnlyTheDirectResponse) {
  const std::string model = described("Busy", {{"canGetAndSetFMUstate", "false"}});
  const Json linear = linearize({model, "--at", "0.5"});
  EXPECT_EQ(linear["hasStates"], false);
  EXPECT_THAT(answer_.err, HasSubstr("only D is known"));
  EXPECT_TRUE(linear["A"]["value"].empty());
  EXPECT_THAT(refusal({model, "--at", "0.5", "--bode", "b.svg"}), HasSubstr("unknown"));
}

TEST_F(LinearizeCommand, RefusesALoopWithGainOne) {
  write_loop(0.5, 2, "");
  EXPECT_THAT(refusal({"s.toml"}), HasSubstr("gain 1"));
}

TEST_F(LinearizeCommand, RefusesLinesAndDelays) {
  EXPECT_THAT(refusal({example("tlm_three_masses/system.toml")}), HasSubstr("[[tlm]]"));
  place_.write("d.toml", fmt::format("[system]\nname = \"d\"\n[components.g]\nfmu = \"{}\"\n"
                                     "[components.z]\ntype = \"delay\"\nset = {{ delay = 0.1 }}\n"
                                     "[connections]\nlist = [\"z.y -> g.u\"]\n"
                                     "[simulation]\nstop = 1.0\nstep = 0.1\n",
                                     fmu("2.0", "Gain")));
  EXPECT_THAT(refusal({"d.toml"}), HasSubstr("stores past inputs"));
}

TEST_F(LinearizeCommand, ExplainsWrongOptions) {
  const std::string model = fmu("2.0", "Feedback");
  EXPECT_THAT(refusal({model, "--inputs", "v"}), HasSubstr("no continuous input \"v\""));
  EXPECT_THAT(refusal({model, "--at", "7"}), HasSubstr("goes from 0 s to 1 s"));
  EXPECT_THAT(refusal({model, "-o", "m.txt"}), HasSubstr(".json, .csv or .mat"));
  EXPECT_THAT(refusal({model, "--bode", "m.pdf"}), HasSubstr(".svg or .png"));
  EXPECT_THAT(refusal({model, "--bode", "m.svg", "--frequencies", "1"}), HasSubstr("MIN:MAX"));
  EXPECT_THAT(refusal({model, "--frequencies", "1:2"}), HasSubstr("--bode"));
}

TEST_F(LinearizeCommand, ReportsACrash) {
  EXPECT_THAT(refusal({fmu("2.0", "faulty_crash_in_instantiate")}), HasSubstr("crash"));
}

TEST_F(LinearizeCommand, WritesFilesAndAPlot) {
  const std::string model = fmu("2.0", "Feedback");
  answer_ = place_.tutti(
      {"linearize", model, "-o", "m.mat", "--bode", "m.svg", "--frequencies", "0.01:10"});
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.out, HasSubstr("A (1 x 1, 1 nonzero)"));
  EXPECT_THAT(place_.read("m.mat"), HasSubstr("ABCD"));
  EXPECT_THAT(place_.read("m.svg"), HasSubstr("y / u"));
}

TEST_F(LinearizeCommand, InThisProcessIsTheSame) {
  const std::string model = fmu("2.0", "Feedback");
  const Json one = linearize({model}), other = linearize({model, "--in-process"});
  EXPECT_EQ(one, other);
}

}  // namespace
}  // namespace tutti::testing
