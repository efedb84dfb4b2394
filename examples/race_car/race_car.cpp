// SPDX-License-Identifier: BSD-2-Clause
#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "models/example_model.hpp"

/// A chassis with six directions of motion (along x, y, z and about them), and a wheel at each
/// corner. Small motions: all is linear.
constexpr std::size_t directions = 6, wheels = 4;
/// What a wheel is told: for each direction six quantities, see Chassis::tell, and the speed over
/// the ground. Number 6 r + c belongs to direction c, so that force c depends on every sixth.
constexpr std::size_t quantities = 6, told = quantities * directions + 1;

/// Integrates 30 rad/s to 1e-9.
constexpr double internal_step = 5e-4;

using Directions = std::array<double, directions>;

/// Where the wheels are: front left, front right, rear left, rear right; in m from the centre.
constexpr std::array<double, wheels> ahead{1.4, 1.4, -1.2, -1.2}, aside{0.8, -0.8, 0.8, -0.8};

std::string numbered(const char* word, std::size_t number) {
  std::string name = word;
  return name += std::to_string(number);
}

/// Takes as long as a model with much to compute.
void work(double microseconds) {
  if (microseconds <= 0) return;
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double, std::micro>(microseconds);
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// M q'' = sum of the wheels' forces and torques. No output depends on an input.
class Chassis final : public fmukit::Model {
 public:
  double work_time = 0;
  std::array<Directions, wheels> force{};
  Directions q{0, 0, 0.05, 0.02, -0.01, 0}, v{40, 0, 0, 0, 0, 0.1}, dq{}, dv{};
  std::array<std::array<double, told>, wheels> y{};

  static void describe(fmukit::Description<Chassis>& d) {
    d.text("Chassis of a race car").default_experiment({.stop = 1, .step = 1e-3});
    d.internal_step(internal_step);
    d.parameter("work", &Chassis::work_time).text("wall time of an evaluation").unit("us");
    d.unit("us", {.s = 1, .factor = 1e-6});
    describe_motion(d);
    for (std::size_t w = 0; w < wheels; ++w) {
      std::string corner = numbered("w", w + 1);
      corner += ".";
      for (std::size_t c = 0; c < directions; ++c)
        d.input(numbered((corner + "f").c_str(), c + 1),
                [w, c](Chassis& m) -> double& { return m.force[w][c]; });
      for (std::size_t j = 0; j < told; ++j)
        d.output(numbered((corner + "y").c_str(), j + 1), [w, j](Chassis& m) -> double& {
           return m.y[w][j];
         }).depends_on(sources(j));
    }
  }
  void derivatives() override {
    static constexpr Directions inertia{700, 700, 700, 200, 900, 1000};
    for (std::size_t c = 0; c < directions; ++c) {
      double sum = 0;
      for (const Directions& f : force) sum += f[c];
      dv[c] = sum / inertia[c];
      dq[c] = v[c];
    }
    for (std::size_t w = 0; w < wheels; ++w) {  // what forces along x, y, z do about x, y, z
      const Directions& f = force[w];
      dv[3] += aside[w] * f[2] / inertia[3];
      dv[4] -= ahead[w] * f[2] / inertia[4];
      dv[5] += (ahead[w] * f[1] - aside[w] * f[0]) / inertia[5];
    }
  }
  void outputs() override {
    work(work_time);
    for (std::size_t w = 0; w < wheels; ++w) tell(w);
  }

 private:
  static void describe_motion(fmukit::Description<Chassis>& d) {
    for (std::size_t c = 0; c < directions; ++c) {
      const std::string q_name = numbered("q", c + 1), v_name = numbered("v", c + 1);
      d.output(q_name, [c](Chassis& m) -> double& { return m.q[c]; }).depends_on({q_name});
      d.output(v_name, [c](Chassis& m) -> double& { return m.v[c]; }).depends_on({v_name});
      d.local(numbered("dq", c + 1), [c](Chassis& m) -> double& {
         return m.dq[c];
       }).derivative_of(q_name);
      d.local(numbered("dv", c + 1), [c](Chassis& m) -> double& {
         return m.dv[c];
       }).derivative_of(v_name);
    }
  }
  /// The states on which quantity j depends.
  static std::vector<fmukit::Dependency> sources(std::size_t j) {
    const char* word = (j / directions) % 2 == 0 && j + 1 < told ? "q" : "v";
    std::vector<fmukit::Dependency> names;
    for (std::size_t c = 0; c < directions; ++c) names.emplace_back(numbered(word, c + 1));
    return names;
  }
  /// What turning by `about` moves the corner w.
  static Directions lever(std::size_t w, const Directions& about) {
    return {-aside[w] * about[5], ahead[w] * about[5], aside[w] * about[3] - ahead[w] * about[4]};
  }
  /// By direction: place and speed of the corner, place and speed of the centre, and what turning
  /// adds to both.
  void tell(std::size_t w) {
    const Directions q_lever = lever(w, q), v_lever = lever(w, v);
    for (std::size_t c = 0; c < directions; ++c) {
      y[w][c] = q[c] + q_lever[c];
      y[w][directions + c] = v[c] + v_lever[c];
      y[w][2 * directions + c] = q[c];
      y[w][3 * directions + c] = v[c];
      y[w][4 * directions + c] = q_lever[c];
      y[w][5 * directions + c] = v_lever[c];
    }
    y[w][told - 1] = v[0];
  }
};

/// A wheel on its tyre, with the suspension: force c on the chassis depends on what it is told of
/// direction c.
class Wheel final : public fmukit::Model {
 public:
  double work_time = 0, drive = 100;
  std::array<double, told> u{};
  double z = 0, w = 0, dz = 0, dw = 0;
  Directions f{};

  static void describe(fmukit::Description<Wheel>& d) {
    d.text("Wheel of a race car").default_experiment({.stop = 1, .step = 1e-3});
    d.internal_step(internal_step);
    d.parameter("work", &Wheel::work_time).text("wall time of an evaluation").unit("us");
    d.unit("us", {.s = 1, .factor = 1e-6});
    d.parameter("drive", &Wheel::drive).unit("N");
    for (std::size_t j = 0; j < told; ++j)
      d.input(numbered("u", j + 1), [j](Wheel& m) -> double& { return m.u[j]; });
    d.output("z", &Wheel::z).unit("m").depends_on({"z"});
    d.output("w", &Wheel::w).unit("m/s").depends_on({"w"});
    d.local("der(z)", &Wheel::dz).derivative_of("z").unit("m/s");
    d.local("der(w)", &Wheel::dw).derivative_of("w").unit("m/s2");
    for (std::size_t c = 0; c < directions; ++c) {
      std::vector<fmukit::Dependency> knowns;
      for (std::size_t j = c; j < told; j += directions) knowns.emplace_back(numbered("u", j + 1));
      if (c == 2) knowns.insert(knowns.end(), {"z", "w"});
      if (c == 0) knowns.emplace_back("drive");
      d.output(numbered("f", c + 1), [c](Wheel& m) -> double& {
         return m.f[c];
       }).depends_on(knowns);
    }
  }
  void derivatives() override {
    constexpr double mass = 30, tyre = 2e4, tyre_damping = 100;
    dz = w;
    dw = (-suspension() - tyre * z - tyre_damping * w) / mass;
  }
  void outputs() override {
    static constexpr Directions stiffness{0, 800, 0, 2000, 2000, 500},
        damping{20, 100, 0, 300, 300, 100};
    work(work_time);
    for (std::size_t c = 0; c < directions; ++c)
      f[c] = -stiffness[c] * place(c) - damping[c] * speed(c);
    f[0] += drive + 18 * u[told - 1];  // slip: 20 N.s/m at the corner, less at the centre
    f[2] = suspension();
  }

 private:
  /// The mean of both ways in which a place is told.
  double place(std::size_t c) const {
    return (u[c] + u[2 * directions + c] + u[4 * directions + c]) / 2;
  }
  double speed(std::size_t c) const {
    return (u[directions + c] + u[3 * directions + c] + u[5 * directions + c]) / 2;
  }
  double suspension() const { return -4000 * (place(2) - z) - 800 * (speed(2) - w); }
};

/// The whole, of the same parts.
class Reference final : public fmukit::Model {
 public:
  Chassis chassis;
  std::array<Wheel, wheels> wheel;

  static void describe(fmukit::Description<Reference>& d) {
    d.text("Race car, not taken apart").default_experiment({.stop = 1, .step = 1e-3});
    static constexpr std::array<const char*, wheels> corners{"front_left", "front_right",
                                                             "rear_left", "rear_right"};
    const auto state = [&](const std::string& name, auto value, auto derivative) {
      d.output(name, value);
      d.local("der(" + name + ")", derivative).derivative_of(name);
    };
    for (std::size_t c = 0; c < directions; ++c) {
      state(
          numbered("chassis.q", c + 1), [c](Reference& m) -> double& { return m.chassis.q[c]; },
          [c](Reference& m) -> double& { return m.chassis.dq[c]; });
      state(
          numbered("chassis.v", c + 1), [c](Reference& m) -> double& { return m.chassis.v[c]; },
          [c](Reference& m) -> double& { return m.chassis.dv[c]; });
    }
    for (std::size_t w = 0; w < wheels; ++w) {
      std::string corner = corners[w];
      state(
          corner + ".z", [w](Reference& m) -> double& { return m.wheel[w].z; },
          [w](Reference& m) -> double& { return m.wheel[w].dz; });
      state(
          corner + ".w", [w](Reference& m) -> double& { return m.wheel[w].w; },
          [w](Reference& m) -> double& { return m.wheel[w].dw; });
    }
  }
  void derivatives() override {
    chassis.outputs();
    for (std::size_t w = 0; w < wheels; ++w) {
      wheel[w].u = chassis.y[w];
      wheel[w].derivatives();
      wheel[w].outputs();
      chassis.force[w] = wheel[w].f;
    }
    chassis.derivatives();
  }
};

EXAMPLE_MODEL(Chassis)
EXAMPLE_MODEL(Wheel)
EXAMPLE_MODEL(Reference)
