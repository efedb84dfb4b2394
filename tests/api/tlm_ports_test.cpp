// SPDX-License-Identifier: BSD-2-Clause
// Results of ports of lines at times of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tutti/system_file.hpp>
#include <tutti/system_run.hpp>

#include "api/masses.hpp"
#include "api/systems.hpp"

namespace tutti::testing::tlm_ports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two masses and a line.
constexpr double mass = 1, impedance = 1, delay = 0.1;

System two_masses(Component (*part)(const std::string&, double, double), double step) {
  System system;
  system.components = {part("a", mass, 1), part("b", mass, 0)};
  for (Component& component : system.components) component.step = step;
  system.tlm = {line_between({"a", "port"}, {"b", "port"}, delay, impedance)};
  system.tlm[0].initial_effort = {0};
  system.tlm[0].initial_flow = {0, 0};
  system.simulation.step = 0.1;
  system.simulation.stop = 2;
  system.results.ports = {"*"};
  return system;
}
Component by_force(const std::string& name, double m, double v) { return mass_part(name, m, v); }
Component by_wave(const std::string& name, double m, double v) {
  return wave_mass_part(name, m, v);
}

struct Recorded {
  AllRows rows, ports;
  RunReport report;
};

Recorded record(const System& system, bool own_process = false) {
  Recorded recorded;
  SystemRunOptions options;
  options.own_process = own_process;
  options.ports = &recorded.ports;
  recorded.report = run(system, options, &recorded.rows, Log());
  return recorded;
}

TEST(TlmPorts, HaveAColumnForEachQuantity) {
  System system = two_masses(by_wave, 0.05);
  EXPECT_THAT(record(system).ports.names,
              ElementsAre("a.port.effort", "a.port.flow", "a.port.wave", "a.port.sent",
                          "b.port.effort", "b.port.flow", "b.port.wave", "b.port.sent"));
  system.results.ports = {"b.*.sent", "*.effort"};
  EXPECT_THAT(record(system).ports.names,
              ElementsAre("a.port.effort", "b.port.effort", "b.port.sent"));
  System plane = read_system(places::build_folder() / "examples/tlm_single_pendulum/system.toml");
  plane.simulation.stop = 0.004;
  plane.results.ports = {"upper.joint.e*"};
  EXPECT_THAT(record(plane).ports.names, ElementsAre("upper.joint.effort.x", "upper.joint.effort.y",
                                                     "upper.joint.effort.angle"));
}

// A mass that knows its line is exact for a wave that is linear, and both ends have samples at the
// same times: what arrives was sent a delay before, e = c + Z f, w = e + Z f.
TEST(TlmPorts, HoldTheLawOfTheLineAtItsSamples) {
  for (const auto part : {by_wave, by_force}) {
    System system = two_masses(part, 0.0125);
    system.tlm[0].wave = WaveRule::exact;  // also of constant forces
    system.results.ports_interval = 0.0125;
    const auto rows = record(system).ports.rows;
    ASSERT_EQ(rows.size(), 161u);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      EXPECT_DOUBLE_EQ(rows[k][0], 0.0125 * static_cast<double>(k));
      for (const std::size_t end : {0u, 1u}) {
        const double* const value = &rows[k][1 + 4 * end];
        const double effort = value[0], flow = value[1], wave = value[2], sent = value[3];
        EXPECT_DOUBLE_EQ(effort, wave + impedance * flow);
        EXPECT_NEAR(sent, effort + impedance * flow, 1e-15);  // rounding
        if (k > 8) {
          EXPECT_NEAR(wave, -rows[k - 8][1 + 4 * (1 - end) + 3], 1e-15) << k;
        }
      }
    }
  }
}

// The values of the components themselves, where all meet.
TEST(TlmPorts, HaveTheFlowsOfTheirComponents) {
  for (const auto part : {by_wave, by_force}) {
    System system = two_masses(part, 0.0125);
    system.results.variables = {"*.velocity"};
    system.results.ports = {"*.flow"};
    system.results.ports_interval = 0.1;
    const Recorded recorded = record(system);
    EXPECT_EQ(recorded.ports.rows, recorded.rows.rows);
  }
}

TEST(TlmPorts, HaveAThousandIntervalsUnlessToldOtherwise) {
  System system = two_masses(by_wave, 0.05);
  EXPECT_EQ(record(system).ports.rows.size(), 1001u);
  system.results.ports_interval = 0.3;
  const auto rows = record(system).ports.rows;
  ASSERT_EQ(rows.size(), 8u);  // 0 to 1.8, and the end
  EXPECT_EQ(rows.back()[0], 2);
}

// With different own steps: each sample of either port, and between them straight lines.
TEST(TlmPorts, AreRecordedWhereverOneOfThemHasASample) {
  System system = two_masses(by_wave, 0.05);
  system.components[1].step = 0.02;
  system.results.ports = {"*.flow"};
  system.results.ports_interval = 0;
  const auto rows = record(system).ports.rows;
  system.results.ports_interval = 0.01;
  const auto fine = record(system).ports.rows;
  ASSERT_EQ(rows.size(), 121u);  // of each tenth: 0.02, 0.04, 0.05, 0.06, 0.08, 0.1
  constexpr std::size_t tenths[] = {0, 2, 4, 5, 6, 8};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto& expected = fine[10 * (k / 6) + tenths[k % 6]];
    ASSERT_EQ(rows[k].size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(rows[k][i], expected[i], 1e-15) << k;
  }
  // 0.05 lies in the middle between samples of b.
  EXPECT_NEAR(rows[3][2], (rows[2][2] + rows[4][2]) / 2, 1e-15);
}

System example(const std::string& file) {
  System system = read_system(places::build_folder() / "examples/tlm_three_masses" / file);
  system.simulation.stop = 0.12;
  system.results.ports = {"*"};
  return system;
}

TEST(TlmPorts, AreTheSameBitsOnTwoThreadsAndInAWorker) {
  for (const char* file : {"system.toml", "wave.toml", "table.toml"})
    for (const double interval : {0.0, 7e-5, 1e-3}) {
      System system = example(file);
      system.results.ports_interval = interval;
      const auto plain = record(system).ports.rows;
      EXPECT_GT(plain.size(), 100u);
      for (const unsigned threads : {1u, 2u})
        for (const bool own_process : {false, true}) {
          system.simulation.threads = threads;
          EXPECT_EQ(record(system, own_process).ports.rows, plain)
              << file << ", " << interval << ", " << threads << " threads, " << own_process;
        }
    }
}

// Where waves enter the equations, waves, flows and efforts have slopes: at times between the
// samples of CVODE, cubic polynomials are as exact as the solution.
TEST(TlmPorts, AreInterpolatedByCubicPolynomialsWhereSlopesAreKnown) {
  System system = example("system.toml");
  system.results.ports_interval = 1.3e-4;
  const auto exact = record(system).ports.rows;  // the Runge-Kutta method, 1e-5 s
  for (Component& component : system.components) {
    component.solver = {};
    component.solver.rtol = 1e-6;
  }
  const auto rows = record(system).ports.rows;
  ASSERT_EQ(rows.size(), exact.size());
  double error = 0, largest = 0;
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (const std::size_t column : {1u, 2u, 5u, 6u}) {
      error = std::max(error, std::abs(rows[k][column] - exact[k][column]));
      largest = std::max(largest, std::abs(exact[k][column]));
    }
  EXPECT_LT(error, 1e-3 * largest);  // the error of the solver is 6e-4 m/s of 15
}

TEST(TlmPorts, EndWithTheRunAlsoIfItFails) {
  for (const unsigned threads : {1u, 2u}) {
    System system = two_masses(by_force, 0.0125);
    system.components[1].set.emplace_back("failure", "1.25");
    system.simulation.threads = threads;
    system.results.ports_interval = 0.0125;
    System whole = two_masses(by_force, 0.0125);
    whole.results.ports_interval = 0.0125;
    const Recorded recorded = record(system);
    EXPECT_EQ(recorded.report.end.kind, RunEnd::Kind::failed);
    auto all = record(whole).ports.rows;
    const auto& rows = recorded.ports.rows;
    EXPECT_GE(rows.size(), 97u);   // until 1.2, where all have been
    EXPECT_LE(rows.size(), 101u);  // the last step before the failure ends at 1.25
    all.resize(rows.size());
    EXPECT_EQ(rows, all);
  }
}

// Islands that nothing joins could be at any distance.
TEST(TlmPorts, KeepIslandsTogetherSoThatMemoryIsBounded) {
  for (const unsigned threads : {1u, 2u}) {
    System system = two_masses(by_wave, 0.1);
    System other = two_masses(by_wave, 0.1);
    for (Component& component : other.components) component.name += "2";
    for (PortName& end : other.tlm[0].between) end.component += "2";
    system.components.insert(system.components.end(), other.components.begin(),
                             other.components.end());
    system.tlm.push_back(other.tlm[0]);
    system.simulation.step = 1000;
    system.simulation.stop = 20000;  // 200,000 steps, 9 numbers each, of four ports
    system.simulation.threads = threads;
    system.results.ports = {"*.flow"};
    const Recorded recorded = record(system);
    EXPECT_EQ(recorded.report.end.kind, RunEnd::Kind::completed);
    ASSERT_EQ(recorded.ports.rows.size(), 1001u);
    for (const auto& row : recorded.ports.rows) {
      EXPECT_EQ(row[1], row[3]);
      EXPECT_EQ(row[2], row[4]);
    }
  }
}

TEST(TlmPorts, RefuseWhatMakesNoSense) {
  System system = two_masses(by_wave, 0.05);
  system.results.ports = {"a.prt.flow"};
  EXPECT_THAT(refusal_of([&] { record(system); }),
              HasSubstr("results.ports: nothing matches \"a.prt.flow\". Did you mean"));
  system.results.ports = {"*"};
  system.results.ports_interval = 1e-300;
  EXPECT_THAT(refusal_of([&] { record(system); }),
              HasSubstr("results.ports-interval = 1e-300 s is too short"));
  system.results.ports_interval = -1;
  EXPECT_THAT(refusal_of([&] { record(system); }), HasSubstr("results.ports-interval"));
  System plain = oscillator();
  plain.results.ports = {"*"};
  EXPECT_THAT(refusal_of([&] { record(plain); }),
              HasSubstr("results.ports: there are no transmission lines"));
}

}  // namespace
}  // namespace tutti::testing::tlm_ports
