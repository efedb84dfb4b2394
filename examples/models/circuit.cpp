// SPDX-License-Identifier: BSD-2-Clause
// A circuit of two branches with varying resistors and a capacitor behind a resistor of 10 kOhm,
// all joined in one node of voltage v; cut in several ways.
//   branch     0.5 x' = -x + i + a(t),  i = (v - x)/R(t),  R = 1001 + 1000 s sin(0.2 pi t)
//   capacitor  0.01 x3' = i3,  i3 = 1e-4 (v - x3)
//   node       i1 + i2 + i3 = 0
#include "models/example_model.hpp"

#include <cmath>
#include <numbers>

constexpr double pi = std::numbers::pi;
constexpr double conductance = 1e-4, capacity = 0.01;
/// Makes the integration exact to 1e-8.
constexpr double internal_step = 0.01;

/// a(t): sin(omega t), or a square wave of +1 and -1 if `period` is positive. Its jumps are time
/// events, so that a step up to a jump sees the value before it.
struct Excitation {
  double omega = 2 * pi, period = 0, level = 1;
  double operator()(double t) const { return period > 0 ? level : std::sin(omega * t); }
  void update(double t, fmukit::EventInfo& e) {
    if (period <= 0) return;
    const double half = std::floor(2 * t / period + 1e-9);
    level = std::fmod(half, 2) == 0 ? 1 : -1;
    e.next_time = (half + 1) * period / 2;
  }
};

/// What all branches have.
class AnyBranch : public fmukit::Model {
 public:
  Excitation a;
  double s = 1, R = 1001;
  double x = 0, dx = 0, i = 0;

  void update_discrete_states(fmukit::EventInfo& e) override { a.update(time, e); }

 protected:
  template <class M>
  static void describe_branch(fmukit::Description<M>& d) {
    d.internal_step(internal_step);
    d.parameter("s", &M::s).text("sign of the resistor's change");
    d.parameter("omega", [](M& m) -> double& { return m.a.omega; }).unit("rad/s");
    d.parameter("period", [](M& m) -> double& { return m.a.period; })
        .text("of a square wave; 0: a sine")
        .unit("s");
    d.local("level", [](M& m) -> double& { return m.a.level; }).discrete();
    d.local("R", &M::R).unit("Ohm");
    d.local("der(x)", &M::dx).derivative_of("x");
  }
  double resistance() { return R = 1001 + 1000 * s * std::sin(0.2 * pi * time); }
  void rise() { dx = (-x + i + a(time)) / 0.5; }
};

/// in v, out i
class Branch final : public AnyBranch {
 public:
  double v = 0;
  static void describe(fmukit::Description<Branch>& d) {
    d.text("Branch, driven by the voltage");
    d.input("v", &Branch::v);
    d.output("i", &Branch::i).depends_on({"v", "x", "time", "s"});
    d.local("x", &Branch::x);
    describe_branch(d);
  }
  void derivatives() override {
    i = (v - x) / resistance();
    rise();
  }
};

/// in the other two currents, out v
class BranchVoltage final : public AnyBranch {
 public:
  double i_a = 0, i_b = 0, v = 0;
  static void describe(fmukit::Description<BranchVoltage>& d) {
    d.text("Branch, driven by the currents of the others");
    d.input("i_a", &BranchVoltage::i_a);
    d.input("i_b", &BranchVoltage::i_b);
    d.output("v", &BranchVoltage::v).depends_on({"i_a", "i_b", "x", "time", "s"});
    d.local("x", &BranchVoltage::x);
    d.local("i", &BranchVoltage::i);
    describe_branch(d);
  }
  void derivatives() override {
    i = -(i_a + i_b);
    v = x + resistance() * i;
    rise();
  }
};

/// in i, out x: the resistor belongs to the node
class BranchState final : public AnyBranch {
 public:
  static void describe(fmukit::Description<BranchState>& d) {
    d.text("Branch without its resistor, driven by the current");
    d.input("i", &BranchState::i);
    d.output("x", &BranchState::x).depends_on({"x"});
    describe_branch(d);
  }
  void derivatives() override { rise(); }
};

/// in i1, i2, out v
class CapacitorVoltage final : public fmukit::Model {
 public:
  double i1 = 0, i2 = 0, v = 0, x = 0, dx = 0;
  static void describe(fmukit::Description<CapacitorVoltage>& d) {
    d.text("Capacitor, driven by the currents").internal_step(internal_step);
    d.input("i1", &CapacitorVoltage::i1);
    d.input("i2", &CapacitorVoltage::i2);
    d.output("v", &CapacitorVoltage::v).depends_on({"i1", "i2", "x"});
    d.local("x", &CapacitorVoltage::x);
    d.local("der(x)", &CapacitorVoltage::dx).derivative_of("x").depends_on({"i1", "i2"});
  }
  void derivatives() override {
    dx = -(i1 + i2) / capacity;
    v = x - (i1 + i2) / conductance;
  }
};

/// in v, out i
class CapacitorCurrent final : public fmukit::Model {
 public:
  double v = 0, i = 0, x = 0, dx = 0;
  static void describe(fmukit::Description<CapacitorCurrent>& d) {
    d.text("Capacitor, driven by the voltage").internal_step(internal_step);
    d.input("v", &CapacitorCurrent::v);
    d.output("i", &CapacitorCurrent::i).depends_on({"v", "x"});
    d.local("x", &CapacitorCurrent::x);
    d.local("der(x)", &CapacitorCurrent::dx).derivative_of("x").depends_on({"v", "x"});
  }
  void derivatives() override {
    i = conductance * (v - x);
    dx = i / capacity;
  }
};

/// All three resistors meet in a node of voltage v.
struct Resistors {
  double i1 = 0, i2 = 0, v = 0;
  void solve(double t, double x1, double x2, double x3) {
    const double swing = 1000 * std::sin(0.2 * pi * t);
    const double g1 = 1 / (1001 + swing), g2 = 1 / (1001 - swing);
    v = (g1 * x1 + g2 * x2 + conductance * x3) / (g1 + g2 + conductance);
    i1 = g1 * (v - x1);
    i2 = g2 * (v - x2);
  }
};

/// in x1, x2, out i1, i2: all resistors and the capacitor
class Node final : public fmukit::Model {
 public:
  double x1 = 0, x2 = 0, x = 0, dx = 0;
  Resistors node;
  static void describe(fmukit::Description<Node>& d) {
    d.text("All resistors and the capacitor").internal_step(internal_step);
    d.input("x1", &Node::x1);
    d.input("x2", &Node::x2);
    d.output("i1", [](Node& m) -> double& { return m.node.i1; });
    d.output("i2", [](Node& m) -> double& { return m.node.i2; });
    d.output("v", [](Node& m) -> double& { return m.node.v; });
    d.local("x", &Node::x);
    d.local("der(x)", &Node::dx).derivative_of("x");
  }
  void derivatives() override {
    node.solve(time, x1, x2, x);
    dx = conductance * (node.v - x) / capacity;
  }
};

/// The whole circuit
class Reference final : public fmukit::Model {
 public:
  Excitation a1, a2;
  double x1 = 0, x2 = 0, x3 = 0, dx1 = 0, dx2 = 0, dx3 = 0;
  Resistors node;
  static void describe(fmukit::Description<Reference>& d) {
    d.text("Circuit with varying resistors, not taken apart").internal_step(internal_step);
    d.parameter("omega1", [](Reference& m) -> double& { return m.a1.omega; }).unit("rad/s");
    d.parameter("omega2", [](Reference& m) -> double& { return m.a2.omega; }).unit("rad/s");
    d.parameter("period1", [](Reference& m) -> double& { return m.a1.period; }).unit("s");
    d.parameter("period2", [](Reference& m) -> double& { return m.a2.period; }).unit("s");
    d.local("level1", [](Reference& m) -> double& { return m.a1.level; }).discrete();
    d.local("level2", [](Reference& m) -> double& { return m.a2.level; }).discrete();
    d.output("f1.v", [](Reference& m) -> double& { return m.node.v; });
    d.output("f2.v", [](Reference& m) -> double& { return m.node.v; });
    d.output("f3.v", [](Reference& m) -> double& { return m.node.v; });
    d.local("x1", &Reference::x1);
    d.local("x2", &Reference::x2);
    d.local("x3", &Reference::x3);
    d.local("der(x1)", &Reference::dx1).derivative_of("x1");
    d.local("der(x2)", &Reference::dx2).derivative_of("x2");
    d.local("der(x3)", &Reference::dx3).derivative_of("x3");
  }
  Reference() { a1.omega = 3 * pi; }
  void derivatives() override {
    node.solve(time, x1, x2, x3);
    dx1 = (-x1 + node.i1 + a1(time)) / 0.5;
    dx2 = (-x2 + node.i2 + a2(time)) / 0.5;
    dx3 = conductance * (node.v - x3) / capacity;
  }
  void update_discrete_states(fmukit::EventInfo& e) override {
    fmukit::EventInfo other;
    a1.update(time, e);
    a2.update(time, other);
    e.next_time = std::fmin(e.next_time, other.next_time);
  }
};

EXAMPLE_MODEL(Branch)
EXAMPLE_MODEL(BranchVoltage)
EXAMPLE_MODEL(BranchState)
EXAMPLE_MODEL(CapacitorVoltage)
EXAMPLE_MODEL(CapacitorCurrent)
EXAMPLE_MODEL(Node)
EXAMPLE_MODEL(Reference)
