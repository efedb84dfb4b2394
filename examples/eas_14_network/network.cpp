// SPDX-License-Identifier: BSD-2-Clause
#include "models/example_model.hpp"

#include <array>
#include <cmath>
#include <numbers>

constexpr double pi = std::numbers::pi;
/// The fastest motion has 5/s: exact to 1e-9.
constexpr double internal_step = 0.005;

double node_slope(double v, double a, double i_in, double i_out) {
  return (-v + a - i_out + i_in) / 0.5;
}
double resistance(double t, double phase) { return 2.5 + 1.5 * std::sin(0.4 * pi * t + phase); }

/// 0.5 v' = -v + sin(omega t + phase) + i_in - i_out
class Node final : public fmukit::Model {
 public:
  double omega = pi, phase = 0;
  double i_in = 0, i_out = 0, v = 0, dv = 0;

  static void describe(fmukit::Description<Node>& d) {
    d.text("0.5 v' = -v + sin(omega t + phase) + i_in - i_out").internal_step(internal_step);
    d.parameter("omega", &Node::omega).unit("rad/s");
    d.parameter("phase", &Node::phase).unit("rad");
    d.input("i_in", &Node::i_in);
    d.input("i_out", &Node::i_out);
    d.output("v", &Node::v).depends_on({"v"});
    d.local("der(v)", &Node::dv).derivative_of("v");
  }
  void derivatives() override { dv = node_slope(v, std::sin(omega * time + phase), i_in, i_out); }
};

/// i = (v_a - v_b)/(2.5 + 1.5 sin(0.4 pi t + phase))
class Resistor final : public fmukit::Model {
 public:
  double phase = 0, v_a = 0, v_b = 0, i = 0;

  static void describe(fmukit::Description<Resistor>& d) {
    d.text("i = (v_a - v_b)/(2.5 + 1.5 sin(0.4 pi t + phase))");
    d.parameter("phase", &Resistor::phase).unit("rad");
    d.input("v_a", &Resistor::v_a);
    d.input("v_b", &Resistor::v_b);
    d.output("i", &Resistor::i).depends_on({"v_a", "v_b", "time", "phase"});
  }
  void outputs() override { i = (v_a - v_b) / resistance(time, phase); }
};

/// The whole network
class Reference final : public fmukit::Model {
 public:
  std::array<double, 3> v{}, dv{}, i{};

  static void describe(fmukit::Description<Reference>& d) {
    d.text("The network, not taken apart").internal_step(internal_step);
    d.local("v", &Reference::v);
    d.local("der(v)", &Reference::dv).derivative_of("v");
    d.output("n1.v", [](Reference& m) -> double& { return m.v[0]; });
    d.output("n2.v", [](Reference& m) -> double& { return m.v[1]; });
    d.output("n3.v", [](Reference& m) -> double& { return m.v[2]; });
    d.output("ra.i", [](Reference& m) -> double& { return m.i[0]; });
    d.output("rb.i", [](Reference& m) -> double& { return m.i[1]; });
    d.output("rc.i", [](Reference& m) -> double& { return m.i[2]; });
  }
  void derivatives() override {
    const double t = time;
    i[0] = (v[0] - v[1]) / resistance(t, 0);
    i[1] = (v[1] - v[2]) / resistance(t, pi);
    i[2] = (v[2] - v[0]) / resistance(t, pi / 2);
    dv[0] = node_slope(v[0], std::sin(3 * pi * t), i[2], i[0]);
    dv[1] = node_slope(v[1], std::sin(2 * pi * t), i[0], i[1]);
    dv[2] = node_slope(v[2], std::cos(pi * t), i[1], i[2]);
  }
};

EXAMPLE_MODEL(Node)
EXAMPLE_MODEL(Resistor)
EXAMPLE_MODEL(Reference)
