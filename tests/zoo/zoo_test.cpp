// SPDX-License-Identifier: BSD-2-Clause
// The reduced zoo: some systems of each kind, with cheap tolerances. `./dev bench --only zoo` runs
// all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/command.hpp"
#include "support/places.hpp"
#include "zoo/run.hpp"

namespace zoo {
namespace {

using enum Verdict;

/// The worst acceptable outcome of each class of FMUs. Tighten a row when auto has become better.
struct Expectation {
  const char* system;
  double tolerance;
  Verdict all, values, forward, neither;
};
constexpr Expectation expectations[] = {
    // system, tolerance, all, values, forward, neither
    {"linear-2-1", 1e-3, within_10, within_10, within_10, within_10},
    {"linear-2-1", 1e-5, within_10, within_10, within_10, within_10},
    {"linear-4-4", 1e-3, within_10, within_10, within_10, within_10},
    {"linear-2d-6", 1e-3, within_10, within_10, within_10, within_10},
    {"linear-4d-9", 1e-5, within_10, within_10, within_10, within_10},
    {"chain", 1e-3, within_10, within_10, within_10, within_10},
    {"ramp", 1e-3, within_10, within_10, within_10, within_10},
    {"lotka-volterra", 1e-3, within_10, within_10, within_10, within_10},
    {"follower-1e3", 1e-3, within_10, within_10, within_10, within_10},
    {"tight-1e2", 1e-3, within_10, within_10, within_10, within_10},
    {"tight-1e4", 1e-5, within_10, within_10, within_10, within_10},
    {"tight-1e5", 1e-5, within_10, within_10, within_10, within_10},
    {"masses-1e2", 1e-5, within_10, within_10, within_10, within_10},
    {"capacitors-1e-5", 1e-3, within_10, within_10, within_10, within_10},
    {"loop-curve--3", 1e-3, within_10, within_10, within_10, within_10},
    {"loop-0.5", 1e-5, within_10, within_10, within_10, within_10},
    {"loop-5", 1e-3, within_10, within_10, within_10, within_10},
    {"thermostat", 1e-3, within_10, within_10, within_10, within_10},
    {"counter-logic", 1e-3, within_10, within_10, within_10, within_10},
    {"table-pulse-loop", 1e-3, within_10, within_10, within_10, within_10},
    {"table-trapezoid", 1e-3, within_10, within_10, within_10, within_10},
};

const System& system_named(const std::string& name) {
  const auto& all = systems();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const System& s) { return s.name == name; });
  EXPECT_NE(found, all.end()) << "the zoo has no system " << name;
  return found == all.end() ? all.front() : *found;
}

const Reference& reference_of(const System& system) {
  static std::map<std::string, Reference> known;
  return known.try_emplace(system.name, system).first->second;
}

class ReducedZoo : public ::testing::TestWithParam<Expectation> {
 protected:
  void meets(Ability ability, Verdict expected) const {
    const System& system = system_named(GetParam().system);
    const tutti::testing::Workplace place;
    const Runner runner(tutti::places::build_folder() / "zoo", place.path());
    const zoo::Run run =
        runner.run_automatic(system, reference_of(system), ability, GetParam().tolerance, 60);
    const Verdict verdict = verdict_of(run, GetParam().tolerance);
    EXPECT_LE(verdict, expected) << name_of(verdict) << " instead of " << name_of(expected) << ": "
                                 << run.error / GetParam().tolerance << " tolerances, status "
                                 << run.status << ", " << run.message;
  }
};

TEST_P(ReducedZoo, IsAsGoodAsRecordedWithAllAbilities) { meets(Ability::all, GetParam().all); }
TEST_P(ReducedZoo, IsAsGoodAsRecordedWithValuesOnly) { meets(Ability::values, GetParam().values); }
TEST_P(ReducedZoo, IsAsGoodAsRecordedWithoutRollback) {
  meets(Ability::forward, GetParam().forward);
}
TEST_P(ReducedZoo, IsAsGoodAsRecordedWithNeither) { meets(Ability::neither, GetParam().neither); }
INSTANTIATE_TEST_SUITE_P(Auto, ReducedZoo, ::testing::ValuesIn(expectations), [](const auto& test) {
  std::string name = std::string(test.param.system) + (test.param.tolerance < 1e-4 ? "_fine" : "");
  for (char& c : name)
    if (c == '-' || c == '.') c = '_';
  return name;
});

// The references are judged by themselves: with a tenth of the tolerance the solution moves by less
// than a hundredth of the smallest tolerance of the zoo, 1e-7.
TEST(ZooReference, AgreesWithItselfAtATenthOfTheTolerance) {
  for (const char* name : {"linear-2-1", "linear-3d-8", "lotka-volterra", "tight-1e6",
                           "loop-curve--3", "sampled-control", "table-kinks"}) {
    const System& system = system_named(name);
    const Reference& reference = reference_of(system);
    const Reference finer(system, 1e-12);
    for (std::size_t k = 0; k < reference.names().size(); ++k)
      for (int i = 0; i <= 100; ++i) {
        const double t = system.span * i / 100;
        const double off = finer.distance(k, t, system.has_events ? 1e-9 : 0, reference.at(k, t));
        EXPECT_LT(off / (1 + finer.largest(k)), 1e-9) << name << ", t = " << t;
      }
  }
}

// x' = v, v' = -x from (1, 0) is the cosine.
TEST(ZooReference, IsExactWhereTheSolutionIsKnown) {
  const Reference reference(system_named("oscillator"));
  for (int i = 0; i <= 100; ++i)
    EXPECT_NEAR(reference.at(0, 0.1 * i), std::cos(0.1 * i), 1e-10) << "10 tolerances of a step";
}

// Errors of the zoo shall come from the coupling. A component alone has none: Radau's method is
// accurate to 1e-11 a step, matrix exponentials to rounding, and a ramp is followed exactly.
TEST(ZooFmus, IntegrateThemselvesWhateverTheCommunicationStepIs) {
  const System nerve{.name = "nerve-alone", .parts = {{"n", "Nerve", {{"x[1]", -1}}}}, .wires = {}};
  const System sensor{.name = "sensor-alone",
                      .parts = {{"s", "Sensor", {{"rate", 1e6}, {"x[1]", 1}}}},
                      .wires = {}};
  const tutti::testing::Workplace place;
  const Runner runner(tutti::places::build_folder() / "zoo", place.path());
  for (const System& system : {nerve, sensor, system_named("ramp")})
    for (const char* step : {"simulation.step=5", "simulation.step=0.1", "simulation.step=0.001"}) {
      const zoo::Run run = runner.run(system, Reference(system), Ability::all,
                                      {step, "simulation.inputs.inside=linear"}, 0, 60);
      EXPECT_EQ(run.status, 0) << run.message;
      EXPECT_LT(run.error, 2e-10) << system.name << ", " << step;
    }
}

TEST(Zoo, HasFortySystemsWithNamesOfTheirOwn) {
  std::map<std::string, int> names;
  for (const System& system : systems()) EXPECT_EQ(++names[system.name], 1) << system.name;
  EXPECT_GE(names.size(), 40u);
}

}  // namespace
}  // namespace zoo
