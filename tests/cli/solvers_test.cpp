// SPDX-License-Identifier: BSD-2-Clause
// `tutti solvers`, options of solvers and their diagnosis, as a user meets them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <tutti/solvers.hpp>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A solver with options, and the first of its numbers.
struct NumberOption {
  SolverInfo solver;
  SolverOptionInfo option;
};
NumberOption some_number_option() {
  for (const SolverInfo& solver : ode_solvers()) {
    const bool fits =
        !solver.fixed_step && std::ranges::count(solver.forms, OdeForm::explicit_ode) > 0;
    for (const SolverOptionInfo& option : solver.options)
      if (fits && std::holds_alternative<double>(option.default_value) &&
          option.maximum != option.minimum)
        return {solver, option};
  }
  return {};
}

TEST(Solvers, AreAllInTheTable) {
  const Workplace place;
  const Answer answer = place.tutti({"solvers"});
  EXPECT_EQ(answer.status, 0);
  for (const SolverInfo& solver : ode_solvers()) {
    EXPECT_THAT(answer.out, HasSubstr("\n" + solver.name + " "));
    EXPECT_THAT(answer.out, HasSubstr(fmt::format("{}: {}\n", solver.name, solver.summary)));
  }
}

TEST(Solvers, ShowTheirOptions) {
  const Workplace place;
  for (const SolverInfo& solver : ode_solvers()) {
    const Answer answer = place.tutti({"solvers", solver.name});
    EXPECT_EQ(answer.status, 0);
    EXPECT_THAT(answer.out, StartsWith(solver.name + ": " + solver.summary));
    for (const SolverOptionInfo& option : solver.options) {
      EXPECT_THAT(answer.out, HasSubstr("  " + option.name + " "));
      EXPECT_THAT(answer.out, HasSubstr(option.summary + "\n"));
    }
  }
}

TEST(Solvers, AreJsonForPrograms) {
  const Workplace place;
  const auto json = nlohmann::json::parse(place.tutti({"solvers", "--json"}).out);
  const std::vector<SolverInfo> known = ode_solvers();
  ASSERT_EQ(json.size(), known.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_EQ(json[i]["name"], known[i].name);
    EXPECT_EQ(json[i]["order"], known[i].order);
    EXPECT_EQ(json[i]["options"].size(), known[i].options.size());
  }
  const auto one = nlohmann::json::parse(place.tutti({"solvers", "rk4", "--json"}).out);
  EXPECT_EQ(one.at(0)["forms"].at(0), "explicit");
}

TEST(Solvers, UnknownOnesGetTheNearestName) {
  const Answer answer = Workplace().tutti({"solvers", "cvod"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("there is no solver \"cvod\""));
  EXPECT_THAT(answer.err, HasSubstr("Did you mean \"cvode\"?"));
}

class SolverOptionsOfFmu : public ::testing::Test {
 protected:
  Answer simulate(std::vector<std::string> arguments, const std::string& model = "VanDerPol") {
    arguments.insert(arguments.begin(), {"simulate", fmu("2.0", model), "-o", "x.csv"});
    return place_.tutti(arguments);
  }
  nlohmann::json metadata() const { return nlohmann::json::parse(place_.read("x.meta.json")); }
  Workplace place_;
};

TEST_F(SolverOptionsOfFmu, AreTaken) {
  const NumberOption number = some_number_option();
  ASSERT_FALSE(number.option.name.empty());
  const Answer answer = simulate(
      {"--solver", number.solver.name, "--solver-option",
       fmt::format("{}={}", number.option.name, std::get<double>(number.option.default_value)),
       "--solver-option", "maxh=0.05", "--solver-option", "inith=0.001"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const nlohmann::json settings = metadata()["settings"];
  EXPECT_EQ(settings["maxStep"], 0.05);
  EXPECT_EQ(settings["firstStep"], 0.001);
  EXPECT_TRUE(settings["solverOptions"].contains(number.option.name));
  EXPECT_GE(metadata()["statistics"]["solver"]["steps"], 20 / 0.05);  // VanDerPol runs for 20 s
}

TEST_F(SolverOptionsOfFmu, AreRefusedBeforeTimeStarts) {
  const NumberOption number = some_number_option();
  const std::string misspelt = number.option.name + "x";
  Answer answer = simulate({"--solver", number.solver.name, "--solver-option", misspelt + "=1"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("--solver-option " + misspelt));
  EXPECT_THAT(answer.err, HasSubstr(fmt::format("Did you mean \"{}\"?", number.option.name)));
  answer = simulate({"--solver", number.solver.name, "--solver-option",
                     fmt::format("{}={}", number.option.name, number.option.maximum * 2 + 1)});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("expected"));
  answer = simulate({"--solver", number.solver.name, "--solver-option", number.option.name});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("expected NAME=VALUE"));
  answer =
      simulate({"--solver", "radau5", "--solver-option", "newt=7", "--solver-option", "newt=9"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("--solver-option newt is given twice"));
  answer = simulate({"--solver-option", "maxh=0.1", "--max-step", "0.2"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("both given"));
  answer = simulate({"--solver", "cvode", "--first-step", "-1"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("--first-step must be positive"));
}

TEST_F(SolverOptionsOfFmu, AreOfModelExchangeOnly) {
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--solver-option", "maxh=0.1"}, {"--first-step", "1e-3"}}) {
    std::vector<std::string> arguments = option;
    arguments.insert(arguments.end(), {"--type", "cs"});
    const Answer answer = simulate(arguments, "BouncingBall");
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.err, HasSubstr(option[0] + " is an option of model exchange"));
  }
}

TEST_F(SolverOptionsOfFmu, ForNoFmuAreThoseWithoutExplicitEquations) {
  for (const SolverInfo& solver : ode_solvers()) {
    if (std::ranges::count(solver.forms, OdeForm::explicit_ode) > 0) continue;
    const Answer answer = simulate({"--solver", solver.name});
    EXPECT_EQ(answer.status, 2) << solver.name;
    EXPECT_THAT(answer.err, HasSubstr("cannot be used for an FMU")) << solver.name;
  }
}

TEST_F(SolverOptionsOfFmu, WantADerivativeThatFmusOfOldDoNotHave) {
  const Answer answer =
      place_.tutti({"simulate", fmu("1.0-me", "BouncingBall"), "--solver", "rodas", "-o", "none"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("rodas"));
  EXPECT_EQ(simulate({"--solver", "rodas"}).status, 0);
}

TEST_F(SolverOptionsOfFmu, DiagnoseWhatLimitsTheSteps) {
  const std::string solver = some_number_option().solver.name;
  const Answer answer = simulate({"--solver", solver, "--diagnose", "d.svg"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr(solver + ": "));
  EXPECT_THAT(answer.out, HasSubstr("x1 "));
  EXPECT_THAT(answer.out, HasSubstr("limited"));
  EXPECT_THAT(place_.read("d.svg"), HasSubstr("lg of the step size"));
  const nlohmann::json found = metadata()["statistics"]["solver"]["diagnosis"];
  EXPECT_EQ(found["steps"], metadata()["statistics"]["solver"]["steps"]);
  EXPECT_EQ(found["states"][0]["name"], "x0");
  EXPECT_EQ(found["points"]["time"].size(), found["points"]["state"].size());
  std::uint64_t limited = 0;
  for (const nlohmann::json& state : found["states"]) limited += state["limited"].get<int>();
  EXPECT_EQ(limited, found["steps"]);
}

// What stands behind it may be the FMU.
TEST_F(SolverOptionsOfFmu, DiagnoseInFrontOfTheFile) {
  const Answer answer =
      place_.tutti({"simulate", "--diagnose", fmu("2.0", "BouncingBall"), "-o", "none"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("cvode: "));
  EXPECT_EQ(simulate({"--diagnose", "d.txt"}).status, 2);
  EXPECT_EQ(simulate({}).status, 0);
  EXPECT_FALSE(metadata()["statistics"]["solver"].contains("diagnosis"));
}

class SolverOptionsOfSystem : public SystemRun {
 protected:
  void write_plant(const std::string& solver) {
    place_.write("s.toml", fmt::format("[components.plant]\nfmu = \"{}\"\nas = \"me\"\nsolver = "
                                       "{{ {} }}\n[simulation]\nstop = 1.0\nstep = 0.1\n",
                                       fmu("2.0", "VanDerPol"), solver));
  }
};

TEST_F(SolverOptionsOfSystem, AreReadCheckedAndConverted) {
  const NumberOption number = some_number_option();
  const double usual = std::get<double>(number.option.default_value);
  write_plant(fmt::format("name = \"{}\", {} = {}, maxh = 0.01", number.solver.name,
                          number.option.name, usual));
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_GE(statistics()["components"]["plant"]["solver"]["steps"], 100);
  for (const char* const file : {"t.toml", "t.ssp", "t.ssd"}) {
    ASSERT_EQ(place_.tutti({"convert", "s.toml", file}).status, 0);
    ASSERT_EQ(place_.tutti({"convert", file, "u.toml"}).status, 0) << file;
    EXPECT_THAT(place_.read("u.toml"),
                HasSubstr(fmt::format("solver.options = {{ {} = {} }}", number.option.name, usual)))
        << file;
    EXPECT_THAT(place_.read("u.toml"), HasSubstr("solver.max-step = 0.01")) << file;
  }
}

TEST_F(SolverOptionsOfSystem, AreRefusedWithComponentAndKey) {
  const NumberOption number = some_number_option();
  const std::string key = "components.plant.solver.options." + number.option.name;
  write_plant(fmt::format("name = \"{}\", options = {{ {} = true }}", number.solver.name,
                          number.option.name));
  for (const char* const command : {"run", "check"}) {
    const Answer answer = place_.tutti({command, "s.toml"});
    EXPECT_EQ(answer.status, std::string(command) == "run" ? 2 : 1);
    EXPECT_THAT(answer.out + answer.err, HasSubstr(key)) << command;
    EXPECT_THAT(answer.out + answer.err, HasSubstr("is a number, not \"true\"")) << command;
  }
  // An option of another solver.
  write_plant(fmt::format("name = \"cvode\", {} = 0.5", number.option.name));
  run();
  EXPECT_EQ(answer_.status, 2);
  EXPECT_THAT(answer_.err, HasSubstr(key));
  EXPECT_THAT(answer_.err, HasSubstr("there is no option"));
}

TEST_F(SolverOptionsOfSystem, DiagnoseEveryComponentWithASolver) {
  write_plant(fmt::format("name = \"{}\"", some_number_option().solver.name));
  run({"--diagnose", "d.svg"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.out, HasSubstr("plant: "));
  EXPECT_THAT(place_.read("d.svg"), HasSubstr("plant: lg of the step size"));
  EXPECT_EQ(statistics()["components"]["plant"]["solver"]["diagnosis"]["states"].size(), 2u);
}

// Its state is complete with options: what goes on from there gives the same numbers.
TEST_F(SolverOptionsOfSystem, ComeBackWithACheckpoint) {
  const NumberOption number = some_number_option();
  write_plant(fmt::format("name = \"{}\", {} = {}", number.solver.name, number.option.name,
                          std::get<double>(number.option.default_value)));
  ASSERT_EQ(place_
                .tutti({"run", "s.toml", "-o", "a.csv", "--checkpoint", "c.bin", "--every", "0.5",
                        "--stop", "0.6"})
                .status,
            0);
  ASSERT_EQ(place_.tutti({"run", "--resume", "c.bin", "--stop", "1", "-o", "b.csv"}).status, 0);
  run();
  const auto rows = csv_rows(place_.read("b.csv")), whole = csv_rows(place_.read("r.csv"));
  EXPECT_EQ(rows.back(), whole.back());
}

}  // namespace
}  // namespace tutti::testing
