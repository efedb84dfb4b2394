// SPDX-License-Identifier: BSD-2-Clause
// Components of tests of transmission lines: C++ classes, so that no FMU is needed.
#pragma once

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <tutti/component_model.hpp>
#include <tutti/results.hpp>
#include <tutti/system.hpp>
#include <vector>

namespace tutti::testing {

/// A mass, m v' = force + push: exact for forces that are constant over a step.
class Mass : public ComponentModel {
 public:
  Mass() {
    parameter("mass", mass_);
    parameter("failure", failure_);
    parameter("gain", gain_, {.variability = Variability::tunable});
    input("force", force_);
    input("push", push_);
    output("velocity", velocity_, {.depends_on = std::vector<std::string>{}, .has_start = true});
    output("position", position_, {.depends_on = std::vector<std::string>{}, .has_start = true});
    local("steps", steps_, {.has_start = true});
  }
  void initialize(double) override {}
  void step(double t, double h) override {
    if (t + h > failure_) throw std::runtime_error("the mass is broken");
    const double acceleration = (force_ + gain_ * push_) / mass_;
    position_ += h * velocity_ + h * h / 2 * acceleration;
    velocity_ += h * acceleration;
    ++steps_;
  }
  bool can_roll_back() const override { return true; }

 private:
  double mass_ = 1, failure_ = 1e300, gain_ = 1, force_ = 0, push_ = 0;
  double velocity_ = 0, position_ = 0;
  std::uint64_t steps_ = 0;
};

/// A mass that knows its line: m v' = push - (wave + t slope) - impedance v, exactly.
class WaveMass : public ComponentModel {
 public:
  WaveMass() {
    parameter("mass", mass_);
    parameter("impedance", impedance_);
    input("wave", wave_);
    input("slope", slope_);
    input("push", push_);
    output("velocity", velocity_, {.depends_on = std::vector<std::string>{}, .has_start = true});
  }
  void initialize(double) override {}
  void step(double, double h) override {
    const double b = -slope_ / impedance_, a = (push_ - wave_ - mass_ * b) / impedance_;
    velocity_ = a + b * h + (velocity_ - a) * std::exp(-h * impedance_ / mass_);
  }
  bool can_roll_back() const override { return true; }

 private:
  double mass_ = 1, impedance_ = 1, wave_ = 0, slope_ = 0, push_ = 0, velocity_ = 0;
};

/// A component that is a C++ class.
template <class Model, class... Arguments>
Component class_part(const std::string& name, Arguments... arguments) {
  Component made;
  made.name = name;
  made.model = [=] { return std::make_unique<Model>(arguments...); };
  return made;
}

/// A port of a component that has a force and a velocity.
inline Port force_port(const std::string& name = "port", const std::string& effort = "force",
                       const std::string& flow = "velocity") {
  Port port;
  port.name = name;
  port.effort = {effort};
  port.flow = {flow};
  return port;
}

inline Component mass_part(const std::string& name, double mass = 1, double velocity = 0) {
  Component made = class_part<Mass>(name);
  made.set = {{"mass", std::to_string(mass)}, {"velocity", std::to_string(velocity)}};
  made.ports = {force_port()};
  return made;
}

inline Component wave_mass_part(const std::string& name, double mass = 1, double velocity = 0) {
  Component made = class_part<WaveMass>(name);
  made.set = {{"mass", std::to_string(mass)}, {"velocity", std::to_string(velocity)}};
  Port port;
  port.name = "port";
  port.flow = {"velocity"};
  port.wave.value = {"wave"};
  port.wave.slope = {"slope"};
  port.wave.impedance = {"impedance"};
  made.ports = {port};
  return made;
}

inline TlmLine line_between(PortName a, PortName b, double delay, double impedance) {
  TlmLine line;
  line.between = {std::move(a), std::move(b)};
  line.delay = delay;
  line.impedance = impedance;
  return line;
}

/// Keeps all numbers that it gets: the time and the values of each row. All are floats here.
class AllRows final : public Observer {
 public:
  void begin(std::span<const Column> columns) override {
    for (const Column& column : columns) names.push_back(column.name);
  }
  void row(const Row& row) override {
    auto& values = rows.emplace_back(1, row.time);
    for (const Cell& cell : row.cells) values.push_back(cell.real);
  }
  bool rewind(std::uint64_t count) override {
    rows.resize(count);
    return true;
  }
  void finish() override {}
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
};

}  // namespace tutti::testing
