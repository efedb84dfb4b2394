// SPDX-License-Identifier: BSD-2-Clause
// What docs/integrate.md shows: its programs are built and run here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <tutti/solvers.hpp>

#include "support/command.hpp"
#include "support/places.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

std::string integrate_page(const std::string& file = "integrate.md") {
  std::ostringstream text;
  text << std::ifstream(places::source_folder() / "docs" / file).rdbuf();
  return text.str();
}

class IntegratePage : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Programs, IntegratePage,
                         ::testing::Values("van_der_pol", "ball", "pendulum"),
                         [](const auto& tested) { return tested.param; });

TEST_P(IntegratePage, ShowsAProgramWithWhatItPrints) {
  const std::string program = integrate_page("examples/integrate_" + GetParam() + ".cpp");
  ASSERT_FALSE(program.empty());
  EXPECT_THAT(integrate_page(), HasSubstr("```cpp\n" + program + "```\n"));
  const Workplace place;
  const Answer answer =
      place.shell((places::build_folder() / "tests/integrate_").string() + GetParam());
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(integrate_page(), HasSubstr("```\n" + answer.out + "```\n"));
}

TEST(TheIntegratePage, SolvesVanDerPolInLessThan20Lines) {
  const std::string program = integrate_page("examples/integrate_van_der_pol.cpp");
  EXPECT_LT(std::count(program.begin(), program.end(), '\n'), 20);
}

TEST(TheIntegratePage, NamesEverySolver) {
  const std::string page = integrate_page();
  for (const SolverInfo& solver : ode_solvers())
    EXPECT_THAT(page, HasSubstr("`" + solver.name + "`"));
}

}  // namespace
}  // namespace tutti::testing
