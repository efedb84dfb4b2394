// SPDX-License-Identifier: BSD-2-Clause
#include <tutti/sweep.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <tutti/error.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// A product of two parameters and the time, as a system without FMUs.
constexpr const char* product_system = R"toml([components.f]
type = "expression"
outputs = { y = "a*b*time" }
parameters = { a = 1, b = 1 }
[simulation]
stop = 1
step = 0.5
)toml";

/// The same with an output that is NaN, which ends the run, if a is above 2.5.
constexpr const char* failing_system = R"toml([components.f]
type = "expression"
outputs = { y = "a*b*time", bad = "a > 2.5 ? sqrt(-1) : 0" }
parameters = { a = 1, b = 1 }
[simulation]
stop = 1
step = 0.5
)toml";

class Sweep : public ::testing::Test {
 protected:
  Sweep() { work_.write("product.toml", product_system); }

  Study study(const std::string& text, const std::string& name = "s.toml") const {
    return read_study(work_.write(name, "system = \"product.toml\"\n" + text));
  }
  /// Of a grid of a and b, with these outputs.
  Study grid(const std::string& outputs = "\"f.y\"") const {
    return study("outputs = [" + outputs +
                 "]\n[[parameters]]\nname = \"f.a\"\nmin = 1\nmax = 4\npoints = 4\n"
                 "[[parameters]]\nname = \"f.b\"\nvalues = [1, 10, 100]\n[sweep]\n");
  }
  /// Of the same grid, of which the runs with a = 3 and a = 4 fail.
  Study failing_grid() const {
    work_.write("product.toml", failing_system);
    return grid("\"f.y\", \"f.bad\"");
  }
  static SweepOptions here() {
    SweepOptions options;
    options.own_process = false;
    return options;
  }
  std::string table(const std::string& name = "s.csv") const { return work_.read(name); }

  Workplace work_;
};

TEST_F(Sweep, HasARowForEachRun) {
  const SweepReport report = run_sweep(grid(), here(), {});
  EXPECT_EQ(report.runs, 12);
  EXPECT_EQ(report.rows, 12);
  EXPECT_EQ(report.failed, 0);
  EXPECT_EQ(report.results, work_.path() / "s.csv");
  EXPECT_THAT(table(), ::testing::StartsWith("run,f.a,f.b,f.y,status,message\n"
                                             "1,1,1,1,completed,\n"
                                             "2,1,10,10,completed,\n"
                                             "3,1,100,100,completed,\n"
                                             "4,2,1,2,completed,\n"));
}

TEST_F(Sweep, ReportsOutputsAtTimesAndOfTheWholeRun) {
  const Study times = study(R"toml(
[[outputs]]
formula = "f.y"
name = "y"
times = [0.5, 0.75, 1]
[[outputs]]
formula = "integral(f.y)"
name = "area"
[[parameters]]
name = "f.a"
values = [2]
[sweep]
)toml");
  run_sweep(times, here(), {});
  EXPECT_EQ(table(), "run,f.a,y@0.5,y@0.75,y@1,area,status,message\n1,2,1,1.5,2,1,completed,\n");
}

// Rows, parts and the order in which runs end: the table is the same, byte for byte.
TEST_F(Sweep, IsTheSameWithAnyNumberOfJobs) {
  for (const bool some_fail : {false, true}) {
    const Study study = some_fail ? failing_grid() : grid();
    run_sweep(study, here(), {});
    const std::string expected = table();
    EXPECT_EQ(expected.find(",failed,") != expected.npos, some_fail);
    for (const std::uint32_t jobs : {1u, 3u}) {
      SweepOptions options;
      options.jobs = jobs;
      options.results = work_.path() / "other.csv";
      run_sweep(study, options, {});
      EXPECT_EQ(table("other.csv"), expected);
    }
  }
}

TEST_F(Sweep, ContinuesWhatWasInterrupted) {
  run_sweep(grid(), here(), {});
  const std::string expected = table(), meta = work_.read("s.meta.json");
  for (const std::uint64_t stop_after : {1u, 5u, 11u}) {
    std::atomic<bool> stop{false};
    SweepOptions options = here();
    options.restart = true;
    options.stop_request = &stop;
    options.on_progress = [&](std::uint64_t done, std::uint64_t) { stop = done >= stop_after; };
    const SweepReport first = run_sweep(grid(), options, {});
    EXPECT_EQ(first.rows, stop_after);
    options = here();
    EXPECT_THAT(refusal_of([&] { run_sweep(grid(), options, {}); }),
                AllOf(HasSubstr("of 12 runs of this sweep"), HasSubstr("--continue")));
    options.resume = true;
    const SweepReport second = run_sweep(grid(), options, {});
    EXPECT_EQ(second.earlier, stop_after);
    EXPECT_EQ(table(), expected);
    EXPECT_EQ(work_.read("s.meta.json"), meta);
  }
}

// As a killed process leaves it: the order of the rows is that in which runs ended, and the last
// line is torn.
TEST_F(Sweep, ContinuesATableThatWasNotFinished) {
  const Study study = failing_grid();
  run_sweep(study, here(), {});
  const std::string expected = table();
  std::string torn = expected.substr(0, expected.find('\n') + 1);
  for (const char* const row : {"\n3,", "\n1,", "\n7,"}) {
    const std::size_t from = expected.find(row) + 1;
    torn += expected.substr(from, expected.find('\n', from) + 1 - from);
  }
  work_.write("s.csv", torn + "8,3,1");
  SweepOptions options = here();
  options.resume = true;
  EXPECT_EQ(run_sweep(study, options, {}).earlier, 3);
  EXPECT_EQ(table(), expected);
  // A complete table needs no run.
  EXPECT_EQ(run_sweep(study, options, {}).earlier, 12);
  EXPECT_EQ(table(), expected);
}

TEST_F(Sweep, DoesNotContinueTheTableOfAnotherSweep) {
  run_sweep(grid(), here(), {});
  SweepOptions options = here();
  options.resume = true;
  EXPECT_THAT(refusal_of([&] { run_sweep(grid("\"2*f.y\""), options, {}); }),
              HasSubstr("its parameters, outputs or design were others"));
  options.set = {"simulation.stop=2"};
  EXPECT_THAT(refusal_of([&] { run_sweep(grid(), options, {}); }),
              HasSubstr("the system, or values of all runs, were others"));
  options.set.clear();
  std::filesystem::remove(work_.path() / "s.meta.json");
  EXPECT_THAT(refusal_of([&] { run_sweep(grid(), options, {}); }),
              HasSubstr("does not describe a sweep"));
}

TEST_F(Sweep, HasFailedRunsAsRowsWithTheirMessage) {
  const SweepReport report = run_sweep(failing_grid(), here(), {});
  EXPECT_EQ(report.failed, 6);
  EXPECT_EQ(report.same_error, 6);
  EXPECT_THAT(report.message, HasSubstr("NaN"));
  EXPECT_THAT(table(), HasSubstr("\n7,3,1,,,failed,"));
}

TEST_F(Sweep, RetriesFailedRunsOnRequestOnly) {
  const Study study = failing_grid();
  run_sweep(study, here(), {});
  const std::string expected = table();
  SweepOptions options = here();
  options.resume = true;
  EXPECT_EQ(run_sweep(study, options, {}).earlier, 12);
  options.retry_failed = true;
  EXPECT_EQ(run_sweep(study, options, {}).earlier, 6);
  EXPECT_EQ(table(), expected);  // they fail again
}

TEST_F(Sweep, HasPartsThatMergeToTheWhole) {
  const Study study = grid();
  run_sweep(study, here(), {});
  std::vector<std::filesystem::path> parts;
  for (std::uint64_t part = 1; part <= 5; ++part) {
    SweepOptions options = here();
    options.part = part;
    options.parts = 5;
    const SweepReport report = run_sweep(study, options, {});
    EXPECT_EQ(report.runs, part <= 2 ? 3 : 2);
    parts.push_back(work_.path() / ("s.part-" + std::to_string(part) + "-of-5.csv"));
    EXPECT_EQ(report.results, parts.back());
  }
  const auto merge = [&](std::vector<std::filesystem::path> tables) {
    return merge_sweeps(tables, work_.path() / "all.csv");
  };
  EXPECT_EQ(merge({parts[3], parts[0], parts[1], parts[4], parts[2]}).rows, 12);
  EXPECT_EQ(table("all.csv"), table());
  EXPECT_EQ(work_.read("all.meta.json"), work_.read("s.meta.json"));
  merge({parts[0], parts[1], parts[2], parts[3], parts[4], parts[4]});  // equal rows
  EXPECT_EQ(table("all.csv"), table());

  EXPECT_THAT(refusal_of([&] {
                merge({parts[0], parts[2], parts[3]});
              }),
              HasSubstr("of 5 parts of the sweep, 2 are missing: 2, 5"));
  EXPECT_THAT(refusal_of([&] {
                merge({parts[0], work_.path() / "s.csv"});
              }),
              HasSubstr("is one of 5 parts, but"));
  std::filesystem::create_directory(work_.path() / "copy");
  const auto copy = work_.path() / "copy" / "s.part-1-of-5.csv";
  for (const char* const end : {".csv", ".meta.json"})
    std::filesystem::copy_file(work_.path() / ("s.part-1-of-5" + std::string(end)),
                               work_.path() / "copy" / ("s.part-1-of-5" + std::string(end)));
  std::string changed = work_.read("copy/s.part-1-of-5.csv");
  work_.write("copy/s.part-1-of-5.csv",
              changed.replace(changed.find("\n6,2,100,200") + 9, 3, "201"));
  EXPECT_THAT(refusal_of([&] {
                merge({parts[0], parts[1], parts[2], parts[3], parts[4], copy});
              }),
              HasSubstr("run 6 is in several tables, with different values"));
  work_.write("s.part-1-of-5.csv", "run,f.a,f.b,f.y,status,message\n1,1,1,1,completed,\n");
  EXPECT_THAT(refusal_of([&] { merge(parts); }),
              AllOf(HasSubstr("it has 1 of 3 rows"), HasSubstr("--part 1/5 --continue")));
  EXPECT_EQ(table("all.csv"), table());  // as before
}

TEST_F(Sweep, WritesTheTrajectoryOfEachRun) {
  const char* const text =
      "[[parameters]]\nname = \"f.a\"\nvalues = [1, 2]\n[sweep]\ntrajectories = ";
  run_sweep(study(std::string(text) + "\"runs\"\n"), here(), {});
  EXPECT_EQ(work_.read("runs/run-1.csv"), "time,f.y\n0,0\n0.5,0.5\n1,1\n");
  EXPECT_EQ(work_.read("runs/run-2.csv"), "time,f.y\n0,0\n0.5,1\n1,2\n");
  EXPECT_EQ(table(), "run,f.a,status,message\n1,1,completed,\n2,2,completed,\n");
  run_sweep(study(std::string(text) + "\"some/case-*.csv\"\n", "t.toml"), here(), {});
  EXPECT_EQ(work_.read("some/case-2.csv"), work_.read("runs/run-2.csv"));
}

TEST_F(Sweep, PreviewsItsFirstRows) {
  SweepOptions options;
  options.part = 2;
  options.parts = 5;
  const SweepPreview preview = preview_sweep(grid(), options, 2, {});
  EXPECT_EQ(preview.runs, 3);
  EXPECT_THAT(preview.names, ElementsAre("f.a", "f.b"));
  EXPECT_THAT(preview.numbers, ElementsAre(2, 7));
  EXPECT_THAT(preview.rows, ElementsAre(ElementsAre("1", "10"), ElementsAre("3", "1")));
  EXPECT_FALSE(std::filesystem::exists(preview.results));
}

// 1024 samples; the standard errors are 0.04 at most, and the design is better than random.
TEST_F(Sweep, ComputesTheIndicesOfIshigami) {
  work_.write("ishigami.toml", R"toml([components.f]
type = "expression"
outputs = { y = "sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)" }
parameters = { x1 = 0, x2 = 0, x3 = 0 }
[simulation]
stop = 1
step = 1
)toml");
  std::string text = "system = \"ishigami.toml\"\noutputs = [\"f.y\"]\n";
  for (const char* const name : {"x1", "x2", "x3"})
    text += "[[parameters]]\nname = \"f." + std::string(name) +
            "\"\nmin = -3.141592653589793\nmax = 3.141592653589793\n";
  const Study study = read_study(work_.write(
      "i.toml", text + "[sweep]\ndesign = \"sobol\"\nsamples = 1024\nindices = true\n"));
  const SweepReport report = run_sweep(study, {}, {});
  EXPECT_EQ(report.runs, 1024 * 5);
  ASSERT_THAT(report.indices, SizeIs(3));
  const double first[] = {0.3139, 0.4424, 0}, total[] = {0.5576, 0.4424, 0.2437};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(report.indices[i].first, first[i], 0.02);
    EXPECT_NEAR(report.indices[i].total, total[i], 0.02);
    EXPECT_LT(report.indices[i].first_error, 0.05);
  }
  EXPECT_THAT(work_.read("i-indices.csv"), HasSubstr("\nf.y,f.x2,0.4"));
}

TEST_F(Sweep, IsRefusedBeforeTheFirstRun) {
  const auto refusal = [&](const std::string& parameter, const std::string& output = "f.y") {
    return refusal_of([&] {
      run_sweep(study("outputs = [\"" + output + "\"]\n[[parameters]]\n" + parameter + "[sweep]\n"),
                here(), {});
    });
  };
  EXPECT_THAT(refusal("name = \"f.aa\"\nvalues = [1]\n"),
              AllOf(HasSubstr("s.toml:3:1: parameter \"f.aa\""), HasSubstr("no variable \"aa\"")));
  EXPECT_THAT(refusal("name = \"g.a\"\nvalues = [1]\n"), HasSubstr("there is no component \"g\""));
  EXPECT_THAT(refusal("name = \"simulation.stpe\"\nvalues = [1]\n"),
              HasSubstr("Did you mean \"step\""));
  EXPECT_THAT(refusal("name = \"f.y\"\nvalues = [1]\n", "2*f.y"), HasSubstr("cannot be set"));
  EXPECT_THAT(refusal("name = \"f.a\"\nvalues = [\"x\"]\n"), HasSubstr("\"x\""));
  EXPECT_THAT(refusal("name = \"simulation.method\"\nmin = 1\nmax = 2\npoints = 2\n"),
              HasSubstr("simulation.method"));
  EXPECT_THAT(refusal("name = \"f.a\"\nvalues = [1]\n", "f.yy"),
              AllOf(HasSubstr("s.toml:2:"), HasSubstr("formula \"f.yy\""), HasSubstr("\"yy\"")));
  EXPECT_FALSE(std::filesystem::exists(work_.path() / "s.csv"));
  SweepOptions options = here();
  options.set = {"f.a=3"};
  EXPECT_THAT(refusal_of([&] { run_sweep(grid(), options, {}); }), HasSubstr("cannot be set"));
  options.set.clear();
  options.part = 3;
  options.parts = 2;
  EXPECT_THAT(refusal_of([&] { run_sweep(grid(), options, {}); }), HasSubstr("no part 3 of 2"));
}

TEST_F(Sweep, VariesSettingsOfTheSystem) {
  run_sweep(study("outputs = [\"end(time)\"]\n[[parameters]]\nname = \"simulation.stop\"\n"
                  "values = [1, 2.5]\n[sweep]\n"),
            here(), {});
  EXPECT_EQ(table(),
            "run,simulation.stop,end(time),status,message\n1,1,1,completed,\n"
            "2,2.5,2.5,completed,\n");
}

TEST_F(Sweep, OfOneFmuNamesVariablesWithoutAComponent) {
  std::filesystem::copy_file(fmu_of("2.0", "Dahlquist"), work_.path() / "d.fmu");
  const Study study =
      read_study(work_.write("d.toml",
                             "system = \"d.fmu\"\noutputs = [\"x\"]\n[[parameters]]\nname = \"k\"\n"
                             "values = [1, 2]\n[sweep]\n"));
  EXPECT_EQ(run_sweep(study, here(), {}).failed, 0);
  const auto rows = csv_rows(table("d.csv"));
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_GT(std::stod(rows[1][2]), std::stod(rows[2][2]));  // k: the rate of decay
}

TEST_F(Sweep, IsPlottedAsLinesOrAsPoints) {
  run_sweep(grid("\"f.y\", \"f.y/f.b\""), here(), {});
  const SweepPlot points = plot_sweep(work_.path() / "s.csv");
  EXPECT_THAT(points.figures, SizeIs(2));
  ASSERT_TRUE(points.points);
  EXPECT_THAT(points.points->columns, SizeIs(2));
  EXPECT_THAT(points.points->rows, SizeIs(2));
  EXPECT_THAT(points.points->rows[0].values, SizeIs(12));
  EXPECT_THAT(draw_svg(*points.points, {}),
              AllOf(HasSubstr("f.y over f.b"), HasSubstr("f.y/f.b over f.a")));
  EXPECT_THAT(refusal_of([&] { draw_svg(*points.points, {60, 60}); }), HasSubstr("too small"));

  run_sweep(study("[[outputs]]\nformula = \"f.y\"\ntimes = [0.5, 1]\n[[parameters]]\n"
                  "name = \"f.a\"\nvalues = [3, 1, 2]\n[sweep]\nresults = \"line.csv\"\n"),
            here(), {});
  const SweepPlot lines = plot_sweep(work_.path() / "line.csv");
  EXPECT_FALSE(lines.points);
  ASSERT_THAT(lines.figures, SizeIs(1));
  ASSERT_THAT(lines.figures[0].panels, SizeIs(1));
  ASSERT_THAT(lines.figures[0].panels[0].curves, SizeIs(2));  // a family, by time
  EXPECT_THAT(lines.figures[0].panels[0].curves[1].times, ElementsAre(1, 2, 3));
  EXPECT_THAT(lines.figures[0].panels[0].curves[1].values, ElementsAre(1, 2, 3));
  EXPECT_EQ(lines.figures[0].time_name, "f.a");
  work_.write("no.csv", "time,x\n0,1\n");
  EXPECT_THAT(refusal_of([&] { plot_sweep(work_.path() / "no.csv"); }),
              HasSubstr("not a table of a sweep"));
}

}  // namespace
}  // namespace tutti::testing
