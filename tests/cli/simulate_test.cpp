// SPDX-License-Identifier: BSD-2-Clause
// `tutti simulate` as a user calls it, on well-behaved FMUs of every version.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/command.hpp"
#include "support/places.hpp"

namespace tutti::testing {
namespace {

class EveryVersion : public ::testing::TestWithParam<const char*> {
 protected:
  Workplace place_;
};
INSTANTIATE_TEST_SUITE_P(Cli, EveryVersion, ::testing::Values("1.0-cs", "2.0", "3.0"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return "Fmi" + name;
                         });

// dx/dt = -x, x(0) = 1. The kit integrates by the classical Runge-Kutta method, whose error at t =
// 1 is below h^4/120 for h = 0.1 and smaller.
TEST_P(EveryVersion, FollowsTheExactSolution) {
  const Answer answer = place_.tutti(
      {"simulate", fmu(GetParam(), "Dahlquist"), "--stop", "1", "--step", "0.1", "-o", "x.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const auto rows = csv_rows(place_.read("x.csv"));
  ASSERT_EQ(rows.size(), 12u);  // header, start and 10 steps
  EXPECT_EQ(rows[0][0], "time");
  EXPECT_EQ(std::stod(rows.back()[0]), 1.0);
  EXPECT_NEAR(std::stod(rows.back()[1]), std::exp(-1.0), 1e-6);  // 0.1^4/120 = 8e-7
  EXPECT_EQ(place_.leftover_count(), 0u);
}

TEST_P(EveryVersion, WritesMetadataBesideTheResults) {
  ASSERT_EQ(place_.tutti({"simulate", fmu(GetParam(), "Trivial"), "--step", "0.25"}).status, 0);
  const auto meta = nlohmann::json::parse(place_.read("Trivial.meta.json"));
  EXPECT_EQ(meta["model"], "Trivial");
  EXPECT_EQ(meta["settings"]["step"], 0.25);
  EXPECT_EQ(meta["statistics"]["calls"]["doStep"], 4);
  EXPECT_EQ(meta["statistics"]["rows"], 5);
  EXPECT_EQ(meta["end"]["kind"], "completed");
}

// y integrates u by the rectangle rule with u held from the start of each step: with u = t and
// h = 0.25, y(1) = 0.25 (0 + 0.25 + 0.5 + 0.75).
TEST_P(EveryVersion, AppliesInputsAtTheStartOfEachStep) {
  place_.write("in.csv", "time,u\n0,0\n1,1\n");
  const Answer answer = place_.tutti({"simulate", fmu(GetParam(), "Trivial"), "--step", "0.25",
                                      "--input", "in.csv", "-o", "y.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(csv_rows(place_.read("y.csv")).back()[1], "0.375");
}

TEST_P(EveryVersion, HitsDiscontinuitiesOfTheInput) {
  place_.write("in.csv", "time,u\n0,0\n0.3,0\n0.3,10\n1,10\n");
  const Answer answer = place_.tutti({"simulate", fmu(GetParam(), "Trivial"), "--step", "0.25",
                                      "--input", "in.csv", "-o", "y.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  // Exact because the jump is hit: 0.7 s of 10, up to rounding.
  EXPECT_NEAR(std::stod(csv_rows(place_.read("y.csv")).back()[1]), 7, 1e-14);
}

TEST_P(EveryVersion, SetsStartValues) {
  const Answer answer = place_.tutti({"simulate", fmu(GetParam(), "Trivial"), "--set", "u=2",
                                      "--set", "y=-1", "--step", "0.5", "-o", "y.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const auto rows = csv_rows(place_.read("y.csv"));
  EXPECT_EQ(rows[1][1], "-1");
  EXPECT_EQ(rows.back()[1], "1");
}

TEST_P(EveryVersion, RunsInThisProcessToo) {
  const Answer answer =
      place_.tutti({"simulate", fmu(GetParam(), "VanDerPol"), "--in-process", "-o", "a.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  ASSERT_EQ(place_.tutti({"simulate", fmu(GetParam(), "VanDerPol"), "-o", "b.csv"}).status, 0);
  EXPECT_EQ(place_.read("a.csv"), place_.read("b.csv"));
}

TEST_P(EveryVersion, FindsResourcesInAPathWithBlanksAndUmlauts) {
  const std::string name = "Prüf stand #1 %41.fmu";
  std::filesystem::copy_file(fmu(GetParam(), "Resource"), place_.path() / name);
  const Answer archive = place_.tutti({"simulate", name, "-o", "a.csv"});
  ASSERT_EQ(archive.status, 0) << archive.err;
  EXPECT_EQ(csv_rows(place_.read("a.csv")).back()[1], "97");  // the letter "a" in y.txt
}

class Simulate : public ::testing::Test {
 protected:
  /// The message of a call that must be refused.
  std::string refusal(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "simulate");
    const Answer answer = place_.tutti(arguments);
    EXPECT_EQ(answer.status, 2) << answer.out << answer.err;
    EXPECT_EQ(place_.leftover_count(), 0u);
    return answer.err;
  }
  Workplace place_;
};

TEST_F(Simulate, RecordsEveryTypeSoThatItReadsBack) {
  place_.write(
      "in.csv",
      "time,int8_in,uint64_in,int64_in,boolean_in,float32_in,string_in,option_in,\"matrix_in[2,1]"
      "\"\n"
      "0,-128,18446744073709551615,-9223372036854775808,true,0.1,\"a, \"\"b\"\"\",high,2.5\n");
  const Answer answer =
      place_.tutti({"simulate", fmu("3.0", "Feedthrough"), "--input", "in.csv", "--stop", "0.1",
                    "--step", "0.1", "--set", "binary_in=00ff10", "-o", "y.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const std::string text = place_.read("y.csv");
  for (const char* part : {",-128,", ",18446744073709551615,", ",-9223372036854775808,", ",0.1,",
                           "\"a, \"\"b\"\"\"", ",00ff10,", ",2.5,"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_NE(text.find("\"matrix_out[2,1]\""), std::string::npos);
}

TEST_F(Simulate, SizesArraysByStructuralParameters) {
  const Answer answer = place_.tutti({"simulate", fmu("3.0", "StateSpace"),
                                      "--set",    "n=2",
                                      "--set",    "m=2",
                                      "--set",    "r=2",
                                      "--set",    "A=0 0 0 0",
                                      "--set",    "B=1 0 0 1",
                                      "--set",    "C=1 0 0 1",
                                      "--set",    "D=0 0 0 0",
                                      "--set",    "u=3 4",
                                      "--set",    "x0=0 0",
                                      "--stop",   "1",
                                      "-o",       "y.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const auto rows = csv_rows(place_.read("y.csv"));
  ASSERT_EQ(rows[0], (std::vector<std::string>{"time", "y[1]", "y[2]"}));
  // x' = u with constant u = (3, 4): y(1) = (3, 4) up to rounding.
  EXPECT_NEAR(std::stod(rows.back()[1]), 3, 1e-12);
  EXPECT_NEAR(std::stod(rows.back()[2]), 4, 1e-12);
}

TEST_F(Simulate, StartsFromAFileOfValuesBeforeTheOtherSettings) {
  place_.write("v.toml", "[set]\nmu = 3.5\nx0 = 0.25\n");
  const Answer answer = place_.tutti({"simulate", fmu("2.0", "VanDerPol"), "--start-from", "v.toml",
                                      "--set", "x0=0.5", "--variables", "*", "-o", "y.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const auto rows = csv_rows(place_.read("y.csv"));
  for (std::size_t i = 0; i < rows[0].size(); ++i) {
    if (rows[0][i] == "mu") {
      EXPECT_EQ(rows[1][i], "3.5");
    }
    if (rows[0][i] == "x0") {
      EXPECT_EQ(rows[1][i], "0.5");
    }
  }
  place_.write("v.toml", "[set]\nmu = 3.5\nx2 = 0.25\n");
  const Answer refused =
      place_.tutti({"simulate", fmu("2.0", "VanDerPol"), "--start-from", "v.toml"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("v.toml:3:6: there is no variable \"x2\""), std::string::npos)
      << refused.err;
  EXPECT_NE(refused.err.find("Did you mean"), std::string::npos) << refused.err;
}

TEST_F(Simulate, ChoosesVariablesByPatternAndFile) {
  place_.write("names.txt", "# a comment\nmu\r\n");
  ASSERT_EQ(place_
                .tutti({"simulate", fmu("2.0", "VanDerPol"), "--variables", "der(*",
                        "--variables-file", "names.txt", "-o", "y.csv"})
                .status,
            0);
  EXPECT_EQ(csv_rows(place_.read("y.csv"))[0],
            (std::vector<std::string>{"time", "der(x0)", "der(x1)", "mu"}));
}

TEST_F(Simulate, RecordsAtIntervals) {
  ASSERT_EQ(place_
                .tutti({"simulate", fmu("2.0", "Trivial"), "--step", "0.1", "--interval", "0.5",
                        "-o", "y.csv"})
                .status,
            0);
  EXPECT_EQ(csv_rows(place_.read("y.csv")).size(), 4u);
}

TEST_F(Simulate, EndsWithoutErrorWhenTheFmuAsksForIt) {
  const Answer answer =
      place_.tutti({"simulate", fmu("3.0", "faulty_asks_for_termination"), "-o", "y.csv"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_NE(answer.out.find("the FMU asked to end the run: t = 0 to "), std::string::npos)
      << answer.out;
}

TEST_F(Simulate, KeepsTheResultsWhenInterrupted) {
  const Answer answer = place_.tutti({"simulate", fmu("2.0", "Trivial"), "--stop", "1e9", "--step",
                                      "1e-3", "--interval", "1", "-o", "y.csv"},
                                     0.5);
  EXPECT_EQ(answer.status, 130) << answer.err;
  EXPECT_NE(answer.err.find("interrupted at t ="), std::string::npos) << answer.err;
  EXPECT_GT(csv_rows(place_.read("y.csv")).size(), 1u);
  EXPECT_EQ(place_.leftover_count(), 0u);
}

TEST_F(Simulate, DrawsThePlotAndPrintsStatistics) {
  const Answer answer =
      place_.tutti({"simulate", fmu("2.0", "VanDerPol"), "-o", "none", "--plot", "--statistics"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_NE(answer.out.find("x0"), std::string::npos);
  EXPECT_NE(answer.out.find("┤"), std::string::npos);
  EXPECT_NE(answer.out.find("doStep calls"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(place_.path() / "VanDerPol.csv"));
}

TEST_F(Simulate, RefusesTimesThatMakeNoSense) {
  const std::string model = fmu("2.0", "Trivial");
  EXPECT_NE(refusal({model, "--stop", "-1"}).find("not after the start time"), std::string::npos);
  EXPECT_NE(refusal({model, "--step", "-1"}).find("step -1 is not positive"), std::string::npos);
  EXPECT_NE(refusal({model, "--step", "nan"}).find("not positive"), std::string::npos);
  EXPECT_NE(refusal({model, "--stop", "inf"}).find("finite"), std::string::npos);
  EXPECT_NE(refusal({model, "--step", "1e-300"}).find("too short"), std::string::npos);
  EXPECT_NE(refusal({model, "--step", "0.1", "--interval", "0.25"}).find("Try 0.2 or 0.3"),
            std::string::npos);
  EXPECT_NE(refusal({model, "--rtol", "-1"}).find("tolerance -1 is not positive"),
            std::string::npos);
  EXPECT_NE(refusal({model, "--step-timeout", "nan"}).find("is not a non-negative number"),
            std::string::npos);
}

// Files of options of other tools write 0 for what they do not set.
TEST_F(Simulate, TakesAStepAndAToleranceOfZeroForNone) {
  for (const std::string type : {"cs", "me"}) {
    const std::vector<std::string> call = {"simulate", fmu("2.0", "VanDerPol"), "--type", type};
    std::vector<std::string> plain = call, zero = call;
    plain.insert(plain.end(), {"-o", "a.csv"});
    zero.insert(zero.end(), {"--step", "0", "--rtol", "0.0", "-o", "b.csv"});
    ASSERT_EQ(place_.tutti(plain).status, 0);
    const Answer answer = place_.tutti(zero);
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(place_.read("a.csv"), place_.read("b.csv"));
  }
}

TEST_F(Simulate, RefusesInputsThatAreNotFinite) {
  for (const std::string value : {"nan", "inf", "-inf"}) {
    place_.write("in.csv", "time,u\n0,0\n0.5," + value + "\n1,1\n");
    const std::string text = refusal({fmu("2.0", "Trivial"), "--input", "in.csv", "-o", "none"});
    EXPECT_NE(text.find("in.csv:3: column \"u\": \"" + value + "\" is not a finite number"),
              std::string::npos)
        << text;
  }
}

// An option of the other interface is never ignored.
TEST_F(Simulate, TakesTheInterfaceThatTheOptionsMean) {
  const std::string both = fmu("3.0", "BouncingBall");
  for (const std::vector<std::string>& option : std::vector<std::vector<std::string>>{
           {"--solver", "euler"}, {"--atol", "1e-9"}, {"--max-step", "0.01"}}) {
    const Answer answer =
        place_.tutti({"simulate", both, option[0], option[1], "-o", "none", "--statistics"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_NE(answer.out.find("right-hand sides"), std::string::npos) << answer.out;
    EXPECT_NE(refusal({both, "--type", "cs", option[0], option[1]}).find("of model exchange"),
              std::string::npos);
    EXPECT_NE(refusal({fmu("2.0", "Trivial"), option[0], option[1]}).find("of model exchange"),
              std::string::npos);
  }
  for (const std::vector<std::string>& option : std::vector<std::vector<std::string>>{
           {"--event-mode", "on"}, {"--event-mode", "off"}, {"--early-return"}}) {
    std::vector<std::string> call = {both, "--type", "me"};
    call.insert(call.end(), option.begin(), option.end());
    EXPECT_NE(refusal(call).find("of co-simulation"), std::string::npos);
    call[1] = "--solver", call[2] = "cvode";
    EXPECT_NE(refusal(call).find("(because of --solver)"), std::string::npos);
  }
  EXPECT_EQ(
      place_.tutti({"simulate", both, "--type", "me", "--event-mode", "auto", "-o", "none"}).status,
      0);
}

// timeout(1) and batch systems send their signal to every process of the group, also to the FMU's.
TEST_F(Simulate, IsInterruptedNotCrashedByASignalToItsGroup) {
  for (const std::string signal : {"TERM", "HUP"}) {
    const std::string command =
        "cd '" + place_.path().string() + "' && timeout --preserve-status -s " + signal + " 0.5 '" +
        tutti::places::tutti_program().string() + "' simulate '" + fmu("2.0", "Trivial") +
        "' --stop 1e9 --step 1e-3 --interval 1 -o y.csv >out.txt 2>err.txt";
    const int status = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 130) << place_.read("err.txt");
    EXPECT_NE(place_.read("err.txt").find("interrupted at t ="), std::string::npos)
        << place_.read("err.txt");
  }
}

TEST_F(Simulate, RefusesWhatIsNotThere) {
  EXPECT_NE(refusal({"missing.fmu"}).find("missing.fmu"), std::string::npos);
  EXPECT_NE(refusal({fmu("2.0", "Trivial"), "--input", "missing.csv"}).find("missing.csv"),
            std::string::npos);
  EXPECT_NE(refusal({fmu("2.0", "Trivial"), "-o", "missing/y.csv"}).find("missing/y.csv"),
            std::string::npos);
  EXPECT_NE(refusal({fmu("2.0", "Trivial"), "--set", "z=1"}).find("Did you mean"),
            std::string::npos);
  EXPECT_NE(refusal({fmu("2.0", "Trivial"), "--set", "u"}).find("NAME=VALUE"), std::string::npos);
  EXPECT_NE(refusal({fmu("2.0", "Trivial"), "--variables", "nothing*"}).find("no variable matches"),
            std::string::npos);
  EXPECT_NE(refusal({fmu("2.0", "Trivial"), "--stp", "1"}).find("--stp"), std::string::npos);
  EXPECT_NE(refusal({fmu("1.0-me", "VanDerPol"), "--type", "cs"}).find("try --type me"),
            std::string::npos);
  EXPECT_NE(refusal({fmu("2.0", "Trivial"), "--type", "me"}).find("no model-exchange"),
            std::string::npos);
  EXPECT_NE(refusal({fmu("2.0", "VanDerPol"), "--type", "me", "--solver", "cvod"}).find("cvode"),
            std::string::npos);
}

TEST_F(Simulate, LeavesEarlierResultsAloneWhenItIsRefused) {
  place_.write("y.csv", "precious\n");
  refusal({fmu("2.0", "faulty_wrong_guid"), "-o", "y.csv"});
  EXPECT_EQ(place_.read("y.csv"), "precious\n");
}

TEST_F(Simulate, DoesNotReplaceWhatItReads) {
  place_.write("Trivial.csv", "time,u\n0,0\n1,1\n");
  const std::string text = refusal({fmu("2.0", "Trivial"), "--input", "Trivial.csv"});
  EXPECT_NE(text.find("would overwrite"), std::string::npos) << text;
  EXPECT_EQ(place_.read("Trivial.csv"), "time,u\n0,0\n1,1\n");
}

TEST_F(Simulate, GoesOnWhenItsMessagesCannotBeWritten) {
  const Answer answer = place_.tutti(
      {"simulate", fmu("2.0", "faulty_warning_in_step"), "--log-file", "/dev/full", "-o", "y.csv"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(csv_rows(place_.read("y.csv")).size(), 12u);
}

TEST_F(Simulate, RefusesModesThatTheFmuDoesNotHave) {
  const std::string model = fmu("2.0", "Trivial");
  EXPECT_NE(refusal({model, "--event-mode", "on"}).find("hasEventMode"), std::string::npos);
  EXPECT_NE(refusal({model, "--early-return"}).find("mightReturnEarly"), std::string::npos);
  EXPECT_NE(refusal({model, "--type", "7"}).find("--type"), std::string::npos);
}

TEST_F(Simulate, AnEmptyInputMeansNone) {
  EXPECT_EQ(place_.tutti({"simulate", fmu("2.0", "Trivial"), "--input", "", "-o", "none"}).status,
            0);
}

TEST_F(Simulate, EndsWithTheLastWholeStepOfAnFmuThatCannotVaryIt) {
  const Answer answer = place_.tutti(
      {"simulate", fmu("2.0", "FixedStep"), "--stop", "1.05", "--step", "0.1", "-o", "y.csv"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_NE(answer.err.find("ends at t = 1 s instead of 1.05 s"), std::string::npos) << answer.err;
  EXPECT_NE(answer.err.find("canHandleVariableCommunicationStepSize"), std::string::npos);
  const auto rows = csv_rows(place_.read("y.csv"));
  EXPECT_EQ(rows.back(), (std::vector<std::string>{"1", "10"}));
}

TEST_F(Simulate, RunsAnUnpackedFolder) {
  const std::string folder = (place_.path() / "ball").string();
  ASSERT_EQ(
      std::system(("unzip -q '" + fmu("2.0", "BouncingBall") + "' -d '" + folder + "'").c_str()),
      0);
  ASSERT_EQ(place_.tutti({"simulate", "ball/", "-o", "a.csv"}).status, 0);
  ASSERT_EQ(place_.tutti({"simulate", fmu("2.0", "BouncingBall"), "-o", "b.csv"}).status, 0);
  EXPECT_EQ(place_.read("a.csv"), place_.read("b.csv"));
}

}  // namespace
}  // namespace tutti::testing
