// SPDX-License-Identifier: BSD-2-Clause
// Options that commands share, and files given to the wrong command.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

struct WrongKind {
  std::vector<std::string> call;
  std::string is, hint;
};

class FileKinds : public ::testing::TestWithParam<WrongKind> {};

TEST_P(FileKinds, PointToTheRightCommand) {
  const Workplace place;
  std::filesystem::copy_file(fmu("2.0", "Gain"), place.path() / "X.fmu");
  place.write("s.toml", "[components.a]\nfmu = \"X.fmu\"\n[simulation]\nstop = 1\nstep = 0.5\n");
  place.write("r.csv", "time,a\n0,1\n1,2\n");
  const Answer answer = place.tutti(GetParam().call);
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("is " + GetParam().is));
  EXPECT_THAT(answer.err, HasSubstr(fmt::format("Try `{}`.", GetParam().hint)));
}

INSTANTIATE_TEST_SUITE_P(
    Cli, FileKinds,
    ::testing::Values(WrongKind{{"run", "X.fmu"}, "an FMU", "tutti simulate X.fmu"},
                      WrongKind{{"graph", "X.fmu"}, "an FMU", "tutti info X.fmu"},
                      WrongKind{{"advise", "X.fmu"}, "an FMU", "tutti check X.fmu"},
                      WrongKind{{"convert", "X.fmu", "y.toml"}, "an FMU", "tutti info X.fmu"},
                      WrongKind{{"plot", "X.fmu"}, "an FMU", "tutti simulate X.fmu --plot"},
                      WrongKind{{"compare", "r.csv", "X.fmu"}, "an FMU", "tutti simulate X.fmu"},
                      WrongKind{{"simulate", "s.toml"}, "a system file", "tutti run s.toml"},
                      WrongKind{{"info", "s.toml"}, "a system file", "tutti graph s.toml"},
                      WrongKind{{"plot", "s.toml"}, "a system file", "tutti run s.toml --plot"},
                      WrongKind{
                          {"compare", "s.toml", "r.csv"}, "a system file", "tutti run s.toml"},
                      WrongKind{{"run", "r.csv"}, "a result file", "tutti plot r.csv"},
                      WrongKind{{"simulate", "r.csv"}, "a result file", "tutti plot r.csv"},
                      WrongKind{{"check", "r.csv"}, "a result file", "tutti plot r.csv"}),
    [](const auto& tested) { return fmt::format("{}{}", tested.param.call[0], tested.index); });

TEST(RunOptions, StartStopAndStepReplaceThoseOfTheSystem) {
  const Workplace place;
  place.write("s.toml", fmt::format("[components.a]\nfmu = \"{}\"\n[simulation]\nstart = 5\nstop = "
                                    "9\nstep = 1\n",
                                    fmu("2.0", "Gain")));
  const Answer answer = place.tutti(
      {"run", "s.toml", "--start", "0.5", "--stop", "1", "--step", "0.25", "-o", "r.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const auto rows = csv_rows(place.read("r.csv"));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[1][0], "0.5");
  EXPECT_EQ(rows[2][0], "0.75");
  EXPECT_EQ(rows[3][0], "1");
}

TEST(RunOptions, AStepThatIsNotPositiveIsRefused) {
  const Workplace place;
  place.write("s.toml", fmt::format("[components.a]\nfmu = \"{}\"\n", fmu("2.0", "Gain")));
  for (const char* const step : {"0", "-1", "nan", "inf"})
    EXPECT_EQ(place.tutti({"run", "s.toml", "--step", step, "-o", "none"}).status, 2) << step;
}

class CompiledSystem : public ::testing::Test {
 protected:
  CompiledSystem() {
    ::setenv("XDG_CACHE_HOME", (place.path() / "cache").c_str(), 1);
    place.write("s.toml",
                fmt::format("[components.a]\nfmu = \"{}\"\n[simulation]\nstop = 1\nstep = "
                            "0.1\n",
                            fmu("sources", "SourceDecay2")));
  }
  ~CompiledSystem() override { ::unsetenv("XDG_CACHE_HOME"); }
  Workplace place;
};

TEST_F(CompiledSystem, RunsWithCompileAsOneFmuDoes) {
  const Answer refused = place.tutti({"run", "s.toml", "-o", "none"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("add --compile"));
  const Answer answer = place.tutti({"run", "s.toml", "--compile", "-o", "r.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(csv_rows(place.read("r.csv")).size(), 12u);  // header, 0 to 1 in steps of 0.1
}

TEST_F(CompiledSystem, IsAdvisedOnWithCompile) {
  const Answer answer = place.tutti({"advise", "s.toml", "--compile"});
  EXPECT_EQ(answer.status, 0) << answer.err;
}

}  // namespace
}  // namespace tutti::testing
