// SPDX-License-Identifier: BSD-2-Clause
// The parts of docs/extend.md, in a program that has them: one file and one row each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "master/coupling/coupling_method.hpp"
#include "master/stepping/controllers.hpp"
#include "solvers/ode/ode.hpp"
#include "support/command.hpp"
#include "support/places.hpp"

namespace tutti::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Extend : public ::testing::Test {
 protected:
  Extend() {
    fs::create_directory(place_.path() / "build");
    fs::create_directory_symlink(places::fmu_folder(), place_.path() / "build/fmus");
    for (const char* system : {"oscillator.toml", "feedback.toml"})
      fs::copy(places::source_folder() / "docs/examples" / system, place_.path());
  }
  /// `tutti ARGUMENTS` of the program that has the parts.
  Answer tutti(const std::string& arguments) const {
    return place_.shell((places::build_folder() / "tests/tutti_extended").string() + " " +
                        arguments);
  }
  Workplace place_;
};

std::string text_of(const std::string& path) {
  const std::ifstream file(places::source_folder() / "docs" / path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST_F(Extend, ThePageShowsWhatIsBuilt) {
  const std::string page = text_of("extend.md");
  for (const std::string part : {"wegstein", "growing_steps", "dat_format"})
    for (const char* kind : {".cpp", ".row"}) {
      const std::string code = text_of("examples/" + part + kind);
      ASSERT_FALSE(code.empty()) << part << kind;
      EXPECT_NE(page.find("```cpp\n" + code + "```\n"), std::string::npos) << part << kind;
    }
}

/// Lines of src and apps that compare a method, a step controller or a solver with this name.
std::vector<std::string> comparisons_with(std::string_view name) {
  std::vector<std::string> found;
  const std::string quoted = "= \"" + std::string(name) + "\"";
  for (const char* folder : {"src", "apps"})
    for (const auto& entry : fs::recursive_directory_iterator(places::source_folder() / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);)
        for (const char* sign : {"=", "!"})
          for (const char* what : {"method", "control", "solver", "name"})
            if (line.find(sign + quoted) != line.npos && line.find(what) != line.npos)
              found.push_back(entry.path().filename().string() + ": " + line);
    }
  return found;
}

TEST(Parts, AreKnownByNameToTheirTablesOnly) {
  std::vector<std::string_view> names;
  for (const auto& entry : master::coupling_methods()) names.push_back(entry.name);
  for (const auto& entry : master::step_controls()) names.push_back(entry.name);
  for (const auto& entry : solvers::ode_integrators()) names.emplace_back(entry.name);
  std::erase(names, "auto");  // of coupling methods it is a word, but no part
  for (const std::string_view name : names)
    EXPECT_THAT(comparisons_with(name), ::testing::IsEmpty()) << name;
}

// Three sweeps a step: two for the secant, which is exact, and one that changes nothing.
TEST_F(Extend, ACouplingMethodRuns) {
  const Answer answer = tutti(
      "run feedback.toml --set feedback.k=-20 --set simulation.method=wegstein --statistics -o "
      "r.csv");
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("wegstein, 300 iterations in 100 steps"));
}

TEST_F(Extend, ACouplingMethodIsSuggestedAdvisedAndRefused) {
  EXPECT_THAT(tutti("run feedback.toml --set simulation.method=wegstien").err,
              HasSubstr("Did you mean \"wegstein\"?"));
  const Answer advice = tutti("advise feedback.toml --set simulation.method=wegstein");
  EXPECT_EQ(advice.status, 0) << advice.err;
  EXPECT_EQ(advice.out, tutti("advise feedback.toml --set simulation.method=newton").out)
      << "it ends where Newton's method ends";
  place_.write("old.toml", [&] {
    std::string text = place_.read("feedback.toml");
    return text.replace(text.find("2.0/Gain"), 8, "1.0-cs/Gain");
  }());
  const Answer refused = tutti("run old.toml --set simulation.method=wegstein");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("method \"wegstein\" repeats steps"));
}

// 0.01, then 1.5 times the step before, at most 0.5.
TEST_F(Extend, AStepControllerRuns) {
  const Answer answer = tutti(
      "run oscillator.toml --set simulation.control.name=growing --set simulation.control.grow=1.5 "
      "--set simulation.control.max=0.5 --set simulation.step=0.01 -o r.csv");
  EXPECT_EQ(answer.status, 0) << answer.err;
  const auto rows = csv_rows(place_.read("r.csv"));
  ASSERT_GT(rows.size(), 20u);
  EXPECT_DOUBLE_EQ(std::stod(rows[2][0]), 0.01);
  EXPECT_DOUBLE_EQ(std::stod(rows[3][0]), 0.025);
  EXPECT_DOUBLE_EQ(std::stod(rows[4][0]), 0.0475);
  const std::size_t last = rows.size() - 1;
  EXPECT_NEAR(std::stod(rows[last - 2][0]) - std::stod(rows[last - 3][0]), 0.5, 1e-12);
  EXPECT_EQ(std::stod(rows[last][0]), 10);
}

TEST_F(Extend, AStepControllerIsListedAndItsIdleSettingsAreNoted) {
  EXPECT_THAT(tutti("check --keys").out,
              HasSubstr("fixed | convergence | richardson | predictor | growing"));
  EXPECT_THAT(tutti("run oscillator.toml --set simulation.control=growing "
                    "--set simulation.control.variant=eas -o r.csv")
                  .err,
              HasSubstr("variant has no effect with control = \"growing\""));
}

// FMI 1.0 cannot save states: a controller whose row needs that is refused, this one is not.
TEST_F(Extend, AStepControllerWithoutRollbackTakesEveryComponent) {
  std::string text = place_.read("oscillator.toml");
  for (std::size_t at = 0; (at = text.find("2.0/", at)) != text.npos;)
    text.replace(at, 4, "1.0-cs/");
  place_.write("old.toml", text);
  EXPECT_EQ(tutti("run old.toml --set simulation.control=richardson -o r.csv").status, 2);
  EXPECT_EQ(tutti("run old.toml --set simulation.control=growing -o r.csv").status, 0);
}

TEST_F(Extend, AResultFormatIsWrittenReadAndDrawn) {
  ASSERT_EQ(tutti("run oscillator.toml -o r.csv").status, 0);
  const Answer answer = tutti("run oscillator.toml -o r.dat --gnuplot");
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(place_.read("r.dat"),
              ::testing::StartsWith("# time\tposition.x\tvelocity.x\n0\t1\t0\n"));
  EXPECT_THAT(place_.read("r.gnuplot"), HasSubstr("set datafile separator tab"));
  EXPECT_EQ(tutti("compare r.dat r.csv").status, 0);
  EXPECT_EQ(tutti("plot r.dat").status, 0);
  EXPECT_THAT(tutti("run r.dat").err, HasSubstr("is a result file"));
}

}  // namespace
}  // namespace tutti::testing
