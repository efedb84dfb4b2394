// SPDX-License-Identifier: BSD-2-Clause
// Components without an FMU, in systems of nothing else.
#include "models/built_in/built_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <tutti/session.hpp>
#include <tutti/system_file.hpp>
#include <tutti/system_run.hpp>

#include "support/command.hpp"
#include "support/places.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

constexpr double pi = std::numbers::pi;

/// All that a run hands out.
struct Rows final : Observer {
  void begin(std::span<const Column> all) override {
    names.clear();
    for (const Column& column : all) {
      names.push_back(column.name);
      units.push_back(column.unit);
    }
    columns.assign(all.begin(), all.end());
    times.clear();
    values.clear();
  }
  void row(const Row& row) override {
    times.push_back(row.time);
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      values[names[i]].push_back(as_real(columns[i].type, row.cells[i]));
  }
  bool rewind(std::uint64_t) override {
    times.clear();
    values.clear();
    return true;
  }
  void finish() override {}

  const std::vector<double>& of(const std::string& name) {
    EXPECT_TRUE(values.contains(name)) << name;
    return values[name];
  }

  std::vector<Column> columns;
  std::vector<std::string> names, units;
  std::vector<double> times;
  std::map<std::string, std::vector<double>> values;
};

class BuiltIns : public ::testing::Test {
 protected:
  System system(const std::string& text) const { return read_system(place_.write("s.toml", text)); }
  static Rows run(const System& system, bool in_worker = false) {
    Rows rows;
    SystemRunOptions options;
    options.own_process = in_worker;
    const RunReport report = tutti::run(system, options, &rows, {});
    if (report.end.error) ADD_FAILURE() << report.end.error->what();
    return rows;
  }
  Rows run(const std::string& text) const { return run(system(text)); }

  Workplace place_;
};

constexpr const char* grid = "[simulation]\nstop = 1.0\nstep = 0.1\n";

TEST_F(BuiltIns, SmoothSourcesAreExactAtEveryTime) {
  Rows rows = run(std::string("[components.c]\ntype = \"constant\"\nunit = \"N\"\n"
                              "set = { value = 2.5 }\n"
                              "[components.s]\ntype = \"sine\"\n"
                              "set = { amplitude = 2.0, frequency = 0.7, phase = 0.3, "
                              "offset = 1.0 }\n"
                              "[components.r]\ntype = \"ramp\"\n"
                              "set = { height = 4.0, duration = 0.4, offset = -1.0, "
                              "start = 0.25 }\n") +
                  grid);
  ASSERT_EQ(rows.times.size(), 11u);
  for (std::size_t i = 0; i < rows.times.size(); ++i) {
    const double t = rows.times[i];
    EXPECT_EQ(rows.of("c.y")[i], 2.5);
    // Start and size of a step add up to its end within rounding.
    EXPECT_NEAR(rows.of("s.y")[i], 1 + 2 * std::sin(2 * pi * 0.7 * t + 0.3), 1e-14);
    EXPECT_NEAR(rows.of("r.y")[i], t < 0.25 ? -1 : t > 0.65 ? 3 : -1 + 10 * (t - 0.25), 1e-14);
  }
  EXPECT_EQ(rows.units[0], "N");
}

TEST_F(BuiltIns, ConstantsHaveFourTypes) {
  const System made = system(std::string("[components.i]\ntype = \"constant\"\n"
                                         "data-type = \"integer\"\nset = { value = 7 }\n"
                                         "[components.b]\ntype = \"constant\"\n"
                                         "data-type = \"boolean\"\nset = { value = true }\n"
                                         "[components.t]\ntype = \"constant\"\n"
                                         "data-type = \"string\"\nset = { value = \"red\" }\n") +
                             grid);
  Rows rows = run(made);
  EXPECT_EQ(rows.columns[0].type, Type::int32);
  EXPECT_EQ(rows.of("i.y").back(), 7);
  EXPECT_EQ(rows.columns[1].type, Type::boolean);
  EXPECT_EQ(rows.of("b.y").back(), 1);
  EXPECT_EQ(rows.columns[2].type, Type::string);
  Session session(made);
  const Handle y = session.find("t.y");
  session.initialize();
  EXPECT_EQ(session.value(y), Value("red"));
}

// A jump between the points of a fixed grid gets a point of its own, and the input of the component
// behind it jumps there, not a step before or after.
TEST_F(BuiltIns, AStepJumpsAtItsTime) {
  Rows rows = run(std::string("[components.s]\ntype = \"step\"\n"
                              "set = { height = 3.0, offset = 1.0, start = 0.25 }\n"
                              "[components.g]\ntype = \"gain\"\nset = { k = 2.0, offset = 0.5 }\n"
                              "[connections]\nlist = [\"s.y -> g.u\"]\n") +
                  grid);
  ASSERT_EQ(rows.times.size(), 13u);
  EXPECT_EQ(rows.times[3], 0.25);
  EXPECT_EQ(rows.times[4], 0.25);
  for (std::size_t i = 0; i < rows.times.size(); ++i) {
    EXPECT_EQ(rows.of("s.y")[i], i < 4 ? 1 : 4) << i;
    EXPECT_EQ(rows.of("g.y")[i], i < 4 ? 2.5 : 8.5) << i;
  }
}

TEST_F(BuiltIns, AJumpAtTheStartHasHappened) {
  Rows rows = run(std::string("[components.s]\ntype = \"step\"\n") + grid);
  EXPECT_EQ(rows.of("s.y").front(), 1);
  EXPECT_EQ(rows.times.size(), 11u);
}

// 0.3 and 0.1 are no binary fractions: the jumps are where start + n period rounds to.
TEST_F(BuiltIns, PulsesRiseAndFallAtTheirTimes) {
  Rows rows =
      run("[components.p]\ntype = \"pulse\"\n"
          "set = { height = 2.0, period = 0.3, width = 0.25, start = 0.1, offset = -1.0 }\n"
          "[simulation]\nstop = 3.0\nstep = 0.05\n");
  std::size_t jumps = 0;
  for (std::size_t i = 1; i < rows.times.size(); ++i) {
    const bool jumped = rows.of("p.y")[i] != rows.of("p.y")[i - 1];
    EXPECT_EQ(jumped, rows.times[i] == rows.times[i - 1]) << rows.times[i];
    if (!jumped) continue;
    const double expected =
        0.1 + 0.3 * static_cast<double>(jumps / 2) + (jumps % 2 == 1 ? 0.075 : 0);
    EXPECT_NEAR(rows.times[i], expected, 1e-12);
    EXPECT_EQ(rows.of("p.y")[i], jumps % 2 == 0 ? 1 : -1);
    ++jumps;
  }
  EXPECT_EQ(jumps, 20u);  // the tenth pulse starts at 2.8
}

TEST_F(BuiltIns, TablesAreInterpolatedOrHold) {
  place_.write("t.csv", "time,a,b [m]\n0.2,1,10\n0.4,3,20\n0.55,3,5\n0.55,7,5\n0.8,2,5\n");
  const std::string two =
      "[components.l]\ntype = \"table\"\nfile = \"t.csv\"\n"
      "[components.h]\ntype = \"table\"\nfile = \"t.csv\"\ninterpolation = \"constant\"\n";
  Rows rows = run(two + grid);
  const auto at = [&](double t, const std::string& name, bool after = false) {
    for (std::size_t i = 0; i < rows.times.size(); ++i)
      if (std::abs(rows.times[i] - t) < 1e-9 &&
          (!after || i + 1 == rows.times.size() || rows.times[i + 1] != rows.times[i]))
        return rows.of(name)[i];
    return std::nan("");
  };
  EXPECT_EQ(at(0, "l.a"), 1);
  EXPECT_NEAR(at(0.3, "l.a"), 2, 1e-12);
  EXPECT_NEAR(at(0.3, "l.b"), 15, 1e-12);
  EXPECT_EQ(at(0.55, "l.a"), 3);
  EXPECT_EQ(at(0.55, "l.a", true), 7);
  EXPECT_NEAR(at(0.7, "l.a"), 4, 1e-12);
  EXPECT_EQ(at(1, "l.a"), 2);
  EXPECT_EQ(at(0.3, "h.a"), 1);
  EXPECT_EQ(at(0.4, "h.b"), 10);
  EXPECT_EQ(at(0.4, "h.b", true), 20);
  EXPECT_EQ(at(0.7, "h.a"), 7);
  EXPECT_EQ(rows.units[1], "m");
}

TEST_F(BuiltIns, SumsAndFormulasFollowTheirInputsAtOnce) {
  Rows rows = run(std::string("[components.a]\ntype = \"sine\"\n"
                              "[components.b]\ntype = \"ramp\"\n"
                              "[components.s]\ntype = \"sum\"\ninputs = 3\nset = { k2 = -2.0 }\n"
                              "[components.x]\ntype = \"expression\"\n"
                              "outputs = { y = \"2*u + sin(w*time)\", z = \"max(u, v)^2\" }\n"
                              "parameters = { w = 3.0 }\n"
                              "[connections]\nlist = [\"a.y -> s.u1\", \"b.y -> s.u2\", "
                              "\"b.y -> s.u3\", \"a.y -> x.u\", \"b.y -> x.v\"]\n") +
                  grid);
  for (std::size_t i = 0; i < rows.times.size(); ++i) {
    const double a = rows.of("a.y")[i], b = rows.of("b.y")[i];
    EXPECT_DOUBLE_EQ(rows.of("s.y")[i], a - b);
    EXPECT_DOUBLE_EQ(rows.of("x.y")[i], 2 * a + std::sin(3 * rows.times[i]));
    EXPECT_DOUBLE_EQ(rows.of("x.z")[i], std::max(a, b) * std::max(a, b));
  }
}

constexpr const char* delayed_ramp =
    "[components.r]\ntype = \"ramp\"\nset = { offset = 2.0, duration = 10.0, height = 30.0 }\n"
    "[components.d]\ntype = \"delay\"\nset = { delay = 0.23 }\n"
    "[connections]\nlist = [\"r.y -> d.u\"]\n";

// The interpolation of a straight line is exact but for rounding.
TEST_F(BuiltIns, ADelayIsLateByItsDelay) {
  for (const char* points : {"step = 0.1\nstop = 1.0\n", "step = 0.5\nstop = 2.0\n",
                             "points = [0.0, 0.01, 0.3, 0.31, 0.9, 1.0]\n"}) {
    Rows rows = run(std::string(delayed_ramp) + "[simulation]\n" + points);
    for (std::size_t i = 0; i < rows.times.size(); ++i)
      EXPECT_NEAR(rows.of("d.y")[i], 2 + 3 * std::max(0.0, rows.times[i] - 0.23), 1e-13) << points;
  }
}

// u = sin(2 pi t) in steps of h = 0.1 s. Straight lines between samples at the steps would be off
// by up to h^2 (2 pi)^2 / 8 = 0.049; curves of order 2 with samples at eighths of a step are off by
// a 64th of that, and by the error of the curves, h^3 (2 pi)^3 / (9 sqrt(3)) = 0.016.
TEST_F(BuiltIns, ADelayFollowsInputsThatBendInsideAStep) {
  Rows rows =
      run("[components.s]\ntype = \"sine\"\n"
          "[components.d]\ntype = \"delay\"\nset = { delay = 0.55 }\n"
          "[connections]\nlist = [\"s.y -> d.u\"]\n"
          "[simulation]\nstop = 2.0\nstep = 0.1\ninputs = { order = 2 }\n");
  for (std::size_t i = 0; i < rows.times.size(); ++i)
    if (const double t = rows.times[i] - 0.55; t > 0.35) {
      EXPECT_NEAR(rows.of("d.y")[i], std::sin(2 * pi * t), 0.017) << t;
    }
}

TEST_F(BuiltIns, AJumpGoesThroughADelay) {
  Rows rows = run(std::string("[components.s]\ntype = \"step\"\nset = { start = 0.25 }\n"
                              "[components.d]\ntype = \"delay\"\nset = { delay = 0.17 }\n"
                              "[connections]\nlist = [\"s.y -> d.u\"]\n") +
                  grid);
  const auto& y = rows.of("d.y");
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool is_there = std::abs(rows.times[i] - 0.42) < 1e-9;
    const bool is_after = is_there ? rows.times[i] == rows.times[i - 1] : rows.times[i] > 0.42;
    EXPECT_EQ(y[i], is_after ? 1 : 0) << rows.times[i];
  }
  EXPECT_EQ(rows.times.size(), 15u);
}

// y = 0.5 y + 1 is 2.
TEST_F(BuiltIns, AlgebraicLoopsAreSolved) {
  for (const char* method : {"newton", "iterated"}) {
    Rows rows = run(std::string("[components.g]\ntype = \"gain\"\nset = { k = 0.5 }\n"
                                "[components.s]\ntype = \"expression\"\n"
                                "outputs = { y = \"u + 1\" }\n"
                                "[connections]\nlist = [\"g.y -> s.u\", \"s.y -> g.u\"]\n") +
                    grid + "method = \"" + method + "\"\ntolerance = 1e-10\n");
    for (const double y : rows.of("s.y")) EXPECT_NEAR(y, 2, 1e-8) << method;
  }
}

/// Everything that remembers, jumps or feeds through, in a cycle: x' = -k (x - 1), delayed.
std::string everything(const std::string& settings) {
  return "[components.p]\ntype = \"pulse\"\nset = { period = 0.35, start = 0.1 }\n"
         "[components.w]\ntype = \"sine\"\nset = { frequency = 2.0 }\n"
         "[components.s]\ntype = \"sum\"\ninputs = 3\n"
         "[components.d]\ntype = \"delay\"\nset = { delay = 0.13 }\n"
         "[components.x]\ntype = \"expression\"\noutputs = { y = \"-0.4*u + 0.1*sin(u*time)\" }\n"
         "[components.g]\ntype = \"gain\"\nset = { k = 0.3 }\n"
         "[connections]\nlist = [\"p.y -> s.u1\", \"w.y -> s.u2\", \"g.y -> s.u3\", "
         "\"s.y -> d.u\", \"d.y -> x.u\", \"x.y -> g.u\"]\n"
         "[simulation]\nstop = 1.0\nstep = 0.02\n" +
         settings;
}

/// The values of all outputs at each step.
std::vector<double> bits(const System& system, bool reject) {
  Session session(system);
  std::vector<Handle> handles;
  for (const char* name : {"p.y", "w.y", "s.y", "d.y", "x.y", "g.y"})
    handles.push_back(session.find(name));
  session.initialize();
  std::vector<double> all;
  while (session.time() < 1) {
    const SessionState here = session.save();
    session.step();
    if (reject) {
      if (session.time() < 1) session.step(std::min(1.0, session.time() + 0.013));
      session.restore(here);
      session.step();
    }
    std::vector<double> values(handles.size());
    session.get(handles, values);
    all.push_back(session.time());
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

/// Outputs in loops that the coupling of the only cycle does not solve.
std::vector<std::string> unsolved(const System& system) {
  Rows rows;
  const RunReport report = tutti::run(system, {}, &rows, {});
  EXPECT_EQ(report.statistics.couplings.size(), 1u);
  return report.statistics.couplings.empty() ? std::vector<std::string>{}
                                             : report.statistics.couplings.front().unsolved;
}

TEST_F(BuiltIns, TellOfAlgebraicLoopsThatTheMethodDoesNotSolve) {
  const std::string loop =
      "[components.a]\ntype = \"expression\"\noutputs = { y = \"0.5*u + time\" }\n"
      "[connections]\nlist = [\"a.y -> b.u\", \"b.y -> a.u\"]\n" +
      std::string(grid);
  const std::string gain = "[components.b]\ntype = \"gain\"\n";
  const std::string delay = "[components.b]\ntype = \"delay\"\nset = { delay = 0.1 }\n";
  const std::vector<std::string> both = {"a.y", "b.y"}, none;
  for (const char* method : {"gauss-seidel", "jacobi"}) {
    const std::string chosen = loop + "method = \"" + method + "\"\n";
    EXPECT_THAT(unsolved(system(chosen + gain)), ::testing::UnorderedElementsAreArray(both));
    EXPECT_EQ(unsolved(system(chosen + delay)), none);
    EXPECT_EQ(unsolved(system(chosen + "inputs.correct = \"linear\"\n" + gain)), none);
  }
  EXPECT_EQ(unsolved(system(loop + "method = \"newton\"\n" + gain)), none);
}

TEST_F(BuiltIns, GiveTheSameBitsWhenEveryStepIsRejectedOnce) {
  for (const char* settings : {"method = \"gauss-seidel\"\n", "method = \"iterated\"\n",
                               "method = \"newton\"\ninputs = { inside = \"linear\", order = 1 }\n",
                               "control = { name = \"richardson\", rtol = 1e-3, atol = 1e-3 }\n"}) {
    const System made = system(everything(settings));
    const std::vector<double> plain = bits(made, false);
    EXPECT_EQ(plain, bits(made, true)) << settings;
    EXPECT_GT(plain.size(), 7 * 10u);
  }
}

// The order of the cycle begins with the sum, whose input is computed last.
TEST_F(BuiltIns, AgreeInACycleAfterAJump) {
  Rows rows = run(everything("method = \"gauss-seidel\"\n"));
  std::size_t jumps = 0;
  for (std::size_t i = 1; i < rows.times.size(); ++i) {
    if (rows.times[i] != rows.times[i - 1]) continue;
    const double t = rows.times[i], d = rows.of("d.y")[i];
    EXPECT_NEAR(rows.of("x.y")[i], -0.4 * d + 0.1 * std::sin(d * t), 1e-14) << t;
    EXPECT_DOUBLE_EQ(rows.of("g.y")[i], 0.3 * rows.of("x.y")[i]) << t;
    EXPECT_DOUBLE_EQ(rows.of("s.y")[i], rows.of("p.y")[i] + rows.of("w.y")[i] + rows.of("g.y")[i])
        << t;
    ++jumps;
  }
  EXPECT_GT(jumps, 10u);
}

TEST_F(BuiltIns, GiveTheSameBitsInAWorker) {
  const System made = system(everything("method = \"iterated\"\n"));
  const Rows here = run(made), there = run(made, true);
  EXPECT_EQ(here.times, there.times);
  EXPECT_EQ(here.values, there.values);
  EXPECT_GT(here.times.size(), 50u);
}

TEST_F(BuiltIns, GoOnFromAFile) {
  const System made = system(everything("method = \"iterated\"\n"));
  const auto file = place_.path() / "here.tutti";
  double end = 0;
  {
    Session session(made);
    const Handle y = session.find("g.y");
    session.initialize();
    session.advance_to(0.5);
    session.write_state(file);
    session.advance_to(1);
    end = session.get(y);
  }
  Session resumed = Session::resume(file);
  const Handle y = resumed.find("g.y");
  resumed.initialize();
  resumed.advance_to(1);
  EXPECT_EQ(resumed.get(y), end);
}

// What is computed at the end of a step with the inputs of there has no error of the coupling.
TEST_F(BuiltIns, FollowInputsToTheEndOfTheStep) {
  for (const char* inputs : {"\"constant\"", "\"linear\""}) {
    Rows rows = run(std::string("[components.w]\ntype = \"sine\"\n"
                                "[components.g]\ntype = \"gain\"\n"
                                "[connections]\nlist = [\"w.y -> g.u\"]\n") +
                    grid + "inputs = { inside = " + inputs + ", order = 2 }\n");
    for (std::size_t i = 0; i < rows.times.size(); ++i)  // start + h * slope is rounded
      EXPECT_NEAR(rows.of("g.y")[i], rows.of("w.y")[i], 1e-14) << inputs;
  }
}

TEST_F(BuiltIns, ParametersChangeWhileTimeRuns) {
  Session session(system(std::string("[components.c]\ntype = \"constant\"\nset = { value = 3.0 }\n"
                                     "[components.g]\ntype = \"gain\"\n"
                                     "[connections]\nlist = [\"c.y -> g.u\"]\n") +
                         grid));
  const Handle k = session.find("g.k"), y = session.find("g.y");
  session.initialize();
  session.step();
  EXPECT_EQ(session.get(y), 3);
  session.set(k, 5.0);
  session.step();
  EXPECT_EQ(session.get(y), 15);
}

// The pulse falls at (1 + 0.5) 0.3 s, which is 0.44999999999999996 in doubles.
TEST_F(BuiltIns, AreNotAskedForStepsBetweenTimesThatDifferByRounding) {
  const std::string pulse = "[components.p]\ntype = \"pulse\"\nset = { period = 0.3 }\n";
  const std::string action = "[[actions]]\nat = 0.45\nset = { \"p.height\" = 3.0 }\n";
  for (const char* control : {"fixed", "convergence"})
    for (const auto& [stop, actions] : {std::pair("0.6", action), {"0.45", std::string()}}) {
      Rows rows = run(pulse + actions + "[simulation]\nstep = 0.1\nstop = " + stop +
                      "\ncontrol = \"" + control + "\"\n");
      for (std::size_t i = 1; i < rows.times.size(); ++i) {
        const double step = rows.times[i] - rows.times[i - 1];
        EXPECT_TRUE(step == 0 || step > 0.01) << control << " to " << stop << ": " << step;
      }
      EXPECT_EQ(rows.of("p.y").back(), actions.empty() ? 0 : 3);
    }
}

TEST_F(BuiltIns, ConvertUnits) {
  Rows rows = run(std::string("[components.c]\ntype = \"constant\"\nunit = \"cm\"\n"
                              "set = { value = 250.0 }\n"
                              "[components.s]\ntype = \"sum\"\ninputs = 1\nunit = \"m\"\n"
                              "[connections]\nlist = [\"c.y -> s.u1\"]\n") +
                  grid);
  EXPECT_DOUBLE_EQ(rows.of("s.y").back(), 2.5);
}

/// A system of every kind of setting, with a file.
std::string every_setting() {
  return "[components.t]\ntype = \"table\"\nfile = \"t.csv\"\ninterpolation = \"constant\"\n"
         "[components.c]\ntype = \"constant\"\ndata-type = \"integer\"\nset = { value = 4 }\n"
         "[components.s]\ntype = \"sum\"\ninputs = 1\nunit = \"kN\"\nset = { k1 = 0.5 }\n"
         "[components.x]\ntype = \"expression\"\nstep = 0.05\n"
         "outputs = { y = \"a*u\", z = 3.0, n = \"u < 2 && u > 0\" }\n"
         "parameters = { a = 1.5, b = -2.0 }\nset = { a = 4.0 }\n"
         "[connections]\nlist = [\"t.a -> s.u1\", \"s.y -> x.u\"]\n" +
         std::string(grid);
}

TEST_F(BuiltIns, AreWrittenAndReadAgain) {
  place_.write("t.csv", "time,a\n0,1\n0.35,3\n");
  const System made = system(every_setting());
  const Rows expected = run(made);
  ASSERT_EQ(expected.values.at("x.y").back(), 6);
  std::filesystem::create_directory(place_.path() / "sub");
  for (const char* name : {"sub/again.toml", "sub/again.ssd", "sub/again.ssp"}) {
    const std::filesystem::path file = place_.path() / name;
    write_system(made, file);
    const System again = read_system(file);
    ASSERT_EQ(again.components.size(), made.components.size()) << name;
    for (std::size_t c = 0; c < made.components.size(); ++c) {
      const BuiltIn &a = made.components[c].built_in, &b = again.components[c].built_in;
      EXPECT_EQ(a.type, b.type);
      EXPECT_EQ(a.inputs, b.inputs);
      EXPECT_EQ(a.outputs, b.outputs);
      EXPECT_EQ(a.parameters, b.parameters);
      EXPECT_EQ(a.interpolation, b.interpolation);
      EXPECT_EQ(a.data_type, b.data_type);
      EXPECT_EQ(a.unit, b.unit);
      EXPECT_EQ(made.components[c].step, again.components[c].step);
    }
    const Rows rows = run(again);
    EXPECT_EQ(rows.times, expected.times) << name;
    EXPECT_EQ(rows.values, expected.values) << name;
  }
}

// What an SSP says of a component is for any reader; the rest stands in an annotation.
TEST_F(BuiltIns, AreComponentsOfAnSsp) {
  place_.write("t.csv", "time,a\n0,1\n");
  write_system(system(every_setting()), place_.path() / "s.ssd");
  const std::string text = place_.read("s.ssd");
  EXPECT_THAT(text, HasSubstr("name=\"s\" type=\"application/x-tutti-component\" "
                              "source=\"urn:org.tutti.component:sum\""));
  EXPECT_THAT(text, HasSubstr("type=\"application/x-tutti-component\" source=\"t.csv\""));
  EXPECT_THAT(text, HasSubstr("<ssc:Annotation type=\"org.tutti.component\">"));
  EXPECT_THAT(text, HasSubstr("<ssd:Connector name=\"u1\" kind=\"input\">"));
  EXPECT_THAT(text, HasSubstr("<ssv:Parameter name=\"k1\">"));
}

TEST(BuiltInTypes, AreSortedAndComplete) {
  const std::vector<BuiltInType> types = built_in_types();
  EXPECT_EQ(types.size(), 10u);
  EXPECT_TRUE(std::ranges::is_sorted(types, {}, &BuiltInType::name));
  for (const BuiltInType& type : types) {
    EXPECT_FALSE(type.summary.empty()) << type.name;
    EXPECT_FALSE(type.equation.empty()) << type.name;
    const bool by_settings = type.name == "table" || type.name == "expression";
    EXPECT_EQ(type.variables.empty(), by_settings) << type.name;
    for (const BuiltInVariable& variable : type.variables)
      EXPECT_FALSE(variable.description.empty()) << type.name << '.' << variable.name;
  }
}

}  // namespace
}  // namespace tutti::testing
