// SPDX-License-Identifier: BSD-2-Clause
// What is wrong with a system file: `tutti run` refuses it with status 2 before anything runs,
// `tutti check` finds it with status 1, and both say what, where and what to try.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

/// Components of the FMUs named, and what follows them.
std::string two(const std::string& a, const std::string& b, const std::string& rest,
                const std::string& version = "2.0", const std::string& set_in_a = "") {
  return fmt::format(
      "[components.a]\nfmu = \"{}\"\nset = {{ {} }}\n[components.b]\nfmu = \"{}\"\n{}",
      fmu(version, a), set_in_a, fmu(version, b), rest);
}
/// The connections begin in line 7.
std::string connected(const std::string& a, const std::string& b, const std::string& connections,
                      const std::string& version = "2.0", const std::string& set_in_a = "") {
  return two(a, b, "[connections]\nlist = [" + connections + "]\n", version, set_in_a);
}
std::string gains(const std::string& rest) { return two("Gain", "Gain", rest); }
std::string types(const std::string& connections, const std::string& version = "2.0") {
  return connected("Feedthrough", "Feedthrough", connections, version);
}
const std::string loop_text = "[connections]\nlist = [\"a.y -> b.u\", \"b.y -> a.u\"]\n";

struct BadSystem {
  const char* name;
  std::string text;
  std::vector<const char*> words;
};

std::vector<BadSystem> bad_systems() {
  return {
      {"UnknownComponent",
       connected("Gain", "Gain", "\"a.y -> bb.u\""),
       {"s.toml:7:9:", "\"a.y -> bb.u\"", "there is no component \"bb\"", "Did you mean \"b\"?"}},
      {"UnknownComponentInTheLongForm",
       connected("Gain", "Gain", "{ from = \"aa.y\", to = \"b.u\" }"),
       {"s.toml:7:18:", "there is no component \"aa\"", "Did you mean \"a\"?"}},
      {"UnknownOutput",
       connected("Gain", "Gain", "\"a.yy -> b.u\""),
       {"s.toml:7:9:", "component \"a\" (Gain.fmu)", "no variable \"yy\"", "Did you mean \"y\"?"}},
      {"UnknownInput",
       connected("Gain", "Gain", "\"a.y -> b.uu\""),
       {"s.toml:7:9:", "component \"b\" (Gain.fmu)", "no variable \"uu\"", "Did you mean \"u\"?"}},
      {"NoConnection",
       connected("Gain", "Gain", "\"a.y b.u\""),
       {"s.toml:7:9:", "\"component.output -> component.input\""}},
      {"TwoDrivers",
       connected("Gain", "Gain", "\"a.y -> b.u\", \"b.y -> b.u\""),
       {"s.toml:7:23:", "input \"b.u\" is driven twice", "by \"a.y\" (s.toml:7:9)", "by \"b.y\""}},
      {"AConnectionAndAConstant",
       connected("Gain", "Gain", "\"a.y -> b.u\"") + "[inputs.set]\n\"b.u\" = 1.0\n",
       {"input \"b.u\" is driven twice", "s.toml:7:9", "[inputs.set]", "one source"}},
      {"AnActionOnAConnectedInput",
       connected("Gain", "Gain", "\"a.y -> b.u\"") + "[[actions]]\nat = 0.5\nset = { b.u = 1.0 }\n",
       {"s.toml:8:1:", "\"b.u\" cannot be set: a connection or a table drives it"}},
      {"AnActionOnAFixedParameter",
       gains("[[actions]]\nat = 0.5\nset = { b.k = 1.0 }\n"),
       {"s.toml:6:1:", "it is a fixed parameter", "FMI 2.0, 2.2.7", "Set it in components.b.set"}},
      {"AnActionOnNoVariable",
       gains("[[actions]]\nat = 0.5\nset = { b.uu = 1.0 }\n"),
       {"s.toml:6:1:", "no variable \"uu\"", "Did you mean \"u\"?"}},
      {"AnActionWithAnotherType",
       gains("[[actions]]\nat = 0.5\nset = { b.u = \"red\" }\n"),
       {"s.toml:6:1:", "cannot set \"b.u\" to \"red\""}},
      {"AnActionBeforeTheStart",
       gains("[[actions]]\nat = -0.5\nset = { b.u = 1.0 }\n"),
       {"s.toml:6:1:", "actions.1: at = -0.5 s is before the start time, 0 s"}},
      {"ActionsThatContradict",
       gains("[[actions]]\nat = 0.5\nset = { b.u = 1.0 }\n"
             "[[actions]]\nat = 0.5\nset = { b.u = 2.0 }\n"),
       {"s.toml:9:1:", "actions.2: \"b.u\" is already set at t = 0.5 s by actions.1"}},
      {"OutputToOutput",
       connected("Gain", "Gain", "\"a.y -> b.y\""),
       {"s.toml:7:9:", "\"y\" is not an input: its causality is \"output\"", "Only inputs"}},
      {"InputToInput",
       connected("Gain", "Gain", "\"a.u -> b.u\""),
       {"s.toml:7:9:", "\"u\" is an input", "connect both to the output that feeds it"}},
      {"AParameterAsTarget",
       connected("Gain", "Gain", "\"a.y -> b.k\""),
       {"s.toml:7:9:", "\"parameter\"", "Give it a value under \"set\""}},
      {"UnitsOfOtherQuantities",
       connected("Thermostat", "Kelvin", "\"a.P -> b.u\""),
       {"s.toml:7:9:", "unit \"W\"", "\"degC\"", "measure different quantities", "same quantity"}},
      {"ANumberForABoolean",
       types("\"a.real_out -> b.boolean_in\""),
       {"s.toml:7:9:", "type Float64 cannot go into", "Boolean", "of one type"}},
      {"ATextForANumber",
       types("\"a.string_out -> b.real_in\""),
       {"type String cannot go into", "Float64", "of one type"}},
      {"NarrowingToAWholeNumber",
       types("\"a.real_out -> b.int32_in\""),
       {"type Float64 does not always fit into", "Int32", "the input can hold"}},
      {"NarrowingOfAWholeNumber",
       types("\"a.int32_out -> b.int8_in\"", "3.0"),
       {"type Int32 does not always fit into", "Int8"}},
      {"AFactorForABoolean",
       types("{ from = \"a.boolean_out\", to = \"b.boolean_in\", factor = 2.0 }"),
       {"s.toml:7:9:", "factor and offset are for real values", "Boolean"}},
      {"ArraysOfOtherSizes",
       connected("StateSpace", "StateSpace", "\"a.y -> b.u\"", "3.0", "r = 2"),
       {"s.toml:7:9:", "array of 2", "array of 3", "\"y[1]\"", "the same size"}},
      {"AnArrayForAScalar",
       connected("StateSpace", "Gain", "\"a.y -> b.u\"", "3.0"),
       {"array of 3", "a scalar", "Connect single elements, as \"y[1]\""}},
      {"AMatrixForAScalar",
       types("\"a.matrix_out -> b.real_in\"", "3.0"),
       {"array of 2 x 2", "a scalar", "Connect single elements, as \"matrix_out[1,1]\""}},
      {"AnElementAsInOtherLanguages",
       types("\"a.matrix_out[0][0] -> b.real_in\"", "3.0"),
       {"no element \"matrix_out[0][0]\"", "2 x 2", "start at 1, as in \"matrix_out[1,1]\""}},
      {"AnElementThatIsNotThere",
       connected("StateSpace", "Gain", "\"a.y[4] -> b.u\"", "3.0"),
       {"no element \"y[4]\"", "the array is 3", "indices start at 1"}},
      {"MissingFmu",
       "[components.a]\nfmu = \"none.fmu\"\n",
       {"s.toml:1:13:", "component \"a\"", "there is no file \"none.fmu\""}},
      {"NoFmu",
       "[components.a]\nfmu = \"s.toml\"\n",
       {"s.toml:1:13:", "component \"a\"", "\"s.toml\" is not an FMU", "not a zip file"}},
      {"NoFmuNamed", "[components.a]\nas = \"cs\"\n", {"s.toml:1:13:", "lacks the key \"fmu\""}},
      {"NoToml", "[components.a\nfmu = 1\n", {"s.toml:1:14:", "expected ']'"}},
      {"NoComponents", "[simulation]\nstop = 1.0\n", {"the system has no components"}},
      {"MissingTable",
       gains("[inputs]\nfile = \"none.csv\"\n"),
       {"s.toml:7:8:", "inputs.file", "cannot read \"none.csv\""}},
      {"UnknownParameter",
       two("Gain", "Gain", "", "2.0", "kk = 1.0"),
       {"s.toml:1:13:", "component \"a\"", "no variable \"kk\"", "Did you mean \"k\"?"}},
      {"StepZero",
       gains("[simulation]\nstep = 0.0\n"),
       {"s.toml:7:8:", "simulation.step must be a positive number"}},
      {"StepNegative",
       gains("[simulation]\nstep = -1.0\n"),
       {"s.toml:7:8:", "simulation.step must be a positive number", "-1"}},
      {"StepOfWords",
       gains("[simulation]\nstep = \"fast\"\n"),
       {"s.toml:7:8:", "must be a number, not the string \"fast\""}},
      {"StopBeforeStart",
       gains("[simulation]\nstart = 2.0\nstop = 1.0\n"),
       {"s.toml:8:8:", "simulation.stop = 1 is not after simulation.start = 2"}},
      {"StopBeforeTheDefaultStart",
       gains("[simulation]\nstop = -1.0\n"),
       {"simulation.stop = -1 is not after simulation.start = 0, the default"}},
      {"IntervalBetweenSteps",
       gains("[simulation]\nstep = 0.1\n[results]\ninterval = 0.25\n"),
       {"0.25 is not a multiple of the step 0.1", "Try 0.2 or 0.3."}},
      {"NothingToRecord",
       gains("[results]\nvariables = [\"a.z\"]\n"),
       {"results.variables", "nothing matches \"a.z\"", "Did you mean"}},
      {"UnknownKey",
       gains("[simulation]\nstpe = 1.0\n"),
       {"s.toml:7:1:", "unknown key \"simulation.stpe\"", "Did you mean \"step\"?"}},
      {"UnknownSection",
       gains("[simluation]\nstep = 1.0\n"),
       {"s.toml:6:2:", "unknown key \"simluation\"", "Did you mean \"simulation\"?"}},
      {"UnknownMethod",
       gains("[simulation]\nmethod = \"gauss-siedel\"\n"),
       {"s.toml:7:10:", "unknown coupling method \"gauss-siedel\"", "\"gauss-seidel\"?",
        "\"jacobi\""}},
      {"CycleThatIsNone",
       connected("Gain", "Gain", "\"a.y -> b.u\"") + "[[cycles]]\nof = [\"a\", \"b\"]\n",
       {"s.toml:8:1:", "of = [a, b]", "this is not a cycle"}},
      {"CycleOfOtherComponents",
       gains(loop_text + "[[cycles]]\nof = [\"a\"]\n"),
       {"s.toml:8:1:", "only a part of the cycle {a, b}", "name all of it"}},
      {"CycleOfUnknownComponents",
       gains(loop_text + "[[cycles]]\nof = [\"a\", \"bb\"]\n"),
       {"s.toml:9:12:", "no component \"bb\"", "Did you mean \"b\"?"}},
      {"CycleWithHalfAnOrder",
       gains(loop_text + "[[cycles]]\nof = [\"a\", \"b\"]\norder = [\"a\"]\n"),
       {"s.toml:8:1:", "order must name each component of {a, b} once"}},
      {"ShrinkingByMore",
       gains("[simulation.control]\nshrink = 2.0\n"),
       {"simulation.control.shrink = 2 must be below 1"}},
      {"NoErrorAtAll",
       gains("[simulation.control]\nname = \"richardson\"\natol = 0.0\nrtol = 0.0\n"),
       {"simulation.control: atol and rtol must not both be 0"}},
      {"StepThatDoesNotDivide",
       gains("[simulation]\nstep = 0.1\n[components.c]\nfmu = \"" + fmu("2.0", "Gain") +
             "\"\nstep = 0.03\n"),
       {"components.c.step = 0.03 s", "0.1 s is not an integer multiple"}},
      {"StatesThatCannotBeSaved",
       two("Gain", "Gain", "[simulation]\nsave-states = \"always\"\n", "1.0-cs"),
       {"simulation.save-states: component \"a\" cannot save and restore its state"}},
      {"OnceIsTwice",
       two("faulty_once_per_process", "faulty_once_per_process", ""),
       {"components \"a\" and \"b\"", "only once", "canBeInstantiatedOnlyOncePerProcess"}},
      {"NoWayBack",
       two("Gain", "Gain", loop_text + "[simulation]\nmethod = \"newton\"\n", "1.0-cs"),
       {"s.toml:1:13:", "component \"a\" (Gain.fmu, FMI 1.0)", "method \"newton\" repeats steps",
        "cannot repeat a step", "Use method = \"jacobi\" or \"gauss-seidel\""}},
  };
}

class EveryBadSystem : public ::testing::TestWithParam<BadSystem> {};
INSTANTIATE_TEST_SUITE_P(Cli, EveryBadSystem, ::testing::ValuesIn(bad_systems()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(EveryBadSystem, IsRefusedInWordsThatHelp) {
  const Workplace work;
  work.write("s.toml", GetParam().text);
  const Answer run = work.tutti({"run", "s.toml", "-o", "r.csv"});
  EXPECT_EQ(run.status, 2) << run.err;
  const Answer check = work.tutti({"check", "s.toml"});
  EXPECT_EQ(check.status, 1) << check.err;
  for (const char* word : GetParam().words) {
    EXPECT_THAT(run.err, HasSubstr(word));
    EXPECT_THAT(check.out, HasSubstr(word));
  }
  EXPECT_FALSE(std::filesystem::exists(work.path() / "r.csv")) << "nothing has run";
}

TEST(BadSystem, CannotBeReadAtAll) {
  const Workplace work;
  for (const char* command : {"run", "check", "graph"}) {
    const Answer answer = work.tutti({command, "none.toml"});
    EXPECT_EQ(answer.status, 2) << command;
    EXPECT_THAT(answer.err, HasSubstr("\"none.toml\"")) << command;
  }
  std::filesystem::create_directory(work.path() / "folder.toml");
  EXPECT_EQ(work.tutti({"run", "folder.toml"}).status, 2);
}

TEST(BadSystem, IsToldWithAllItsFaultsAtOnce) {
  const Workplace work;
  work.write("s.toml", connected("Gain", "Gain", "\"a.x -> b.u\", \"a.y -> b.v\""));
  const Answer answer = work.tutti({"run", "s.toml"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("no variable \"x\""));
  EXPECT_THAT(answer.err, HasSubstr("no variable \"v\""));
}

// The file stops at 1, so the first assignment alone would not do.
TEST(BadSystem, IsNotOneBetweenTwoAssignments) {
  const Workplace work;
  work.write("s.toml", gains("[simulation]\nstart = 0.0\nstop = 1.0\nstep = 0.5\n"));
  const Answer answer = work.tutti({"run", "s.toml", "--set", "simulation.start=2", "--set",
                                    "simulation.stop=3", "-o", "r.csv"});
  EXPECT_EQ(answer.status, 0) << answer.err;
}

}  // namespace
}  // namespace tutti::testing
