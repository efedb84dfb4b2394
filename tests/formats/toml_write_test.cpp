// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/error.hpp>

#include "formats/registry.hpp"
#include "formats/toml/read.hpp"
#include "formats/toml/write.hpp"
#include "support/command.hpp"

namespace tutti::formats {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Words written_words{{"gauss-seidel", "iterated", "newton"},
                          {"cvode", "euler"},
                          {"fixed", "convergence", "richardson", "predictor"}};

// Many keys with values that are not their defaults; keys_test.cpp has every one.
constexpr std::string_view everything = R"toml(
[system]
name = "a \"system\" \\ with\tall"

[components.a]
fmu = "models/a b.fmu"
as = "me"
set = { k = 1.5, "x.y[2]" = true, s = "two words", n = "007", e = "1e5", t = "1 2 3" }
solver = { name = "euler", rtol = 1e-7, atol = 1e-9, max-step = 0.5, first-step = 1e-3, options = { maxord = 3, safe = 0.5, stab = true, table = "heun" }, at-points = "continue" }
tolerance = 1e-5
step = 0.25
timeout = 0
log = true

[components."b.c-d"]
fmu = "b.fmu"
as = "cs"
set = { v = "x" }

[connections]
list = [
  "a.y -> b.c-d.u",
  { from = "b.c-d.y[1]", to = "a.u", factor = -2, offset = 0.1, units = "ignore", inside = "linear", order = 2, derivatives = "fmu", smooth = false },
  { from = "a.i", to = "b.c-d.i", map = { 1 = 3, low = "off", true = false } },
  { from = "a.y->z", to = "b.c-d.w" },
  "a.out_* -> b.c-d.in_*",
  "b.c-d.* -> a",
  { from = "a", to = "b.c-d.*", factor = 2 },
]

[inputs]
file = "road.csv"
set = { "a.w" = 3, "b.c-d.text" = "red" }
[[inputs.tables]]
file = "weather.tsv"
time-factor = 3600
sample = "end"
columns = { "a.T" = "Temperature", "a.v" = { column = "wind", factor = 2, offset = 1 } }

[simulation]
start = -1
stop = 4
step = 0.125
method = ["newton", "gauss-seidel"]
tolerance = { abs = 1e-7, rel = 1e-3, iterations = 7, on-limit = "continue", norm = "components" }
relaxation = 0.5
sweeps = "jacobi"
save-states = "always"
threads = 2
inputs = { inside = "linear", order = 1, derivatives = "backward", smooth = true, correct = "consistent" }
control.name = "richardson"
control.variant = "mastersim-2018"
control.estimator = "classic"
control.atol = 1e-3
control.rtol = 2e-3
control.min = 1e-5
control.max = 0.25
control.at-min = "continue"
control.safety = 0.9
control.shrink = 0.2
control.grow = 5
control.fall-back = 1e-4
control.clock = "accumulate"
control.end = "overshoot"

[[cycles]]
of = ["a", "b.c-d"]
method = "newton"
order = ["b.c-d", "a"]

[results]
file = "out.csv"
variables = ["a.*", "b.c-d.y"]
interval = 0.25
steps = true
gnuplot = true
)toml";

TEST(TomlWriter, LosesNothingOfAllThatCanBeWritten) {
  const System system = read_toml(everything, "all.toml", written_words);
  const std::string text = toml_text(system);
  const System again = read_toml(text, "again.toml", written_words);
  EXPECT_EQ(toml_text(again), text);
  ASSERT_EQ(again.components.size(), 2u);
  EXPECT_EQ(again.name, system.name);
  EXPECT_EQ(again.components[0].set, system.components[0].set);
  EXPECT_EQ(again.connections[1].factor, -2);
  EXPECT_FALSE(again.connections[1].convert_units);
  EXPECT_EQ(again.connections[2].map, system.connections[2].map);
  EXPECT_EQ(again.connections[3].from.variable, "y->z");
  EXPECT_EQ(again.connections[1].inputs.derivatives, DerivativeSource::fmu);
  EXPECT_EQ(again.connections[1].inputs.smooth, false);
  EXPECT_EQ(again.simulation.inputs.correct, Correction::consistent);
  EXPECT_EQ(again.inputs.tables.at(0).columns.at(1).factor, 2);
  EXPECT_EQ(again.simulation.control.variant, ControlVariant::mastersim_2018);
  EXPECT_EQ(again.simulation.control.end, LastStep::overshoot);
}

// As a real number, 100000 would be 1e+05, which is no integer in TOML.
TEST(TomlWriter, WritesLargeIntegersAsIntegers) {
  const System system = read_toml(
      "[components.a]\ntype = \"sum\"\ninputs = 100000\nset = { n = 2000000 }\n"
      "[components.b]\nfmu = \"b.fmu\"\nsolver = { name = \"cvode\", options = { m = 300000 } }\n"
      "[simulation]\ntolerance.iterations = 400000\n",
      "large.toml", {{"gauss-seidel"}, {"cvode"}, {"fixed"}, {"sum"}});
  const std::string text = toml_text(system);
  for (const char* written :
       {"inputs = 100000\n", "n = 2000000 }", "m = 300000 }", "tolerance.iterations = 400000\n"})
    EXPECT_THAT(text, HasSubstr(written));
}

TEST(TomlWriter, LeavesDefaultsOut) {
  const System system = read_toml("[components.a]\nfmu = \"a.fmu\"\n", "small.toml", written_words);
  EXPECT_EQ(toml_text(system),
            "[components.a]\nfmu = \"a.fmu\"\n\n[simulation]\nmethod = \"gauss-seidel\"\n");
}

TEST(TomlWriter, SettingsAreWhatSspCannotSay) {
  const std::string text = toml_settings(read_toml(everything, "all.toml", written_words));
  EXPECT_THAT(text, Not(HasSubstr("fmu =")));
  // Of connections, only what their inputs do inside a step.
  EXPECT_THAT(text,
              HasSubstr("{ from = \"b.c-d.y[1]\", to = \"a.u\", inside = \"linear\", order = 2"));
  EXPECT_THAT(text, Not(HasSubstr("factor = -2")));
  EXPECT_THAT(text, Not(HasSubstr("a.y -> b.c-d.u")));
  EXPECT_THAT(text, Not(HasSubstr("stop = 4")));
  EXPECT_THAT(text, HasSubstr("[components.a]\nsolver.name = \"euler\""));
  EXPECT_THAT(text, HasSubstr("control.name = \"richardson\""));
}

TEST(TomlWriter, PathsLeadToTheSameFilesFromAnotherFolder) {
  const testing::Workplace work;
  std::filesystem::create_directories(work.path() / "in");
  std::filesystem::create_directories(work.path() / "out");
  const auto file =
      work.write("in/s.toml", "[components.a]\nfmu = \"models/a.fmu\"\n[inputs]\nfile = \"u.csv\"");
  const System system = read_system(file, {written_words});
  write_system(system, work.path() / "out/t.toml", "", {written_words});
  const System moved = read_system(work.path() / "out/t.toml", {written_words});
  EXPECT_EQ(moved.components[0].fmu, "../in/models/a.fmu");
  EXPECT_EQ(moved.inputs.file, "../in/u.csv");
  EXPECT_EQ(moved.name, "s");
}

TEST(WriteSystem, SaysWhatCanBeWritten) {
  const auto refusal = [](const std::filesystem::path& file, std::string_view format) {
    try {
      write_system({}, file, format, {written_words});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing refused");
  };
  EXPECT_THAT(refusal("x.txt", ""), HasSubstr(".toml"));
  EXPECT_THAT(refusal("x.toml", "tomml"), HasSubstr("unknown"));
}

}  // namespace
}  // namespace tutti::formats
