// SPDX-License-Identifier: BSD-2-Clause
// <tutti/linearize.hpp>: linear models, poles, frequency responses, files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>
#include <tutti/linearize.hpp>
#include <tutti/simulation.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// x' = v, v' = -w^2 x - 2 d w v + u, y = x, by hand.
LinearModel second_order(double w, double d) {
  LinearModel model;
  model.system = "oscillator";
  model.has_states = true;
  model.states = {{"m.x", "m", "m", 1, 0}, {"m.v", "m", "m/s", 0, -w * w}};
  model.inputs = {{"m.u", "m", "N", 0, 0}};
  model.outputs = {{"m.y", "m", "m", 1, 0}};
  model.a = {2, 2, {{0, 1, 1}, {1, 0, -w * w}, {1, 1, -2 * d * w}}};
  model.b = {2, 1, {{1, 0, 1}}};
  model.c = {1, 2, {{0, 0, 1}}};
  model.d = {1, 1, {}};
  model.components = {{"m", "by hand", true, 2, {}}};
  return model;
}

TEST(Linearize, FindsTheMatrixOfACoupledOscillator) {
  for (const char* version : {"2.0", "3.0"}) {
    const LinearModel model = linearize(oscillator(version), {}, {});
    ASSERT_TRUE(model.has_states);
    ASSERT_EQ(model.states.size(), 2u);
    EXPECT_EQ(model.states[0].name, "position.x");
    EXPECT_EQ(model.states[0].component, "position");
    EXPECT_EQ(model.states[0].value, 1);
    EXPECT_THAT(model.a.dense(), ElementsAre(0, 1, -1, 0)) << "x' = v, v' = -x, exactly";
    EXPECT_TRUE(model.inputs.empty());
    EXPECT_EQ(model.outputs.size(), 2u);
    EXPECT_EQ(model.components[0].source,
              "directional derivatives of its model-exchange interface");
  }
}

TEST(Linearize, AddsADisturbanceToAConnectedInput) {
  LinearizeOptions options;
  options.inputs = {"speed.u"};
  options.outputs = {"position.y"};
  const LinearModel model = linearize(oscillator(), options, {});
  EXPECT_THAT(model.b.dense(), ElementsAre(0, 1));
  EXPECT_THAT(model.c.dense(), ElementsAre(1, 0));
}

TEST(Linearize, RunsToThePoint) {
  LinearizeOptions options;
  options.at = 0.5;
  const LinearModel model = linearize(oscillator("2.0", 1e-3), options, {});
  EXPECT_EQ(model.time, 0.5);
  EXPECT_NEAR(model.states[0].value, std::cos(0.5), 1e-3);  // the coupling has order 1
  EXPECT_NEAR(model.states[0].derivative, -std::sin(0.5), 1e-3);
  EXPECT_THAT(model.a.dense(), ElementsAre(0, 1, -1, 0));
}

TEST(Linearize, OfOneFmuIsASystemOfOneComponent) {
  SimulateOptions run;
  run.fmu = fmu_of("2.0", "Feedback");
  run.kind = FmuKind::model_exchange;
  run.set = {{"a", "-2"}, {"b", "3"}, {"c", "4"}, {"d", "5"}};
  const LinearModel model = linearize(system_of(run), {}, {});
  EXPECT_THAT(model.a.dense(), ElementsAre(-2));
  EXPECT_THAT(model.b.dense(), ElementsAre(3));
  EXPECT_THAT(model.c.dense(), ElementsAre(4));
  EXPECT_THAT(model.d.dense(), ElementsAre(5));
  EXPECT_EQ(model.inputs[0].name, "u");
}

TEST(Linearize, RefusesWhatDoesNotExist) {
  LinearizeOptions options;
  options.inputs = {"sped.u"};
  EXPECT_THAT(refusal_of([&] { linearize(oscillator(), options, {}); }),
              HasSubstr("Did you mean \"speed.u\"?"));
  options.inputs = {"speed.a"};
  EXPECT_THAT(refusal_of([&] { linearize(oscillator(), options, {}); }), HasSubstr("fixed"));
  options.inputs = {};
  options.outputs = {"speed.u"};
  EXPECT_THAT(refusal_of([&] { linearize(oscillator(), options, {}); }), HasSubstr("is an input"));
  options.outputs = {};
  options.at = 7;
  EXPECT_THAT(refusal_of([&] { linearize(oscillator(), options, {}); }),
              HasSubstr("goes from 0 s to 1 s"));
}

TEST(LinearMatrix, ReadsEntriesAndZeros) {
  const LinearMatrix matrix{2, 3, {{0, 2, 5}, {1, 0, 7}}};
  EXPECT_EQ(matrix(0, 2), 5);
  EXPECT_EQ(matrix(1, 2), 0);
  EXPECT_THAT(matrix.dense(), ElementsAre(0, 0, 5, 7, 0, 0));
}

TEST(LinearPoles, HaveFrequencyDampingAndParticipation) {
  const LinearPoles found = poles(second_order(2 * std::numbers::pi, 0.25));
  ASSERT_EQ(found.poles.size(), 2u);
  EXPECT_NEAR(found.poles[0].frequency, 1, 1e-12);
  EXPECT_NEAR(found.poles[0].damping, 0.25, 1e-12);
  EXPECT_NEAR(found.poles[0].time_constant, 1 / (0.25 * 2 * std::numbers::pi), 1e-12);
  EXPECT_GT(found.poles[0].value.imag(), 0);
  ASSERT_EQ(found.poles[0].components.size(), 1u);
  EXPECT_NEAR(found.poles[0].components[0].weight, 1, 1e-12);
  EXPECT_EQ(found.poles[0].states.size(), 2u);
}

TEST(LinearPoles, AreOmittedWithoutStatesOrForLargeModels) {
  LinearModel model = second_order(1, 0.1);
  model.has_states = false;
  EXPECT_THAT(poles(model).omitted, HasSubstr("unknown"));
  model = {};
  model.has_states = true;
  model.states.resize(1001);
  model.a = {1001, 1001, {}};
  EXPECT_THAT(poles(model).omitted, HasSubstr("1001 states"));
}

// At the natural frequency, y/u = 1/(2 i d w^2).
TEST(FrequencyResponse, IsThatOfASecondOrderSystem) {
  const double w = 2 * std::numbers::pi, d = 0.05;
  FrequencyOptions options;
  options.min = 0.1;
  options.max = 10;
  options.points = 3;
  const FrequencyResponse response = frequency_response(second_order(w, d), options);
  EXPECT_NEAR(response.frequencies[1], 1, 1e-12);
  const std::complex<double> resonance = response.values[0][0][1];
  EXPECT_NEAR(resonance.real(), 0, 1e-10);
  EXPECT_NEAR(resonance.imag(), -1 / (2 * d * w * w), 1e-10);
}

TEST(FrequencyResponse, RefusesWrongRanges) {
  FrequencyOptions options;
  options.min = 10;
  options.max = 1;
  EXPECT_THAT(refusal_of([&] { frequency_response(second_order(1, 0.1), options); }),
              HasSubstr("positive minimum below the maximum"));
  LinearModel model = second_order(1, 0.1);
  model.inputs.clear();
  EXPECT_THAT(refusal_of([&] { frequency_response(model, {}); }), HasSubstr("no inputs"));
}

TEST(BodeFigure, HasMagnitudeAndPhase) {
  const Figure figure = bode_figure(second_order(2 * std::numbers::pi, 0.05), {});
  ASSERT_EQ(figure.panels.size(), 2u);
  EXPECT_EQ(figure.panels[0].unit, "dB");
  EXPECT_EQ(figure.panels[1].unit, "deg");
  EXPECT_EQ(figure.panels[0].curves[0].name, "m.y / m.u");
  EXPECT_NEAR(figure.from, 0.1, 1e-12) << "a decade below the pole";
  EXPECT_NEAR(figure.panels[1].curves[0].values.back(), -180, 1) << "two integrations";
  EXPECT_THAT(draw_svg(figure, {}), HasSubstr("m.y / m.u"));
}

class LinearFiles : public ::testing::Test {
 protected:
  std::string written(const std::string& name) {
    write_linear_model(second_order(2, 0.25), place_.path() / name);
    std::ifstream in(place_.path() / name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  Workplace place_;
};

TEST_F(LinearFiles, AreTablesInCsv) {
  EXPECT_EQ(written("m.csv"),
            "\"name\",\"unit\",\"value\",\"m.x\",\"m.v\",\"m.u\"\n"
            "\"time\",\"s\",0,1,0,0\n"
            "\"der(m.x)\",\"\",0,0,1,0\n"
            "\"der(m.v)\",\"\",-4,-4,-1,1\n"
            "\"m.y\",\"m\",1,1,0,0\n");
}

TEST_F(LinearFiles, HaveSparseMatricesInJson) {
  const auto json = nlohmann::json::parse(written("m.json"));
  EXPECT_EQ(json["A"]["rows"], 2);
  EXPECT_EQ(json["A"]["row"], (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(json["A"]["value"], (std::vector<double>{1, -4, -1}));
  EXPECT_EQ(json["poles"].size(), 2u);
  EXPECT_EQ(json["states"][1]["derivative"], -4);
}

TEST_F(LinearFiles, HaveTheMatricesOfDymolaInMat) {
  const std::string mat = written("m.mat");
  for (const char* const name : {"ABCD", "nx", "xuyName", "A", "x_names", "u0", "dx0"})
    EXPECT_THAT(mat, HasSubstr(std::string(name) + '\0'));
}

TEST_F(LinearFiles, OfOtherNamesAreRefused) {
  EXPECT_EQ(error_of([&] { written("m.txt"); }).code(), ErrorCode::usage);
}

TEST(LinearModelText, ShowsMatricesAndPoles) {
  const std::string text = linear_model_text(second_order(2, 0.25));
  EXPECT_THAT(text, HasSubstr("A (2 x 2, 3 nonzero)"));
  EXPECT_THAT(text, HasSubstr("-0.5 +- 1.93649i"));
}

}  // namespace
}  // namespace tutti::testing
