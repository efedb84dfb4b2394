// SPDX-License-Identifier: BSD-2-Clause
// Results as MAT-files and HDF5, and variables that are stored less often: through the program.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ResultFormats : public ::testing::Test {
 protected:
  ResultFormats() {
    place_.write("s.toml", fmt::format(R"([components.position]
fmu = "{0}"
set = {{ a = 0.0, x = 1.0 }}
[components.speed]
fmu = "{0}"
set = {{ a = -0.01, x = 0.0 }}
[components.ball]
fmu = "{1}"
[connections]
list = ["speed.y -> position.u", {{ from = "position.y", to = "speed.u", factor = -1.0 }}]
[simulation]
stop = 2.0
step = 0.01
)",
                                       fmu("2.0", "Feedback"), fmu("2.0", "BouncingBall")));
  }
  Answer run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"run", "s.toml", "-q"});
    return place_.tutti(arguments);
  }
  void expect_equal(const std::string& a, const std::string& b) const {
    const Answer answer = place_.tutti({"compare", a, b, "--tolerance", "0", "--measure", "max"});
    EXPECT_EQ(answer.status, 0) << a << " and " << b << "\n" << answer.out << answer.err;
  }
  Workplace place_;
};

TEST_F(ResultFormats, HaveTheSameResults) {
  for (const char* const name : {"r.csv", "r.mat", "r.h5"})
    ASSERT_EQ(run({"-o", name}).status, 0) << name;
  expect_equal("r.mat", "r.csv");
  expect_equal("r.csv", "r.mat");
  expect_equal("r.h5", "r.csv");
  expect_equal("r.csv", "r.h5");
  const Answer compressed = run({"-o", "c.h5", "--set", "results.compress=true"});
  ASSERT_EQ(compressed.status, 0) << compressed.err;
  expect_equal("c.h5", "r.csv");
  for (const char* const name : {"r.mat", "r.h5"})
    EXPECT_EQ(place_.tutti({"plot", name, "ball.*", "-o", "p.svg"}).status, 0) << name;
}

TEST_F(ResultFormats, AreShownByInfo) {
  ASSERT_EQ(run({"-o", "r.mat"}).status, 0);
  std::filesystem::remove(place_.path() / "r.meta.json");
  const Answer text = place_.tutti({"info", "r.mat"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("time = 0 to 2 s"));
  EXPECT_THAT(text.out, HasSubstr("ball.h"));
  const Answer json = place_.tutti({"info", "r.mat", "--json"});
  EXPECT_THAT(json.out, HasSubstr("\"name\": \"ball.h\",\n      \"unit\": \"m\""));
  EXPECT_EQ(place_.tutti({"info", "r.mat", "--structure"}).status, 2);
  EXPECT_THAT(place_.tutti({"plot", "r.mat", "bal.h"}).err, HasSubstr("Did you mean \"ball.h\"?"));
}

TEST_F(ResultFormats, ConvertToEachOther) {
  ASSERT_EQ(run({"-o", "r.csv"}).status, 0);
  const std::pair<const char*, const char*> steps[] = {{"r.csv", "a.mat"},
                                                       {"a.mat", "b.h5"},
                                                       {"b.h5", "c.csv"},
                                                       {"c.csv", "d.h5"},
                                                       {"d.h5", "e.mat"}};
  for (const auto& [from, to] : steps) {
    const Answer answer = place_.tutti({"convert", from, to});
    ASSERT_EQ(answer.status, 0) << to << answer.err;
    expect_equal(to, "r.csv");
  }
  EXPECT_EQ(place_.read("c.csv"), place_.read("r.csv"));
  // r.mat has the metadata of r.csv, which remain those of the run.
  const std::string metadata = place_.read("r.meta.json");
  EXPECT_EQ(place_.tutti({"convert", "r.csv", "r.mat"}).status, 0);
  EXPECT_EQ(place_.read("r.meta.json"), metadata);
  EXPECT_THAT(place_.tutti({"info", "c.csv", "--json"}).out, HasSubstr("\"unit\": \"m\""));
  EXPECT_EQ(place_.tutti({"convert", "r.csv", "z.h5", "--compress"}).status, 0);
  expect_equal("z.h5", "r.csv");
}

TEST_F(ResultFormats, AreNotConvertedToSomethingElse) {
  ASSERT_EQ(run({"-o", "r.csv"}).status, 0);
  const std::pair<std::vector<std::string>, const char*> wrong[] = {
      {{"r.csv", "x.toml"}, "results are written as .csv, .h5, .mat"},
      {{"s.toml", "x.mat"}, "Try `tutti run s.toml -o x.mat`"},
      {{"r.csv", "r.csv"}, "r.csv"},
      {{"r.csv", "x.mat", "--set", "a=1"}, "--set are for system files"},
      {{"r.csv", "x.mat", "--compress"}, "cannot be compressed"},
      {{"s.toml", "x.ssd", "--compress"}, "--compress is for results"},
      {{"none.mat", "x.csv"}, "cannot read \"none.mat\""}};
  for (auto [call, message] : wrong) {
    call.insert(call.begin(), "convert");
    const Answer answer = place_.tutti(call);
    EXPECT_EQ(answer.status, 2) << message;
    EXPECT_THAT(answer.err, HasSubstr(message));
  }
}

TEST_F(ResultFormats, AreWrittenByAProcessWithoutFmusIfTheyNeedALibrary) {
  const Answer refused = run({"-o", "r.h5", "--in-process"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--in-process is not possible with these results"));
  EXPECT_FALSE(std::filesystem::exists(place_.path() / "r.h5"));
  ASSERT_EQ(run({"-o", "a.mat", "--in-process"}).status, 0);
  ASSERT_EQ(run({"-o", "b.mat"}).status, 0);
  EXPECT_EQ(place_.read("a.mat"), place_.read("b.mat"));
}

TEST_F(ResultFormats, ThatCannotBeCompressedSaySo) {
  const Answer answer = run({"-o", "r.mat", "--set", "results.compress=true"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("results.compress: \"r.mat\" cannot be compressed"));
}

TEST_F(ResultFormats, ContinueFromACheckpoint) {
  const std::string groups = "results.groups={ rare = { variables = \"ball.*\", every = 7 } }";
  for (const std::string ending : {"csv", "mat", "h5"}) {
    const std::string whole = "whole." + ending, part = "part." + ending;
    ASSERT_EQ(run({"-o", whole, "--set", groups}).status, 0);
    const Answer first =
        run({"-o", part, "--checkpoint", "c.tutti", "--every", "0.6", "--set", groups});
    ASSERT_EQ(first.status, 0) << first.err;
    const Answer resumed = place_.tutti({"run", "--resume", "c.tutti", "-q"});
    ASSERT_EQ(resumed.status, 0) << resumed.err;
    expect_equal(part, whole);
    expect_equal("part-rare." + ending, "whole-rare." + ending);
  }
}

TEST_F(ResultFormats, HaveGroupsInFilesOfTheirOwn) {
  const Answer answer = place_.tutti(
      {"run", "s.toml", "-o", "r.mat", "--set",
       "results.groups={ slow = { variables = [\"speed.*\"], every = 10 }, ball = { variables = "
       "\"ball.h\", every = 50 } }"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("results of \"slow\", at 1 of 10 points, in \"r-slow.mat\""));
  EXPECT_THAT(place_.tutti({"info", "r.mat"}).out, Not(HasSubstr("speed.y")));
  const std::string slow = place_.tutti({"info", "r-slow.mat"}).out;
  EXPECT_THAT(slow, HasSubstr("21 rows"));
  EXPECT_THAT(slow, HasSubstr("speed.y"));
  EXPECT_THAT(place_.tutti({"info", "r-ball.mat"}).out, HasSubstr("of 1 variable"));
  ASSERT_EQ(run({"-o", "all.csv"}).status, 0);
  // Between the points of the group, lines stand for the curve: h²/8 times its curvature.
  EXPECT_EQ(place_.tutti({"compare", "all.csv", "r-slow.mat", "--tolerance", "0.002"}).status, 0);
}

TEST_F(ResultFormats, RefuseGroupsThatAreWrong) {
  const std::pair<const char*, const char*> wrong[] = {
      {"{ a = { variables = \"speed.z\", every = 2 } }", "Did you mean \"speed.u\"?"},
      {"{ a = { variables = \"speed.y\", every = 0 } }", "must be a positive integer"},
      {"{ a = { variables = \"speed.y\", evry = 2 } }", "Did you mean \"every\"?"},
      {"{ a = { every = 2 } }", "does not name variables"},
      {"{ a = 5 }", "must be a table"},
      {"{ ports = { variables = \"speed.y\", every = 2 } }", "Choose another name"},
      {"3", "must be a table of groups"}};
  for (const auto& [groups, message] : wrong) {
    const Answer answer = run({"-o", "r.csv", "--set", fmt::format("results.groups={}", groups)});
    EXPECT_EQ(answer.status, 2) << groups;
    EXPECT_THAT(answer.err, HasSubstr(message));
  }
  const Answer both = run({"-o", "r.csv", "--gnuplot", "--set",
                           "results.groups={ a = { variables = \"speed.y\", every = 2 } }"});
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr("gnuplot"));
}

TEST(ResultsOfOneFmu, LeaveTextsOutOfMatFilesWithANote) {
  const Workplace place;
  const Answer answer =
      place.tutti({"simulate", fmu("3.0", "Feedthrough"), "--variables", "*", "-o", "r.mat"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("a MAT-file of version 4 has numbers only"));
}

TEST(ResultsOfOneFmu, AreReadableIfTheDiskIsFull) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the libraries of FMUs are larger than the limit of the files";
#endif
  const Workplace place;
  for (const std::string name : {"r.csv", "r.mat", "r.h5"}) {
    const Answer answer =
        place.shell("ulimit -f 4000; trap '' XFSZ; $TUTTI simulate " + fmu("2.0", "VanDerPol") +
                    " --stop 20 --step 1e-5 -q -o " + name);
    EXPECT_EQ(answer.status, 1) << name;
    EXPECT_THAT(answer.err, HasSubstr("it contains the results up to t = ")) << name;
    const Answer info = place.tutti({"info", name});
    EXPECT_EQ(info.status, 0) << info.err;
    EXPECT_THAT(info.out, AllOf(HasSubstr("time = 0 to "), Not(HasSubstr("to 20 s"))));
  }
}

}  // namespace
}  // namespace tutti::testing
