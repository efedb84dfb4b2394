// SPDX-License-Identifier: BSD-2-Clause
// What systems of many components cost before time runs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

/// A ring of so many, or rings of ten.
std::string ring_of_gains(int count, int size) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += fmt::format("[components.c{}]\nfmu = \"{}\"\nset.y = 1.0\n", i, fmu("2.0", "Trivial"));
  text += "[connections]\nlist = [\n";
  for (int i = 0; i < count; ++i) {
    const int next = (i + 1) % size == 0 ? i + 1 - size : i + 1;
    text += fmt::format("  \"c{}.y -> c{}.u\",\n", i, next);
  }
  return text + "]\n[simulation]\nstop = 0.2\nstep = 0.1\n[results]\nvariables = [\"c0.y\"]\n";
}

/// Of processes that have ended, in seconds: does not depend on what else the machine does.
double processor_time() {
  rusage spent{};
  getrusage(RUSAGE_CHILDREN, &spent);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(spent.ru_utime) + seconds(spent.ru_stime);
}

double cost(const Workplace& work, const std::vector<std::string>& arguments, int times) {
  double least = 1e9;
  for (int i = 0; i < times; ++i) {
    const double before = processor_time();
    const Answer answer = work.tutti(arguments);
    EXPECT_EQ(answer.status, 0) << answer.err.substr(0, 1000);
    least = std::min(least, processor_time() - before);
  }
  return least;
}

// Ten times the components cost ten times as much, and a little more where memory is no longer in
// the caches. What grows with the square costs a hundred times as much.
TEST(ManyComponents, CostInProportionToTheirNumber) {
  constexpr int few = 4'000, many = 40'000;
  constexpr double proportion = 10, caches = 2;
  const Workplace work;
  for (const int size : {10, 0}) {
    work.write("few.toml", ring_of_gains(few, size > 0 ? size : few));
    work.write("many.toml", ring_of_gains(many, size > 0 ? size : many));
    for (const auto& command : std::vector<std::vector<std::string>>{
             {"check"},
             {"graph"},
             {"run", "-q", "-o", "r.csv", "--set", "results.variables=\"*.y\""},
             {"run", "-q", "-o", "none", "--set", "simulation.method=iterated"}}) {
      const auto of = [&](const char* file, int times) {
        std::vector<std::string> arguments = command;
        arguments.insert(arguments.begin() + 1, file);
        return cost(work, arguments, times);
      };
      EXPECT_LT(of("many.toml", 1), caches * proportion * of("few.toml", 3))
          << command[0] << (command.size() > 1 ? command.back() : "") << ", rings of "
          << (size > 0 ? "10" : "all");
    }
  }
}

}  // namespace
}  // namespace tutti::testing
