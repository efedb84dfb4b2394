// SPDX-License-Identifier: BSD-2-Clause
// Islands that lines join: components that ordinary connections couple, with coupling methods and
// step control of their own.
#include <gtest/gtest.h>

#include <tutti/session.hpp>
#include <tutti/system_run.hpp>

#include "api/masses.hpp"

namespace tutti::testing::tlm_islands {
namespace {

/// A spring to the ground, x' = v, force = -k x: exact for velocities that are constant over a
/// step.
class Spring final : public ComponentModel {
 public:
  Spring() {
    parameter("k", k_);
    input("v", v_);
    output("force", force_, {.depends_on = std::vector<std::string>{}});
    local("x", x_);
  }
  void initialize(double) override { force_ = -k_ * x_; }
  void step(double, double h) override {
    x_ += h * v_;
    force_ = -k_ * x_;
  }
  bool can_roll_back() const override { return true; }

 private:
  double k_ = 4, v_ = 0, force_ = 0, x_ = 0;
};

/// Two masses with springs, and a line between them: two islands of two components. The first mass
/// moves at the start.
System sprung_masses(double step) {
  System system;
  for (const std::string side : {"a", "b"}) {
    system.components.push_back(mass_part("mass_" + side));
    system.components.push_back(class_part<Spring>("spring_" + side));
    system.components[system.components.size() - 2].step = step;
    system.connections.push_back(
        {.from = {"mass_" + side, "velocity"}, .to = {"spring_" + side, "v"}});
    system.connections.push_back(
        {.from = {"spring_" + side, "force"}, .to = {"mass_" + side, "push"}});
  }
  system.components[0].set = {{"velocity", "1"}};
  system.tlm = {line_between({"mass_a", "port"}, {"mass_b", "port"}, 0.1, 1)};
  system.simulation.step = 0.1;
  system.simulation.stop = 2;
  return system;
}

struct Ended {
  std::vector<std::vector<double>> rows;
  RunReport report;
};

Ended run_with(System system, unsigned threads = 1) {
  system.simulation.threads = threads;
  system.results.variables = {"*.velocity", "spring_*.force"};
  AllRows rows;
  Ended ended;
  ended.report = run(system, {}, &rows, Log());
  ended.rows = std::move(rows.rows);
  EXPECT_EQ(ended.report.end.kind, RunEnd::Kind::completed)
      << (ended.report.end.error ? ended.report.end.error->what() : "");
  EXPECT_EQ(ended.rows.size(), 21u);
  return ended;
}

double distance(const Ended& one, const Ended& other) {
  double most = 0;
  for (std::size_t k = 0; k < one.rows.size(); ++k)
    for (std::size_t i = 1; i < one.rows[k].size(); ++i)
      most = std::max(most, std::abs(one.rows[k][i] - other.rows[k][i]));
  return most;
}

// Both are of first order, and have one limit.
TEST(TlmIslands, AreCoupledByAnyMethodInside) {
  const auto difference = [](double step) {
    System sequential = sprung_masses(step), iterated = sprung_masses(step);
    iterated.simulation.methods = {"newton"};
    return distance(run_with(sequential), run_with(iterated));
  };
  const double coarse = difference(0.0125), fine = difference(0.00625);
  EXPECT_LT(coarse, 0.1);
  EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.15);  // 0.15: the next term
}

TEST(TlmIslands, GiveTheSameBitsOnTwoThreadsWithAnyMethod) {
  for (const char* method : {"gauss-seidel", "jacobi", "newton", "iterated"}) {
    System system = sprung_masses(0.0125);
    system.simulation.methods = {method};
    EXPECT_EQ(run_with(system, 1).rows, run_with(system, 2).rows) << method;
  }
}

System controlled_masses(double tolerance) {
  System system = sprung_masses(0.05);
  system.simulation.methods = {"newton"};
  system.simulation.control.name = "richardson";
  system.simulation.control.rtol = system.simulation.control.atol = tolerance;
  return system;
}

// A step that is rejected has sent nothing, so the other island does not notice.
TEST(TlmIslands, ControlTheirStepsEachForItself) {
  System system = controlled_masses(1e-6);
  system.delays.emplace_back();  // one more that arrives
  system.delays[0].from = {"mass_a", "position"};
  system.delays[0].to = {"watch", "push"};
  system.delays[0].delay = 0.07;
  system.components.push_back(class_part<Mass>("watch"));
  const Ended one = run_with(system, 1), two = run_with(system, 2);
  EXPECT_EQ(one.rows, two.rows);
  EXPECT_GT(one.report.statistics.error_test_failures, 0u);
  EXPECT_EQ(one.report.statistics.error_test_failures, two.report.statistics.error_test_failures);
  EXPECT_EQ(one.report.statistics.steps, two.report.statistics.steps);
}

// The local error of a step is of second order, that of the line of first order: a hundredth of the
// tolerance makes steps and errors ten times smaller.
TEST(TlmIslands, WithControlledStepsAreAsExactAsTheirTolerance) {
  const Ended exact = run_with(sprung_masses(0.0125 / 128));
  const double coarse = distance(run_with(controlled_masses(1e-4)), exact);
  const double fine = distance(run_with(controlled_masses(1e-6)), exact);
  EXPECT_LT(fine, 0.01);
  EXPECT_NEAR(coarse / fine, 10, 5);  // 5: steps are halved and doubled
}

}  // namespace
}  // namespace tutti::testing::tlm_islands
