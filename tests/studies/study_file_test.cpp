// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <tutti/error.hpp>
#include <tutti/study.hpp>

#include "studies/file/parse_study.hpp"
#include "studies/file/study_keys.hpp"
#include "support/places.hpp"

namespace tutti::studies {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

Study parsed(const std::string& text) {
  KeyPlaces places;
  return parse_study(text, "s.toml", places);
}

/// All errors, a line each.
std::string errors(const std::string& text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "no error";
}

/// A correct sweep with this parameter.
std::string sweep_with(const std::string& parameter, const std::string& sweep = "") {
  return "system = \"a.toml\"\noutputs = [\"c.y\"]\n[[parameters]]\n" + parameter + "\n[sweep]\n" +
         sweep;
}

TEST(StudyFile, HasAllPartsOfASweep) {
  const Study study = parsed(R"toml(
system = "car.toml"
[set]
"chassis.m" = 300
simulation.stop = 2
simulation.method = ["iterated", "newton"]
"tank.x" = [1, 2.5]
[[parameters]]
name = "wheel.k"
min = 1e4
max = 1e5
points = 3
scale = "log"
[[parameters]]
name = "chassis.mode"
values = ["soft", 3, true, 0.1]
[[outputs]]
formula = "max(abs(chassis.a))"
name = "peak"
[[outputs]]
formula = "chassis.x"
times = [0.5, 1]
[sweep]
design = "latin-hypercube"
samples = 20
seed = 0
results = "all.csv"
trajectories = "runs"
)toml");
  EXPECT_EQ(study.system, "car.toml");
  EXPECT_THAT(study.set, ElementsAre(Pair("chassis.m", "300"), Pair("simulation.stop", "2"),
                                     Pair("simulation.method", "[\"iterated\", \"newton\"]"),
                                     Pair("tank.x", "1 2.5")));
  ASSERT_EQ(study.parameters.size(), 2u);
  EXPECT_EQ(study.parameters[0].name, "wheel.k");
  EXPECT_EQ(study.parameters[0].max, 1e5);
  EXPECT_EQ(study.parameters[0].points, 3u);
  EXPECT_EQ(study.parameters[0].scale, ParameterScale::logarithmic);
  EXPECT_THAT(study.parameters[1].values, ElementsAre("soft", "3", "true", "0.1"));
  EXPECT_EQ(study.parameters[1].place.line, 14u);
  ASSERT_EQ(study.outputs.size(), 2u);
  EXPECT_EQ(study.outputs[0].name, "peak");
  EXPECT_EQ(study.outputs[1].name, "chassis.x");  // the formula
  EXPECT_THAT(study.outputs[1].measure.times, ElementsAre(0.5, 1));
  ASSERT_TRUE(study.sweep);
  EXPECT_EQ(study.sweep->design, Design::latin_hypercube);
  EXPECT_EQ(study.sweep->samples, 20u);
  EXPECT_EQ(study.sweep->seed, 0u);
  EXPECT_EQ(study.sweep->trajectories, "runs");
  EXPECT_FALSE(study.estimate);
}

TEST(StudyFile, HasAllPartsOfSearches) {
  const Study study = parsed(R"toml(
system = "tank.fmu"
[[parameters]]
name = "a1"
start = 3e-6
nominal = 1e-6
[[experiments]]
data = "measured.csv"
inputs = "inputs.csv"
set = { x = 1 }
weight = 2
signals = ["x1", { formula = "x1 - x2", column = "d", weight = 0.5 }]
[estimate]
method = "nelder-mead"
objective = "pyfmi"
max-runs = 100
[optimize]
objective = "max(x1)"
maximize = true
constraints = "end(x2) <= 1"
)toml");
  ASSERT_EQ(study.experiments.size(), 1u);
  const StudyExperiment& experiment = study.experiments[0];
  EXPECT_THAT(experiment.set, ElementsAre(Pair("x", "1")));
  ASSERT_EQ(experiment.signals.size(), 2u);
  EXPECT_EQ(experiment.signals[0].column, "x1");
  EXPECT_EQ(experiment.signals[1].column, "d");
  EXPECT_EQ(experiment.signals[1].weight, 0.5);
  ASSERT_TRUE(study.estimate && study.optimize);
  EXPECT_EQ(study.estimate->objective, FitObjective::pyfmi);
  EXPECT_EQ(study.estimate->max_runs, 100u);
  EXPECT_TRUE(study.optimize->maximize);
  EXPECT_THAT(study.optimize->constraints, ElementsAre("end(x2) <= 1"));
}

TEST(StudyFile, ReportsAllErrorsTogetherWithTheirPlaces) {
  const std::string text = errors(R"toml(sytem = "a.toml"
[[parameters]]
name = "k"
min = 1
max = 1e5
pionts = 3
[sweep]
desing = "grid"
seed = -1
)toml");
  EXPECT_THAT(text, HasSubstr("s.toml:1:1: unknown key \"sytem\". Did you mean \"system\"?"));
  EXPECT_THAT(text, HasSubstr("s.toml:6:1: unknown key \"parameters[1].pionts\". Did you mean "
                              "\"points\"?"));
  EXPECT_THAT(text,
              HasSubstr("s.toml:8:1: unknown key \"sweep.desing\". Did you mean \"design\"?"));
  EXPECT_THAT(text, HasSubstr("s.toml:9:8: sweep.seed must be a non-negative integer, not the "
                              "number -1"));
  EXPECT_THAT(text, HasSubstr("the study lacks the key \"system\""));
  EXPECT_THAT(text, HasSubstr("the sweep has neither outputs nor trajectories"));
}

TEST(StudyFile, SaysThatNothingIsToBeDone) {
  EXPECT_THAT(errors("system = \"a.toml\"\n[[parameters]]\nname = \"k\"\n"),
              HasSubstr("s.toml:1:10: the study has none of the sections [sweep], [estimate] and "
                        "[optimize]"));
  EXPECT_THAT(errors("system = \"a.toml\"\noutputs = [\"y\"]\n[sweep]\n"),
              HasSubstr("the study has no parameters. Add [[parameters]]"));
}

TEST(StudyFile, RefusesUnknownMethodsAndDesigns) {
  EXPECT_THAT(errors(sweep_with("name = \"k\"\nvalues = [1]", "design = \"soboll\"")),
              HasSubstr("sweep.design must be one of \"grid\", \"list\", \"random\", "
                        "\"latin-hypercube\", \"sobol\", not \"soboll\". Did you mean \"sobol\"?"));
  EXPECT_THAT(errors("system = \"a.fmu\"\n[estimate]\nmethod = \"nelder-maed\"\n"),
              HasSubstr("not \"nelder-maed\". Did you mean \"nelder-mead\"?"));
}

struct Refused {
  const char* parameter;
  const char* sweep;
  const char* message;
};
class RefusedParameters : public ::testing::TestWithParam<Refused> {};
INSTANTIATE_TEST_SUITE_P(
    StudyFile, RefusedParameters,
    ::testing::Values(
        Refused{"name = \"k\"\nmin = 2\nmax = 1\npoints = 3", "",
                "s.toml:5:7: parameter \"k\": min = 2 is not below max = 1"},
        Refused{"name = \"k\"\nmin = 0\nmax = 1\npoints = 3\nscale = \"log\"", "",
                "s.toml:5:7: parameter \"k\": min = 0 is not positive, but the scale is \"log\""},
        Refused{"name = \"k\"\nmin = 0\nmax = 1\nvalues = [1]", "",
                "s.toml:5:7: parameter \"k\" has both values and min"},
        Refused{"name = \"k\"\nvalues = []", "",
                "s.toml:5:10: parameters[1].values is empty: name at least one value"},
        Refused{"name = \"k\"\nvalues = 3", "",
                "parameters[1].values must be a list of values, not the number 3"},
        Refused{"name = \"k\"\nvalues = [{ a = 1 }]", "",
                "s.toml:5:11: parameters[1].values must be a value, not a table"},
        Refused{"name = \"k\"\nmin = 1", "", "parameter \"k\" lacks max: a sweep varies"},
        Refused{"name = \"k\"", "", "parameter \"k\" lacks values, or min and max"},
        Refused{"name = \"k\"\nmin = 1\nmax = 2", "",
                "parameter \"k\" lacks points: the number of grid points from min to max"},
        Refused{"name = \"k\"\nmin = 1\nmax = 2\npoints = 1", "",
                "parameters[1].points = 1 leaves nothing to vary"},
        Refused{"name = \"k\"\nmin = nan\nmax = 2\npoints = 2", "",
                "parameters[1].min must be finite"},
        Refused{"min = 1\nmax = 2\npoints = 2", "", "parameters[1] lacks the key \"name\""},
        Refused{"name = \"k\"\nmin = 1\nmax = 2\npoints = 2", "design = \"list\"",
                "parameter \"k\" lacks values: the design \"list\" takes them row by row"},
        Refused{"name = \"k\"\nvalues = [1]\n[[parameters]]\nname = \"m\"\nvalues = [1, 2]",
                "design = \"list\"", "\"k\" has 1 value and \"m\" has 2. Make the lists equally"},
        Refused{"name = \"k\"\nvalues = [1]\n[[parameters]]\nname = \"k\"\nvalues = [1, 2]", "",
                "parameters[1] and parameters[2] have the same name \"k\""},
        Refused{"name = \"c.y\"\nvalues = [1]", "",
                "parameters[1] and outputs[1] have the same name \"c.y\""},
        Refused{"name = \"k\"\nvalues = [1]\n[set]\nk = 4", "",
                "s.toml:4:8: \"k\" is varied here, and set to 4 in [set]"},
        Refused{"name = \"k\"\nmin = 1\nmax = 2\nstart = 3", "design = \"sobol\"",
                "s.toml:7:9: parameter \"k\": start = 3 is outside of min and max"},
        Refused{"name = \"k\"\nmin = 1\nmax = 2\npoints = 2", "indices = true",
                "sweep.indices requires the design \"sobol\" or \"random\", not \"grid\""},
        Refused{"name = \"k\"\nmin = 1\nmax = 2\npoints = 40000\n[[parameters]]\nname = "
                "\"m\"\nmin = 1\nmax = 2\npoints = 40000",
                "", "the sweep has 1.6e+09 runs; at most 1000000000 are possible"}));
TEST_P(RefusedParameters, HaveAMessageWithThePlace) {
  EXPECT_THAT(errors(sweep_with(GetParam().parameter, GetParam().sweep)),
              HasSubstr(GetParam().message));
}

TEST(StudyFile, RefusesOutputsThatCannotBeComputed) {
  const std::string text = errors(R"toml(system = "a.toml"
[[parameters]]
name = "k"
values = [1]
[[outputs]]
formula = "max(c.y"
[[outputs]]
formula = "c.y"
times = [0, 2, 1]
[[outputs]]
formula = "c.x"
name = "status"
[[outputs]]
formula = "c.z"
times = []
[sweep]
)toml");
  EXPECT_THAT(text, HasSubstr("s.toml:6:11: outputs[1].formula: formula \"max(c.y\", position"));
  EXPECT_THAT(text, HasSubstr("s.toml:9:16: outputs[2].times must ascend: 1 follows 2"));
  EXPECT_THAT(text, HasSubstr("s.toml:12:8: the end of the run and outputs[3] have the same name"));
  EXPECT_THAT(text, HasSubstr("s.toml:15:9: outputs[4].times is empty"));
}

TEST(StudyFile, RefusesOutputsWithEqualColumns) {
  const std::string text = errors(R"toml(system = "a.toml"
outputs = ["c.x"]
[[parameters]]
name = "k"
values = [1]
[sweep]
)toml");
  EXPECT_EQ(text, "no error");
  EXPECT_THAT(errors(R"toml(system = "a.toml"
[[parameters]]
name = "k"
values = [1]
[[outputs]]
formula = "c.x"
name = "x"
times = [0, 1]
[[outputs]]
formula = "2*c.x"
name = "x@1"
[[outputs]]
formula = "max(c.x)"
name = "x"
[sweep]
)toml"),
              HasSubstr("s.toml:11:8: outputs[1] and outputs[2] have the same name \"x@1\""));
}

TEST(StudyFile, RefusesSearchesWithoutDataAndConstraintsWithoutComparison) {
  const std::string text = errors(R"toml(system = "a.toml"
[[parameters]]
name = "k"
values = [1, 2]
[[experiments]]
data = "d.csv"
[estimate]
[optimize]
constraints = ["c.x < 3"]
)toml");
  EXPECT_THAT(text, HasSubstr("s.toml:5:1: experiments[1] has no signals"));
  EXPECT_THAT(text, HasSubstr("s.toml:4:10: parameter \"k\" has values, but [estimate]"));
  EXPECT_THAT(text, HasSubstr("s.toml:8:2: optimize lacks the key \"objective\""));
  EXPECT_THAT(text, HasSubstr("the constraint \"c.x < 3\" contains neither <= nor >="));
  EXPECT_THAT(errors("system = \"a\"\n[[parameters]]\nname = \"k\"\n[estimate]\n"),
              HasSubstr("s.toml:4:2: [estimate] requires measurements"));
}

TEST(StudyFile, RefusesSectionsOfTheWrongKind) {
  EXPECT_THAT(errors("system = \"a\"\nparameters = 3\nsweep = 1\n"),
              HasSubstr("s.toml:2:14: parameters must be a list of tables, [[parameters]], not the "
                        "number 3"));
  EXPECT_THAT(errors("system = \"a\"\nsweep = 1\n"),
              HasSubstr("s.toml:2:9: sweep must be a table, not the number 1"));
  EXPECT_THAT(errors("system = \"a\"\noutputs = []\n[sweep]\n"),
              HasSubstr("outputs is an empty list"));
}

// The text lists what the reader reads.
TEST(StudyFile, DescribesEveryKey) {
  const std::string text = study_keys_text();
  for (const StudyKey& key : study_keys()) {
    EXPECT_THAT(text, HasSubstr(std::string(key.path)));
    EXPECT_FALSE(key.text.empty()) << key.path;
    EXPECT_TRUE(!key.type.empty() || !key.words.empty()) << key.path;
  }
}

TEST(StudyFile, HasItsSearchKeysInTheDocumentation) {
  std::ifstream file(places::source_folder() / "docs/studies.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const StudyKey& key : study_keys())
    if (key.path.starts_with("experiments") || key.path.starts_with("estimate") ||
        key.path.starts_with("optimize")) {
      EXPECT_THAT(page, HasSubstr(fmt::format("| `{}` |", key.path)));
    }
}

}  // namespace
}  // namespace tutti::studies
