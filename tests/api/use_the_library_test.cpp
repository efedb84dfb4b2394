// SPDX-License-Identifier: BSD-2-Clause
// What docs/use-the-library.md shows: its program is built and run here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/command.hpp"
#include "support/places.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string documentation(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(places::source_folder() / "docs" / file).rdbuf();
  return text.str();
}

class UseTheLibrary : public ::testing::Test {
 protected:
  /// One FMU that does something wrong at the time `at`.
  Answer study(const std::string& fault, const std::string& arguments) const {
    place_.write("system.toml", "[components.bad]\nfmu = \"" + fmu("2.0", fault) +
                                    "\"\n[simulation]\nstep = 0.1\nstop = 1.0\n");
    const auto program = places::build_folder() / "tests/parameter_study";
    return place_.shell(program.string() + " system.toml " + arguments);
  }
  Workplace place_;
};

TEST_F(UseTheLibrary, ShowsTheProgramsThatAreBuilt) {
  for (const char* name : {"parameter_study", "many_runs"}) {
    const std::string program = documentation(std::string("examples/") + name + ".cpp");
    ASSERT_FALSE(program.empty());
    EXPECT_THAT(documentation("use-the-library.md"), HasSubstr("```cpp\n" + program + "```\n"));
  }
}

// y is the time of the last step, so its maximum is 1 at the end.
TEST_F(UseTheLibrary, HasAProgramThatRunsASystemForEachValue) {
  const Answer answer = study("faulty_crash_in_step", "bad.at bad.y 8 9");
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(answer.out,
            "bad.at = 8: maximum 1 at t = 1 s\n"
            "bad.at = 9: maximum 1 at t = 1 s\n");
  EXPECT_EQ(answer.err, "");
}

TEST_F(UseTheLibrary, HasAProgramThatGoesOnAfterACrash) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer ends the process otherwise";
#endif
  const Answer answer = study("faulty_crash_in_step", "bad.at bad.y 0.3 9");
  EXPECT_EQ(answer.status, 1);
  EXPECT_EQ(answer.out,
            "bad.at = 0.3: t = 0.3 s: component \"bad\" crashed in a step: segmentation fault "
            "(SIGSEGV)\n"
            "bad.at = 9: maximum 1 at t = 1 s\n");
  EXPECT_THAT(documentation("use-the-library.md"), HasSubstr("```\n" + answer.out + "```\n"));
}

TEST_F(UseTheLibrary, HasAProgramThatStopsAtAWrongName) {
  const Answer answer = study("faulty_crash_in_step", "bad.on bad.y 8 9");
  EXPECT_EQ(answer.status, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_THAT(answer.err, StartsWith("parameter_study: component \"bad\""));
  EXPECT_EQ(place_.leftover_count(), 0u);
}

}  // namespace
}  // namespace tutti::testing
