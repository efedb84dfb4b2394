// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tutti/error.hpp>

#include "formats/toml/read.hpp"

namespace tutti::formats {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

const Words toml_words{.methods = {"gauss-seidel", "iterated", "jacobi", "newton"},
                       .solvers = {"cvode", "euler"},
                       .controls = {"fixed", "convergence", "richardson", "predictor"},
                       .solver_options = {"maxord", "table"}};

System read(const std::string& text) { return read_toml(text, "car.toml", toml_words); }

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "nothing refused";
}

const std::string two = R"([components.chassis]
fmu = "chassis.fmu"
[components.wheel]
fmu = "wheel.fmu"
)";

TEST(Toml, ReadsTheSystemOfTheDesign) {
  const System s = read(R"(
[system]
name = "quarter car"

[components.chassis]
fmu = "chassis.fmu"
set = { m_c = 400.0 }

[components.wheel]
fmu = "wheel.fmu"
as  = "me"
solver = { name = "cvode", rtol = 1e-8 }

[connections]
list = [
  "chassis.x -> wheel.x_chassis",
  { from = "wheel.x", to = "chassis.x_wheel", factor = 2.0, offset = 1.0 },
]

[inputs]
file = "road.csv"

[simulation]
stop = 1.0
step = 1e-3
method = "gauss-seidel"
tolerance = { abs = 1e-7, rel = 1e-5, iterations = 30, on-limit = "continue", norm = "components" }
relaxation = 0.5
threads = 2

[simulation.inputs]
inside = "linear"
order = 0
derivatives = "auto"
smooth = false
correct = false

[simulation.control]
name = "fixed"
variant = "tutti"
atol = 1e-4
rtol = 1e-4
min = 1e-6
max = 0.1

[[cycles]]
of = ["chassis", "wheel"]
method = "newton"
order = ["wheel", "chassis"]

[results]
file = "results.csv"
variables = ["chassis.*", "wheel.x"]
interval = 1e-2
)");
  EXPECT_EQ(s.name, "quarter car");
  ASSERT_EQ(s.components.size(), 2u);
  EXPECT_EQ(s.components[0].name, "chassis");
  EXPECT_THAT(s.components[0].set, ElementsAre(Pair("m_c", "400")));
  EXPECT_EQ(s.components[1].as, FmuKind::model_exchange);
  EXPECT_EQ(s.components[1].solver.rtol, 1e-8);
  EXPECT_EQ(s.components[1].place.line, 9u);
  ASSERT_EQ(s.connections.size(), 2u);
  EXPECT_EQ(s.connections[0].from.component, "chassis");
  EXPECT_EQ(s.connections[0].to.variable, "x_chassis");
  EXPECT_EQ(s.connections[0].place.line, 16u);
  EXPECT_EQ(s.connections[0].place.column, 3u);
  EXPECT_EQ(s.connections[1].factor, 2);
  EXPECT_EQ(s.connections[1].offset, 1);
  EXPECT_EQ(s.inputs.file, "road.csv");
  EXPECT_EQ(s.simulation.stop, 1);
  EXPECT_EQ(s.simulation.step, 1e-3);
  EXPECT_THAT(s.simulation.methods, ElementsAre("gauss-seidel"));
  EXPECT_EQ(s.simulation.tolerance.abs, 1e-7);
  EXPECT_EQ(s.simulation.tolerance.rel, 1e-5);
  EXPECT_EQ(s.simulation.tolerance.iterations, 30u);
  EXPECT_EQ(s.simulation.tolerance.on_limit, OnLimit::go_on);
  EXPECT_EQ(s.simulation.tolerance.norm, Norm::components);
  EXPECT_EQ(s.simulation.relaxation, 0.5);
  EXPECT_EQ(s.simulation.threads, 2u);
  EXPECT_EQ(s.simulation.inputs.inside, InsideStep::linear);
  ASSERT_EQ(s.cycles.size(), 1u);
  EXPECT_THAT(s.cycles[0].of, ElementsAre("chassis", "wheel"));
  EXPECT_THAT(s.cycles[0].methods, ElementsAre("newton"));
  EXPECT_THAT(s.cycles[0].order, ElementsAre("wheel", "chassis"));
  EXPECT_EQ(s.results.file, "results.csv");
  EXPECT_THAT(s.results.variables, ElementsAre("chassis.*", "wheel.x"));
  EXPECT_EQ(s.results.interval, 1e-2);
}

TEST(Toml, KeepsTheComponentsInTheOrderOfTheFile) {
  const System s = read(
      "[components]\nz.fmu = \"z.fmu\"\na.fmu = \"a.fmu\"\n[components.m]\n"
      "fmu = \"m.fmu\"\n");
  ASSERT_EQ(s.components.size(), 3u);
  EXPECT_EQ(s.components[0].name, "z");
  EXPECT_EQ(s.components[1].name, "a");
  EXPECT_EQ(s.components[2].name, "m");
}

TEST(Toml, TakesANameAloneForItsTable) {
  const System s = read(
      "components.a = \"a.fmu\"\ncomponents.b = { fmu = \"b.fmu\", solver = "
      "\"euler\" }\nconnections = [\"a.y -> b.u\"]\n[simulation]\ncontrol = "
      "\"fixed\"\ntolerance = 1e-5\ninputs = \"linear\"\nrelaxation = "
      "\"aitken\"\nmethod = [\"iterated\", \"newton\"]\n");
  EXPECT_EQ(s.components[0].fmu, "a.fmu");
  EXPECT_EQ(s.components[1].solver.name, "euler");
  EXPECT_EQ(s.connections.size(), 1u);
  EXPECT_EQ(s.simulation.tolerance.abs, 1e-5);
  EXPECT_EQ(s.simulation.tolerance.rel, 1e-5);
  EXPECT_EQ(s.simulation.inputs.inside, InsideStep::linear);
  EXPECT_TRUE(s.simulation.aitken);
  EXPECT_THAT(s.simulation.methods, ElementsAre("iterated", "newton"));
}

TEST(Toml, TheLongestComponentNameThatFitsWins) {
  const System s = read(
      "[components]\na = \"a.fmu\"\n\"a.b\" = \"b.fmu\"\n[connections]\n"
      "list = [\"a.b.y[2] -> a.body.der(x)\"]\n");
  EXPECT_EQ(s.connections[0].from.component, "a.b");
  EXPECT_EQ(s.connections[0].from.variable, "y[2]");
  EXPECT_EQ(s.connections[0].to.component, "a");
  EXPECT_EQ(s.connections[0].to.variable, "body.der(x)");
}

TEST(Toml, ReadsConnectionsOfWholeComponents) {
  const System s = read(R"([components]
"a" = "1.fmu"
"a.b" = "2.fmu"
c = "3.fmu"
[connections]
list = ["a -> c", "a.* -> c.in_*", "a.b -> c.v", { from = "c", to = "a.b.*" }]
)");
  EXPECT_EQ(s.connections[0].from, (Endpoint{"a", ""}));
  EXPECT_EQ(s.connections[0].to, (Endpoint{"c", ""}));
  EXPECT_EQ(s.connections[1].from, (Endpoint{"a", "*"}));
  EXPECT_EQ(s.connections[2].from, (Endpoint{"a", "b"})) << "a variable wins over a component";
  EXPECT_EQ(s.connections[3].to, (Endpoint{"a.b", "*"}));
}

TEST(Toml, ReadsValuesOfEveryType) {
  const System s = read(
      "[components.a]\nfmu = \"a.fmu\"\n[components.a.set]\nn = 3\nx = 0.1\n"
      "on = true\nmode = \"high\"\nbody.mass = 2.5\nv = [1, 2.5, 3]\n"
      "A = [[1, 2], [3, 4]]\nwords = [\"a b\", \"c\"]\n");
  EXPECT_THAT(s.components[0].set,
              ElementsAre(Pair("n", "3"), Pair("x", "0.1"), Pair("on", "true"),
                          Pair("mode", "high"), Pair("body.mass", "2.5"), Pair("v", "1 2.5 3"),
                          Pair("A", "1 2 3 4"), Pair("words[1]", "a b"), Pair("words[2]", "c")));
}

TEST(Toml, ReadsConstantInputs) {
  const System s = read(two + "[inputs.set]\nwheel.u = 1.5\n\"chassis.v[1]\" = 2\n");
  ASSERT_EQ(s.inputs.constants.size(), 2u);
  EXPECT_EQ(s.inputs.constants[0].first.component, "wheel");
  EXPECT_EQ(s.inputs.constants[0].first.variable, "u");
  EXPECT_EQ(s.inputs.constants[0].second, "1.5");
  EXPECT_EQ(s.inputs.constants[1].first.variable, "v[1]");
}

TEST(Toml, SaysWhereTheSyntaxIsWrong) {
  EXPECT_THAT(refusal("[components\n"), HasSubstr("car.toml:1:"));
  EXPECT_THAT(refusal(two + "[components.wheel]\nfmu = \"x.fmu\"\n"), HasSubstr("car.toml:5:"));
}

TEST(Toml, RefusesWhatIsNoTomlAtAll) {
  for (const char* text :
       {"a = \u00e9", "\u00b5 = 1", "a = {,}", "a.=1", "[]", "\xff\xfe", "a = {b=1,]}"})
    EXPECT_THAT(refusal(text), HasSubstr("car.toml:")) << text;
}

TEST(Toml, RefusesNestingThatNoStackHolds) {
  std::string name = "a";
  for (int i = 0; i < 200'000; ++i) name += ".a";
  EXPECT_THAT(refusal("# \" . .\n" + name + " = 1\n"), HasSubstr("car.toml:2: a name of more"));
  EXPECT_THAT(refusal("x = " + std::string(200'000, '[')), HasSubstr("nested"));
  // Not in texts and numbers, and not from one name to the next.
  std::string list = "list = [";
  for (int i = 0; i < 100; ++i) list += "\"a.y -> a.b.c.d.u\", ";
  read("components.a = \"" + std::string(100, '.') + "\"\n[connections]\n" + list + "]\n");
}

TEST(Toml, OffersTheNearestKnownKey) {
  EXPECT_THAT(refusal("[simulation]\nstpo = 1\n"),
              HasSubstr("car.toml:2:1: unknown key \"simulation.stpo\". Did you mean \"stop\"?"));
  EXPECT_THAT(refusal("[simulaton]\nstop = 1\n"), HasSubstr("Did you mean \"simulation\"?"));
  EXPECT_THAT(refusal("[components.a]\nfmu = \"a.fmu\"\nsolver = { rtoll = 1 }\n"),
              HasSubstr("car.toml:3:12: unknown key \"components.a.solver.rtoll\". Did you mean "
                        "\"rtol\"?"));
}

TEST(Toml, RefusesValuesOfTheWrongType) {
  EXPECT_THAT(refusal("[simulation]\nstep = \"fast\"\n"),
              HasSubstr("car.toml:2:8: simulation.step must be a number, not the string \"fast\""));
  EXPECT_THAT(refusal("[simulation]\nthreads = 1.5\n"), HasSubstr("a positive integer"));
  EXPECT_THAT(refusal("[simulation]\nstart = nan\n"), HasSubstr("start must be finite, not nan"));
  EXPECT_THAT(refusal("[simulation]\nstop = inf\n"), HasSubstr("stop must be finite, not inf"));
  EXPECT_THAT(refusal("[simulation]\nthreads = 2000000000\n"),
              HasSubstr("simulation.threads = 2000000000 is too large: at most 1000000000"));
  EXPECT_THAT(refusal("[components]\na = 3\n"), HasSubstr("components.a.fmu must be a string"));
  EXPECT_THAT(refusal("simulation = 3\n"), HasSubstr("simulation must be a table"));
  EXPECT_THAT(refusal("[cycles]\nof = [\"a\"]\n"), HasSubstr("cycles must be a list"));
  EXPECT_THAT(refusal("connections.list = [3]\n"), HasSubstr("must be a string"));
  EXPECT_THAT(refusal("[results]\nfile = 2026-01-01\n"), HasSubstr("not 2026-01-01"));
}

TEST(Toml, RefusesStepsThatLeadNowhere) {
  EXPECT_THAT(
      refusal("[simulation]\nstep = 0\n"),
      HasSubstr("car.toml:2:8: simulation.step must be a positive number, not the number 0"));
  EXPECT_THAT(refusal("[simulation]\nstep = -0.1\n"), HasSubstr("must be a positive number"));
  EXPECT_THAT(refusal("[simulation]\nstart = 1\nstop = 1\n"),
              HasSubstr("car.toml:3:8: simulation.stop = 1 is not after simulation.start = 1"));
}

TEST(Toml, KnowsTheNamesOfMethodsAndSolvers) {
  EXPECT_THAT(refusal("[simulation]\nmethod = \"gauss-siedel\"\n"),
              HasSubstr("car.toml:2:10: unknown coupling method \"gauss-siedel\". Did you mean "
                        "\"gauss-seidel\"? Expected one of: \"gauss-seidel\", \"iterated\""));
  EXPECT_THAT(refusal("[simulation]\nmethod = [\"jacobi\", \"nwton\"]\n"),
              HasSubstr("car.toml:2:21: unknown coupling method"));
  EXPECT_THAT(refusal("[components.a]\nfmu = \"a.fmu\"\nsolver = \"cvod\"\n"),
              HasSubstr("unknown solver \"cvod\". Did you mean \"cvode\"?"));
}

TEST(Toml, NamesUnknownComponents) {
  EXPECT_THAT(refusal(two + "[connections]\nlist = [\"chasis.x -> wheel.u\"]\n"),
              HasSubstr("car.toml:6:9: connection \"chasis.x -> wheel.u\": there is no component "
                        "\"chasis\". Did you mean \"chassis\"?"));
  EXPECT_THAT(refusal(two + "[connections]\nlist = [\"chassis.x wheel.u\"]\n"),
              HasSubstr("is not of the form"));
  EXPECT_THAT(refusal(two + "[connections]\nlist = [{ from = \"chasis\", to = \"wheel\" }]\n"),
              HasSubstr("there is no component \"chasis\". Did you mean \"chassis\"?"));
  EXPECT_THAT(refusal(two + "[[delays]]\nfrom = \"chassis\"\nto = \"wheel.u\"\ndelay = 1\n"),
              HasSubstr("\"chassis\" is not of the form component.variable"));
  EXPECT_THAT(refusal(two + "[[cycles]]\nof = [\"whel\"]\n"), HasSubstr("Did you mean \"wheel\"?"));
  EXPECT_THAT(refusal(two + "[inputs.set]\nwhel.u = 1\n"), HasSubstr("Did you mean \"wheel\"?"));
}

TEST(Toml, SaysWhatIsMissing) {
  EXPECT_THAT(refusal("[components.a]\nas = \"cs\"\n"),
              HasSubstr("component \"a\" lacks the key \"fmu\""));
  EXPECT_THAT(refusal(two + "[connections]\nlist = [{ from = \"wheel.x\" }]\n"),
              HasSubstr("lacks the key \"to\""));
}

TEST(Toml, RefusesWhatIsNotThereYetAndTakesItsDefaults) {
  EXPECT_THAT(refusal("[simulation]\nmethod = [\"auto\", \"newton\"]\n"),
              HasSubstr("\"auto\" is allowed only for the whole system and alone"));
  EXPECT_THAT(refusal("[simulation]\nmethod = \"atuo\"\n"), HasSubstr("Did you mean \"auto\"?"));
  EXPECT_THAT(refusal("[[clusters]]\nof = [\"a\"]\n"), HasSubstr("there is no component \"a\""));
}

TEST(Toml, ReadsHowInputsBehaveInsideAStep) {
  const InputSettings inputs =
      read(two +
           "[simulation.inputs]\norder = 2\nderivatives = \"fmu\"\nsmooth = true\n"
           "correct = true\n")
          .simulation.inputs;
  EXPECT_EQ(inputs.order, 2u);
  EXPECT_EQ(inputs.derivatives, DerivativeSource::fmu);
  EXPECT_TRUE(inputs.smooth);
  EXPECT_EQ(inputs.correct, Correction::linear);
  EXPECT_THAT(
      refusal("[simulation.inputs]\norder = 3\n"),
      HasSubstr("car.toml:2:9: simulation.inputs.order must be 0, 1 or 2, not the number 3"));
  EXPECT_THAT(refusal("[simulation.inputs]\ncorrect = \"linaer\"\n"), HasSubstr("\"linear\""));
}

TEST(Toml, TellsAllThatIsWrongAtOnce) {
  const std::string all = refusal("[simulation]\nstep = 0\nstpo = 1\nmethod = \"x\"\n");
  EXPECT_THAT(all, HasSubstr("car.toml:2:"));
  EXPECT_THAT(all, HasSubstr("car.toml:3:"));
  EXPECT_THAT(all, HasSubstr("car.toml:4:"));
}

TEST(Toml, ReadsOptionsOfASolverAmongItsKeysToo) {
  const System s = read(two + R"(
[components.wheel.solver]
name = "euler"
maxord = 3
maxh = 0.5
inith = 1e-3
options = { table = "heun", stab = true, safe = 0.8 }
)");
  const SolverSettings& solver = s.components[1].solver;
  EXPECT_EQ(solver.max_step, 0.5);
  EXPECT_EQ(solver.first_step, 1e-3);
  EXPECT_THAT(solver.options,
              ElementsAre(Pair("maxord", SolverOption(std::int64_t{3})),
                          Pair("safe", SolverOption(0.8)), Pair("stab", SolverOption(true)),
                          Pair("table", SolverOption(std::string("heun")))));
}

TEST(Toml, NamesTheOptionsOfSolversWhereAKeyIsUnknown) {
  const std::string text = refusal(two + "solver = { maxorder = 3 }\n");
  EXPECT_THAT(text, HasSubstr("unknown key \"components.wheel.solver.maxorder\". Did you mean "
                              "\"maxord\"?"));
  EXPECT_THAT(text, HasSubstr("`tutti solvers NAME` lists the options"));
  EXPECT_THAT(refusal(two + "solver = { options = { maxord = [1] } }\n"),
              HasSubstr("components.wheel.solver.options.maxord must be a number, a boolean or a "
                        "string, not a list"));
  EXPECT_THAT(refusal(two + "solver = { options = 3 }\n"),
              HasSubstr("components.wheel.solver.options must be a table"));
}

TEST(Assign, SetsOptionsOfSolvers) {
  System s = read(two);
  assign(s, "components.wheel.solver.options.maxord=3", toml_words);
  assign(s, "components.wheel.solver.maxh=0.5", toml_words);
  assign(s, "components.wheel.solver.table=heun", toml_words);
  const SolverSettings& solver = s.components[1].solver;
  EXPECT_THAT(solver.options, ElementsAre(Pair("maxord", SolverOption(std::int64_t{3})),
                                          Pair("table", SolverOption(std::string("heun")))));
  EXPECT_EQ(solver.max_step, 0.5);
}

TEST(Assign, SetsVariablesOfComponentsFirstAndKeysSecond) {
  System s = read(two + "[components.simulation]\nfmu = \"s.fmu\"\nset = { step = 1 }\n");
  assign(s, "wheel.m=3", toml_words);
  assign(s, "simulation.step=4", toml_words);
  EXPECT_THAT(s.components[1].set, ElementsAre(Pair("m", "3")));
  EXPECT_THAT(s.components[2].set, ElementsAre(Pair("step", "4")));
  EXPECT_FALSE(s.simulation.step);
}

TEST(Assign, SetsAnyKey) {
  System s = read(two);
  assign(s, "simulation.method=newton", toml_words);
  assign(s, "simulation.tolerance.abs = 1e-9", toml_words);
  assign(s, "simulation.relaxation=aitken", toml_words);
  assign(s, "components.wheel.as=me", toml_words);
  assign(s, "components.wheel.solver=euler", toml_words);
  assign(s, "results.file=x.csv", toml_words);
  assign(s, "results.variables=[\"wheel.*\", \"chassis.x\"]", toml_words);
  assign(s, "inputs.set.wheel.u=2", toml_words);
  EXPECT_THAT(s.simulation.methods, ElementsAre("newton"));
  EXPECT_EQ(s.simulation.tolerance.abs, 1e-9);
  EXPECT_TRUE(s.simulation.aitken);
  EXPECT_EQ(s.components[1].as, FmuKind::model_exchange);
  EXPECT_EQ(s.components[1].solver.name, "euler");
  EXPECT_EQ(s.components[1].fmu, "wheel.fmu");
  EXPECT_EQ(s.results.file, "x.csv");
  EXPECT_EQ(s.results.variables.size(), 2u);
  ASSERT_EQ(s.inputs.constants.size(), 1u);
  EXPECT_EQ(s.inputs.constants[0].second, "2");
}

TEST(Assign, RefusesWithTheSameWords) {
  System s = read(two);
  const auto refused = [&](const std::string& assignment) -> std::string {
    try {
      assign(s, assignment, toml_words);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing refused";
  };
  EXPECT_THAT(refused("simulation.step=0"),
              HasSubstr("cannot set \"simulation.step\" to \"0\": simulation.step must be"));
  EXPECT_THAT(refused("simulation.stpo=1"), HasSubstr("Did you mean \"stop\"?"));
  EXPECT_THAT(refused("whel.m=1"), HasSubstr("unknown key \"whel\""));
  EXPECT_THAT(refused("components.whel.as=me"), HasSubstr("Did you mean \"wheel\"?"));
  EXPECT_THAT(refused("step"), HasSubstr("NAME=VALUE"));
  EXPECT_EQ(s.components.size(), 2u);
}

TEST(Toml, ReadsTimedActions) {
  System s = read(two + R"([[actions]]
at = 1
set = { wheel.road = 0.5, "wheel.names" = ["a b", "c"], chassis.on = true }
[[actions]]
at = 0.25
[actions.set]
"wheel.A[1,2]" = 3
"chassis.mode" = "fast"
)");
  ASSERT_EQ(s.actions.size(), 2u);
  EXPECT_EQ(s.actions[0].at, 1);
  EXPECT_EQ(s.actions[0].place.line, 5u);
  EXPECT_THAT(s.actions[0].set, ElementsAre(Pair(Endpoint{"wheel", "road"}, "0.5"),
                                            Pair(Endpoint{"wheel", "names[1]"}, "a b"),
                                            Pair(Endpoint{"wheel", "names[2]"}, "c"),
                                            Pair(Endpoint{"chassis", "on"}, "true")));
  EXPECT_THAT(s.actions[1].set, ElementsAre(Pair(Endpoint{"wheel", "A[1,2]"}, "3"),
                                            Pair(Endpoint{"chassis", "mode"}, "fast")));
  assign(s, "actions.2.at=3", toml_words);
  assign(s, "actions.1.set.wheel.road=0.75", toml_words);
  assign(s, "actions.1.set.wheel.k=2", toml_words);
  assign(s, "actions=[{ at = 4, set = { \"wheel.k\" = 5 } }]", toml_words);
  EXPECT_EQ(s.actions[1].at, 3);
  EXPECT_EQ(s.actions[0].set.size(), 5u);
  EXPECT_EQ(s.actions[0].set.front().second, "0.75");
  EXPECT_EQ(s.actions.at(2).at, 4);
  EXPECT_THAT([&] { assign(s, "actions.4.at=1", toml_words); },
              ::testing::ThrowsMessage<Error>(HasSubstr("Entries are numbered from 1 to 3")));
}

TEST(Toml, RefusesTimedActionsWithoutSense) {
  const auto of_action = [](const std::string& rest) {
    return refusal(two + "[[actions]]\n" + rest + "\n");
  };
  EXPECT_THAT(of_action("at = 1"), HasSubstr("an entry of actions lacks the key \"set\""));
  EXPECT_THAT(of_action("set = { wheel.a = 1 }"), HasSubstr("lacks the key \"at\""));
  EXPECT_THAT(of_action("at = \"1\"\nset = { wheel.a = 1 }"),
              HasSubstr("car.toml:6:6: actions.at must be a number, not the string \"1\""));
  EXPECT_THAT(of_action("at = 1\nset = 3"),
              HasSubstr("car.toml:7:7: actions.set must be a table of names and values"));
  EXPECT_THAT(of_action("at = 1\nset = {}"), HasSubstr("actions.set is empty"));
  EXPECT_THAT(of_action("at = 1\nset = { whel.a = 1 }"), HasSubstr("Did you mean \"wheel\"?"));
  EXPECT_THAT(of_action("at = 1\nset = { \"wheel.a\" = 1, wheel.a = 2 }"),
              HasSubstr("sets \"wheel.a\" twice"));
  EXPECT_THAT(of_action("at = 1\nsett = { wheel.a = 1 }"), HasSubstr("Did you mean \"set\"?"));
  EXPECT_THAT(refusal(two + "actions = 3\n"), HasSubstr("unknown key"));
}

}  // namespace
}  // namespace tutti::formats
