// SPDX-License-Identifier: BSD-2-Clause
// What arrives at an input, in every coupling method, at the start as after steps. The loops here
// have no states: their solution at the start is that of every later time.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string component(const std::string& name, const std::string& file, const std::string& set) {
  return fmt::format("[components.{}]\nfmu = \"{}\"\nset = {{ {} }}\n", name, file, set);
}
std::string connections(const std::string& list) {
  return "[connections]\nlist = [" + list + "]\n";
}

class Connections : public ::testing::TestWithParam<const char*> {
 protected:
  /// Three steps; the values at the start and at the end, by column.
  void run(const std::string& system, const std::string& method = "gauss-seidel") {
    place_.write("s.toml", system + fmt::format("[simulation]\nstop = 0.3\nstep = 0.1\n"
                                                "method = \"{}\"\n",
                                                method));
    answer_ = place_.tutti({"run", "s.toml", "-o", "r.csv"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const auto rows = csv_rows(place_.read("r.csv"));
    ASSERT_EQ(rows.size(), 5u);
    for (std::size_t i = 0; i < rows[0].size(); ++i) {
      start_[rows[0][i]] = std::stod(rows[1][i]);
      end_[rows[0][i]] = std::stod(rows.back()[i]);
    }
  }
  void expect(const std::string& column, double value) const {
    // The loop at the start is solved to rounding, and methods start from there: what they may
    // change is below their tolerance of 1e-6 + 1e-4 |value|, and here far below.
    EXPECT_NEAR(start_.at(column), value, 1e-9 * (1 + std::abs(value))) << column << " at start";
    EXPECT_NEAR(end_.at(column), value, 1e-6 * (1 + std::abs(value))) << column << " at end";
  }
  Workplace place_;
  Answer answer_;
  std::map<std::string, double> start_, end_;
};

class InEveryMethod : public Connections {};
INSTANTIATE_TEST_SUITE_P(Cli, InEveryMethod,
                         ::testing::Values("anderson", "broyden", "gauss-seidel", "iterated",
                                           "jacobi", "newton"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase(name, '-');
                           return name;
                         });

// a = 1 - b/2, b = 3 + a/2 => a = -0.4, b = 2.8
TEST_P(InEveryMethod, FactorAndOffsetCountInALoop) {
  run(component("a", fmu("2.0", "Gain"), "") + component("b", fmu("3.0", "Gain"), "") +
          connections("{ from = \"a.y\", to = \"b.u\", factor = 0.5, offset = 3.0 }, "
                      "{ from = \"b.y\", to = \"a.u\", factor = -0.5, offset = 1.0 }"),
      GetParam());
  expect("a.y", -0.4);
  expect("b.y", 2.8);
  expect("b.u", 2.8);
}

// A chain: b = 2 a + 1 = 7 with a = 3 from outside, c = -b.
TEST_P(InEveryMethod, FactorAndOffsetCountInAChain) {
  run(component("c", fmu("1.0-cs", "Gain"), "") + component("b", fmu("2.0", "Gain"), "") +
          component("a", fmu("3.0", "Gain"), "") +
          connections("{ from = \"a.y\", to = \"b.u\", factor = 2.0, offset = 1.0 }, "
                      "{ from = \"b.y\", to = \"c.u\", factor = -1.0 }") +
          "[inputs.set]\n\"a.u\" = 3.0\n",
      GetParam());
  expect("b.y", 7);
  expect("c.y", -7);
}

// T = 0.5 (T - 273.15) + 300 in both, so T = 2 (300 - 136.575).
TEST_P(InEveryMethod, UnitsAreConvertedInALoop) {
  const std::string set = "k = 0.5, b = 300.0";
  run(component("a", fmu("2.0", "Kelvin"), set) + component("b", fmu("3.0", "Kelvin"), set) +
          connections("\"a.T -> b.u\", \"b.T -> a.u\""),
      GetParam());
  expect("a.T", 326.85);
  expect("b.u", 326.85 - 273.15);
}

// The unit first, then factor and offset in the unit of the input: u = 2 (T - 273.15) + 10.
TEST_P(InEveryMethod, UnitsAreConvertedBeforeFactorAndOffset) {
  run(component("a", fmu("2.0", "Kelvin"), "k = 0.0, b = 300.0") +
          component("b", fmu("2.0", "Kelvin"), "") +
          connections("{ from = \"a.T\", to = \"b.u\", factor = 2.0, offset = 10.0 }"),
      GetParam());
  expect("b.u", 2 * 26.85 + 10);
}

// y = D u in both, and D swaps. With a.y = (p, q): b.u = (q/2 + 1, p), b.y = a.u = (p, q/2 + 1), so
// a.y = (q/2 + 1, p) and p = q = 2.
TEST_P(InEveryMethod, ElementsAndWholeArraysFormALoop) {
  const std::string set =
      "m = 2, n = 1, r = 2, C = [[0.0], [0.0]], D = [[0.0, 1.0], [1.0, 0.0]], B = [[0.0, 0.0]]";
  run(component("a", fmu("3.0", "StateSpace"), set) +
          component("b", fmu("3.0", "StateSpace"), set) +
          connections("{ from = \"a.y[2]\", to = \"b.u[1]\", factor = 0.5, offset = 1.0 }, "
                      "\"a.y[1] -> b.u[2]\", \"b.y -> a.u\""),
      GetParam());
  expect("a.y[1]", 2);
  expect("a.y[2]", 2);
  expect("b.y[2]", 2);
}

class AnUnconnectedInput : public Connections {};

TEST_F(AnUnconnectedInput, KeepsItsStartValueAndIsNoted) {
  run(component("a", fmu("2.0", "Gain"), ""));
  expect("a.y", 0);
  EXPECT_THAT(answer_.err, HasSubstr("not connected, so it keeps its start value: a.u"));
  run(component("a", fmu("2.0", "Gain"), "u = 2.5"));  // which is what was meant
  expect("a.y", 2.5);
  EXPECT_THAT(answer_.err, Not(HasSubstr("not connected")));
}

// The array is set as a whole; its start values are 1, 2, 3. With D the unit matrix and no state,
// y = u.
TEST_F(AnUnconnectedInput, MayBeElementsOfAnArray) {
  const std::string still = "B = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]";
  run(component("a", fmu("3.0", "StateSpace"), still) +
      component("b", fmu("3.0", "Gain"), "b = 5.0") + connections("\"b.y -> a.u[2]\""));
  expect("a.y[1]", 1);
  expect("a.y[2]", 5);
  expect("a.y[3]", 3);
  EXPECT_THAT(answer_.err, HasSubstr("a.u[1], a.u[3]"));
}

TEST_F(AnUnconnectedInput, HasTheElementsThatTheUserSets) {
  const std::string set = "B = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], \"u[3]\" = 7.0";
  run(component("a", fmu("3.0", "StateSpace"), set) + "[inputs.set]\n\"a.u[1]\" = 4.0\n");
  expect("a.y[1]", 4);
  expect("a.y[2]", 2);
  expect("a.y[3]", 7);
}

TEST_F(Connections, AConstantMayBeAWholeArray) {
  const std::string still = "B = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]";
  run(component("a", fmu("3.0", "StateSpace"), still) +
      "[inputs.set]\n\"a.u\" = [4.0, 5.0, 6.0]\n");
  expect("a.y[1]", 4);
  expect("a.y[2]", 5);
  expect("a.y[3]", 6);
}

// f = 4 - 3 f: sweeps diverge, so it must be among the unknowns.
TEST_F(Connections, OfSinglePrecisionAreSolvedTogether) {
  const std::string system =
      component("f", fmu("3.0", "Feedthrough"), "") +
      connections(
          "{ from = \"f.float32_out\", to = \"f.float32_in\", factor = -3.0, offset = 4.0 }") +
      "[results]\nvariables = \"f.float32_out\"\n";
  for (const char* method : {"anderson", "broyden", "newton"}) {
    run(system, method);
    // Floats are rounded to 6e-8, and the loop multiplies that by 3.
    EXPECT_NEAR(start_.at("f.float32_out"), 1, 1e-6) << method;
    EXPECT_NEAR(end_.at("f.float32_out"), 1, 1e-6) << method;
  }
}

}  // namespace
}  // namespace tutti::testing
