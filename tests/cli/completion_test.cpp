// SPDX-License-Identifier: BSD-2-Clause
// What shells offer when TAB is pressed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include "support/command.hpp"
#include "support/places.hpp"

namespace tutti::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

/// The lines of a text, those of candidates without their descriptions.
std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line.substr(0, line.find('\t')));
  return all;
}

class Completion : public ::testing::Test {
 protected:
  Completion() {
    fs::copy(places::fmu_folder() / "2.0/Integrator.fmu", place_.path());
    fs::copy(places::fmu_folder() / "2.0/BouncingBall.fmu", place_.path());
    place_.write("car.toml",
                 "components.body = \"Integrator.fmu\"\ncomponents.wheel = \"Integrator.fmu\"\n");
    place_.write("r.csv", "time,body.x [m],\"odd, name\"\n0,1,2\n");
  }

  /// What may follow; the last word is the one to complete. A fault is never a message.
  std::vector<std::string> offered(std::vector<std::string> words,
                                   const std::string& shell = "zsh") const {
    words.insert(words.begin(), {"__complete", shell});
    const Answer answer = place_.tutti(words);
    EXPECT_EQ(answer.status, 0);
    EXPECT_THAT(answer.err, IsEmpty());
    std::vector<std::string> all = lines(answer.out);
    if (all.empty()) return {"no answer"};
    all.erase(all.begin());
    return all;
  }
  std::string described(std::vector<std::string> words) const {
    words.insert(words.begin(), {"__complete", "zsh"});
    return place_.tutti(words).out;
  }

  Workplace place_;
};

TEST_F(Completion, OffersCommandsAndTheirOptions) {
  EXPECT_THAT(offered({"si"}), ElementsAre("simulate"));
  EXPECT_THAT(offered({""}), IsSupersetOf({"run", "check", "explain", "completion"}));
  EXPECT_THAT(offered({"run", "--pl"}), ElementsAre("--plot"));
  EXPECT_THAT(offered({"help", "co"}), ElementsAre("compare", "convert", "completion"));
  EXPECT_THAT(described({"run", "--plot"}), HasSubstr("--plot\tDraw the results"));
}

TEST_F(Completion, OffersAnOptionOnceUnlessItRepeats) {
  EXPECT_THAT(offered({"run", "--plot", "--plo"}), IsEmpty());
  EXPECT_THAT(offered({"run", "--set", "a.b=1", "--se"}), ElementsAre("--set"));
}

TEST_F(Completion, OffersCommandsOfCommandsAndOptionsThatThesePassOn) {
  EXPECT_THAT(offered({"examples", "ver"}), ElementsAre("verdicts"));
  EXPECT_THAT(offered({"examples", "run", "--verb"}), ElementsAre("--verbose"));
  EXPECT_THAT(offered({"examples", "copy", "quarter_c"}), Contains("quarter_car"));
}

TEST_F(Completion, OffersChoices) {
  EXPECT_THAT(offered({"simulate", "--type", ""}), ElementsAre("cs", "me"));
  EXPECT_THAT(offered({"simulate", "--type=m"}), ElementsAre("--type=me"));
  EXPECT_THAT(offered({"completion", ""}), ElementsAre("bash", "fish", "zsh"));
  EXPECT_THAT(offered({"simulate", "--stop", ""}), IsEmpty());  // a number
}

TEST_F(Completion, OffersPartsByName) {
  EXPECT_THAT(offered({"simulate", "--solver", "rad"}), ElementsAre("radau5"));
  EXPECT_THAT(offered({"simulate", "--solver", "id"}), ElementsAre("ida"));
  EXPECT_THAT(offered({"solvers", "id"}), ElementsAre("ida"));
  EXPECT_THAT(offered({"simulate", "--solver", "radau5", "--solver-option", "new"}),
              ElementsAre("newt="));
}

TEST_F(Completion, OffersFilesThatFit) {
  fs::create_directory(place_.path() / "folder");
  // Every Workplace has tmp.
  EXPECT_THAT(
      offered({"simulate", ""}),
      ::testing::UnorderedElementsAre("Integrator.fmu", "BouncingBall.fmu", "folder/", "tmp/"));
  EXPECT_THAT(offered({"run", "c"}), ElementsAre("car.toml"));
  EXPECT_THAT(offered({"plot", "--with", "r"}), ElementsAre("r.csv"));
  EXPECT_THAT(offered({"check", "Int"}), ElementsAre("Integrator.fmu"));
  EXPECT_THAT(offered({"run", "-o", "car"}), ElementsAre("car.toml"));  // any
  EXPECT_THAT(offered({"run", "no/such/folder/"}), IsEmpty());
}

TEST_F(Completion, OffersVariablesOfAnFmu) {
  EXPECT_THAT(described({"simulate", "Integrator.fmu", "--set", ""}), HasSubstr("u=\tinput"));
  EXPECT_THAT(offered({"simulate", "Integrator.fmu", "--variables", ""}), Contains("x"));
  EXPECT_THAT(offered({"simulate", "none.fmu", "--set", ""}), IsEmpty());
}

TEST_F(Completion, OffersComponentsThenVariablesAndKeys) {
  EXPECT_THAT(offered({"run", "car.toml", "--set", ""}),
              IsSupersetOf({"body.", "wheel.", "simulation.", "components."}));
  EXPECT_THAT(offered({"run", "car.toml", "--set", "body."}), Contains("body.u="));
  EXPECT_THAT(offered({"run", "car.toml", "--set", "simulation."}),
              IsSupersetOf({"simulation.stop=", "simulation.control."}));
  EXPECT_THAT(offered({"run", "car.toml", "--set", "components.wheel.solver.na"}),
              ElementsAre("components.wheel.solver.name="));
  EXPECT_THAT(offered({"run", "car.toml", "--set=body.u"}), ElementsAre("--set=body.u="));
}

TEST_F(Completion, OffersVariablesOfBuiltInComponents) {
  place_.write("wave.toml",
               "[components.wave]\ntype = \"sine\"\n[components.on]\ntype = \"constant\"\n"
               "data-type = \"boolean\"\n");
  EXPECT_THAT(described({"run", "wave.toml", "--set", ""}), HasSubstr("wave.\tsine"));
  EXPECT_THAT(offered({"run", "wave.toml", "--set", "wave.a"}), ElementsAre("wave.amplitude="));
  EXPECT_THAT(offered({"run", "wave.toml", "--set", "on.value="}),
              ElementsAre("on.value=true", "on.value=false"));
}

TEST_F(Completion, OffersValuesOfKeysAndVariables) {
  EXPECT_THAT(offered({"run", "car.toml", "--set", "simulation.method=new"}),
              ElementsAre("simulation.method=newton"));
  EXPECT_THAT(offered({"run", "car.toml", "--set", "simulation.inputs.smooth="}),
              ElementsAre("simulation.inputs.smooth=true", "simulation.inputs.smooth=false"));
}

// The file is being written: its names are not known, but those of the keys are.
TEST_F(Completion, OffersKeysForASystemThatCannotBeRead) {
  place_.write("broken.toml", "components = [");
  EXPECT_THAT(offered({"run", "broken.toml", "--set", "results.f"}), ElementsAre("results.file="));
}

TEST_F(Completion, OffersColumnsOfResults) {
  EXPECT_THAT(offered({"plot", "r.csv", ""}), ElementsAre("body.x", "odd, name"));
  EXPECT_THAT(offered({"compare", "r.csv", "r.csv", "b"}), ElementsAre("body.x"));
  EXPECT_THAT(offered({"plot", "/dev/null", ""}), IsEmpty());
}

TEST_F(Completion, OffersTopics) {
  EXPECT_THAT(offered({"explain", "simulation.control.at-"}),
              ElementsAre("simulation.control.at-min"));
  EXPECT_THAT(offered({"explain", "newt"}), ElementsAre("newton"));
  EXPECT_THAT(offered({"explain", "per-d"}), ElementsAre("per-decade"));
}

TEST_F(Completion, UnderstandsQuotesOfBash) {
  fs::copy(places::fmu_folder() / "2.0/Integrator.fmu", place_.path() / "two words.fmu");
  EXPECT_THAT(offered({"simulate", "two\\ w"}, "bash"), ElementsAre("two words.fmu"));
  EXPECT_THAT(offered({"simulate", "\"two w"}, "bash"), ElementsAre("two words.fmu"));
  EXPECT_THAT(offered({"simulate", "'two words.fmu'", "--set", "u"}, "bash"), ElementsAre("u="));
}

TEST_F(Completion, OffersNothingWithoutAWord) {
  EXPECT_EQ(place_.tutti({"__complete"}).out, "words\n");
  EXPECT_EQ(place_.tutti({"__complete", "bash"}).out, "words\n");
  EXPECT_THAT(offered({"no-such-command", ""}), Not(Contains("no answer")));
}

// 100 ms is what one does not notice; a test machine may be five times as slow.
TEST_F(Completion, TakesNoTimeToSpeakOf) {
  const auto start = std::chrono::steady_clock::now();
  offered({"run", "car.toml", "--set", "body."});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(500));
}

/// Calls the function of the script as bash does; prints what it offers.
constexpr const char* bash_script = R"(compopt() { echo "option $*"; }
source <($TUTTI completion bash)
PATH=$(dirname $TUTTI):$PATH COMP_LINE=$1; COMP_POINT=${#COMP_LINE}; shift
COMP_WORDBREAKS=$' \'\t\n"><=;|&(:'
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _tutti; printf "%s\n" "${COMPREPLY[@]}"
)";
std::string bash_call(const std::string& line, const std::string& words) {
  return "bash --norc call.bash " + line + " " + words;
}

TEST_F(Completion, ServesBash) {
  place_.write("call.bash", bash_script);
  // bash splits at =, and replaces what follows it.
  EXPECT_THAT(lines(place_
                        .shell(bash_call("'tutti run car.toml --set simulation.method=new'",
                                         "tutti run car.toml --set simulation.method = new"))
                        .out),
              ElementsAre("newton"));
  EXPECT_THAT(lines(place_
                        .shell(bash_call("'tutti run car.toml --set simulation.met'",
                                         "tutti run car.toml --set simulation.met"))
                        .out),
              ElementsAre("option -o nospace", "simulation.method="));
  EXPECT_THAT(lines(place_.shell(bash_call("'tutti simulate Int'", "tutti simulate Int")).out),
              ElementsAre("option -o filenames", "Integrator.fmu"));
  EXPECT_THAT(lines(place_.shell(bash_call("'tutti '", "tutti ''")).out), Contains("simulate"));
  // bash completes inside quotes, and replaces quotes that are closed.
  place_.write("r.csv", "time,x y\n0,0\n");
  EXPECT_THAT(
      lines(place_.shell(bash_call("\"tutti plot r.csv 'x \"", "tutti plot r.csv \"'x \"")).out),
      ElementsAre("x y"));
  EXPECT_THAT(
      lines(
          place_.shell(bash_call("\"tutti plot r.csv 'x y'\"", "tutti plot r.csv \"'x y'\"")).out),
      ElementsAre("x\\ y"));
}

TEST_F(Completion, ServesFish) {
  if (place_.shell("command -v fish").status != 0) GTEST_SKIP() << "there is no fish";
  const auto offers = [&](const std::string& line) {
    return place_
        .shell(
            "HOME=$PWD fish -c 'set PATH (dirname $TUTTI) $PATH; $TUTTI completion fish | "
            "source; complete -C \"" +
            line + "\"'")
        .out;
  };
  EXPECT_THAT(offers("tutti run car.toml --set simulation.method=new"),
              HasSubstr("simulation.method=newton"));
  EXPECT_THAT(offers("tutti simul"), HasSubstr("simulate\tRun one FMU"));
}

TEST_F(Completion, ServesZsh) {
  if (place_.shell("command -v zsh").status != 0) GTEST_SKIP() << "there is no zsh";
  EXPECT_EQ(place_.shell("$TUTTI completion zsh > _tutti && zsh -n _tutti").status, 0);
}

TEST_F(Completion, PrintsOneScriptPerShell) {
  for (const char* const shell : {"bash", "zsh", "fish"}) {
    std::ifstream file(places::source_folder() / "apps/cli/completion" /
                       fmt::format("tutti.{}", shell));
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_EQ(place_.tutti({"completion", shell}).out, text.str());
  }
  EXPECT_EQ(place_.tutti({"completion"}).status, 2);
  EXPECT_EQ(place_.tutti({"completion", "tcsh"}).status, 2);
}

}  // namespace
}  // namespace tutti::testing
