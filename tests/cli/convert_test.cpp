// SPDX-License-Identifier: BSD-2-Clause
// `tutti convert`, and what formats add to `tutti run`.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

std::string gain(const std::string& name, const std::string& set) {
  return fmt::format("[components.{}]\nfmu = \"{}\"\nset = {{ {} }}\n", name, fmu("2.0", "Gain"),
                     set);
}

TEST(Convert, WritesTomlThatRunsAlike) {
  const Workplace work;
  work.write("s.toml", gain("a", "k = 0.5, b = 1.0") + gain("b", "k = 0.25, b = 2.0") +
                           "[connections]\nlist = [\"a.y -> b.u\", \"b.y -> a.u\"]\n"
                           "[simulation]\nmethod = \"newton\"\nstop = 1\nstep = 0.1\n");
  const Answer converted = work.tutti({"convert", "s.toml", "t.toml"});
  ASSERT_EQ(converted.status, 0) << converted.err;
  for (const char* const name : {"s", "t"})
    ASSERT_EQ(
        work.tutti({"run", fmt::format("{}.toml", name), "-o", fmt::format("{}.csv", name)}).status,
        0);
  EXPECT_EQ(work.read("s.csv"), work.read("t.csv"));
}

TEST(Convert, NamesFilesAsSeenFromTheOutput) {
  const Workplace work;
  std::filesystem::create_directory(work.path() / "sub");
  std::filesystem::copy_file(fmu("2.0", "Gain"), work.path() / "gain.fmu");
  work.write("s.toml", "[components.a]\nfmu = \"gain.fmu\"\n");
  for (const char* const to : {"t.toml", "t.ssd", "sub/t.toml", "sub/t.ssd"}) {
    const Answer converted = work.tutti({"convert", "s.toml", to});
    EXPECT_EQ(converted.status, 0) << converted.err;
    EXPECT_EQ(work.tutti({"check", to}).status, 0) << to;
  }
  EXPECT_THAT(work.read("t.toml"), HasSubstr("fmu = \"gain.fmu\""));
  EXPECT_THAT(work.read("sub/t.toml"), HasSubstr("fmu = \"../gain.fmu\""));
  EXPECT_THAT(work.read("sub/t.ssd"), HasSubstr("source=\"../gain.fmu\""));
}

TEST(Convert, TakesSettingsAlong) {
  const Workplace work;
  work.write("s.toml", gain("a", "k = 1.0"));
  ASSERT_EQ(work.tutti({"convert", "s.toml", "x.txt", "--to", "toml", "--set", "a.k=3", "--set",
                        "simulation.stop=7"})
                .status,
            0);
  EXPECT_THAT(work.read("x.txt"), HasSubstr("k = 3"));
  EXPECT_THAT(work.read("x.txt"), HasSubstr("stop = 7"));
}

TEST(Convert, RefusesToWriteOverWhatItReadsAndInUnknownFormats) {
  const Workplace work;
  work.write("s.toml", gain("a", "k = 1.0"));
  EXPECT_EQ(work.tutti({"convert", "s.toml", "s.toml"}).status, 2);
  const Answer unknown = work.tutti({"convert", "s.toml", "s.docx"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--to"));
}

// u = 2 * (10 + t / 3600) - 1 is 20 at 1800 s; the last step held its value of 900 s, 19.5.
TEST(RunSystem, TakesColumnsOfTablesWithOtherNamesAndTimes) {
  const Workplace work;
  work.write("heat.tsv", "Time [h]\tT [degC]\n0\t10\n1\t11\n");
  work.write("s.toml", gain("a", "k = 10.0") +
                           "[[inputs.tables]]\nfile = \"heat.tsv\"\ntime-factor = 3600\n"
                           "columns = { \"a.u\" = { column = \"T\", factor = 2, offset = -1 } }\n"
                           "[simulation]\nstop = 1800\nstep = 900\n");
  const Answer answer = work.tutti({"run", "s.toml", "-o", "r.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const auto rows = csv_rows(work.read("r.csv"));
  EXPECT_EQ(rows.back(), (std::vector<std::string>{"1800", "20", "195"}));
}

TEST(RunSystem, NamesTheColumnThatATableDoesNotHave) {
  const Workplace work;
  work.write("heat.csv", "time,Temperature\n0,1\n");
  work.write("s.toml", gain("a", "k = 1.0") +
                           "[[inputs.tables]]\nfile = \"heat.csv\"\n"
                           "columns = { \"a.u\" = \"Temprature\" }\n");
  const Answer answer = work.tutti({"run", "s.toml"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("Did you mean \"Temperature\"?"));
}

// Booleans are turned, 2 becomes 20, the number 3 becomes the item "high"; what no map lists stays.
constexpr const char* maps = R"([connections]
list = [
  { from = "a.boolean_out", to = "b.boolean_in", map = { true = false, false = true } },
  { from = "a.int32_out", to = "b.int32_in", map = { 2 = 20, 5 = 50 } },
  { from = "a.option_out", to = "b.option_in", map = { low = "high" } },
  { from = "c.int32_out", to = "c.option_in", map = { 3 = "high" } },
]
[simulation]
stop = 0.2
step = 0.1
[results]
variables = ["b.boolean_out", "b.int32_out", "b.option_out", "c.option_out"]
)";

std::string feedthrough(const std::string& name, const std::string& set) {
  return fmt::format("[components.{}]\nfmu = \"{}\"\nset = {{ {} }}\n", name,
                     fmu("2.0", "Feedthrough"), set);
}

TEST(RunSystem, MapsDiscreteValuesInEveryFormat) {
  const Workplace work;
  work.write("s.toml", feedthrough("a", "boolean_in = true, int32_in = 2, option_in = \"low\"") +
                           feedthrough("b", "") + feedthrough("c", "int32_in = 3") + maps);
  for (const char* const name : {"s.toml", "s.ssd", "s.ssp"}) {
    if (name != std::string("s.toml")) {
      const Answer converted = work.tutti({"convert", "s.toml", name});
      ASSERT_EQ(converted.status, 0) << converted.err;
    }
    const Answer answer = work.tutti({"run", name, "-o", "r.csv"});
    ASSERT_EQ(answer.status, 0) << answer.err;
    const std::string high = "3";  // its number
    EXPECT_EQ(csv_rows(work.read("r.csv")).back(),
              (std::vector<std::string>{"0.2", "20", "0", high, high}))
        << name;
    EXPECT_EQ(work.leftover_count(), 0u) << name;
  }
}

TEST(RunSystem, NamesWhatAMapCannotHold) {
  const Workplace work;
  const auto error = [&](const std::string& connection) {
    work.write("s.toml", feedthrough("a", "") + feedthrough("b", "") + "[connections]\nlist = [" +
                             connection + "]\n");
    return work.tutti({"check", "s.toml"}).out;
  };
  EXPECT_THAT(error("{ from = \"a.option_out\", to = \"b.option_in\", map = { lwo = \"high\" } }"),
              HasSubstr("Did you mean \"low\"?"));
  EXPECT_THAT(error("{ from = \"a.real_out\", to = \"b.real_in\", map = { 1 = 2 } }"),
              HasSubstr("a map is for two booleans"));
  EXPECT_THAT(error("{ from = \"a.int32_out\", to = \"b.int32_in\", map = { 1 = 3000000000 } }"),
              HasSubstr("is not a value of \"int32_in\""));
}

}  // namespace
}  // namespace tutti::testing
