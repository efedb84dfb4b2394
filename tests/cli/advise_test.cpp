// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>

#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

/// Two linear systems that feed each other: the example 6.1.1 of Ch. Andersson's thesis (Lund
/// 2016), in which the eigenvalues of D L are +-sqrt(d1 d2).
class Advise : public SystemRun {
 protected:
  void write_example(double d1, double d2, const std::string& settings = "",
                     const std::string& version = "2.0", const std::string& model = "Feedback") {
    write({{"one", model, fmt::format("d = {:.17g}", d1)},
           {"two", model, fmt::format("b = 3.0, c = -5.0, d = {:.17g}", d2)}},
          {"\"one.y -> two.u\"", "\"two.y -> one.u\""},
          "[simulation]\nstop = 1.0\nstep = 0.1\n" + settings, version);
  }
  Json advise(std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), {"advise", "s.toml", "--json"});
    answer_ = place_.tutti(arguments);
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    return answer_.status == 0 ? Json::parse(answer_.out) : Json();
  }
  std::string text() {
    answer_ = place_.tutti({"advise", "s.toml"});
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    return answer_.out;
  }
  static Json scheme(const Json& cycle, const std::string& name) {
    for (const Json& scheme : cycle["schemes"])
      if (scheme["name"] == name) return scheme;
    ADD_FAILURE() << "no scheme " << name;
    return {};
  }
  static std::vector<std::string> first_methods(const Json& cycle) {
    return cycle["choices"].at(0)["method"].get<std::vector<std::string>>();
  }
};

TEST_F(Advise, FindsTheFiguresOfTheLinearExample) {
  for (const char* version : {"2.0", "3.0"}) {
    write_example(1, -1.1, "", version);
    const Json cycle = advise()["cycles"][0];
    EXPECT_NEAR(cycle["loopRadius"], std::sqrt(1.1), 1e-9);  // derivatives to rounding
    ASSERT_EQ(cycle["loops"].size(), 1u);
    EXPECT_EQ(cycle["loops"][0]["variables"].size(), 4u);
    EXPECT_NEAR(cycle["loops"][0]["eigenvalues"][0][0], 0, 1e-9);    // +- i sqrt(1.1)
    EXPECT_NEAR(scheme(cycle, "jacobi")["radius"], 1.592121, 1e-6);  // digits of the figure
    EXPECT_EQ(scheme(cycle, "jacobi")["limit"], "unstable");
    EXPECT_NEAR(scheme(cycle, "jacobi, corrected")["radius"], 0.801556, 1e-6);
    EXPECT_EQ(scheme(cycle, "jacobi, corrected")["limit"], "stable");
    EXPECT_NEAR(scheme(cycle, "jacobi, order 2, backward")["radius"], 3.738954, 1e-6);
    EXPECT_EQ(cycle["components"][0]["states"], 1);
  }
}

TEST_F(Advise, TakesUnitsAndFactorsIntoTheLoop) {
  write({{"one", "Feedback", "d = 0.5"}, {"two", "Feedback", "d = -0.5"}},
        {"\"one.y -> two.u\"", "{ from = \"two.y\", to = \"one.u\", factor = 9.0 }"},
        "[simulation]\nstop = 1.0\nstep = 0.1\n");
  EXPECT_NEAR(advise()["cycles"][0]["loopRadius"], 1.5, 1e-9);  // sqrt(0.25 * 9)
}

TEST_F(Advise, AsksWhateverInterfaceAnswers) {
  const struct {
    const char *version, *model, *source;
    bool linearized;
  } rows[] = {
      {"2.0", "Feedback", "directional derivatives of its model-exchange interface", true},
      {"2.0", "FeedbackCs", "a fit to small steps", true},
      {"2.0", "FeedbackBare", "a fit to small steps", true},
      {"3.0", "FeedbackBare", "a fit to small steps", true},
      {"1.0-me", "Feedback", "differences of its model-exchange equations", true},
      {"1.0-cs", "FeedbackBare", "a fit to small steps", true},
  };
  for (const auto& row : rows) {
    write_example(0.5, -0.5, "", row.version, row.model);
    const Json cycle = advise()["cycles"][0];
    EXPECT_EQ(cycle["components"][0]["source"], row.source) << row.model;
    EXPECT_EQ(cycle["linearized"], row.linearized);
    EXPECT_NEAR(cycle["loops"][0]["spectralRadius"], 0.5, 1e-6);  // as the fit; 1e-8 for the rest
  }
}

// Without a linear system that fits, only D is known, or which outputs follow which inputs.
TEST_F(Advise, ReportsWhatCannotBeKnown) {
  const struct {
    const char *version, *source;
  } rows[] = {{"2.0", "differences in initialization mode"},
              {"3.0", "differences in initialization mode"},
              {"1.0-cs", "the dependencies in its description, without magnitudes"}};
  for (const auto& row : rows) {
    write({{"one", "Erratic", ""}, {"two", "Erratic", ""}},
          {"\"one.y -> two.u\"", "\"two.y -> one.u\""}, "[simulation]\nstop = 1.0\nstep = 0.1\n",
          row.version);
    const Json cycle = advise()["cycles"][0];
    EXPECT_EQ(cycle["components"][0]["source"], row.source);
    EXPECT_EQ(cycle["linearized"], false);
    for (const Json& way : cycle["schemes"]) EXPECT_EQ(way["atStep"], "unknown");
    EXPECT_THAT(text(), HasSubstr("whether a step of 0.1 s is stable is unknown: one, two"));
    EXPECT_THAT(text(), HasSubstr("no linear system fits its small steps"));
  }
}

// The equations of model exchange can be asked again, also in FMI 1.0.
TEST_F(Advise, OffersTheLinearCorrectionForModelExchange) {
  write_example(1, -1.1, "", "1.0-me");
  const Json cycle = advise()["cycles"][0];
  EXPECT_TRUE(scheme(cycle, "jacobi, corrected")["missing"].is_null());
  EXPECT_EQ(cycle["choices"].at(0)["inputs"]["correct"], "linear");
}

TEST_F(Advise, SaysMayBeWhereMagnitudesAreNotKnown) {
  write({{"one", "Erratic", ""}, {"two", "Erratic", ""}},
        {"\"one.y -> two.u\"", "\"two.y -> one.u\""}, "[simulation]\nstop = 1.0\nstep = 0.1\n",
        "1.0-cs");
  const std::string out = text();
  EXPECT_THAT(out, HasSubstr("there may be an algebraic loop"));
  EXPECT_THAT(out, HasSubstr("may be unstable"));
}

TEST_F(Advise, CorrectsOrSolvesALoopOfLargeGain) {
  write_example(1, -1.1, "method = \"jacobi\"\n");
  const Json cycle = advise()["cycles"][0];
  EXPECT_EQ(cycle["choices"].at(0)["inputs"]["correct"], "linear");
  EXPECT_EQ(cycle["choices"].back()["method"].back(), "newton");
  for (const Json& choice : cycle["choices"]) {
    const bool one_pass = choice["method"] == Json::array({"jacobi"}) ||
                          choice["method"] == Json::array({"gauss-seidel"});
    EXPECT_TRUE(!one_pass || choice["inputs"]["correct"] == "linear") << choice;
    EXPECT_FALSE(choice["reason"].get<std::string>().empty());
  }
  EXPECT_EQ(cycle["schemes"][cycle["present"].get<std::size_t>()]["name"], "jacobi");
  EXPECT_THAT(
      text(),
      HasSubstr("jacobi with a step of 0.1 s is unstable: errors grow by a factor of 1.592"));
}

TEST_F(Advise, OffersNothingThatTheFmusCannotDo) {
  write_example(1, -1.1, "", "2.0", "FeedbackBare");
  const Json cycle = advise()["cycles"][0];
  EXPECT_THAT(scheme(cycle, "newton")["missing"].get<std::string>(), HasSubstr("rollback"));
  ASSERT_EQ(cycle["choices"].size(), 1u);  // its linear models are known from small steps
  EXPECT_EQ(cycle["choices"][0]["method"], Json::array({"linear-implicit"}));
}

TEST_F(Advise, IsContentWithOnePassWhereThereIsNoLoop) {
  write_example(0, -0.5);
  const Json advice = advise();
  const Json& cycle = advice["cycles"][0];
  EXPECT_TRUE(cycle["loops"].empty());
  EXPECT_EQ(cycle["loopRadius"], 0);
  EXPECT_EQ(first_methods(cycle).size(), 1u);
  EXPECT_EQ(cycle["choices"].at(0)["inputs"]["correct"], "none");
  EXPECT_EQ(advice["steps"].size(), 25u);
  EXPECT_EQ(scheme(cycle, "jacobi")["radii"].size(), 25u);
  EXPECT_THAT(text(), HasSubstr("no algebraic loop"));
}

// Every way to couple is run with a step a little below and a little above its limit: over 400
// steps errors of 1 decay, or grow.
TEST_F(Advise, KnowsTheStepAtWhichRunsTurnUnstable) {
  write_example(0.1, -0.2);
  const Json cycle = advise()["cycles"][0];
  std::size_t tried = 0;
  for (const Json& scheme : cycle["schemes"]) {
    if (scheme["beyondRange"] || scheme["largestStep"].is_null()) continue;
    const Json& inputs = scheme["choice"]["inputs"];
    std::string settings = fmt::format("method = \"{}\"\n[simulation.inputs]\n",
                                       scheme["choice"]["method"][0].get<std::string>());
    for (const auto& [key, value] : inputs.items()) settings += key + " = " + value.dump() + "\n";
    write_example(0.1, -0.2, settings);
    const auto last = [&](double step) {
      const auto values = run({"--set", fmt::format("simulation.step={:.17g}", step), "--set",
                               fmt::format("simulation.stop={:.17g}", 400 * step)});
      if (answer_.status != 0) return 1e9;  // stopped: values or sweeps diverge
      return std::abs(values.at("one.y")) + std::abs(values.at("two.y"));
    };
    const double largest = scheme["largestStep"];
    EXPECT_LT(last(0.9 * largest), 1) << scheme["name"];
    // Sweeps are given up before they diverge.
    const double above = scheme["name"] == "iterated" ? 2 : 1.15;
    EXPECT_GT(last(above * largest), 20) << scheme["name"];
    ++tried;
  }
  EXPECT_GE(tried, 8u);  // the others are stable throughout the range
}

TEST_F(Advise, TellsThatThereIsNoCycle) {
  write({{"a", "Gain", ""}, {"b", "Gain", ""}}, {"\"a.y -> b.u\""},
        "[simulation]\nstop = 1.0\nstep = 0.1\n");
  EXPECT_THAT(text(), HasSubstr("no cycle among 2 components"));
  EXPECT_TRUE(advise()["cycles"].empty());
  const Answer answer = place_.tutti({"advise", "s.toml", "--plot", "p.svg"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("no spectral radii to draw"));
}

TEST_F(Advise, DrawsTheSpectralRadii) {
  write_example(0.3, -0.3);
  Answer answer = place_.tutti({"advise", "s.toml", "--plot", "p.svg"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  const std::string picture = place_.read("p.svg");
  EXPECT_THAT(picture, HasSubstr("<svg"));
  EXPECT_THAT(picture, HasSubstr("gauss-seidel"));
  answer = place_.tutti({"advise", "s.toml", "--plot", "-"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.out, HasSubstr("step [s]"));
  EXPECT_EQ(place_.tutti({"advise", "s.toml", "--plot", "p.bmp"}).status, 2);
}

// y = 2 t u twice: rho(D L) = 2 t.
TEST_F(Advise, LooksAtLaterPoints) {
  write({{"a", "Rising", "k = 2.0"}, {"b", "Rising", "k = -2.0"}},
        {"\"a.y -> b.u\"", "\"b.y -> a.u\""}, "[simulation]\nstop = 1.0\nstep = 0.1\n");
  EXPECT_EQ(advise()["cycles"][0]["loopRadius"], 0);
  const Json cycle = advise({"--points", "5"})["cycles"][0];
  ASSERT_EQ(cycle["history"].size(), 6u);
  for (const Json& moment : cycle["history"])
    EXPECT_NEAR(moment["loopRadius"], 2 * moment["time"].get<double>(), 1e-6);  // differences
  EXPECT_NEAR(cycle["loopRadius"], 2, 1e-6);
  EXPECT_EQ(scheme(cycle, "jacobi")["limit"], "unstable");
}

// A method that the FMUs cannot follow is what advice is for.
TEST_F(Advise, HelpsWithASystemThatCannotRun) {
  write_example(0.1, -0.1, "method = \"newton\"\n", "2.0", "FeedbackBare");
  EXPECT_EQ(place_.tutti({"run", "s.toml"}).status, 2);
  EXPECT_EQ(first_methods(advise()["cycles"][0]), std::vector<std::string>{"gauss-seidel"});
}

TEST_F(Advise, RefusesWhatCheckRefuses) {
  EXPECT_EQ(place_.tutti({"advise", "nowhere.toml"}).status, 2);
  write({{"a", "Gain", ""}, {"b", "Gain", ""}}, {"\"a.y -> b.v\""}, "");
  const Answer answer = place_.tutti({"advise", "s.toml"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("b.v"));
}

TEST_F(Advise, SurvivesACrashAndAHang) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself reports this";
#endif
  for (const auto& [model, words] :
       {std::pair("faulty_crash_in_initialization", "crashed while it was initialized"),
        std::pair("faulty_hang_in_initialization",
                  "did not return within 0.5 s while it was initialized")}) {
    write({{"a", model, ""}, {"b", "Gain", ""}}, {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
          "[simulation]\nstop = 1.0\nstep = 0.1\n");
    const Answer answer = place_.tutti({"advise", "s.toml", "--step-timeout", "0.5"});
    EXPECT_EQ(answer.status, 2) << model;
    EXPECT_THAT(answer.err, HasSubstr(words)) << model;
  }
  EXPECT_EQ(place_.leftover_count(), 0u);
}

}  // namespace
}  // namespace tutti::testing
