// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <tutti/error.hpp>

#include "solvers/ode/ode.hpp"

namespace tutti::solvers {
namespace {

using ::testing::HasSubstr;

constexpr const char* predictors[] = {"last", "secant"};
const OptionRow rows_of_test[] = {
    {"exact", false, "A flag"},
    {"maxcor", std::int64_t{3}, "A whole number", 1, 10},
    {"predictor", std::string("last"), "One of some words", 0, 0, predictors},
    {"safe", 0.9, "A number", 0.1, 1},
    {"shift", 0.0, "Any number"},
    {"title", std::string(), "Any word"},
};

OptionValues read(const SolverOptions& given) { return {"tested", rows_of_test, given}; }

std::string refusal_of(const SolverOptions& given, std::string* hint = nullptr,
                       std::string* key = nullptr) {
  try {
    read(given);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    if (hint != nullptr) *hint = error.details().hint;
    if (key != nullptr) *key = error.details().key;
    return error.what();
  }
  return "";
}

TEST(SolverOptions, HaveTheirDefaults) {
  const OptionValues values = read({});
  EXPECT_FALSE(values.flag("exact"));
  EXPECT_EQ(values.integer("maxcor"), 3);
  EXPECT_EQ(values.word("predictor"), "last");
  EXPECT_EQ(values.number("safe"), 0.9);
}

TEST(SolverOptions, TakeValuesOfTheirType) {
  const OptionValues values = read({{"exact", true},
                                    {"maxcor", std::int64_t{10}},
                                    {"predictor", std::string("secant")},
                                    {"safe", 0.5},
                                    {"title", std::string("any thing")}});
  EXPECT_TRUE(values.flag("exact"));
  EXPECT_EQ(values.integer("maxcor"), 10);
  EXPECT_EQ(values.word("predictor"), "secant");
  EXPECT_EQ(values.number("safe"), 0.5);
  EXPECT_EQ(values.word("title"), "any thing");
}

TEST(SolverOptions, ReadTextsAndWholeNumbers) {
  const OptionValues values = read({{"exact", std::string("true")},
                                    {"maxcor", std::string("7")},
                                    {"safe", std::string("0.25")},
                                    {"shift", std::int64_t{-2}}});
  EXPECT_TRUE(values.flag("exact"));
  EXPECT_EQ(values.integer("maxcor"), 7);
  EXPECT_EQ(values.number("safe"), 0.25);
  EXPECT_EQ(values.number("shift"), -2);
  EXPECT_EQ(read({{"maxcor", 4.0}}).integer("maxcor"), 4);  // a number that is whole
}

TEST(SolverOptions, AnUnknownNameIsRefusedWithTheNearestOne) {
  std::string hint, key;
  const std::string text = refusal_of({{"maxcro", std::int64_t{3}}}, &hint, &key);
  EXPECT_THAT(text, HasSubstr("solver tested"));
  EXPECT_THAT(text, HasSubstr("\"maxcro\""));
  EXPECT_THAT(text, HasSubstr("exact, maxcor, predictor"));
  EXPECT_THAT(hint, HasSubstr("\"maxcor\""));
  EXPECT_EQ(key, "solver.maxcro");
}

TEST(SolverOptions, ASolverWithoutOptionsSaysSo) {
  try {
    OptionValues("plain", {}, {{"safe", 0.5}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("it has none"));
  }
}

TEST(SolverOptions, AnotherTypeIsRefused) {
  EXPECT_THAT(refusal_of({{"exact", std::string("yes")}}), HasSubstr("true or false"));
  EXPECT_THAT(refusal_of({{"exact", std::int64_t{1}}}), HasSubstr("true or false"));
  EXPECT_THAT(refusal_of({{"maxcor", 2.5}}), HasSubstr("a whole number, not \"2.5\""));
  EXPECT_THAT(refusal_of({{"maxcor", true}}), HasSubstr("a whole number"));
  EXPECT_THAT(refusal_of({{"safe", std::string("0.5 or so")}}), HasSubstr("a number"));
  EXPECT_THAT(refusal_of({{"predictor", 1.0}}), HasSubstr("a word"));
}

TEST(SolverOptions, WhatIsNotFiniteIsRefused) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THAT(refusal_of({{"shift", value}}), HasSubstr("a number"));
  EXPECT_THAT(refusal_of({{"maxcor", 1e300}}), HasSubstr("a whole number"));
}

TEST(SolverOptions, NumbersOutOfBoundsAreRefusedWithTheBounds) {
  EXPECT_THAT(refusal_of({{"safe", 1.5}}), HasSubstr("expected 0.1 to 1"));
  EXPECT_THAT(refusal_of({{"maxcor", std::int64_t{0}}}), HasSubstr("expected 1 to 10"));
  EXPECT_EQ(refusal_of({{"safe", 0.1}, {"maxcor", std::int64_t{1}}}), "");  // bounds belong to it
  EXPECT_EQ(refusal_of({{"shift", -1e300}}), "");
}

TEST(SolverOptions, OtherWordsAreRefusedWithTheNearestOne) {
  std::string hint;
  EXPECT_THAT(refusal_of({{"predictor", std::string("secnat")}}, &hint),
              HasSubstr("expected one of: last, secant"));
  EXPECT_THAT(hint, HasSubstr("\"secant\""));
}

TEST(SolverOptions, EverySolverRefusesWhatItDoesNotKnow) {
  const auto problem = make_problem(
      {.size = 1, .rhs = [](double, std::span<const double>, std::span<double> f) { f[0] = 0; }});
  for (const OdeEntry& entry : ode_integrators()) {
    OdeOptions options{.atol = {1e-6}, .own = {{"no-such-option", 1.0}}};
    EXPECT_THROW(entry.make(*problem, options), Error) << entry.name;
  }
}

TEST(SolverOptions, ARejectedStepIsAlwaysTriedShorter) {
  const auto problem = make_problem(
      {.size = 1, .rhs = [](double, std::span<const double>, std::span<double> f) { f[0] = 0; }});
  for (const char* const solver : {"dop853", "dopri5", "radau5", "rodas"}) {
    OdeOptions options{.atol = {1e-6}, .own = {{"fac1", 1.0}}};
    EXPECT_THROW(find_ode_integrator(solver)->make(*problem, options), Error) << solver;
  }
}

TEST(SolverOptions, WhatWouldHaveNoEffectIsRefused) {
  const auto problem = make_problem(
      {.size = 1, .rhs = [](double, std::span<const double>, std::span<double> f) { f[0] = 0; }});
  const auto refusal = [&](const char* solver, SolverOptions own, double first_step = 0) {
    try {
      OdeOptions options{.atol = {1e-6}, .first_step = first_step, .own = std::move(own)};
      find_ode_integrator(solver)->make(*problem, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      return error.details().key;
    }
    return std::string();
  };
  EXPECT_EQ(refusal("implicit-euler", {}, 1e-3), "solver.first-step");
  EXPECT_EQ(refusal("euler", {{"h", 0.1}}, 1e-3), "solver.first-step");
  EXPECT_EQ(refusal("rk4", {{"h", 0.1}}, 1e-3), "solver.first-step");
  const std::string fixed = "fixedpoint", dense = "dense";
  EXPECT_EQ(refusal("cvode", {{"iter", fixed}, {"linear_solver", dense}}), "solver.linear_solver");
  EXPECT_EQ(refusal("cvode-adams", {{"maxkrylov", std::int64_t{3}}}), "solver.maxkrylov");
  EXPECT_EQ(refusal("cvode", {{"iter", fixed}}), "");
  EXPECT_EQ(refusal("arkode-explicit", {{"interpolation_degree", std::int64_t{4}}}),
            "solver.interpolation_degree");
  EXPECT_EQ(refusal("arkode-explicit", {{"interpolation_degree", std::int64_t{3}}}), "");
}

TEST(SolverOptions, EveryRowOfTheTableKeepsItsOwnBounds) {
  for (const SolverInfo& solver : ode_solvers())
    for (const SolverOptionInfo& option : solver.options) {
      EXPECT_FALSE(option.summary.empty()) << solver.name << " " << option.name;
      const auto* const number = std::get_if<double>(&option.default_value);
      const auto* const whole = std::get_if<std::int64_t>(&option.default_value);
      if (option.minimum == option.maximum || (number == nullptr && whole == nullptr)) continue;
      const double usual = number != nullptr ? *number : static_cast<double>(*whole);
      EXPECT_GE(usual, option.minimum) << solver.name << " " << option.name;
      EXPECT_LE(usual, option.maximum) << solver.name << " " << option.name;
    }
}

}  // namespace
}  // namespace tutti::solvers
