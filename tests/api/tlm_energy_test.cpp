// SPDX-License-Identifier: BSD-2-Clause
// The numerical work of lines: instabilities are reported before they show, and nothing else is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <tutti/results.hpp>
#include <tutti/system_file.hpp>
#include <tutti/system_run.hpp>

#include "api/masses.hpp"
#include "support/places.hpp"

namespace tutti::testing::tlm_energy {
namespace {

System example_of(const std::string& name, const std::string& file = "system") {
  return read_system(places::build_folder() / "examples" / ("tlm_" + name) / (file + ".toml"));
}

struct Watched {
  std::vector<std::string> warnings;
  double blow_up = 1e300;  ///< when the first value exceeds the limit
};

Watched watch(const System& system, double limit) {
  Watched watched;
  AllRows rows;
  const Log log([&](const LogRecord& record) { watched.warnings.emplace_back(record.text); },
                Severity::warning);
  run(system, {}, &rows, log);
  for (const auto& row : rows.rows)
    for (std::size_t i = 1; i < row.size(); ++i)
      if (!(std::abs(row[i]) < limit)) watched.blow_up = std::min(watched.blow_up, row[0]);
  return watched;
}

System three_masses(PortInput input, double step) {
  System system = example_of("three_masses");
  for (Component& component : system.components) {
    component.as = input == PortInput::equations ? FmuKind::model_exchange : FmuKind::co_simulation;
    component.step = step;
    component.ports[0].input = input;
  }
  system.simulation.step = step;
  return system;
}

// What OMTLMSimulator did with constant efforts: the speeds exceed 1000 m/s at 0.1484, 0.2006 and
// 0.3051 s; they grow by a factor of 1.08, 1.02 and 1.005 with each step.
TEST(TlmEnergy, IsReportedBeforeTheSpeedsExceedAnything) {
  struct Case {
    double step, blow_up;
  };
  for (const auto& [step, blow_up] : {Case{4e-4, 0.1484}, Case{2e-4, 0.2006}, Case{1e-4, 0.3051}}) {
    System system = three_masses(PortInput::constant, step);
    system.simulation.tlm = TlmRules::omtlm;
    const Watched watched = watch(system, 1000);
    EXPECT_NEAR(watched.blow_up, blow_up, 0.001) << step;
    ASSERT_EQ(watched.warnings.size(), 1u) << step;
    EXPECT_THAT(watched.warnings[0],
                ::testing::HasSubstr("line left.end - right.end: the coupling is unstable"));
    double noticed = 0;
    ASSERT_EQ(std::sscanf(watched.warnings[0].c_str(), "t = %lf s", &noticed), 1);
    EXPECT_LT(noticed, watched.blow_up - 0.03) << step;
  }
}

System pendulum(const std::string& name, PortInput input, double step) {
  System system = example_of(name);
  for (Component& component : system.components) {
    component.as = FmuKind::co_simulation;
    component.step = step;
    component.ports[0].input = input;
  }
  system.simulation.step = 1e-3;
  system.simulation.stop = 0.1;
  return system;
}

// The arms reach 1e4 rad/s within ten delays, and then go round without growing further.
TEST(TlmEnergy, IsReportedWhereTheGrowthEndsBeforeTheLineHasSettled) {
  for (const char* name : {"single_pendulum", "double_pendulum"})
    for (const double step : {1e-3, 5e-4}) {
      const Watched watched = watch(pendulum(name, PortInput::constant, step), 1e9);
      ASSERT_EQ(watched.warnings.size(), 1u) << name << ", " << step;
      double noticed = 0;
      ASSERT_EQ(std::sscanf(watched.warnings[0].c_str(), "t = %lf s", &noticed), 1);
      EXPECT_LE(noticed, 0.006) << name << ", " << step;  // six delays
    }
  for (const char* name : {"single_pendulum", "double_pendulum"})
    for (const double step : {2.5e-4, 1.25e-4})
      EXPECT_THAT(watch(pendulum(name, PortInput::constant, step), 1e9).warnings,
                  ::testing::IsEmpty())
          << name << ", " << step;
}

// The log has it before the run ends: whoever watches can stop it.
TEST(TlmEnergy, IsReportedWhileItGrows) {
  for (const unsigned threads : {1u, 2u})
    for (const bool own_process : {false, true}) {
      System system = pendulum("single_pendulum", PortInput::constant, 5e-4);
      system.simulation.threads = threads;
      system.simulation.stop = 1000;  // which takes minutes
      std::atomic<bool> stop{false};
      SystemRunOptions options;
      options.own_process = own_process;
      options.stop_request = &stop;
      const Log log([&](const LogRecord&) { stop = true; }, Severity::warning);
      EXPECT_EQ(run(system, options, nullptr, log).end.kind, RunEnd::Kind::interrupted);
    }
}

TEST(TlmEnergy, IsNeverReportedForStableMethods) {
  for (const PortInput input : {PortInput::equations, PortInput::callback, PortInput::constant})
    for (const double step : {4e-4, 2e-4, 1e-4}) {
      System system = three_masses(input, step);
      if (input == PortInput::constant) system.tlm[0].wave = WaveRule::consistent;
      const Watched watched = watch(system, 1000);
      EXPECT_THAT(watched.warnings, ::testing::IsEmpty()) << to_string(input) << ", " << step;
      EXPECT_EQ(watched.blow_up, 1e300) << to_string(input) << ", " << step;
    }
  for (const char* file : {"wave", "table", "tool_coarse", "tool_fine"})
    EXPECT_THAT(watch(example_of("three_masses", file), 1000).warnings, ::testing::IsEmpty())
        << file;
  for (const char* name : {"double_pendulum", "single_pendulum", "thermofluid"})
    for (const char* file : {"system", "wave", "table"}) {
      System system = example_of(name, file);
      system.simulation.stop = 0.1;  // a hundred delays and more
      EXPECT_THAT(watch(system, 1e9).warnings, ::testing::IsEmpty()) << name << " " << file;
    }
}

}  // namespace
}  // namespace tutti::testing::tlm_energy
