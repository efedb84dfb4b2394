// SPDX-License-Identifier: BSD-2-Clause
// Sessions of systems whose model-exchange components are solved together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "api/systems.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

/// x' = v, v' = -x as a cluster: x(t) = cos t.
System joined(const std::string& version = "2.0") {
  System system = oscillator(version, 0.1);
  for (Component& member : system.components) member.as = FmuKind::model_exchange;
  ClusterSettings cluster;
  cluster.of = {"position", "speed"};
  cluster.solver.rtol = 1e-9;
  system.clusters = {cluster};
  return system;
}

TEST(SessionOfClusters, FindsTheVariablesOfMembers) {
  for (const char* version : {"1.0-me", "2.0", "3.0"}) {
    Session session(joined(version), placed());
    const Handle x = session.find("position.x"), v = session.find("speed.y");
    session.initialize();
    EXPECT_EQ(session.get(x), 1);
    session.advance_to(1);
    EXPECT_NEAR(session.get(x), std::cos(1), 1e-8) << version;
    EXPECT_NEAR(session.get(v), -std::sin(1), 1e-8) << version;
    EXPECT_THAT(error_of([&] { session.find("position.xx"); }).what(), HasSubstr("xx"));
  }
}

TEST(SessionOfClusters, ComesBackToASavedState) {
  Session session(joined(), placed());
  const Handle x = session.find("position.x");
  session.initialize();
  session.advance_to(0.3);
  const auto saved = session.save();
  const double there = session.get(x);
  session.advance_to(1);
  const double end = session.get(x);
  session.restore(saved);
  EXPECT_EQ(session.time(), 0.3);
  EXPECT_EQ(session.get(x), there);
  session.advance_to(1);
  EXPECT_NEAR(session.get(x), end, 1e-8);  // the integrator has restarted
}

TEST(SessionOfClusters, TakesInputsFromOutside) {
  System system = joined();
  system.connections.resize(1);  // x' = v, v' = 0
  Session session(system, placed());
  const Handle u = session.find("speed.u"), x = session.find("position.x");
  session.initialize();
  session.advance_to(0.5);
  EXPECT_NEAR(session.get(x), 1, 1e-8);
  session.set(u, 2.0);
  session.advance_to(1);
  EXPECT_NEAR(session.get(x), 1.25, 1e-8);  // 2 t^2/2 over 0.5 s
}

}  // namespace
}  // namespace tutti::testing
