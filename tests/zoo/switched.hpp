// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "zoo/smooth.hpp"

/// Components with events. They locate them inside their steps; a simulator sees outputs that jump.
namespace zoo {

/// A switch with hysteresis: y = high below `lower`, low above `upper`.
class Relay final : public fmukit::Model {
 public:
  double lower = 19, upper = 21, low = 0, high = 1, u = 0, y = 0, z = 0;
  bool on = true;

  static void describe(fmukit::Description<Relay>& d) {
    d.text("A thermostat").default_experiment({.stop = 10, .step = 0.01}).internal_step(0.01);
    d.parameter("lower", &Relay::lower);
    d.parameter("upper", &Relay::upper);
    d.parameter("low", &Relay::low);
    d.parameter("high", &Relay::high);
    d.input("u", &Relay::u);
    d.output("y", &Relay::y).discrete().depends_on({});
    d.output("on", &Relay::on).exact().depends_on({});
    d.local("z", &Relay::z).event_indicator();
  }
  void outputs() override {
    y = on ? high : low;
    z = on ? upper - u : u - lower;
  }
  void update_discrete_states(fmukit::EventInfo&) override {
    if (on ? u >= upper : u <= lower) on = !on;
  }
  void integrate(double) override {}
};

/// A controller that looks at its input every `period`: proportional and integral.
class Sampler final : public fmukit::Model {
 public:
  double period = 0.5, target = 1, kp = 0.5, ki = 0.5, u = 0, y = 0, value = 0, sum = 0;
  int samples = 0;

  static void describe(fmukit::Description<Sampler>& d) {
    d.text("A sampled controller").default_experiment({.stop = 10, .step = 0.01});
    d.internal_step(0.01);
    d.parameter("period", &Sampler::period);
    d.parameter("target", &Sampler::target);
    d.parameter("kp", &Sampler::kp);
    d.parameter("ki", &Sampler::ki);
    d.input("u", &Sampler::u);
    d.output("y", &Sampler::y).discrete().depends_on({});
    d.memory(&Sampler::value);
    d.memory(&Sampler::sum);
    d.memory(&Sampler::samples);
  }
  void outputs() override { y = value; }
  void update_discrete_states(fmukit::EventInfo& e) override {
    if (time >= samples * period) {
      const double error = target - u;
      sum += ki * period * error;
      value = kp * error + sum;
      ++samples;
    }
    e.next_time = samples * period;
  }
  void integrate(double) override {}
};

/// A ball that bounces, with the height of the ground as its input.
class Ball final : public Equations<2> {
 public:
  double restitution = 0.8, g = 9.81, y = 1, v = 0, z = 1;

  Ball() { x[0] = 1; }
  static void describe(fmukit::Description<Ball>& d) {
    declare_states(d, "A ball that bounces", 0.005);
    d.parameter("restitution", &Ball::restitution);
    d.parameter("g", &Ball::g);
    d.output("y", &Ball::y).depends_on({"x"});
    d.output("v", &Ball::v).depends_on({"x"});
    d.local("z", &Ball::z).event_indicator();
  }
  void derivatives() override {
    dx[0] = x[1];
    dx[1] = -g;
  }
  void outputs() override {
    y = z = x[0];
    v = x[1];
  }
  void update_discrete_states(fmukit::EventInfo&) override {
    if (x[0] <= 0 && x[1] < 0) {
      x[0] = 1e-14;
      x[1] = -restitution * x[1];
    }
  }
};

/// Counts periods, as a whole number.
class Counter final : public fmukit::Model {
 public:
  double period = 0.3;
  int n = 0;

  static void describe(fmukit::Description<Counter>& d) {
    d.text("Counts").default_experiment({.stop = 10, .step = 0.01}).internal_step(0.01);
    d.parameter("period", &Counter::period);
    d.output("n", &Counter::n).exact().depends_on({});
  }
  void update_discrete_states(fmukit::EventInfo& e) override {
    if (time >= (n + 1) * period) ++n;
    e.next_time = (n + 1) * period;
  }
  void outputs() override {}
  void integrate(double) override {}
};

/// on = n mod `modulus` < `width`.
class Logic final : public fmukit::Model {
 public:
  int n = 0, modulus = 3, width = 1;
  bool on = false;

  static void describe(fmukit::Description<Logic>& d) {
    d.text("Logic").default_experiment({.stop = 10, .step = 0.01}).internal_step(0.01);
    d.parameter("modulus", &Logic::modulus);
    d.parameter("width", &Logic::width);
    d.input("n", &Logic::n);
    d.output("on", &Logic::on).depends_on({"n"});
  }
  void outputs() override { on = n % modulus < width; }
  void integrate(double) override {}
};

/// x' = rate ((on ? high : low) - x).
class Heater final : public Equations<1> {
 public:
  double rate = 1, low = 0, high = 1, y = 0;
  bool on = false;

  static void describe(fmukit::Description<Heater>& d) {
    declare_states(d, "A heater", 0.01);
    d.parameter("rate", &Heater::rate);
    d.parameter("low", &Heater::low);
    d.parameter("high", &Heater::high);
    d.input("on", &Heater::on);
    d.output("y", &Heater::y).depends_on({"x"});
  }
  void derivatives() override { dx[0] = rate * ((on ? high : low) - x[0]); }
  void outputs() override { y = x[0]; }
};

}  // namespace zoo
