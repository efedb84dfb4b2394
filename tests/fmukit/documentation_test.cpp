// SPDX-License-Identifier: BSD-2-Clause
#include "slaves.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace fmukit_test;

namespace {

const std::string docs = (tutti::places::source_folder() / "docs/").string();

TEST(WriteAnFmu, ShowsTheExampleThatIsBuilt) {
  const std::string example = read_file(docs + "examples/pendulum.cpp");
  const std::string page = read_file(docs + "write-an-fmu.md");
  EXPECT_NE(page.find("```cpp\n" + example + "```\n"), std::string::npos);
  EXPECT_LT(std::count(example.begin(), example.end(), '\n'), 40);
}

// Without friction and push the energy omega^2 / 2 + g height stays (length 1).
TEST(WriteAnFmu, HasAnExampleThatWorks) {
  Slave3 s("Pendulum");
  s.set("friction", 0);
  s.initialize();
  const auto energy = [&] { return s.get("omega") * s.get("omega") / 2 + 9.81 * s.get("height"); };
  const double before = energy();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(s.step(i * 0.01, 0.01).status, f3::ok);
  EXPECT_NEAR(energy(), before, 1e-9);  // RK4 with h = 1e-3: drift of some h^5 per step, 1e4 steps
}

}  // namespace
