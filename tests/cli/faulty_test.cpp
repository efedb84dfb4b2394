// SPDX-License-Identifier: BSD-2-Clause
// Every misbehaving FMU: a message, the right exit status, never a hang, the results so far on
// disk.
#include <gtest/gtest.h>

#include <cmath>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

struct FaultyCase {
  const char* fmu;
  int status;
  const char* message;  ///< a part of what is printed; empty: any
  double last = NAN;    ///< time of the last recorded row; NaN: no result file
  const char* versions = "1.0-cs 2.0 3.0";
  bool with_sanitizers = true;
};

std::ostream& operator<<(std::ostream& out, const FaultyCase& c) { return out << c.fmu; }

// The faults happen in the step that starts at t = 0.5 (step 0.1).
const FaultyCase cases[] = {
    {"crash_in_step", 1, "crashed in a step: segmentation fault (SIGSEGV)", 0.5, "1.0-cs 2.0 3.0",
     false},
    {"abort_in_step", 1, "in a step: ", 0.5},
    {"exit_in_step", 1, "ended the process in a step: exit status 0", 0.5},
    {"hang_in_step", 1, "did not return within 0.5 s in a step", 0.5},
    {"error_in_step", 1, "the model failed", 0.5},
    {"fatal_in_step", 1, "the model is lost", 0.5},
    {"nan_in_step", 1, "\"y\" of component \"faulty_nan_in_step\" is NaN", 0.5},
    {"throw_in_step", 1, "let a C++ exception escape at t = ", 0.0},
    {"discard_always", 1, "discards every step", 0.5},
    {"discard_with_progress", 0, "", 1.0, "1.0-cs 2.0"},
    {"discard_without_progress", 0, "", 1.0},
    {"warning_in_step", 0, "warning", 1.0},
    {"asks_for_termination", 0, "asked to end the run", NAN, "2.0 3.0"},
    {"log_megabytes", 0, "more messages of the FMU are not shown", 1.0},
    {"log_traps", 0, "", 1.0},
    {"wrong_environment", 0, "", 1.0, "2.0 3.0"},
    {"write_to_stdout", 0, "", 1.0},
    {"pending", 0, "", 1.0, "1.0-cs 2.0"},
    {"pending_silently", 0, "", 1.0, "1.0-cs 2.0"},
    {"pending_fails_later", 1, "", NAN, "1.0-cs 2.0"},
    {"pending_forever", 1, "did not return within 0.5 s in a step", 0.0, "1.0-cs 2.0"},
    {"change_folder", 0, "warning", 1.0},
    {"change_locale", 0, "", 1.0},
    {"change_rounding", 0, "warning", 1.0},
    {"change_traps", 0, "the floating-point traps", 1.0},
    {"crash_in_instantiate", 2, "while it was loaded and instantiated"},
    {"crash_in_initialization", 2, "while it was initialized"},
    {"crash_in_terminate", 1, "while it was terminated and freed", 1.0},
    {"crash_in_free", 1, "while it was terminated and freed", 1.0},
    {"error_in_initialization", 2, "the initial equations have no solution"},
    {"hang_in_instantiate", 2, "did not return within 0.5 s while it was loaded"},
    {"hang_in_initialization", 2, "did not return within 0.5 s while it was initialized"},
    {"hang_in_terminate", 1, "did not return within 0.5 s while it was terminated", 1.0},
    {"refuse_to_instantiate", 2, ""},
    {"waits_for_licence", 2, "needs an external tool: check its installation and licence."},
    {"wrong_guid", 2, "", NAN, "1.0-cs 2.0"},
    {"wrong_token", 2, "", NAN, "3.0"},
    {"missing_do_step", 2, "DoStep"},
    {"missing_library", 2, "faulty_not_shipped"},
    {"needs_tool", 0, "tool", 1.0},
    {"once_per_process", 0, "", 1.0},
    {"lies_about_state", 0, "", 1.0, "2.0"},
    {"lacks_state_functions", 0, "", 1.0, "2.0"},
    {"lacks_optional_functions", 0, "", 1.0, "2.0"},
    {"misspelt_function", 0, "", 1.0, "2.0"},
    {"lacks_setters", 0, "lacks the function", 1.0, "1.0-cs 2.0"},
    {"old_fortran", 0, "needs libgfortran.so.3, which was not found; a replacement", 1.0,
     "1.0-cs 2.0"},
    {"other_fortran", 2, "needs libgfortran.so.3, which was not found. Install", NAN, "2.0"},
    {"keeps_pointers", 0, "", 1.0, "1.0-cs 2.0"},
    {"one_buffer", 0, "several texts at one address", 1.0, "1.0-cs 2.0"},
    {"negated_alias", 0, "", 1.0, "1.0-cs"},
};

class EveryFaultyFmu : public ::testing::TestWithParam<FaultyCase> {};
INSTANTIATE_TEST_SUITE_P(Cli, EveryFaultyFmu, ::testing::ValuesIn(cases),
                         [](const auto& tested) { return std::string(tested.param.fmu); });

TEST_P(EveryFaultyFmu, GivesAMessageTheRightStatusAndTheResultsSoFar) {
  const FaultyCase& c = GetParam();
#ifdef __SANITIZE_ADDRESS__
  if (!c.with_sanitizers) GTEST_SKIP() << "the sanitizer itself reports this";
#endif
  for (const std::string version : {"1.0-cs", "2.0", "3.0"}) {
    if (std::string(c.versions).find(version) == std::string::npos) continue;
    SCOPED_TRACE("FMI " + version);
    const Workplace place;
    const Answer answer =
        place.tutti({"simulate", fmu(version, std::string("faulty_") + c.fmu), "--step", "0.1",
                     "--stop", "1", "--step-timeout", "0.5", "-o", "y.csv"});
    EXPECT_EQ(answer.status, c.status) << answer.err;
    EXPECT_NE((answer.out + answer.err).find(c.message), std::string::npos)
        << answer.out << answer.err;
    EXPECT_EQ(place.leftover_count(), 0u);
    if (c.status != 0) {
      EXPECT_NE(answer.err.find("error: "), std::string::npos) << answer.err;
    }
    EXPECT_EQ(std::filesystem::exists(place.path() / "y.csv"), c.status != 2);
    if (!std::isnan(c.last)) {
      const auto rows = csv_rows(place.read("y.csv"));
      ASSERT_GE(rows.size(), 2u);
      EXPECT_NEAR(std::stod(rows.back()[0]), c.last, 1e-12);
    }
  }
}

TEST(FaultyFmu, SeesItsOwnFunctionsAndNotOursOfTheSameName) {
  for (const std::string version : {"1.0-cs", "2.0", "3.0"}) {
    const Workplace place;
    const Answer answer =
        place.tutti({"simulate", fmu(version, "faulty_symbol_clash"), "--variables", "*", "--step",
                     "0.1", "--stop", "0.2", "-o", "y.csv"});
    ASSERT_EQ(answer.status, 0) << answer.err;
    const auto rows = csv_rows(place.read("y.csv"));
    const auto column = std::find(rows[0].begin(), rows[0].end(), "clash") - rows[0].begin();
    ASSERT_LT(column, static_cast<std::ptrdiff_t>(rows[0].size()));
    // How many functions that it called were not its own.
    EXPECT_EQ(rows.back()[static_cast<std::size_t>(column)], "0") << "FMI " << version;
  }
}

TEST(FaultyFmu, ThatWritesBeyondItsArraysLosesNoResults) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself reports this";
#endif
  const Workplace place;
  const Answer answer =
      place.tutti({"simulate", fmu("2.0", "faulty_write_beyond_arrays"), "-o", "y.csv"});
  // What a damaged heap does is anybody's guess: perhaps it crashes later, perhaps never.
  EXPECT_TRUE(answer.status == 0 || answer.status == 1) << answer.status << answer.err;
  EXPECT_GE(csv_rows(place.read("y.csv")).size(), 7u);  // header, t = 0 to 0.5
}

TEST(FaultyFmu, ThatWritesOverResultsIsNoticed) {
  const Workplace place;
  // Steps so short that rows wait to be read when it happens.
  const Answer answer = place.tutti(
      {"simulate", fmu("2.0", "faulty_write_over_results"), "--step", "1e-5", "-o", "y.csv"});
  EXPECT_EQ(answer.status, 1) << answer.err;
  EXPECT_NE(answer.err.find("was overwritten: an FMU writes outside its memory"), std::string::npos)
      << answer.err;
  // What is there is right: y = t.
  const auto rows = csv_rows(place.read("y.csv"));
  for (std::size_t i = 1; i < rows.size(); ++i)
    ASSERT_NEAR(std::stod(rows[i][0]), std::stod(rows[i][1]), 1e-9) << i;
}

TEST(FaultyFmu, ThatHangsIsInterruptedAtOnce) {
  const Workplace place;
  const Answer answer =
      place.tutti({"simulate", fmu("2.0", "faulty_hang_in_step"), "-o", "y.csv"}, 2);
  EXPECT_EQ(answer.status, 130) << answer.err;
  EXPECT_EQ(csv_rows(place.read("y.csv")).back()[0], "0.5");
  EXPECT_EQ(place.leftover_count(), 0u);
}

TEST(FaultyFmu, ThatPrintsDoesNotSpoilTheStatistics) {
  const Workplace place;
  const Answer answer =
      place.tutti({"simulate", fmu("2.0", "faulty_write_to_stdout"), "--json", "-o", "none"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(answer.out.front(), '{');
}

}  // namespace
}  // namespace tutti::testing
