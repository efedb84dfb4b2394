// SPDX-License-Identifier: BSD-2-Clause
// Systems of the Open Simulation Platform as a user runs them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

/// x' = u twice, each driven by the other: z = a.x + i b.x, z' = i z, z(0) = 1.
std::string circle(const std::string& step_of_a) {
  return fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<OspSystemStructure xmlns="http://opensimulationplatform.com/MSMI/OSPSystemStructure" version="0.1">
  <EndTime>1</EndTime>
  <BaseStepSize>0.05</BaseStepSize>
  <Simulators>
    <Simulator name="a" source="Ramp.fmu" stepSize="{}">
      <InitialValues><InitialValue variable="x"><Real value="1"/></InitialValue></InitialValues>
    </Simulator>
    <Simulator name="b" source="Ramp.fmu" stepSize="0.1"/>
  </Simulators>
  <Functions><LinearTransformation name="minus" factor="-1"/></Functions>
  <Connections>
    <VariableConnection>
      <Variable simulator="b" name="u"/>
      <Variable simulator="a" name="x"/>
    </VariableConnection>
    <SignalConnection>
      <Variable simulator="b" name="x"/><Signal function="minus" name="in"/>
    </SignalConnection>
    <SignalConnection>
      <Signal function="minus" name="out"/><Variable simulator="a" name="u"/>
    </SignalConnection>
  </Connections>
</OspSystemStructure>
)",
                     step_of_a);
}

class OspCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::copy_file(fmu("2.0", "Ramp"), place_.path() / "Ramp.fmu");
  }
  /// a.x and b.x at the end.
  std::complex<double> last_of(const std::string& file) {
    const auto rows = csv_rows(place_.read(file));
    std::complex<double> z;
    for (std::size_t i = 0; i < rows.front().size(); ++i) {
      if (rows.front()[i] == "a.x") z.real(std::stod(rows.back()[i]));
      if (rows.front()[i] == "b.x") z.imag(std::stod(rows.back()[i]));
    }
    return z;
  }
  Workplace place_;
};

// Inputs hold the outputs of the last point, as in libcosim: z(t + h) = (1 + i h) z(t).
TEST_F(OspCommand, RunsWithTheValuesOfTheLastPoint) {
  place_.write("OspSystemStructure.xml", circle("0.1"));
  const Answer answer = place_.tutti({"run", ".", "-o", "r.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const std::complex<double> expected = std::pow(std::complex<double>(1, 0.1), 10);
  EXPECT_LT(std::abs(last_of("r.csv") - expected), 1e-9);  // 12 digits in the file
}

// What a reads changes every 0.1 s, so its steps of 0.05 s change nothing.
TEST_F(OspCommand, TransfersValuesWhenBothHaveFinishedTheirSteps) {
  place_.write("s.xml", circle("0.05"));
  const Answer answer = place_.tutti({"run", "s.xml", "-o", "r.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_LT(std::abs(last_of("r.csv") - std::pow(std::complex<double>(1, 0.1), 10)), 1e-9);
}

TEST_F(OspCommand, ConvertsToASystemThatGivesTheSame) {
  place_.write("s.xml", circle("0.1"));
  ASSERT_EQ(place_.tutti({"convert", "s.xml", "s.toml"}).status, 0);
  ASSERT_EQ(place_.tutti({"run", "s.xml", "-o", "a.csv"}).status, 0);
  ASSERT_EQ(place_.tutti({"run", "s.toml", "-o", "b.csv"}).status, 0);
  EXPECT_EQ(place_.read("a.csv"), place_.read("b.csv"));
  EXPECT_EQ(place_.tutti({"graph", "s.xml"}).status, 0);
  EXPECT_EQ(place_.tutti({"check", "s.xml"}).status, 0);
}

TEST_F(OspCommand, SaysWhereAFileIsWrong) {
  place_.write("s.xml", circle("fast"));
  const Answer answer = place_.tutti({"run", "s.xml", "-o", "r.csv"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("s.xml:6:6: stepSize must be a number, not \"fast\""));
  place_.write("OspSystemStructure.xml", "<OspSystemStructure><Simulators>");
  const Answer cut = place_.tutti({"run", "OspSystemStructure.xml", "-o", "r.csv"});
  EXPECT_EQ(cut.status, 2);
  EXPECT_THAT(cut.err, HasSubstr("OspSystemStructure.xml:1:"));
  const Answer check = place_.tutti({"check", "OspSystemStructure.xml"});
  EXPECT_EQ(check.status, 1);  // as for every system with errors
  EXPECT_THAT(check.out, HasSubstr("error    OspSystemStructure.xml:1:"));
}

}  // namespace
}  // namespace tutti::testing
