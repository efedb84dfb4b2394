// SPDX-License-Identifier: BSD-2-Clause
// `tutti check SYSTEM` as a user calls it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Two integrators that feed each other.
std::string ring(const std::string& version, const std::string& more = "") {
  return fmt::format(
      "[components.a]\nfmu = \"{0}\"\n[components.b]\nfmu = \"{0}\"\n[connections]\nlist = [\"a.y "
      "-> b.u\", \"b.y -> a.u\"]\n{1}",
      fmu(version, "Integrator"), more);
}

Answer check(const std::string& text, const std::vector<std::string>& more = {}) {
  const Workplace work;
  work.write("s.toml", text);
  std::vector<std::string> call = {"check", "s.toml"};
  call.insert(call.end(), more.begin(), more.end());
  return work.tutti(call);
}

TEST(CheckSystem, EndsWithZeroForASystemThatCanRun) {
  const Answer answer = check(ring("2.0"));
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out,
              HasSubstr("checked 2 components, 2 connections, 1 cycle: no errors, no warnings"));
}

TEST(CheckSystem, NotesInputsThatKeepTheirStartValues) {
  const Answer answer =
      check(fmt::format("[components.a]\nfmu = \"{}\"\n", fmu("2.0", "Integrator")));
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.out, HasSubstr("note     not connected, so it keeps its start value: a.u"));
}

TEST(CheckSystem, FindsMissingFmus) {
  const Answer answer = check("[components.a]\nfmu = \"a.fmu\"\n[components.b]\nfmu = \"b.fmu\"\n");
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.out, HasSubstr("error    s.toml:1:13: component \"a\": "));
  EXPECT_THAT(answer.out, HasSubstr("component \"b\": "));
}

TEST(CheckSystem, FindsWhatIsWrongInTheFile) {
  const Answer answer = check("[simulation]\nstpo = 1\nstep = 0\n");
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.out, HasSubstr("s.toml:2:1: unknown key"));
  EXPECT_THAT(answer.out, HasSubstr("s.toml:3:8: simulation.step must be a positive number"));
  EXPECT_THAT(answer.out, HasSubstr(": 2 errors"));
}

TEST(CheckSystem, FindsValuesThatDoNotFit) {
  const Answer answer = check(
      fmt::format("[components.a]\nfmu = \"{}\"\nset = {{ z = 1 }}\n[components.b]\nfmu = "
                  "\"{}\"\nset = {{ int8_in = 300 }}\n[inputs.set]\nb.boolean_in = \"maybe\"\n",
                  fmu("2.0", "Integrator"), fmu("3.0", "Feedthrough")));
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.out, HasSubstr("there is no variable \"z\""));
  EXPECT_THAT(answer.out, HasSubstr("\"300\" is not a whole number from -128 to 127"));
  EXPECT_THAT(answer.out, HasSubstr("\"maybe\" is not a boolean"));
}

TEST(CheckSystem, LooksIntoTheInputFile) {
  const Workplace work;
  work.write("s.toml", ring("2.0", "[inputs]\nfile = \"in.csv\"\n"));
  EXPECT_THAT(work.tutti({"check", "s.toml"}).out, HasSubstr("inputs.file: "));
  work.write("in.csv", "time,a.u\n0,1\n");
  EXPECT_THAT(work.tutti({"check", "s.toml"}).out, HasSubstr("input \"a.u\" is driven twice"));
  work.write("in.csv", "time,a.v\n0,1\n");
  EXPECT_THAT(work.tutti({"check", "s.toml"}).out, HasSubstr("has no variable \"v\""));
  work.write("in.csv", "time\n1\n0\n");
  EXPECT_THAT(work.tutti({"check", "s.toml"}).out, HasSubstr("the time decreases"));
}

TEST(CheckSystem, FindsMethodsThatAnFmuCannotFollow) {
  const std::string newton = "[simulation]\nmethod = \"newton\"\n";
  EXPECT_EQ(check(ring("1.0-cs", newton)).status, 0) << "FMI 1.0 can repeat a step";
  EXPECT_EQ(check(ring("2.0", newton)).status, 0);
  const Answer me = check(ring("1.0-me", newton));
  EXPECT_EQ(me.status, 1);
  EXPECT_THAT(me.out, HasSubstr("component \"a\" (Integrator.fmu, FMI 1.0): method \"newton\" "
                                "repeats steps, but the FMU cannot save and restore its state "
                                "(FMI 1.0 model exchange has no such function)"));
  EXPECT_THAT(me.out, HasSubstr("Use method = \"jacobi\" or \"gauss-seidel\""));
  EXPECT_EQ(check(ring("1.0-me")).status, 0) << "gauss-seidel repeats nothing";
}

TEST(CheckSystem, FindsAnInterfaceThatIsNotThere) {
  const Answer answer = check(ring("1.0-cs"), {"--set", "components.b.as=me"});
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.out, HasSubstr("component \"b\" (Integrator.fmu) has no model-exchange"));
  EXPECT_THAT(answer.out, Not(HasSubstr("component \"a\"")));
}

TEST(CheckSystem, EndsWithTwoForAFileThatCannotBeRead) {
  const Workplace work;
  EXPECT_EQ(work.tutti({"check", "none.toml"}).status, 2);
  EXPECT_EQ(work.tutti({"check"}).status, 2);
}

TEST(CheckSystem, IsJsonForPrograms) {
  const Answer answer = check(ring("2.0"), {"--json"});
  EXPECT_EQ(nlohmann::json::parse(answer.out)["cycles"], 1);
}

TEST(CheckSystem, ListsTheKeys) {
  const Workplace work;
  const Answer answer = work.tutti({"check", "--keys"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.out, HasSubstr("simulation.tolerance.on-limit"));
}

}  // namespace
}  // namespace tutti::testing
