// SPDX-License-Identifier: BSD-2-Clause
// `tutti sweep` and `tutti merge` as a user calls them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/progress.hpp"
#include "support/command.hpp"
#include "support/places.hpp"

namespace tutti::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class SweepCommandLine : public ::testing::Test {
 protected:
  SweepCommandLine() {
    write_system("y = \"a*b*time\"");
    place_.write("s.toml", R"toml(system = "product.toml"
outputs = ["f.y"]
[[parameters]]
name = "f.a"
min = 1
max = 4
points = 4
[[parameters]]
name = "f.b"
values = [1, 10]
[sweep]
)toml");
  }
  void write_system(const std::string& outputs) const {
    place_.write("product.toml", "[components.f]\ntype = \"expression\"\noutputs = { " + outputs +
                                     " }\nparameters = { a = 1, b = 1 }\n"
                                     "[simulation]\nstop = 1\nstep = 0.5\n");
  }
  Answer sweep(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"sweep", "s.toml"});
    return place_.tutti(more);
  }
  Workplace place_;
};

TEST_F(SweepCommandLine, WritesATableAndReportsIt) {
  const Answer answer = sweep();
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(answer.out, "8 runs: 8 completed, 0 failed; results in \"s.csv\"\n");
  EXPECT_THAT(answer.err, IsEmpty());
  EXPECT_THAT(csv_rows(place_.read("s.csv")), SizeIs(9));
  EXPECT_EQ(sweep({"-q"}).out, "");
  const Answer json = sweep({"--json", "-o", "t.csv"});
  EXPECT_EQ(nlohmann::json::parse(json.out),
            nlohmann::json::parse(
                R"({"results": "t.csv", "runs": 8, "rows": 8, "earlier": 0, "failed": 0})"));
  EXPECT_EQ(place_.read("t.csv"), place_.read("s.csv"));
  EXPECT_EQ(place_.leftover_count(), 0u);
}

TEST_F(SweepCommandLine, SetsValuesOfAllRuns) {
  sweep({"--set", "simulation.stop=2"});
  EXPECT_THAT(place_.read("s.csv"), HasSubstr("\n8,4,10,80,completed,\n"));
}

TEST_F(SweepCommandLine, DividesIntoPartsThatMergeToTheSameTable) {
  sweep();
  for (const char* const part : {"1/3", "2/3", "3/3"}) EXPECT_EQ(sweep({"--part", part}).status, 0);
  const auto part = [](int number) { return "s.part-" + std::to_string(number) + "-of-3.csv"; };
  const Answer merged = place_.tutti({"merge", part(2), part(3), part(1), "-o", "all.csv"});
  EXPECT_EQ(merged.status, 0) << merged.err;
  EXPECT_EQ(merged.out, "8 runs: 8 completed, 0 failed; results in \"all.csv\"\n");
  EXPECT_EQ(place_.read("all.csv"), place_.read("s.csv"));
  const Answer missing = place_.tutti({"merge", part(2), part(1), "-o", "two.csv"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("1 is missing: 3"));
  EXPECT_FALSE(std::filesystem::exists(place_.path() / "two.csv"));
  EXPECT_EQ(place_.tutti({"merge", part(1), part(2), part(3), "-o", part(2)}).status, 2);
  for (const char* const bad : {"0/3", "4/3", "1", "1/3x", "x"}) {
    const Answer answer = sweep({"--part", bad});
    EXPECT_EQ(answer.status, 2) << bad;
    EXPECT_THAT(answer.err, HasSubstr("expected PART/PARTS"));
  }
}

TEST_F(SweepCommandLine, PrintsItsFirstRunsOnly) {
  const Answer answer = sweep({"--dry-run"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("8 runs would be in \"s.csv\":\n"), HasSubstr("f.b")));
  EXPECT_FALSE(std::filesystem::exists(place_.path() / "s.csv"));
}

// A thousand runs of 0.2 s at least, of which some may end before the signal.
TEST_F(SweepCommandLine, EndsAtASignalAndReportsHowToContinue) {
  place_.write("slow.toml", "[components.f]\nfmu = \"" + fmu("2.0", "faulty_slow_step") +
                                "\"\n[simulation]\nstop = 1\nstep = 1\n");
  place_.write("slow-s.toml",
               "system = \"slow.toml\"\noutputs = [\"f.y\"]\n[set]\n\"f.at\" = 0\n[[parameters]]\n"
               "name = \"f.u\"\nmin = 1\nmax = 1000\npoints = 1000\n[sweep]\n");
  const std::vector<std::string> command = {"sweep", "slow-s.toml", "--jobs", "1"};
  const Answer answer = place_.tutti(command, {{1.5, SIGINT}});
  EXPECT_EQ(answer.status, 130) << answer.err;
  EXPECT_THAT(answer.err, AllOf(HasSubstr("of 1,000 runs are in \"slow-s.csv\""),
                                HasSubstr("tutti sweep slow-s.toml --continue")));
  const std::string rows = place_.read("slow-s.csv");
  EXPECT_THAT(rows, ::testing::StartsWith("run,f.u,f.y,status,message\n"));
  const Answer again = place_.tutti(command);
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("--continue"));
  EXPECT_EQ(place_.read("slow-s.csv"), rows);
}

TEST_F(SweepCommandLine, ReportsFailedRuns) {
  write_system("y = \"a > 2.5 ? sqrt(-1) : b\"");
  const Answer some = sweep();
  EXPECT_EQ(some.status, 0);
  EXPECT_THAT(some.err, AllOf(HasSubstr("warning: 4 of 8 runs failed, 4 runs with the message"),
                              HasSubstr("NaN")));
  const Answer all = place_.tutti({"sweep", "s.toml", "--restart", "--set", "simulation.step=-1"});
  EXPECT_EQ(all.status, 2) << all.err;
  place_.write("s.toml",
               "system = \"product.toml\"\noutputs = [\"f.y\"]\n[[parameters]]\nname = \"f.a\"\n"
               "values = [3, 4]\n[sweep]\n");
  const Answer none = sweep();
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.err, HasSubstr("all 2 runs failed, 2 runs with the message"));
}

TEST_F(SweepCommandLine, RejectsBadStudiesBeforeTheFirstRun) {
  const auto message = [&](const std::string& from, const std::string& to) {
    std::string text = place_.read("s.toml");
    text.replace(text.find(from), from.size(), to);
    place_.write("bad.toml", text);
    const Answer answer = place_.tutti({"sweep", "bad.toml"});
    EXPECT_EQ(answer.status, 2) << to;
    EXPECT_FALSE(std::filesystem::exists(place_.path() / "bad.csv")) << to;
    return answer.err;
  };
  EXPECT_THAT(message("f.a", "f.aa"),
              AllOf(HasSubstr("bad.toml:3:"), HasSubstr("parameter \"f.aa\"")));
  EXPECT_THAT(message("f.a", "ff.a"), HasSubstr("Did you mean \"f\"?"));
  EXPECT_THAT(message("min = 1", "min = 5"), HasSubstr("min = 5 is not below max = 4"));
  EXPECT_THAT(message("points = 4\n", ""), HasSubstr("lacks points"));
  EXPECT_THAT(message("f.y", "f.z"), HasSubstr("formula \"f.z\""));
  EXPECT_THAT(message("f.y", "max(f.y"), HasSubstr("position"));
  EXPECT_THAT(message("[sweep]", "[swep]"), HasSubstr("Did you mean \"sweep\""));
  EXPECT_THAT(message("[sweep]", "[sweep]\ndesign = \"gird\""), HasSubstr("grid"));
  EXPECT_THAT(message("[sweep]", "[sweep]\nindices = true"), HasSubstr("requires the design"));
  EXPECT_THAT(message("[sweep]", "[sweep]\nresults = \"a.mat\""), HasSubstr("a.mat"));
  EXPECT_THAT(sweep({"--plot", "x.jpg"}).err, HasSubstr(".svg or .png"));
  EXPECT_EQ(sweep({"-o", "s.toml"}).status, 2);
  EXPECT_EQ(sweep({"--retry-failed"}).status, 2);
  EXPECT_THAT(place_.tutti({"sweep", "no.toml"}).err, HasSubstr("there is no file"));
}

TEST_F(SweepCommandLine, PlotsTheTable) {
  const Answer answer = sweep({"--plot", "p.svg"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(place_.read("p.svg"), HasSubstr("f.y over f.b"));
  EXPECT_THAT(sweep({"--plot", "-"}).out, HasSubstr("f.y"));
}

// 4096 samples give these indices; those of 128 differ by at most 0.014.
TEST_F(SweepCommandLine, FindsWhatMattersForTheQuarterCar) {
  const auto study = places::build_folder() / "examples" / "quarter_car" / "sweep.toml";
  const Answer answer = place_.tutti({"sweep", study.string(), "-o", "car.csv", "--json", "--set",
                                      "simulation.stop=1", "--set", "simulation.step=2e-3"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const nlohmann::json json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["runs"], 128 * 5);
  ASSERT_EQ(json["indices"].size(), 6);
  EXPECT_EQ(json["indices"][1]["parameter"], "wheel.k_w");
  const double first[] = {0.8756, 0.1222, 0.0019, 0.9699, 0.0210, 0.0081},
               total[] = {0.8760, 0.1225, 0.0020, 0.9710, 0.0218, 0.0085};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(json["indices"][i]["first"], first[i], 0.02);
    EXPECT_NEAR(json["indices"][i]["total"], total[i], 0.02);
  }
}

TEST(ProgressLineOfRuns, HasTheRemainingTimeAndTheNumberOfRuns) {
  cli::RunSpeed runs;
  for (int k = 0; k <= 20; ++k) runs.add({0.1 * k, 10.0 * k, 0.01 * k});
  EXPECT_THAT(cli::progress_line_of_runs(runs, 1000, 100),
              AllOf(HasSubstr(" 20 %  8 s left  200 of 1000 runs  100 runs/s")));
  EXPECT_EQ(cli::progress_line_of_runs(runs, 1000, 6), " 20 %");
}

}  // namespace
}  // namespace tutti::testing
