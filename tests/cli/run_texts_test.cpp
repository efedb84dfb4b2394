// SPDX-License-Identifier: BSD-2-Clause
// What a run of a system says, to the letter.
#include <gmock/gmock.h>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RunTexts : public Run {};

TEST_F(RunTexts, OfferNoMethodThatHasJustFailed) {
  write({{"a", "faulty_nan_in_step", ""}, {"b", "Gain", ""}}, {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
        "[simulation]\nstop = 1.0\nstep = 0.1\n");
  run({"--set", "simulation.method=newton"});
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("at a.y. Try a smaller step."));
  run({"--set", "simulation.method=iterated"});
  EXPECT_THAT(answer_.err, HasSubstr("at a.y. Try method = \"newton\" or a smaller step."));

  write_loop(7, -40, "tolerance = { iterations = 1 }\n");
  run({"--set", "simulation.method=iterated"});
  EXPECT_THAT(answer_.err, HasSubstr("Try method = \"newton\", a smaller step, or"));
}

TEST_F(RunTexts, JoinSentences) {
  write({{"a", "faulty_nan_in_step", ""}, {"b", "Gain", ""}}, {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
        "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"iterated\"\n");
  run();
  EXPECT_THAT(answer_.err, HasSubstr("a smaller step. The results up to then are in \"r.csv\""));
  write({{"a", "faulty_error_in_step", ""}}, {}, "[simulation]\nstop = 1.0\nstep = 0.1\n");
  run();
  EXPECT_THAT(answer_.err, HasSubstr("; the results up to then are in \"r.csv\""));
}

TEST_F(RunTexts, CountInTheSingularAndThePlural) {
  write({{"a", "Gain", ""}}, {}, "[simulation]\nstop = 0.1\nstep = 0.1\n");
  run();
  EXPECT_THAT(answer_.out, HasSubstr("test (1 component), completed"));
  write_loop(0.5, 0.5, "method = \"newton\"\n");
  run({"--set", "simulation.stop=0.1", "--statistics"});
  EXPECT_THAT(answer_.out, HasSubstr("test (2 components), completed"));
  EXPECT_THAT(answer_.out, HasSubstr(" in 1 step, "));
}

TEST_F(RunTexts, CountTheComponentsAfterACrash) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself reports this";
#endif
  write({{"a", "faulty_crash_in_step", ""}, {"b", "Gain", ""}}, {},
        "[simulation]\nstop = 1.0\nstep = 0.1\n");
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.out, HasSubstr("test (2 components), failed"));
}

TEST_F(RunTexts, BlameTheFileForItsOwnValuesOnly) {
  write({{"a", "Gain", "k = 2.0"}}, {}, "");
  run({"--set", "a.k=two"});
  EXPECT_EQ(answer_.status, 2);
  EXPECT_THAT(answer_.err, HasSubstr("component \"a\": cannot set \"k\" to \"two\""));
  EXPECT_THAT(answer_.err, Not(HasSubstr("s.toml")));
  write({{"a", "Gain", "k = \"two\""}}, {}, "");
  run({"--set", "a.b=1"});
  EXPECT_THAT(answer_.err, HasSubstr("s.toml:3:"));
  run({"--set", "a.k=2"});  // mends it
  EXPECT_EQ(answer_.status, 0) << answer_.err;
}

// The times of components and method come from some steps, and are scaled up.
TEST_F(RunTexts, SpendNoMoreSecondsThanThereWere) {
  write_loop(0.5, 0.5, "method = \"newton\"\n");
  for (const char* stop : {"0.1", "0.3", "5", "100"}) {
    run({"--set", std::string("simulation.stop=") + stop});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const auto all = statistics();
    const auto& seconds = all["seconds"];
    double spent = seconds["method"].get<double>() + seconds["output"].get<double>();
    for (const auto& component : all["components"]) spent += component["seconds"].get<double>();
    EXPECT_LE(spent, seconds["step"].get<double>() * (1 + 1e-9)) << stop;  // rounding of the sum
  }
}

TEST_F(RunTexts, TellSettingsThatHaveNoEffect) {
  write_loop(0.5, 0.5, "method = \"newton\"\nsweeps = \"jacobi\"\nrelaxation = 0.5\n");
  run();
  EXPECT_THAT(answer_.err, HasSubstr("simulation.sweeps has no effect with method newton"));
  EXPECT_THAT(answer_.err, HasSubstr("simulation.relaxation has no effect with method newton"));
  EXPECT_THAT(place_.tutti({"check", "s.toml"}).out, HasSubstr("note     simulation.sweeps has"));
  run({"--set", "simulation.method=iterated"});
  EXPECT_THAT(answer_.err, Not(HasSubstr("no effect")));
  run({"--set", "simulation.method=anderson", "--set", "simulation.relaxation=aitken"});
  EXPECT_THAT(answer_.err, HasSubstr("relaxation = \"aitken\" has no effect with method anderson"));
}

TEST_F(RunTexts, TellSettingsOfStepControlThatHaveNoEffect) {
  write_loop(0.5, 0.5, "control = { variant = \"pyfmi\", atol = 1e-3, max = 0.5 }\n");
  run();
  EXPECT_THAT(answer_.err, HasSubstr("simulation.control: variant, atol, max have no effect with "
                                     "control = \"fixed\""));
  run({"--set", "simulation.control=richardson"});
  EXPECT_THAT(answer_.err, Not(HasSubstr("no effect")));
}

TEST_F(RunTexts, TellSolversThatNobodyAsks) {
  write_loop(0.5, 0.5, "");
  run({"--set", "components.a.solver.rtol=1e-3"});
  EXPECT_THAT(answer_.err, HasSubstr("a: components.a.solver has no effect"));
  run({"--set", "components.a.solver.rtol=1e-3", "--set", "components.a.as=me"});
  EXPECT_THAT(answer_.err, Not(HasSubstr("no effect")));
}

TEST_F(RunTexts, TellThatIterationsNeedNoCorrection) {
  write_loop(0.5, 0.5, "method = \"newton\"\ninputs.correct = \"linear\"\n");
  run();
  EXPECT_THAT(answer_.err, HasSubstr("simulation.inputs.correct has no effect beyond"));
  run({"--set", "simulation.method=jacobi"});
  EXPECT_THAT(answer_.err, Not(HasSubstr("correct has no effect")));
}

TEST_F(RunTexts, OfAQuietRunAreThoseThatWereAskedFor) {
  write_loop(0.5, 0.5, "method = \"newton\"\nsweeps = \"jacobi\"\n");
  const Answer quiet = place_.tutti({"run", "s.toml", "-q", "-o", "r.csv"});
  EXPECT_EQ(quiet.status, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
  const Answer json = place_.tutti({"run", "s.toml", "-q", "--json", "-o", "r.csv"});
  EXPECT_TRUE(nlohmann::json::accept(json.out)) << json.out;
  EXPECT_EQ(json.err, "");
}

TEST_F(RunTexts, NameWhatIsTooLarge) {
  write_loop(0.5, 0.5, "");
  run({"--set", "simulation.inputs.order=99999999999999999999"});
  EXPECT_EQ(answer_.status, 2);
  EXPECT_THAT(answer_.err, HasSubstr("order = 99999999999999999999 is too large"));
  run({"--set", "simulation.step=nan"});
  EXPECT_THAT(answer_.err, HasSubstr("simulation.step must be finite, not nan"));
}

TEST_F(RunTexts, NameTheAbilityAsItsStandardDoes) {
  for (const auto& [version, name] : {std::pair("2.0", "canGetAndSetFMUstate=\"false\""),
                                      std::pair("3.0", "canGetAndSetFMUState=\"false\"")}) {
    write({{"a", "FeedbackBare", "d = 0.1"}, {"b", "FeedbackBare", "d = 0.1"}},
          {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
          "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"newton\"\n", version);
    run();
    EXPECT_EQ(answer_.status, 2);
    EXPECT_THAT(answer_.err, HasSubstr(name));
  }
}

TEST_F(RunTexts, TheSettingsOfARunAreKeptBesideItsResults) {
  write_loop(0.5, 0.5,
             "method = \"iterated\"\nsweeps = \"jacobi\"\nrelaxation = 0.5\n"
             "tolerance = { rel = 1e-5 }\ninputs.inside = \"linear\"\nsave-states = \"always\"\n"
             "[[cycles]]\nof = [\"a\", \"b\"]\nmethod = \"newton\"\n");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  const auto settings = nlohmann::json::parse(place_.read("r.meta.json"))["settings"];
  EXPECT_EQ(settings["sweeps"], "jacobi");
  EXPECT_EQ(settings["relaxation"], 0.5);
  EXPECT_EQ(settings["tolerance"], (nlohmann::json{{"rel", 1e-5}}));
  EXPECT_EQ(settings["inputs"]["inside"], "linear");
  EXPECT_EQ(settings["save-states"], "always");
  EXPECT_EQ(settings["cycles"][0]["method"], "newton");
  EXPECT_EQ(settings["step"], 0.1);
  EXPECT_FALSE(settings.contains("threads")) << "it has its default";
}

}  // namespace
}  // namespace tutti::testing
