// SPDX-License-Identifier: BSD-2-Clause
// Components without an FMU of which something is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

struct BadComponent {
  const char* name;
  std::string keys;  ///< of the component "a"
  std::vector<const char*> words;
};

std::vector<BadComponent> bad_components() {
  return {
      {"UnknownType",
       "type = \"gian\"",
       {"s.toml:2:8:", "unknown type \"gian\". Did you mean \"gain\"?",
        "Expected one of: constant, delay,"}},
      {"TypeThatIsNoText", "type = 3", {"s.toml:2:8:", "components.a.type must be a string"}},
      {"TypeAndFmu",
       "type = \"gain\"\nfmu = \"a.fmu\"",
       {"s.toml:1:13:", "component \"a\"", "it has both fmu = \"a.fmu\" and type = \"gain\""}},
      {"NeitherTypeNorFmu", "step = 0.1", {"s.toml:1:13:", "lacks the key \"fmu\"", "or type"}},
      {"SettingOfAnotherType",
       "type = \"gain\"\ninputs = 3",
       {"s.toml:1:13:", "type \"gain\" has no setting \"inputs\"", "Its settings are unit"}},
      {"SettingOfAnFmu",
       "type = \"gain\"\nas = \"me\"",
       {"s.toml:1:13:", "\"as\" is for FMUs", "built-in type \"gain\""}},
      {"SettingWithoutType",
       "fmu = \"a.fmu\"\nfile = \"t.csv\"",
       {"s.toml:1:13:", "\"file\" is a setting of built-in components", "this one is an FMU"}},
      {"UnknownParameter",
       "type = \"gain\"\nset = { kk = 1.0 }",
       {"s.toml:1:13:", "component \"a\"", "no variable \"kk\"", "Did you mean \"k\"?"}},
      {"ParameterOfWords",
       "type = \"gain\"\nset = { k = \"two\" }",
       {"s.toml:1:13:", "component \"a\"", "\"k\"", "\"two\""}},
      {"SumOfNothing",
       "type = \"sum\"\ninputs = 0",
       {"s.toml:3:10:", "components.a.inputs must be a positive integer"}},
      {"SumOfTooMuch",
       "type = \"sum\"\ninputs = 100000",
       {"s.toml:1:13:", "inputs = 100000 must be between 1 and 10000"}},
      {"SumBeyondAllMemory",
       "type = \"sum\"\ninputs = 1000000000",
       {"s.toml:1:13:", "inputs = 1000000000 must be between 1 and 10000"}},
      {"StepAtNoTime",
       "type = \"step\"\nset = { start = nan }",
       {"s.toml:1:13:", "component \"a\"", "start = nan must be finite"}},
      {"PulseWithoutEnd",
       "type = \"pulse\"\nset = { start = -inf }",
       {"s.toml:1:13:", "component \"a\"", "start = -inf must be finite"}},
      {"NoDelay", "type = \"delay\"", {"s.toml:1:13:", "delay = 0 must be positive"}},
      {"NegativeDelay",
       "type = \"delay\"\nset = { delay = -0.1 }",
       {"s.toml:1:13:", "component \"a\"", "delay = -0.1 must be positive"}},
      {"RampWithoutDuration",
       "type = \"ramp\"\nset = { duration = 0.0 }",
       {"duration = 0 must be positive", "type \"step\""}},
      {"PulseWithoutPeriod",
       "type = \"pulse\"\nset = { period = -1.0 }",
       {"component \"a\"", "period = -1 must be positive"}},
      {"PulseOfFullWidth",
       "type = \"pulse\"\nset = { width = 1.0 }",
       {"width = 1 must be between 0 and 1"}},
      {"TableWithoutFile",
       "type = \"table\"",
       {"s.toml:1:13:", "component \"a\"", "type \"table\" needs a file"}},
      {"TableThatIsMissing",
       "type = \"table\"\nfile = \"none.csv\"",
       {"s.toml:1:13:", "component \"a\"", "cannot read \"none.csv\""}},
      {"TableOfTimeOnly",
       "type = \"table\"\nfile = \"time.csv\"",
       {"time.csv", "there is no column besides the time"}},
      {"TableWithoutRows",
       "type = \"table\"\nfile = \"empty.csv\"",
       {"empty.csv", "there are no rows"}},
      {"TableOfWords", "type = \"table\"\nfile = \"words.csv\"", {"words.csv:3", "two"}},
      {"TableThatGoesBack",
       "type = \"table\"\nfile = \"back.csv\"",
       {"back.csv:3", "the time decreases"}},
      {"TableOfNoInterpolation",
       "type = \"table\"\ninterpolation = \"cubic\"",
       {"s.toml:3:17:", "components.a.interpolation must be one of \"linear\", \"constant\""}},
      {"NoFormula",
       "type = \"expression\"",
       {"s.toml:1:13:", "type \"expression\" needs outputs", "outputs = { y = \"2*u\" }"}},
      {"FormulaThatIsWrong",
       "type = \"expression\"\noutputs = { y = \"2*sn(u)\" }",
       {"s.toml:1:13:", "component \"a\": outputs.y: formula \"2*sn(u)\", position 3",
        "unknown function \"sn\". Did you mean \"sin\"?"}},
      {"FormulaThatEnds",
       "type = \"expression\"\noutputs = { y = \"2*(u\" }",
       {"position 5: it ends where ) is expected"}},
      {"FormulaOfAnotherOutput",
       "type = \"expression\"\noutputs = { y = \"u\", z = \"2*y\" }",
       {"outputs.z: formula \"2*y\" uses the output \"y\""}},
      {"OutputNamedAsAFunction",
       "type = \"expression\"\noutputs = { sin = \"u\" }",
       {"no variable can have the name \"sin\""}},
      {"ParameterNamedTime",
       "type = \"expression\"\noutputs = { y = \"u\" }\nparameters = { time = 1.0 }",
       {"no variable can have the name \"time\""}},
      {"ParameterTwice",
       "type = \"expression\"\noutputs = { y = \"u\" }\nparameters = { y = 1.0 }",
       {"s.toml:1:13:", "component \"a\""}},
      {"ParameterThatIsNoNumber",
       "type = \"expression\"\noutputs = { y = \"u\" }\nparameters = { k = \"x\" }",
       {"s.toml:4:20:", "components.a.parameters.k must be a number"}},
      {"FormulaThatIsNoText",
       "type = \"expression\"\noutputs = { y = true }",
       {"s.toml:3:17:", "components.a.outputs.y must be a formula (in quotes)"}},
      {"OutputsThatAreNoTable",
       "type = \"expression\"\noutputs = \"u\"",
       {"s.toml:3:11:", "components.a.outputs must be a table of names and values"}},
      {"ConstantOfNoType",
       "type = \"constant\"\ndata-type = \"int\"",
       {"s.toml:3:13:", "components.a.data-type must be one of"}},
  };
}

class EveryBadComponent : public ::testing::TestWithParam<BadComponent> {};
INSTANTIATE_TEST_SUITE_P(Cli, EveryBadComponent, ::testing::ValuesIn(bad_components()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(EveryBadComponent, IsRefusedInWordsThatHelp) {
  const Workplace work;
  work.write("s.toml", "[components.a]\n" + GetParam().keys + "\n");
  work.write("time.csv", "time\n0\n");
  work.write("empty.csv", "time,x\n");
  work.write("words.csv", "time,x\n0,1\n1,two\n");
  work.write("back.csv", "time,x\n1,1\n0,2\n");
  const Answer run = work.tutti({"run", "s.toml", "-o", "r.csv"});
  EXPECT_EQ(run.status, 2) << run.err;
  const Answer check = work.tutti({"check", "s.toml"});
  EXPECT_EQ(check.status, 1) << check.err;
  for (const char* word : GetParam().words) {
    EXPECT_THAT(run.err, HasSubstr(word));
    EXPECT_THAT(check.out, HasSubstr(word));
  }
}

TEST(BadComponent, IsNotANumberInTheMiddleOfARun) {
  const Workplace work;
  work.write("s.toml",
             "[components.a]\ntype = \"expression\"\noutputs = { y = \"sqrt(0.5 - time)\" }\n"
             "[simulation]\nstop = 1.0\nstep = 0.1\n");
  const Answer run = work.tutti({"run", "s.toml", "-o", "r.csv"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("t = 0.6 s: \"y\" of component \"a\" is NaN"));
}

TEST(BadComponent, OfAnSspLacksItsAnnotation) {
  const Workplace work;
  work.write("s.ssd",
             "<ssd:SystemStructureDescription xmlns:ssd=\"http://ssp-standard.org/SSP1/"
             "SystemStructureDescription\" version=\"1.0\" name=\"s\"><ssd:System name=\"s\">"
             "<ssd:Elements><ssd:Component name=\"a\" type=\"application/x-tutti-component\" "
             "source=\"urn:org.tutti.component:gain\"/></ssd:Elements></ssd:System>"
             "</ssd:SystemStructureDescription>");
  const Answer run = work.tutti({"run", "s.ssd"});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("component \"a\" has no annotation org.tutti.component"));
}

}  // namespace
}  // namespace tutti::testing
