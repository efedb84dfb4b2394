// SPDX-License-Identifier: BSD-2-Clause
#include "base/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <tutti/error.hpp>

namespace tutti {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Of a formula of x = 3 and y = 5.
double value(std::string_view formula) {
  Expression expression(formula);
  const std::vector<std::string> names = {"x", "y"};
  expression.bind(names);
  return expression.value(std::vector<double>{3, 5});
}

std::string refusal(std::string_view formula) {
  try {
    Expression expression(formula);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "nothing was refused";
}

struct Case {
  const char* formula;
  double value;
};

class EveryFormula : public ::testing::TestWithParam<Case> {};

TEST_P(EveryFormula, HasTheValueOfTheSameInCpp) {
  EXPECT_DOUBLE_EQ(value(GetParam().formula), GetParam().value) << GetParam().formula;
}

INSTANTIATE_TEST_SUITE_P(
    Expression, EveryFormula,
    ::testing::Values(
        Case{"2", 2}, Case{" 2.5e-1 ", 0.25}, Case{".5", 0.5}, Case{"x + y*2", 13},
        Case{"(x + y)*2", 16}, Case{"y - x - 1", 1}, Case{"y/x/2", 5.0 / 6}, Case{"2^3^2", 512},
        Case{"-x^2", -9}, Case{"(-x)^2", 9}, Case{"2^-1", 0.5}, Case{"2*-x", -6}, Case{"--x", 3},
        Case{"+x", 3}, Case{"x - -y", 8}, Case{"x < y", 1}, Case{"x > y", 0}, Case{"x <= 3", 1},
        Case{"x >= 4", 0}, Case{"x == 3", 1}, Case{"x != 3", 0}, Case{"x<-y", 0},
        Case{"1 + 1 < 3 == 1", 1}, Case{"x == 3 && y == 5", 1}, Case{"x == 4 || y == 4", 0},
        Case{"0 && 0 || 1", 1}, Case{"!x", 0}, Case{"!0 + 1", 2}, Case{"!(x != 3)", 1},
        Case{"x > y ? 1 : 2", 2}, Case{"x ? y ? 1 : 2 : 3", 1}, Case{"0 ? 1 : 0 ? 2 : 3", 3},
        Case{"if(x < y, 10, 20)", 10}, Case{"min(x, y)", 3}, Case{"max(x, y, 9, 1)", 9},
        Case{"min(4)", 4}, Case{"abs(-2)", 2}, Case{"sign(-7)", -1}, Case{"sign(0)", 0},
        Case{"mod(-1, 3)", 2}, Case{"mod(7.5, 2)", 1.5}, Case{"floor(-1.5)", -2},
        Case{"ceil(1.2)", 2}, Case{"sqrt(16)", 4}, Case{"log10(1000)", 3},
        Case{"sin(x)", std::sin(3.0)}, Case{"cos(x)", std::cos(3.0)}, Case{"tan(x)", std::tan(3.0)},
        Case{"asin(0.5)", std::asin(0.5)}, Case{"acos(0.5)", std::acos(0.5)},
        Case{"atan(x)", std::atan(3.0)}, Case{"atan2(x, -y)", std::atan2(3.0, -5.0)},
        Case{"sinh(1)", std::sinh(1.0)}, Case{"cosh(1)", std::cosh(1.0)},
        Case{"tanh(1)", std::tanh(1.0)}, Case{"exp(1)", std::exp(1.0)},
        Case{"log(x)", std::log(3.0)}, Case{"pi", std::numbers::pi}, Case{"e", std::numbers::e}),
    [](const auto& tested) { return "Number" + std::to_string(tested.index); });

TEST(Expression, NamesItsVariablesInTheirOrder) {
  const Expression expression("chassis.x - 2*y[1,2] + chassis.x*_a1.b.c2");
  EXPECT_THAT(expression.names(), ElementsAre("chassis.x", "y[1,2]", "_a1.b.c2"));
  EXPECT_EQ(expression.value(std::vector<double>{3, 1, 2}), 7);
}

TEST(Expression, HandsNanOn) {
  const double nan = std::nan("");
  for (const char* formula : {"max(x, 1)", "min(1, x)", "sign(x)", "!x", "x ? 1 : 2", "x && 1",
                              "0 || x", "abs(x)", "x^2"})
    EXPECT_TRUE(std::isnan(Expression(formula).value(std::vector<double>{nan}))) << formula;
}

TEST(Expression, TakesInfinityAsTrue) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const char* formula : {"x && -x", "x || -x", "!!x"})
    EXPECT_EQ(Expression(formula).value(std::vector<double>{infinity}), 1) << formula;
}

TEST(Expression, SaysWhereItIsWrong) {
  EXPECT_THAT(refusal(""), HasSubstr("formula \"\", position 1: it is empty"));
  EXPECT_THAT(refusal("2*"), HasSubstr("position 3: it ends where a value is expected"));
  EXPECT_THAT(refusal("2 * * 3"), HasSubstr("position 5: \"*\" found where a value is expected"));
  EXPECT_THAT(refusal("(1 + 2"), HasSubstr("position 7: it ends where ) is expected"));
  EXPECT_THAT(refusal("1 + 2)"), HasSubstr("position 6: \")\" is not expected here"));
  EXPECT_THAT(refusal("2x"),
              HasSubstr("position 1: this is not a valid number; a product needs a *"));
  EXPECT_THAT(refusal("1 + sn(x)"), HasSubstr("position 5: unknown function \"sn\". Did you mean "
                                              "\"sin\"?"));
  EXPECT_THAT(refusal("sin(1, 2)"), HasSubstr("position 1: sin() takes 1 value, not 2"));
  EXPECT_THAT(refusal("if(1, 2)"), HasSubstr("if() takes 3 values, not 2"));
  EXPECT_THAT(refusal("atan2(1)"), HasSubstr("atan2() takes 2 values, not 1"));
  EXPECT_THAT(refusal("sin + 1"), HasSubstr("\"sin\" is a function: ( is expected after it"));
  EXPECT_THAT(refusal("y[1"), HasSubstr("position 2: the ] for this [ is missing"));
  EXPECT_THAT(refusal("x ? 1"), HasSubstr("it ends where : is expected"));
  EXPECT_THAT(refusal("a = b"), HasSubstr("position 3: \"=\" is not expected here"));
  EXPECT_THAT(refusal("2*\u00e9"), HasSubstr("\"\u00e9\" found where a value is expected"));
}

TEST(Expression, IsNotNestedWithoutEnd) {
  EXPECT_THAT(refusal(std::string(100'000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(refusal(std::string(100'000, '-') + "1"), HasSubstr("nested too deeply"));
  std::string sum = "1";
  for (int i = 0; i < 150; ++i) sum = "1 + (" + sum + ")";
  EXPECT_THAT(refusal(sum), HasSubstr("nested too deeply"));
  std::string wide = "0";
  for (int i = 0; i < 10'000; ++i) wide += " + 1";
  EXPECT_EQ(Expression(wide).value({}), 10'000);
}

}  // namespace
}  // namespace tutti
