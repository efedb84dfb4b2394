// SPDX-License-Identifier: BSD-2-Clause
// Algebraic loops of gain 1, whose equations determine nothing: no method may make up values.
#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

class GainOne : public SystemRun, public ::testing::WithParamInterface<const char*> {
 protected:
  /// a.y = b.y + offset, b.y = a.y
  void write_ring(double offset, const std::string& version = "2.0") {
    write({{"a", "Gain", fmt::format("k = 1.0, b = {:.17g}", offset)}, {"b", "Gain", "k = 1.0"}},
          {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
          fmt::format("[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"{}\"\n", GetParam()),
          version);
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, GainOne,
                         ::testing::Values("anderson", "auto", "broyden", "gauss-seidel",
                                           "iterated", "jacobi", "newton"));

TEST_P(GainOne, IsRefusedWithTheVariablesThatAreFree) {
  for (const double offset : {0.0, 1.0})
    for (const char* version : {"2.0", "3.0"}) {
      write_ring(offset, version);
      run();
      EXPECT_EQ(answer_.status, 2) << answer_.err;
      EXPECT_NE(answer_.err.find("the loop a.y, b.y has gain 1: its values are not determined"),
                std::string::npos)
          << answer_.err;
    }
}

// y = k u with k = 0.999999 is determined, however badly.
TEST_P(GainOne, IsNotSeenWhereTheGainIsNearOne) {
  write({{"a", "Gain", "k = 0.999999, b = 1e-6"}, {"b", "Gain", "k = 1.0"}},
        {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
        "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"newton\"\n");
  const auto last = run();
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("a.y"), 1, 1e-6);
}

class GainOneAdvice : public SystemRun {};

TEST_F(GainOneAdvice, SaysThatTheLoopHasNoUniqueSolution) {
  write({{"a", "Gain", "k = 1.0"}, {"b", "Gain", "k = 1.0"}}, {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
        "[simulation]\nstop = 1.0\nstep = 0.1\n");
  const Answer advice = place_.tutti({"advise", "s.toml"});
  EXPECT_NE((advice.out + advice.err).find("gain 1"), std::string::npos)
      << advice.out << advice.err;
}

}  // namespace
}  // namespace tutti::testing
