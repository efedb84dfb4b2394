// SPDX-License-Identifier: BSD-2-Clause
// A chain of masses and springs, for clusters.py: one FMU per mass, or one FMU that has them all.
// Both have analytic derivatives and list their dependencies.
#include <algorithm>
#include <array>
#include <cstddef>
#include <fmukit/model.hpp>
#include <string>
#include <vector>

constexpr double k = 1000, d = 1;  // per mass: N/m/kg, N.s/m/kg

/// In the motion of the left neighbour and the force of the right one's spring, out the motion and
/// the force of the own spring.
class Element final : public fmukit::Model {
 public:
  double x_left = 0, v_left = 0, pull = 0;
  double x = 0, v = 0, dx = 0, dv = 0, s = 0;

  static void describe(fmukit::Description<Element>& e) {
    e.internal_step(1e-3);
    e.input("x_left", &Element::x_left);
    e.input("v_left", &Element::v_left);
    e.input("pull", &Element::pull);
    e.output("x", &Element::x).depends_on({"x"});
    e.output("v", &Element::v).depends_on({"v"});
    e.output("s", &Element::s).depends_on({"x", "v", "x_left", "v_left"});
    e.local("der(x)", &Element::dx).derivative_of("x").depends_on({"v"});
    e.local("der(v)", &Element::dv)
        .derivative_of("v")
        .depends_on({"x", "v", "x_left", "v_left", "pull"});
  }
  void derivatives() override {
    s = k * (x_left - x) + d * (v_left - v);
    dx = v;
    dv = s - pull;
  }
  void partials(fmukit::Partials& p) override {
    p(x, x) = p(v, v) = p(dx, v) = 1;
    p(s, x_left) = p(dv, x_left) = k;
    p(s, x) = p(dv, x) = -k;
    p(s, v_left) = p(dv, v_left) = d;
    p(s, v) = p(dv, v) = -d;
    p(dv, pull) = -1;
  }
};

#ifndef COUNT
#define COUNT 1
#endif

class Whole final : public fmukit::Model {
 public:
  static constexpr std::size_t count = COUNT;
  using Numbers = std::array<double, count>;
  Numbers x{}, v{}, dx{}, dv{};

  static void describe(fmukit::Description<Whole>& w) {
    w.internal_step(1e-3);
    for (std::size_t i = 0; i < count; ++i) {
      const auto name = [](const char* what, std::size_t of) {
        return std::string(what).append(std::to_string(of + 1));  // g++ 12 warns of what + ...
      };
      w.output(name("x", i), [i](Whole& m) -> double& {
         return m.x[i];
       }).depends_on({name("x", i)});
      w.output(name("v", i), [i](Whole& m) -> double& {
         return m.v[i];
       }).depends_on({name("v", i)});
      w.local("der(" + name("x", i) + ")", [i](Whole& m) -> double& { return m.dx[i]; })
          .derivative_of(name("x", i))
          .depends_on({name("v", i)});
      std::vector<fmukit::Dependency> near;
      for (std::size_t j = i == 0 ? 0 : i - 1; j < std::min(i + 2, count); ++j) {
        near.emplace_back(name("x", j));
        near.emplace_back(name("v", j));
      }
      w.local("der(" + name("v", i) + ")", [i](Whole& m) -> double& { return m.dv[i]; })
          .derivative_of(name("v", i))
          .depends_on(near);
    }
  }
  void derivatives() override {
    double pull = 0;
    for (std::size_t i = count; i-- > 0;) {
      const double s = k * ((i == 0 ? 0 : x[i - 1]) - x[i]) + d * ((i == 0 ? 0 : v[i - 1]) - v[i]);
      dx[i] = v[i];
      dv[i] = s - pull;
      pull = s;
    }
  }
  void partials(fmukit::Partials& p) override {
    for (std::size_t i = 0; i < count; ++i) {
      p(x[i], x[i]) = p(v[i], v[i]) = p(dx[i], v[i]) = 1;
      const double springs = i + 1 < count ? 2 : 1;
      p(dv[i], x[i]) = -springs * k;
      p(dv[i], v[i]) = -springs * d;
      if (i > 0) {
        p(dv[i], x[i - 1]) = k;
        p(dv[i], v[i - 1]) = d;
      }
      if (i + 1 < count) {
        p(dv[i], x[i + 1]) = k;
        p(dv[i], v[i + 1]) = d;
      }
    }
  }
};

FMUKIT_EXPORT(MODEL)
