// SPDX-License-Identifier: BSD-2-Clause
// What the files printed in the papers become.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "formats/registry.hpp"
#include "formats/toml/write.hpp"
#include "support/printed.hpp"

namespace tutti::formats {
namespace {

using ::testing::ElementsAre;

const Words printed_words;

class PrintedFile : public ::testing::Test {
 protected:
  System read(const std::string& name) {
    const Log log([this](const LogRecord& record) {
      if (record.severity == Severity::warning) warnings_.emplace_back(record.text);
    });
    return read_system(testing::lay_out(work_, name), {printed_words, {}, log});
  }
  static std::vector<std::string> components(const System& system) {
    std::vector<std::string> all;
    for (const Component& c : system.components)
      all.push_back(fmt::format("{}: {}", c.name, c.fmu.string()));
    return all;
  }
  /// Sorted.
  static std::vector<std::string> connections(const System& system) {
    std::vector<std::string> all;
    for (const Connection& c : system.connections)
      all.push_back(fmt::format("{}.{} -> {}.{}", c.from.component, c.from.variable, c.to.component,
                                c.to.variable));
    std::sort(all.begin(), all.end());
    return all;
  }
  testing::Workplace work_;
  std::vector<std::string> warnings_;
};

void expect_tolerance(const IterationSettings& t, double abs, double rel,
                      std::uint32_t iterations) {
  EXPECT_EQ(t.abs, abs);
  EXPECT_EQ(t.rel, rel);
  EXPECT_EQ(t.iterations, iterations);
}

TEST_F(PrintedFile, OfTheResistorAndTheCapacitorHasOneCycleThatIsIterated) {
  const System s = read("resistor_capacitor");
  EXPECT_THAT(components(s), ElementsAre("part1: fmus/part1.fmu", "part2: fmus/part2.fmu"));
  EXPECT_THAT(connections(s), ElementsAre("part1.out_y.value -> part2.in_y.value",
                                          "part2.out_i.value -> part1.in_i.value"));
  EXPECT_THAT(s.results.variables, ElementsAre("part1.out_y.value", "part2.out_i.value"));
  EXPECT_TRUE(s.results.gnuplot);
  EXPECT_EQ(s.simulation.start, 0);
  EXPECT_EQ(s.simulation.stop, 10);
  EXPECT_EQ(s.simulation.step, 0.001);
  EXPECT_EQ(s.simulation.control.name, "fixed");
  EXPECT_THAT(s.simulation.methods, ElementsAre("iterated"));
  expect_tolerance(s.simulation.tolerance, 1e-6, 1e-4, 100);
  ASSERT_EQ(s.cycles.size(), 1u);
  EXPECT_THAT(s.cycles[0].order, ElementsAre("part1", "part2"));
  EXPECT_THAT(warnings_, ElementsAre());
}

// The text has x1, x2, x3 as slaves 1 to 3 and y as slave 4; in the file y is 1 and x1 is 4.
TEST_F(PrintedFile, OfTheLinearSystemHasTheThreeEquationsInOneCycleForNewton) {
  const System s = read("linear_system");
  const auto name = [](int i) { return fmt::format("bspEmodel{0}_fmu: bspEmodel{0}_fmu", i); };
  EXPECT_THAT(components(s), ElementsAre(name(0), name(1), name(2), name(3), name(4)));
  EXPECT_THAT(
      connections(s),
      ElementsAre("bspEmodel0_fmu.r1 -> bspEmodel4_fmu.r", "bspEmodel0_fmu.r2 -> bspEmodel2_fmu.r",
                  "bspEmodel0_fmu.r3 -> bspEmodel3_fmu.r", "bspEmodel2_fmu.x -> bspEmodel1_fmu.x2",
                  "bspEmodel2_fmu.x -> bspEmodel3_fmu.q", "bspEmodel2_fmu.x -> bspEmodel4_fmu.p",
                  "bspEmodel3_fmu.x -> bspEmodel1_fmu.x3", "bspEmodel3_fmu.x -> bspEmodel2_fmu.q",
                  "bspEmodel3_fmu.x -> bspEmodel4_fmu.q", "bspEmodel4_fmu.x -> bspEmodel1_fmu.x1",
                  "bspEmodel4_fmu.x -> bspEmodel2_fmu.p", "bspEmodel4_fmu.x -> bspEmodel3_fmu.p"));
  EXPECT_THAT(
      s.results.variables,
      ElementsAre("bspEmodel3_fmu.x", "bspEmodel4_fmu.x", "bspEmodel2_fmu.x", "bspEmodel0_fmu.r1",
                  "bspEmodel0_fmu.r3", "bspEmodel0_fmu.r2", "bspEmodel1_fmu.y"));
  EXPECT_EQ(s.simulation.start, 0);
  EXPECT_EQ(s.simulation.stop, 4);
  EXPECT_EQ(s.simulation.step, 1);
  EXPECT_THAT(s.simulation.methods, ElementsAre("newton"));
  expect_tolerance(s.simulation.tolerance, 1e-6, 1e-4, 1000);
  ASSERT_EQ(s.cycles.size(), 1u);
  EXPECT_THAT(s.cycles[0].order, ElementsAre("bspEmodel2_fmu", "bspEmodel3_fmu", "bspEmodel4_fmu"));
  EXPECT_THAT(warnings_, ElementsAre());
}

TEST_F(PrintedFile, OfTheSpeedControlPassesItsCycleOnceAMillisecond) {
  const System s = read("speed_control");
  EXPECT_THAT(components(s), ElementsAre("S: S", "C: C", "P: P"));
  EXPECT_THAT(connections(s), ElementsAre("C.T -> P.T", "P.w -> C.w", "S.f -> C.f"));
  EXPECT_THAT(s.results.variables, ElementsAre("S.f", "C.T", "P.w", "P.phi"));
  EXPECT_EQ(s.simulation.start, 0);
  EXPECT_EQ(s.simulation.stop, 2);
  EXPECT_EQ(s.simulation.step, 0.001);
  EXPECT_EQ(s.simulation.control.name, "fixed");
  EXPECT_THAT(s.simulation.methods, ElementsAre("gauss-seidel"));
  expect_tolerance(s.simulation.tolerance, 1e-6, 1e-4, 1000);
  ASSERT_EQ(s.cycles.size(), 1u);
  EXPECT_THAT(s.cycles[0].order, ElementsAre("C", "P"));
  EXPECT_THAT(warnings_, ElementsAre());
}

TEST_F(PrintedFile, OfWheelAndChassisControlsItsStepByRichardsonsExtrapolation) {
  const System s = read("wheel_chassis");
  EXPECT_THAT(components(s), ElementsAre("QC_ChassisSystem_fmu: QC_ChassisSystem_fmu",
                                         "QC_WheelSystem_fmu: QC_WheelSystem_fmu"));
  EXPECT_THAT(connections(s), ElementsAre("QC_ChassisSystem_fmu.v -> QC_WheelSystem_fmu.v_chassis",
                                          "QC_ChassisSystem_fmu.x -> QC_WheelSystem_fmu.x_chassis",
                                          "QC_WheelSystem_fmu.v -> QC_ChassisSystem_fmu.v_wheel",
                                          "QC_WheelSystem_fmu.x -> QC_ChassisSystem_fmu.x_wheel"));
  EXPECT_THAT(s.results.variables, ElementsAre("QC_WheelSystem_fmu.x", "QC_WheelSystem_fmu.v",
                                               "QC_ChassisSystem_fmu.x", "QC_ChassisSystem_fmu.v"));
  EXPECT_EQ(s.simulation.start, 0);
  EXPECT_EQ(s.simulation.stop, 4);
  EXPECT_EQ(s.simulation.step, 0.001);
  EXPECT_THAT(s.simulation.methods, ElementsAre("gauss-seidel"));
  EXPECT_EQ(s.simulation.control.name, "richardson");
  EXPECT_EQ(s.simulation.control.variant, ControlVariant::eas);
  EXPECT_EQ(s.simulation.control.max, 0.001);
  EXPECT_EQ(s.simulation.control.atol, 1e-4);
  EXPECT_EQ(s.simulation.control.rtol, 1e-4);
  // it_max_steps 0: there is nothing to iterate, and the limit stays what it is without the line.
  expect_tolerance(s.simulation.tolerance, 1e-4, 1e-4, IterationSettings{}.iterations);
  ASSERT_EQ(s.cycles.size(), 1u);
  EXPECT_THAT(s.cycles[0].order, ElementsAre("QC_ChassisSystem_fmu", "QC_WheelSystem_fmu"));
  EXPECT_THAT(warnings_, ElementsAre());
}

// The authors ask for this in the outlook of their papers.
class EveryPrintedFile : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(PrintedFile, EveryPrintedFile,
                         ::testing::ValuesIn(testing::printed_files()),
                         [](const auto& tested) { return tested.param; });

TEST_P(EveryPrintedFile, HasThePrioritiesAndCyclesThatFollowFromItsGraph) {
  const testing::Workplace work;
  const std::filesystem::path file = testing::lay_out(work, GetParam());
  const std::string text = work.read(file.filename().string());
  const System printed = read_system(file, {printed_words});
  work.write(file.filename().string(), text.substr(0, text.find("priority")));
  EXPECT_EQ(toml_text(read_system(file, {printed_words})), toml_text(printed));
}

}  // namespace
}  // namespace tutti::formats
