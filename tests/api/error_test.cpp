// SPDX-License-Identifier: BSD-2-Clause
// What programs learn of an error: its fields, as users of the library see them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <tutti/error.hpp>
#include <tutti/simulation.hpp>
#include <tutti/system_check.hpp>
#include <tutti/system_file.hpp>
#include <tutti/system_run.hpp>
#include <type_traits>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

static_assert(std::is_nothrow_copy_constructible_v<Error> &&
                  std::is_nothrow_copy_assignable_v<Error>,
              "copying an exception must not throw");

TEST(ErrorMessage, IsComposedOfTheFields) {
  EXPECT_STREQ(Error(ErrorCode::fmu, "it failed").what(), "it failed");
  EXPECT_STREQ(Error(ErrorCode::fmu, "component \"x\" failed",
                     {.component = "x", .time = 1.5, .hint = "Try a smaller step."})
                   .what(),
               "t = 1.5 s: component \"x\" failed. Try a smaller step.");
  EXPECT_STREQ(Error(ErrorCode::usage, "no key \"stpe\".",
                     {.file = "s.toml", .line = 3, .column = 7, .hint = " Did you mean \"step\"?"})
                   .what(),
               "s.toml:3:7: no key \"stpe\". Did you mean \"step\"?");
  EXPECT_STREQ(Error(ErrorCode::file, "it is empty", {.file = "in.csv"}).what(),
               "in.csv: it is empty");
}

TEST(ErrorMessage, NamesTheKeyAsTheProgramDoes) {
  const Error error(ErrorCode::fmu, "a step was discarded",
                    {.key = "simulation.step", .hint = "Try another %key%."});
  EXPECT_THAT(error.what(), EndsWith("Try another simulation.step."));
  EXPECT_EQ(error.details().hint, "Try another simulation.step.");
  EXPECT_THAT(error.within("component \"x\"").message([](const ErrorDetails& details) {
    return "--" + details.key.substr(details.key.rfind('.') + 1);
  }),
              EndsWith("Try another --step."));
}

TEST(ErrorMessage, KeepsTheFieldsWhenContextIsAdded) {
  const Error inner(ErrorCode::usage, "\"3x\" is not a number", {.variable = "k"});
  const Error outer =
      inner.within("component \"a\"", {.component = "a", .file = "s.toml", .line = 2})
          .as(ErrorCode::file);
  EXPECT_STREQ(outer.what(), "s.toml:2: component \"a\": \"3x\" is not a number");
  EXPECT_EQ(outer.code(), ErrorCode::file);
  EXPECT_EQ(outer.details().component, "a");
  EXPECT_EQ(outer.details().variable, "k");
  EXPECT_EQ(outer.details().line, 2u);
  const Error further = outer.within("run 3", {.file = "runs.csv"});
  EXPECT_EQ(further.details().file, "runs.csv");
  EXPECT_EQ(further.details().line, 0u) << "of another file";
  const Error known = inner.with({.component = "a", .time = 2.0});
  EXPECT_STREQ(known.what(), inner.what());
  EXPECT_EQ(known.details().time, 2.0);
}

TEST(ErrorMessage, NamesWhoseItIsAndKeepsItsText) {
  const Error error(ErrorCode::usage, "it is negative", {.variable = "k"});
  const Error of = error.of("component \"a\"", {.component = "a"});
  EXPECT_STREQ(of.what(), "component \"a\": it is negative");
  EXPECT_EQ(of.record().text, "it is negative");
  EXPECT_EQ(of.details().component, "a");
  EXPECT_EQ(of.as(ErrorCode::fmu).code(), ErrorCode::fmu);
  EXPECT_STREQ(of.as(ErrorCode::fmu).what(), of.what());
}

TEST(ErrorMessage, IsTheSameAfterItWasStored) {
  const Error error(ErrorCode::timeout, "no answer",
                    {.time = 2.5, .key = "step-timeout", .hint = "Try a larger %key%."});
  const Error stored(error.record());
  EXPECT_EQ(stored.code(), ErrorCode::timeout);
  EXPECT_STREQ(stored.what(), error.what());
  std::string names;
  for_each_field(stored.details(), [&](const char* name, const auto&) { names += name; });
  EXPECT_EQ(names, "componentvariabletimefilelinecolumnkeyhint");
}

TEST(ErrorCodes, HaveWords) {
  EXPECT_EQ(to_string(ErrorCode::usage), "usage");
  EXPECT_EQ(to_string(ErrorCode::interrupted), "interrupted");
}

class ErrorFields : public ::testing::Test {
 protected:
  /// Two components of an FMU; line 3 of the file begins the second one.
  System two_of(const std::string& model, const std::string& rest,
                const std::string& version = "2.0") {
    const std::string file = '"' + fmu(version, model) + "\"\n";
    place_.write("s.toml", "[components]\na = " + file + "b = " + file + rest);
    return read_system(place_.path() / "s.toml");
  }
  static RunReport run_one(const System& system, bool own_process) {
    SystemRunOptions options;
    options.own_process = own_process;
    return run(system, options, nullptr, {});
  }
  Workplace place_;
};

TEST_F(ErrorFields, OfAMisspeltKeyAreFileLineKeyAndHint) {
  const Error error = error_of([&] { two_of("Gain", "[simulation]\nstop = 1\nstpe = 0.1\n"); });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_EQ(error.details().file, (place_.path() / "s.toml").string());
  EXPECT_EQ(error.details().line, 6u);
  EXPECT_EQ(error.details().key, "simulation.stpe");
  EXPECT_THAT(error.details().hint, HasSubstr("Did you mean \"step\"?"));
}

TEST_F(ErrorFields, OfAWrongValueAreFileLineKeyAndComponent) {
  const Error error = error_of([&] { two_of("Gain", "[simulation]\nstop = 1\n[cycles]\n"); });
  EXPECT_EQ(error.details().key, "cycles");
  EXPECT_EQ(error.details().line, 6u);
  place_.write("s.toml", "[components.a]\nfmu = \"a.fmu\"\nstep = -1\n");
  const Error step = error_of([&] { read_system(place_.path() / "s.toml"); });
  EXPECT_EQ(step.details().key, "components.a.step");
  EXPECT_EQ(step.details().component, "a");
  EXPECT_EQ(step.details().line, 3u);
}

TEST_F(ErrorFields, OfSeveralErrorsAreThoseOfTheFirstAndEachIsAPart) {
  const Error error = error_of([&] { two_of("Gain", "[simulation]\nstop = true\nstpe = 0.1\n"); });
  ASSERT_EQ(error.parts().size(), 2u);
  EXPECT_EQ(error.details().key, "simulation.stop");
  EXPECT_EQ(error.parts()[1].details().key, "simulation.stpe");
  EXPECT_EQ(std::string(error.what()),
            std::string(error.parts()[0].what()) + "\n" + error.parts()[1].what());
}

TEST_F(ErrorFields, OfAnUnknownVariableInAConnectionAreItsPlaceAndTheVariable) {
  const System system = two_of("Gain", "[connections]\nlist = [\n\"a.y -> b.uu\",\n]\n");
  const Error error = error_of([&] { run_one(system, false); });
  EXPECT_EQ(error.details().component, "b");
  EXPECT_EQ(error.details().variable, "uu");
  EXPECT_EQ(error.details().line, 6u);
  EXPECT_EQ(error.details().hint, "Did you mean \"u\"?");
  const SystemReport report = check_system(system);
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_EQ(report.errors[0].details().variable, "uu");
}

TEST_F(ErrorFields, OfAMissingCapabilityAreComponentKeyAndHint) {
  const Error error = error_of([&] {
    run_one(two_of("FeedbackBare",
                   "[connections]\nlist = [\"a.y -> b.u\", \"b.y -> a.u\"]\n"
                   "[simulation]\nmethod = \"newton\"\n"),
            false);
  });
  EXPECT_EQ(error.code(), ErrorCode::capability);
  EXPECT_EQ(error.details().component, "a");
  EXPECT_EQ(error.details().key, "simulation.method");
  EXPECT_EQ(error.details().line, 2u);
  EXPECT_THAT(error.details().hint, HasSubstr("Use method = \"jacobi\""));
}

/// In this process, and in one of its own.
class RunErrorFields : public ErrorFields, public ::testing::WithParamInterface<bool> {};

// The faults happen in the step that starts at t = 0.5 s.
TEST_P(RunErrorFields, OfAStepThatFailsAreComponentAndTime) {
  const RunReport report =
      run_one(two_of("faulty_error_in_step", "[simulation]\nstop = 1\nstep = 0.1\n"), GetParam());
  ASSERT_TRUE(report.end.error);
  EXPECT_EQ(report.end.error->code(), ErrorCode::fmu);
  EXPECT_EQ(report.end.error->details().component, "a");
  EXPECT_NEAR(report.end.error->details().time.value_or(-1), 0.5, 1e-12);  // rounding of 5 * 0.1
}

TEST_P(RunErrorFields, OfANanAreComponentVariableAndTime) {
  const System system = two_of("faulty_nan_in_step", "[simulation]\nstop = 1\nstep = 0.1\n");
  const RunReport report = run_one(system, GetParam());
  ASSERT_TRUE(report.end.error);
  EXPECT_EQ(report.end.error->code(), ErrorCode::numeric);
  EXPECT_EQ(report.end.error->details().component, "a");
  EXPECT_EQ(report.end.error->details().variable, "y");
  EXPECT_NEAR(report.end.error->details().time.value_or(-1), 0.6, 1e-12);  // rounding of 6 * 0.1
  const auto json = nlohmann::json::parse(statistics_json(system, report));
  EXPECT_EQ(json["end"]["errorDetails"]["code"], "numeric");
  EXPECT_EQ(json["end"]["errorDetails"]["variable"], "y");
  EXPECT_FALSE(json["end"]["errorDetails"].contains("file"));
}

INSTANTIATE_TEST_SUITE_P(InBoth, RunErrorFields, ::testing::Bool());

TEST_F(ErrorFields, OfACrashAreComponentAndTime) {
  const RunReport report =
      run_one(two_of("faulty_crash_in_step", "[simulation]\nstop = 1\nstep = 0.1\n"), true);
  ASSERT_TRUE(report.end.error);
  EXPECT_EQ(report.end.error->code(), ErrorCode::crash);
  EXPECT_EQ(report.end.error->details().component, "a");
  EXPECT_NEAR(report.end.error->details().time.value_or(-1), 0.5, 1e-12);  // rounding of 5 * 0.1
}

// The library knows keys; the program `tutti` names its options instead.
TEST_F(ErrorFields, NameKeysInTheLibraryAndOptionsOnTheCommandLine) {
  SimulateOptions options;
  options.fmu = fmu("2.0", "Gain");
  options.per_decade = 5;
  options.first = options.step = 1;
  options.stop = 10;
  const Error error = error_of([&] { simulate(options, nullptr, {}); });
  EXPECT_EQ(error.details().key, "simulation.step");
  EXPECT_THAT(error.what(), HasSubstr("simulation.step and"));
  const Answer answer = place_.tutti({"simulate", fmu("2.0", "Gain"), "--per-decade", "5",
                                      "--first", "1", "--step", "1", "--stop", "10"});
  EXPECT_THAT(answer.err, HasSubstr("--step and"));
}

// CVODE refuses tolerances below the rounding error of its states.
TEST_F(ErrorFields, OfASolverNameItsKeyOrItsOption) {
  const std::string roberts = fmu("2.0", "Roberts");
  place_.write("s.toml", "[components.r]\nfmu = \"" + roberts +
                             "\"\nas = \"me\"\nsolver = { rtol = 1e-16, atol = 1e-25 }\n");
  const RunReport report = run_one(read_system(place_.path() / "s.toml"), true);
  ASSERT_TRUE(report.end.error);
  EXPECT_EQ(report.end.error->details().key, "components.r.solver.rtol");
  EXPECT_EQ(report.end.error->details().hint, "Try a larger components.r.solver.rtol.");
  const Answer answer = place_.tutti(
      {"simulate", roberts, "--type", "me", "--rtol", "1e-16", "--atol", "1e-25", "-o", "none"});
  EXPECT_THAT(answer.err, HasSubstr("Try a larger --rtol."));
}

TEST_F(ErrorFields, AreInTheJsonOfACheck) {
  two_of("Gain", "[connections]\nlist = [\"a.y -> b.uu\"]\n");
  const Answer answer = place_.tutti({"check", "s.toml", "--json"});
  EXPECT_EQ(answer.status, 1);
  const auto json = nlohmann::json::parse(answer.out);
  ASSERT_EQ(json["errors"].size(), 1u);
  EXPECT_THAT(json["errors"][0].get<std::string>(), HasSubstr("has no variable \"uu\""));
  EXPECT_EQ(json["errorDetails"][0]["component"], "b");
  EXPECT_EQ(json["errorDetails"][0]["line"], 5);
}

}  // namespace
}  // namespace tutti::testing
