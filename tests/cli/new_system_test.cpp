// SPDX-License-Identifier: BSD-2-Clause
// `tutti new`, and patterns on connections as a user meets them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class NewSystem : public ::testing::Test {
 protected:
  /// FMUs of the kit, copied below other names.
  void place(const std::string& model, const std::string& as, const std::string& version = "2.0") {
    const std::filesystem::path file = work_.path() / as;
    std::filesystem::create_directories(file.parent_path());
    std::filesystem::copy_file(fmu(version, model), file);
  }
  std::string write(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "new");
    arguments.insert(arguments.end(), {"-o", "s.toml"});
    const Answer answer = work_.tutti(arguments);
    EXPECT_EQ(answer.status, 0) << answer.err;
    return work_.read("s.toml");
  }
  Workplace work_;
};

TEST_F(NewSystem, RunsAsItIs) {
  place("PrintedPlant", "fmus/plant.fmu");
  place("PrintedController", "fmus/controller.fmu");
  const std::string text = write({"fmus/plant.fmu", "fmus/controller.fmu"});
  EXPECT_THAT(text, HasSubstr("#   tutti run s.toml"));
  EXPECT_THAT(text, HasSubstr("[components.plant]"));
  EXPECT_THAT(text, HasSubstr("fmu = \"fmus/plant.fmu\""));
  EXPECT_THAT(text, HasSubstr("\"plant.w -> controller.w\",  # equal names, rad/s\n"));
  EXPECT_THAT(text, HasSubstr("\"controller.T -> plant.T\",  # equal names, N.m\n"));
  EXPECT_THAT(text, HasSubstr("# controller.f = 0.0  # rad/s\n")) << "nothing feeds it";
  EXPECT_THAT(text, HasSubstr("stop = 2.0    # default experiment of all FMUs\n"));
  EXPECT_THAT(text, HasSubstr("step = 0.001  # default experiment of all FMUs\n"));
  const Answer check = work_.tutti({"check", "s.toml"});
  EXPECT_EQ(check.status, 0) << check.out << check.err;
  EXPECT_THAT(check.out, HasSubstr("2 connections, 1 cycle"));
  EXPECT_EQ(work_.tutti({"run", "s.toml", "--step", "0.1"}).status, 0);
}

TEST_F(NewSystem, KnowsVariablesThatAreNamedAfterComponents) {
  place("PrintedChassis", "chassis.fmu");
  place("PrintedWheel", "quarter car.wheel.fmu");
  const std::string text = write({"chassis.fmu", "quarter car.wheel.fmu"});
  EXPECT_THAT(text, HasSubstr("[components.quarter_car_wheel]"));
  EXPECT_THAT(text, HasSubstr("\"chassis.x -> quarter_car_wheel.x_chassis\",  # x_chassis is x of "
                              "chassis, m\n"));
  EXPECT_THAT(text, HasSubstr("\"quarter_car_wheel.v -> chassis.v_wheel\""));
  EXPECT_THAT(text, HasSubstr("# m_c = 400.0    # kg"));
  EXPECT_EQ(work_.tutti({"check", "s.toml"}).status, 0);
}

TEST_F(NewSystem, NamesFilesAsSeenFromTheOutput) {
  place("Gain", "fmus/gain.fmu");
  std::filesystem::create_directory(work_.path() / "sub");
  const Answer answer = work_.tutti({"new", "fmus/gain.fmu", "-o", "sub/s.toml"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(work_.read("sub/s.toml"), HasSubstr("fmu = \"../fmus/gain.fmu\""));
  EXPECT_EQ(work_.tutti({"check", "sub/s.toml"}).status, 0);
}

TEST_F(NewSystem, NumbersAnFmuThatIsGivenTwice) {
  place("Feedthrough", "simulation.fmu", "3.0");
  place("Feedthrough", "through.fmu", "3.0");
  const std::string text = write({"through.fmu", "simulation.fmu", "through.fmu"});
  for (const char* const name : {"through_1", "through_2", "simulation_1"})
    EXPECT_THAT(text, HasSubstr(fmt::format("[components.{}]", name)));
  EXPECT_EQ(work_.tutti({"check", "s.toml"}).status, 0);
}

TEST_F(NewSystem, TakesEverythingWithYes) {
  place("Integrator", "a.fmu");
  place("Gain", "b.fmu");
  EXPECT_THAT(write({"a.fmu", "b.fmu"}),
              HasSubstr("# \"a.y -> b.u\",  # the only output that fits\n"));
  const Answer again = work_.tutti({"new", "a.fmu", "b.fmu", "-o", "s.toml", "--yes"});
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("\"s.toml\" exists already. Choose another name, or overwrite "
                                   "it with --force."));
  EXPECT_THAT(write({"a.fmu", "b.fmu", "--yes", "--force"}), HasSubstr("\n  \"a.y -> b.u\","));
  EXPECT_EQ(work_.tutti({"check", "s.toml"}).status, 0);
}

// Model exchange only, arrays whose sizes are parameters, one FMU alone, none of its variables.
TEST_F(NewSystem, WritesWhatCheckAccepts) {
  const std::vector<std::vector<std::string>> systems = {
      {fmu("1.0-me", "VanDerPol"), fmu("1.0-cs", "Gain")},
      {fmu("3.0", "StateSpace"), fmu("3.0", "StateSpace")},
      {fmu("2.0", "Wide2000")},
      {fmu("2.0", "FixedStep"), fmu("2.0", "Kelvin")},
      {fmu("3.0", "Resource"), fmu("2.0", "Trivial"), fmu("2.0", "ExactValues")}};
  for (const auto& fmus : systems) {
    std::vector<std::string> arguments = fmus;
    arguments.emplace_back("--force");
    const std::string text = write(arguments);
    const Answer check = work_.tutti({"check", "s.toml"});
    EXPECT_EQ(check.status, 0) << check.out << check.err << text;
    for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
      EXPECT_LE(text.find('\n', begin) - begin, 140u) << text.substr(begin, 200);
  }
}

TEST_F(NewSystem, WritesParametersThatCountWithoutTheirSign) {
  std::string text = write({fmu("3.0", "StateSpace"), fmu("2.0", "Wide2000"), "--force"});
  for (auto at = text.find("\n# "); at != std::string::npos; at = text.find("\n# ", at + 1)) {
    const std::string line = text.substr(at + 3, text.find('\n', at + 1) - at - 3);
    const std::size_t sign = line.find(" = ");
    const std::string key = line.substr(0, line.find(' '));
    if (sign == key.size() && key != "file" && key != "method") text.erase(at + 1, 2);
  }
  work_.write("set.toml", text);
  EXPECT_THAT(text, HasSubstr("\nA = ["));
  const Answer check = work_.tutti({"check", "set.toml"});
  EXPECT_EQ(check.status, 0) << check.out << check.err << text;
}

TEST_F(NewSystem, ShowsHowAConnectionIsWrittenIfNoneFits) {
  place("BouncingBall", "ball.fmu");
  place("Kelvin", "room.fmu");
  EXPECT_THAT(write({"ball.fmu", "room.fmu"}), HasSubstr("  # \"ball.h -> room.u\",\n"));
}

TEST_F(NewSystem, WritesToStandardOutput) {
  place("Gain", "gain.fmu");
  const Answer answer = work_.tutti({"new", "gain.fmu"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  work_.write("t.toml", answer.out);
  EXPECT_EQ(work_.tutti({"check", "t.toml"}).status, 0);
}

TEST_F(NewSystem, RefusesWhatItCannotUse) {
  place("Gain", "gain.fmu");
  work_.write("s.toml", "[components]\n");
  work_.write("broken.fmu", "no archive");
  const auto refusal = [&](const std::vector<std::string>& arguments) {
    const Answer answer = work_.tutti(arguments);
    EXPECT_EQ(answer.status, 2) << answer.out;
    return answer.err;
  };
  EXPECT_THAT(refusal({"new"}), HasSubstr("FMU"));
  EXPECT_THAT(refusal({"new", "missing.fmu"}), HasSubstr("missing.fmu"));
  EXPECT_THAT(refusal({"new", "broken.fmu"}), HasSubstr("broken.fmu"));
  EXPECT_THAT(refusal({"new", "s.toml"}), HasSubstr("\"s.toml\" is a system file"));
  EXPECT_THAT(refusal({"new", "gain.fmu", "-o", "t.ssp"}),
              HasSubstr("Write a .toml file; `tutti convert` converts it to .ssd or .ssp."));
  EXPECT_THAT(refusal({"new", "gain.fmu", "-o", "no/t.toml"}),
              HasSubstr("there is no folder \"no\""));
}

TEST_F(NewSystem, LeavesNothingBehindOfAnFmuThatCannotBeRead) {
  work_.write("broken.fmu", "no archive");
  EXPECT_EQ(work_.tutti({"new", "broken.fmu", "-o", "s.toml"}).status, 2);
  EXPECT_FALSE(std::filesystem::exists(work_.path() / "s.toml"));
}

class PatternsInFiles : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& connections) const {
    work_.write(name, fmt::format("[components.plant]\nfmu = \"{}\"\n[components.controller]\n"
                                  "fmu = \"{}\"\n[connections]\nlist = [{}]\n"
                                  "[simulation]\nstop = 0.5\nstep = 0.01\n",
                                  fmu("2.0", "PrintedPlant"), fmu("2.0", "PrintedController"),
                                  connections));
  }
  Workplace work_;
};

TEST_F(PatternsInFiles, RunAsTheConnectionsTheyStandFor) {
  write("one.toml", R"("plant.w -> controller.w", "controller.T -> plant.T")");
  write("all.toml", R"("plant -> controller", { from = "controller.*", to = "plant" })");
  for (const char* const name : {"one", "all"})
    ASSERT_EQ(work_.tutti({"run", fmt::format("{}.toml", name)}).status, 0);
  EXPECT_EQ(work_.read("all.csv"), work_.read("one.csv"));
  const Answer graph = work_.tutti({"graph", "all.toml"});
  EXPECT_THAT(graph.out, AllOf(HasSubstr("2 connections, 1 cycle"),
                               HasSubstr("plant.w      -> controller.w")));
  EXPECT_THAT(work_.tutti({"check", "all.toml"}).out, HasSubstr("2 connections, 1 cycle"));
}

TEST_F(PatternsInFiles, StayInTomlAndAreExpandedInSsp) {
  write("all.toml", R"("plant -> controller", { from = "controller.*", to = "plant.*" })");
  ASSERT_EQ(work_.tutti({"convert", "all.toml", "again.toml"}).status, 0);
  EXPECT_THAT(work_.read("again.toml"), AllOf(HasSubstr("\"plant -> controller\""),
                                              HasSubstr("\"controller.* -> plant.*\"")));
  const Answer ssd = work_.tutti({"convert", "all.toml", "all.ssd"});
  ASSERT_EQ(ssd.status, 0) << ssd.err;
  EXPECT_THAT(work_.read("all.ssd"),
              AllOf(HasSubstr("startElement=\"plant\" startConnector=\"w\""), Not(HasSubstr("*"))));
  for (const char* const name : {"all.toml", "all.ssd"})
    ASSERT_EQ(work_.tutti({"run", name, "-o", std::string(name) + ".csv"}).status, 0);
  EXPECT_EQ(work_.read("all.toml.csv"), work_.read("all.ssd.csv"));
}

TEST_F(PatternsInFiles, AreRefusedWithTheirPlace) {
  write("s.toml", R"("plnt -> controller")");
  Answer answer = work_.tutti({"run", "s.toml"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("s.toml:6:9: connection \"plnt -> controller\": there is no "
                                    "component \"plnt\". Did you mean \"plant\"?"));
  write("s.toml", R"("plant.v* -> controller")");
  answer = work_.tutti({"run", "s.toml"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("s.toml:6:9: connection \"plant.v* -> controller\": component "
                                    "\"plant\" (PrintedPlant.fmu) has no output that matches "
                                    "\"v*\". Its outputs are w, phi."));
}

}  // namespace
}  // namespace tutti::testing
