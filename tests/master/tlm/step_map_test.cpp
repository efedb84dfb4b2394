// SPDX-License-Identifier: BSD-2-Clause
// Which methods are stable: the step maps of two linear components and a line, and that a session
// does what they do.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <tutti/component_model.hpp>
#include <tutti/session.hpp>

#include "stability/spectrum.hpp"

namespace tutti::master::tlm::step_map {
namespace {

using stability::Matrix;

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t k = 0; k < a.columns; ++k)
      for (std::size_t j = 0; j < b.columns; ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}

/// exp(a) by Taylor's series of a/1024, whose norm is below 1 here.
Matrix exponential_of(Matrix a) {
  for (double& value : a.values) value /= 1024;
  Matrix sum(a.rows, a.rows), term(a.rows, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i) sum(i, i) = term(i, i) = 1;
  for (int n = 1; n < 20; ++n) {
    term = product(term, a);
    for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += (term.values[i] /= n);
  }
  for (int i = 0; i < 10; ++i) sum = product(sum, sum);
  return sum;
}

/// x' = A x + force / mass of the first state, which is the velocity at the port.
struct LinearPart {
  Matrix a;
  double mass = 0;
  std::size_t size() const { return a.rows; }
};

// The three masses of "TLM-based Asynchronous Co-simulation with the Functional Mockup Interface"
// (Braun, Hällqvist, Fritzson, 2017), with numbers: a pair of masses on springs, and one mass.
constexpr double m = 0.005, damping = 0.2, between = 90, to_ground = 141;
constexpr double line_delay = 4e-4, z = 1;

LinearPart two_masses() {
  return {{4,
           4,
           {-damping / m, -between / m, 0, between / m,                // v1, x1, v2, x2
            1, 0, 0, 0,                                                //
            0, between / m, -damping / m, -(between + to_ground) / m,  //
            0, 0, 1, 0}},
          m};
}
LinearPart one_mass() { return {{1, 1, {-damping / m}}, m}; }

enum class Kind { effort, wave };

/// Over steps of h, exactly: the force is r + q t, or c + q t - Z v if the part knows its line.
class ExactStep {
 public:
  ExactStep(const LinearPart& part, Kind kind, double h) : n_(part.size()) {
    Matrix whole(n_ + 2, n_ + 2);  // with the input and its slope
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) whole(i, j) = h * part.a(i, j);
    if (kind == Kind::wave) whole(0, 0) -= h * z / part.mass;
    whole(0, n_) = h / part.mass;
    whole(n_, n_ + 1) = h;
    map_ = exponential_of(whole);
  }
  void operator()(std::span<double> x, double input, double slope) const {
    std::vector<double> before(x.begin(), x.end());
    before.insert(before.end(), {input, slope});
    for (std::size_t i = 0; i < n_; ++i) {
      x[i] = 0;
      for (std::size_t j = 0; j < n_ + 2; ++j) x[i] += map_(i, j) * before[j];
    }
  }

 private:
  std::size_t n_;
  Matrix map_;
};

enum class Method { constant_effort, slope, constant_wave, coarse, coarse_over_delay, backward };
constexpr bool exact = true, consistent = false;

/// One communication step of both parts, D = n H, with the rules of one method. Notation: v
/// velocity at the port, r force of the line on the part, c = r + Z v wave that arrives, w = Z v -
/// r wave that is sent.
class StepMap {
 public:
  StepMap(Method method, bool exact_wave, std::size_t n)
      : method_(method), exact_wave_(exact_wave), n_(n), h_(line_delay / static_cast<double>(n)) {
    const Kind kind =
        method == Method::constant_effort || method == Method::slope ? Kind::effort : Kind::wave;
    for (const LinearPart& part : {two_masses(), one_mass()}) {
      sizes_.push_back(part.size());
      steps_.emplace_back(part, kind, h_);
    }
  }

  /// Of each part: its states, the velocity of the last point, and the waves that it has sent, the
  /// last one first, back to t - D - H.
  std::size_t part_size(std::size_t part) const { return sizes_[part] + 1 + n_ + 2; }
  std::size_t size() const { return part_size(0) + part_size(1); }
  std::span<double> part(std::vector<double>& state, std::size_t i) const {
    return std::span(state).subspan(i * part_size(0), part_size(i));
  }

  std::vector<double> operator()(const std::vector<double>& before) const {
    std::vector<double> old = before, next = before;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::span<double> of_peer = part(old, 1 - i).subspan(sizes_[1 - i] + 1);
      const std::span<double> now = part(next, i), x = now.first(sizes_[i]);
      double& last_velocity = now[sizes_[i]];
      const std::span<double> sent = now.subspan(sizes_[i] + 1);
      const double v = x[0], c = of_peer[n_], c_end = of_peer[n_ - 1];
      double input = c, slope = 0;
      switch (method_) {
        case Method::slope:
          slope = (c_end - c) / h_ - z * (v - last_velocity) / h_;
          [[fallthrough]];
        case Method::constant_effort:
          input = c - z * v;
          break;
        case Method::constant_wave:
          break;
        case Method::coarse:
          slope = (c_end - c) / h_;
          break;
        case Method::coarse_over_delay:
          slope = (of_peer[0] - c) / line_delay;
          break;
        case Method::backward:
          slope = (c - of_peer[n_ + 1]) / h_;
          break;
      }
      steps_[i](x, input, slope);
      last_velocity = v;
      const double applied = input + h_ * slope;  // the force or the wave, at the end
      const bool is_force = method_ == Method::constant_effort || method_ == Method::slope;
      const double wave =
          exact_wave_ ? 2 * z * x[0] - c_end : (is_force ? z : 2 * z) * x[0] - applied;
      std::copy_backward(sent.begin(), sent.end() - 1, sent.end());
      sent[0] = wave;
    }
    return next;
  }

  double radius() const {
    Matrix matrix(size(), size());
    for (std::size_t j = 0; j < size(); ++j) {
      std::vector<double> unit(size());
      unit[j] = 1;
      const std::vector<double> column = (*this)(unit);
      for (std::size_t i = 0; i < size(); ++i) matrix(i, j) = column[i];
    }
    return stability::spectral_radius(matrix);
  }

 private:
  Method method_;
  bool exact_wave_;
  std::size_t n_;
  double h_;
  std::vector<std::size_t> sizes_;
  std::vector<ExactStep> steps_;
};

// What OMTLMSimulator did, the exact wave whatever acted in the component, is unstable for constant
// inputs and for slopes over more than the step, at any step. Growth per step.
TEST(StepMap, HasTheSpectralRadiiThatDecideWhichMethodsAreStable) {
  struct Row {
    Method method;
    bool exact_wave;
    std::array<double, 3> radii;  ///< H = D, D/2, D/4
  };
  constexpr Row rows[] = {{Method::constant_effort, exact, {1.079983, 1.020002, 1.005000}},
                          {Method::constant_wave, exact, {1.076853, 1.019606, 1.004950}},
                          {Method::coarse_over_delay, exact, {0.998770, 1.019800, 1.004963}},
                          {Method::backward, exact, {1.145013, 1.038284, 1.009801}},
                          {Method::coarse, exact, {0.998770, 0.999842, 0.999980}},
                          {Method::slope, exact, {0.999778, 0.999973, 0.999997}},
                          {Method::constant_effort, consistent, {1.000000, 1.000000, 1.000000}},
                          {Method::constant_wave, consistent, {0.992320, 0.996150, 0.998073}},
                          {Method::coarse_over_delay, consistent, {0.998770, 0.996148, 0.998072}}};
  for (const Row& row : rows)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(StepMap(row.method, row.exact_wave, 1u << k).radius(), row.radii[k],
                  5e-6)  // the digits that are printed
          << "method " << static_cast<int>(row.method) << ", exact wave " << row.exact_wave
          << ", H = D/" << (1 << k);
}

/// A linear part as a component that integrates exactly.
class ExactPart final : public ComponentModel {
 public:
  ExactPart(const LinearPart& part, Kind kind, double h, std::vector<double> start)
      : step_(part, kind, h), x_(std::move(start)), velocity_(x_[0]) {
    input("input", input_);
    input("slope", slope_);
    output("velocity", velocity_, {.depends_on = std::vector<std::string>{}});
  }
  void initialize(double) override {}
  void step(double, double) override {
    step_(x_, input_, slope_);
    velocity_ = x_[0];
  }

 private:
  ExactStep step_;
  std::vector<double> x_;
  double velocity_, input_ = 0, slope_ = 0;
};

System same_as(Method method, bool exact_wave, std::size_t n, const std::vector<double>& start) {
  const double h = line_delay / static_cast<double>(n);
  const Kind kind = method == Method::constant_effort ? Kind::effort : Kind::wave;
  System system;
  for (const bool first : {true, false}) {
    const LinearPart part = first ? two_masses() : one_mass();
    const std::vector<double> x = first ? start : std::vector<double>{0};
    Component& component = system.components.emplace_back();
    component.name = first ? "a" : "b";
    component.model = [=] { return std::make_unique<ExactPart>(part, kind, h, x); };
    component.step = h;
    Port& port = component.ports.emplace_back();
    port.name = "port";
    port.flow = {"velocity"};
    if (kind == Kind::effort) {
      port.effort = {"input"};
      port.input = PortInput::constant;
    } else {
      port.sign = -1;  // of the wave in the line, which pushes
      port.wave.value = {"input"};
      port.wave.slope = {"slope"};
      port.input = method == Method::constant_wave ? PortInput::constant_wave : PortInput::coarse;
    }
  }
  TlmLine& line = system.tlm.emplace_back();
  line.between = {{"a", "port"}, {"b", "port"}};
  line.delay = line_delay;
  line.impedance = z;
  line.wave = exact_wave ? WaveRule::exact : WaveRule::consistent;
  if (method == Method::coarse_over_delay) system.simulation.tlm = TlmRules::omtlm;
  system.simulation.step = h;
  system.simulation.stop = 40 * h;
  return system;
}

// At the start the velocities at the ports are zero, and the line is at rest: no wave jumps.
TEST(StepMap, IsWhatASessionDoes) {
  const std::vector<double> start{0, 0.1, 2, -0.3};
  struct Case {
    Method method;
    bool exact_wave;
  };
  for (const auto& [method, exact_wave] :
       {Case{Method::constant_effort, exact}, Case{Method::constant_effort, consistent},
        Case{Method::constant_wave, exact}, Case{Method::constant_wave, consistent},
        Case{Method::coarse, exact}, Case{Method::coarse_over_delay, exact},
        Case{Method::coarse_over_delay, consistent}})
    for (const std::size_t n : {1u, 2u, 4u}) {
      SCOPED_TRACE("method " + std::to_string(static_cast<int>(method)) + ", exact wave " +
                   std::to_string(exact_wave) + ", H = D/" + std::to_string(n));
      const StepMap map(method, exact_wave, n);
      std::vector<double> state(map.size());
      std::copy(start.begin(), start.end(), state.begin());
      Session session(same_as(method, exact_wave, n, start));
      const Handle a = session.find("a.velocity"), b = session.find("b.velocity");
      session.initialize();
      double largest = 0;
      for (int k = 0; k < 40; ++k) {
        state = map(state);
        session.step();
        const double va = map.part(state, 0)[0], vb = map.part(state, 1)[0];
        largest = std::max({largest, std::abs(va), std::abs(vb)});
        ASSERT_NEAR(session.get(a), va, 1e-12 * largest) << k;  // rounding
        ASSERT_NEAR(session.get(b), vb, 1e-12 * largest) << k;
      }
      EXPECT_GT(std::abs(map.part(state, 1)[0]), 1e-3);  // something has arrived there
    }
}

}  // namespace
}  // namespace tutti::master::tlm::step_map
