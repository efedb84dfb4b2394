// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <cstdint>
#include <random>

#include "zoo/system.hpp"

namespace zoo {
namespace {

using Settings = std::vector<std::pair<std::string, double>>;

std::string element(const char* name, std::size_t i) {
  return std::string(name) + "[" + std::to_string(i + 1) + "]";
}
std::string element(const char* name, std::size_t i, std::size_t k) {
  return std::string(name) + "[" + std::to_string(i + 1) + "," + std::to_string(k + 1) + "]";
}

using Rows = std::vector<std::vector<double>>;
void put(Settings& set, const char* name, const Rows& matrix) {
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t k = 0; k < matrix[i].size(); ++k)
      set.emplace_back(element(name, i, k), matrix[i][k]);
}
void put(Settings& set, const char* name, const std::vector<double>& vector) {
  for (std::size_t i = 0; i < vector.size(); ++i) set.emplace_back(element(name, i), vector[i]);
}

/// A part x' = A x + B u + b, y = C x + D u.
struct Matrices {
  Rows A, B, C, D = {};
  std::vector<double> b = {}, x = {};
};
Part linear(const std::string& name, const Matrices& m) {
  Part part{name,
            "Linear" + std::to_string(m.A.size()) + std::to_string(m.B[0].size()) +
                std::to_string(m.C.size()) + (m.D.empty() ? "" : "D"),
            {}};
  put(part.set, "A", m.A);
  put(part.set, "B", m.B);
  put(part.set, "C", m.C);
  put(part.set, "D", m.D);
  put(part.set, "b", m.b);
  put(part.set, "x", m.x);
  return part;
}
/// x' = rate (u - x).
Part lag(const std::string& name, double rate, double start = 0) {
  return linear(name, {.A = {{-rate}}, .B = {{rate}}, .C = {{1}}, .x = {start}});
}
/// x'' = -k x - d x' + gain u + b; y = x.
Part oscillator(const std::string& name, double k, double d, double gain, double b = 0,
                double start = 0) {
  return linear(
      name,
      {.A = {{0, 1}, {-k, -d}}, .B = {{0}, {gain}}, .C = {{1, 0}}, .b = {0, b}, .x = {start, 0}});
}
Part wave(const std::string& name, double amplitude, double w, double offset = 0) {
  return {name, "Wave", {{"amplitude", amplitude}, {"w", w}, {"offset", offset}}};
}

std::string power(double value) {
  return "1e" + std::to_string(static_cast<int>(std::lround(std::log10(value))));
}

// Without stiffness ---------------------------------------------------------------------------

/// Parts of two states, two inputs and two outputs each; a ring, and random second inputs.
System random_linear(std::size_t count, unsigned seed, bool feedthrough) {
  std::mt19937 generator(seed);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(generator()) / 4294967296.0;
  };
  const auto matrix = [&](double size) {
    Rows rows(2, std::vector<double>(2));
    for (auto& row : rows)
      for (double& v : row) v = uniform(-size, size);
    return rows;
  };
  System s{.name = "linear-" + std::to_string(count) + (feedthrough ? "d" : "") + "-" +
                   std::to_string(seed),
           .parts = {},
           .wires = {}};
  for (std::size_t i = 0; i < count; ++i) {
    const double w = uniform(0.5, 3), damping = uniform(0.8, 1.5);
    s.parts.push_back(linear("p" + std::to_string(i), {.A = {{-damping, w}, {-w, -damping}},
                                                       .B = matrix(0.7),
                                                       .C = matrix(0.7),
                                                       .D = feedthrough ? matrix(0.45) : Rows{},
                                                       .b = {uniform(-1, 1), uniform(-1, 1)},
                                                       .x = {uniform(-1, 1), uniform(-1, 1)}}));
    const auto other = [&](std::size_t k) { return "p" + std::to_string(k % count); };
    const std::size_t far = i + 1 + generator() % (count - 1);
    s.wires.push_back({other(i + count - 1) + ".y[1]", other(i) + ".u[1]"});
    s.wires.push_back({other(far) + ".y[2]", other(i) + ".u[2]"});
  }
  return s;
}

void add_smooth(std::vector<System>& all) {
  for (const unsigned seed : {1u, 2u}) all.push_back(random_linear(2, seed, false));
  all.push_back(random_linear(3, 3, false));
  all.push_back(random_linear(4, 4, false));
  all.push_back(random_linear(6, 5, false));
  for (const unsigned seed : {6u, 7u}) all.push_back(random_linear(2, seed, true));
  all.push_back(random_linear(3, 8, true));
  all.push_back(random_linear(4, 9, true));
  all.push_back({.name = "oscillator",
                 .parts = {linear("x", {.A = {{0}}, .B = {{1}}, .C = {{1}}, .x = {1}}),
                           linear("v", {.A = {{0}}, .B = {{-1}}, .C = {{1}}})},
                 .wires = {{"v.y[1]", "x.u[1]"}, {"x.y[1]", "v.u[1]"}}});
  all.push_back({.name = "chain",
                 .parts = {wave("source", 1, 2), oscillator("a", 4, 1, 4), lag("b", 2),
                           oscillator("c", 9, 2, 9)},
                 .wires = {{"source.y", "a.u[1]"}, {"a.y[1]", "b.u[1]"}, {"b.y[1]", "c.u[1]"}}});
  Part ramp = wave("ramp", 0, 1);
  ramp.set.emplace_back("slope", 1);
  all.push_back(
      {.name = "ramp", .parts = {ramp, lag("filter", 10)}, .wires = {{"ramp.y", "filter.u[1]"}}});
  all.push_back({.name = "wave-fast-filter",
                 .parts = {wave("source", 1, 1), lag("filter", 1e3)},
                 .wires = {{"source.y", "filter.u[1]"}},
                 .stiffness = 1e3});
  all.push_back({.name = "lotka-volterra",
                 .parts = {{"prey", "Species", {{"a", 1}, {"b", -1}, {"x[1]", 2}}},
                           {"predator", "Species", {{"a", -1}, {"b", 1}, {"x[1]", 1}}}},
                 .wires = {{"predator.y", "prey.u"}, {"prey.y", "predator.u"}}});
  all.push_back({.name = "lorenz",
                 .span = 2,
                 .parts = {lag("flow", 10, 1), {"heat", "Convection", {{"x[1]", 1}, {"x[2]", 20}}}},
                 .wires = {{"heat.y", "flow.u[1]"}, {"flow.y[1]", "heat.u"}}});
  all.push_back(
      {.name = "duffing",
       .span = 20,
       .parts = {wave("drive", 0.5, 1.2), {"spring", "Duffing", {{"x[1]", 0.5}, {"a", 1}}}},
       .wires = {{"drive.y", "spring.u"}}});
  all.push_back({.name = "duffing-absorber",
                 .span = 20,
                 .parts = {{"spring", "Duffing", {{"x[1]", 1}, {"a", 1}}},
                           oscillator("absorber", 2, 0.3, 0.5)},
                 .wires = {{"spring.y", "absorber.u[1]"}, {"absorber.y[1]", "spring.u"}}});
  for (const double mu : {1.0, 10.0})
    all.push_back({.name = "van-der-pol-" + std::to_string(static_cast<int>(mu)),
                   .span = mu < 2 ? 20.0 : 40.0,
                   .parts = {linear("x", {.A = {{0}}, .B = {{1}}, .C = {{1}}, .x = {2}}),
                             {"v", "VanDerPol", {{"mu", mu}}}},
                   .wires = {{"v.y", "x.u[1]"}, {"x.y[1]", "v.u"}},
                   .stiffness = mu * mu,
                   .has_events = mu > 2});  // its jumps are as sharp as those of a relay
  all.push_back({.name = "brusselator",
                 .parts = {{"a", "Activator", {{"x[1]", 1.5}}}, {"i", "Inhibitor", {{"x[1]", 3}}}},
                 .wires = {{"i.y", "a.u"}, {"a.y", "i.u"}}});
  all.push_back(
      {.name = "nerve",
       .span = 50,
       .parts = {{"voltage", "Nerve", {{"x[1]", -1}}},
                 linear("recovery", {.A = {{-0.064}}, .B = {{0.08}}, .C = {{1}}, .b = {0.056}})},
       .wires = {{"recovery.y[1]", "voltage.u"}, {"voltage.y", "recovery.u[1]"}},
       .stiffness = 50});
  all.push_back({.name = "phases",
                 .parts = {{"a", "Phase", {{"w", 1}}},
                           {"b", "Phase", {{"w", 1.4}, {"x[1]", 1}}},
                           {"c", "Phase", {{"w", 0.7}, {"x[1]", 3}}}},
                 .wires = {{"a.y", "b.u"}, {"b.y", "c.u"}, {"c.y", "a.u"}}});
}

// Stiff ---------------------------------------------------------------------------------------

/// A fast part that follows, in a slow loop.
System follower(double rate) {
  return {.name = "follower-" + power(rate),
          .parts = {oscillator("slow", 1, 0.2, -0.5, 1, 0.5), lag("fast", rate, 0.5)},
          .wires = {{"slow.y[1]", "fast.u[1]"}, {"fast.y[1]", "slow.u[1]"}},
          .stiffness = rate};
}

/// A force of stiffness `rate` between two states: fast only through the coupling.
System tight(double rate) {
  return {.name = "tight-" + power(rate),
          .span = 5,
          .parts = {linear("a", {.A = {{-0.5 - rate}},
                                 .B = {{rate}},
                                 .C = {{rate}},
                                 .D = {{-rate}},
                                 .b = {1},
                                 .x = {1}}),
                    linear("b", {.A = {{-2}}, .B = {{1}}, .C = {{1}}, .x = {1}})},
          .wires = {{"a.y[1]", "b.u[1]"}, {"b.y[1]", "a.u[1]"}},
          .stiffness = rate};
}

/// Three capacitors, two resistors between them.
System capacitors(double resistance) {
  System s{.name = "capacitors-" + power(resistance),
           .span = 5,
           .parts = {},
           .wires = {},
           .stiffness = std::max(1.0, 3 / resistance)};
  const double leak[] = {1, 0, 0.5};
  for (std::size_t i = 0; i < 3; ++i)
    s.parts.push_back(linear(
        "c" + std::to_string(i),
        {.A = {{-leak[i]}}, .B = {{-1, 1}}, .C = {{1}}, .b = {i == 0 ? 1.0 : 0.0}, .x = {0.5}}));
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string r = "r" + std::to_string(i);
    s.parts.push_back({r, "Gain2", {{"k[1]", 1 / resistance}, {"k[2]", -1 / resistance}}});
    s.wires.push_back({"c" + std::to_string(i) + ".y[1]", r + ".u[1]"});
    s.wires.push_back({"c" + std::to_string(i + 1) + ".y[1]", r + ".u[2]"});
    s.wires.push_back({r + ".y", "c" + std::to_string(i) + ".u[1]"});
    s.wires.push_back({r + ".y", "c" + std::to_string(i + 1) + ".u[2]"});
  }
  return s;
}

/// Two masses with a stiff, damped spring between them: displacement and speed against force.
System masses(double k) {
  const double c = 0.6 * std::sqrt(k);
  return {.name = "masses-" + power(k),
          .span = 5,
          .parts = {wave("drive", 1, 2),
                    linear("m1", {.A = {{0, 1}, {-1, -0.1}},
                                  .B = {{0, 0}, {1, 1}},
                                  .C = {{1, 0}, {0, 1}},
                                  .x = {0.1, 0}}),
                    linear("m2", {.A = {{0, 1}, {-2 * k, -2 * c}},
                                  .B = {{0, 0}, {2 * k, 2 * c}},
                                  .C = {{k, c}, {1, 0}},
                                  .D = {{-k, -c}, {0, 0}},
                                  .x = {0.1, 0}})},
          .wires = {{"drive.y", "m1.u[2]"},
                    {"m2.y[1]", "m1.u[1]"},
                    {"m1.y[1]", "m2.u[1]"},
                    {"m1.y[2]", "m2.u[2]"}},
          .stiffness = 2 * std::sqrt(k)};
}

void add_stiff(std::vector<System>& all) {
  for (const double rate : {1e1, 1e2, 1e3, 1e4, 1e5, 1e6}) all.push_back(follower(rate));
  for (const double rate : {1e1, 1e2, 1e3, 1e4, 1e5, 1e6}) all.push_back(tight(rate));
  for (const double resistance : {1e-1, 1e-3, 1e-5}) all.push_back(capacitors(resistance));
  for (const double k : {1e2, 1e4, 1e6}) all.push_back(masses(k));
  all.push_back(
      {.name = "sensor-linear",
       .parts = {oscillator("plant", 1, 1, 1), lag("sensor", 1e3),
                 linear("control", {.A = {{0}}, .B = {{-1}}, .C = {{0.5}}, .D = {{-1}}, .b = {1}})},
       .wires = {{"plant.y[1]", "sensor.u[1]"},
                 {"sensor.y[1]", "control.u[1]"},
                 {"control.y[1]", "plant.u[1]"}},
       .stiffness = 1e3});
  all.push_back({.name = "sensor-saturated",
                 .parts = {{"plant", "Duffing", {{"x[1]", 1}, {"a", 1}}},
                           {"sensor", "Sensor", {{"rate", 1e5}, {"x[1]", std::tanh(1.0)}}}},
                 .wires = {{"plant.y", "sensor.u"}, {"sensor.y", "plant.u", -2}},
                 .stiffness = 1e5});
}

// Loops ---------------------------------------------------------------------------------------

/// a = k b + wave, b = a + 0.5, and a filter that looks at it.
System gain_loop(const std::string& name, double k) {
  return {
      .name = "loop-" + name,
      .parts = {wave("source", 1, 2),
                {"a", "Gain2", {{"k[1]", k}, {"k[2]", 1}}},
                {"b", "Gain1", {{"k[1]", 1}, {"b", 0.5}}},
                lag("filter", 1)},
      .wires = {
          {"source.y", "a.u[2]"}, {"b.y", "a.u[1]"}, {"a.y", "b.u[1]"}, {"a.y", "filter.u[1]"}}};
}

/// a = size tanh(b) + sin(2 t), b = a + 0.2.
System curve_loop(const std::string& name, double size) {
  return {.name = "loop-curve-" + name,
          .parts = {{"a", "Curve", {{"a", size}, {"q", 1}, {"w", 2}}},
                    {"b", "Gain1", {{"k[1]", 1}, {"b", 0.2}}},
                    lag("filter", 1)},
          .wires = {{"b.y", "a.u"}, {"a.y", "b.u[1]"}, {"a.y", "filter.u[1]"}}};
}

/// Two parts with states and feed-through in both.
System state_loop(const std::string& name, double gain) {
  return {
      .name = "loop-states-" + name,
      .parts = {linear("a",
                       {.A = {{-1}}, .B = {{1}}, .C = {{1}}, .D = {{gain}}, .b = {1}, .x = {0.5}}),
                linear("b", {.A = {{0, 1}, {-4, -1}},
                             .B = {{0}, {-1}},
                             .C = {{1, 0}},
                             .D = {{1}},
                             .x = {1, 0}})},
      .wires = {{"a.y[1]", "b.u[1]"}, {"b.y[1]", "a.u[1]"}}};
}

void add_loops(std::vector<System>& all) {
  all.push_back(gain_loop("0.5", 0.5));
  all.push_back(gain_loop("-0.9", -0.9));
  all.push_back(gain_loop("5", 5));
  all.push_back(gain_loop("-20", -20));
  all.push_back(curve_loop("0.5", 0.5));
  all.push_back(curve_loop("-3", -3));
  all.push_back(state_loop("-0.5", -0.5));
  all.push_back(state_loop("-2", -2));
}

// Events and tables ---------------------------------------------------------------------------

void add_events(std::vector<System>& all) {
  all.push_back(
      {.name = "thermostat",
       .span = 50,
       .parts = {{"relay", "Relay", {}},
                 linear("room", {.A = {{-0.1}}, .B = {{2}}, .C = {{1}}, .b = {1}, .x = {18}})},
       .wires = {{"relay.y", "room.u[1]"}, {"room.y[1]", "relay.u"}},
       .has_events = true});
  all.push_back(
      {.name = "relay-oscillation",
       .parts = {{"relay", "Relay", {{"lower", -0.1}, {"upper", 0.1}, {"low", -1}, {"high", 1}}},
                 lag("a", 2),
                 lag("b", 3)},
       .wires = {{"relay.y", "a.u[1]"}, {"a.y[1]", "b.u[1]"}, {"b.y[1]", "relay.u"}},
       .has_events = true});
  all.push_back({.name = "sampled-control",
                 .span = 9.8,  // nothing is sampled at the end
                 .parts = {{"control", "Sampler", {}}, oscillator("plant", 2, 2, 2)},
                 .wires = {{"control.y", "plant.u[1]"}, {"plant.y[1]", "control.u"}},
                 .has_events = true});
  all.push_back({.name = "ball-filter",
                 .span = 2,
                 .parts = {{"ball", "Ball", {}}, lag("height", 5), lag("speed", 20)},
                 .wires = {{"ball.y", "height.u[1]"}, {"ball.v", "speed.u[1]"}},
                 .has_events = true});
  all.push_back(
      {.name = "counter-logic",
       .parts = {{"counter", "Counter", {}},
                 {"logic", "Logic", {}},
                 {"heater", "Heater", {{"rate", 2}}},
                 lag("room", 1)},
       .wires = {{"counter.n", "logic.n"}, {"logic.on", "heater.on"}, {"heater.y", "room.u[1]"}},
       .has_events = true});
}

void add_tables(std::vector<System>& all) {
  using Points = std::vector<std::pair<double, double>>;
  const auto driven = [&](const std::string& name, const Points& rows, bool loop) {
    System s{.name = "table-" + name,
             .parts = {lag("a", 1), lag("b", 2)},
             .wires = {{"a.y[1]", "b.u[1]"}},
             .tables = {{"a.u[1]", rows}}};
    if (loop) {
      s.parts = {linear("a", {.A = {{-1}}, .B = {{1, -2}}, .C = {{1}}}), lag("b", 2)};
      s.wires.push_back({"b.y[1]", "a.u[2]"});
    }
    all.push_back(std::move(s));
  };
  const Points pulse = {{0, 0}, {5, 0}, {5, 1}, {5.1, 1}, {5.1, 0}, {10, 0}};
  driven("pulse", pulse, false);
  driven("pulse-loop", pulse, true);
  driven("trapezoid", {{0, 0}, {6.5, 0}, {6.51, 1}, {6.6, 1}, {6.61, 0}, {10, 0}}, true);
  driven("kinks", {{0, 0}, {1.3, 1}, {2.1, -1}, {3.7, 0.5}, {6.2, 0.5}, {6.9, -0.5}, {10, 1}},
         true);
  Points many;
  for (int k = 0; k <= 10000; ++k) many.emplace_back(k * 1e-3, std::sin(2 * k * 1e-3));
  driven("many-rows", many, true);
}

}  // namespace

const std::vector<System>& systems() {
  static const std::vector<System> all = [] {
    std::vector<System> list;
    add_smooth(list);
    add_stiff(list);
    add_loops(list);
    add_events(list);
    add_tables(list);
    return list;
  }();
  return all;
}

}  // namespace zoo
