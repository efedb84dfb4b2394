// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "analysis/advise_cycle.hpp"
#include "analysis/schemes.hpp"
#include "stability/step_limit.hpp"

namespace tutti::analysis {
namespace {

using stability::Matrix;
using Vector = std::vector<double>;

// A second implementation, as plain as can be: components are stepped one by one, with series for
// the exponentials and elimination for what is implicit.

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t k = 0; k < a.columns; ++k)
      for (std::size_t j = 0; j < b.columns; ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}

Vector product(const Matrix& a, const Vector& x) {
  Vector y(a.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t k = 0; k < a.columns; ++k) y[i] += a(i, k) * x[k];
  return y;
}

Matrix series_exponential(const Matrix& a) {
  double size = 0;
  for (const double value : a.values) size = std::max(size, std::abs(value));
  int halvings = 0;
  for (; size > 0.01; size /= 2) ++halvings;
  Matrix scaled = a, sum(a.rows, a.rows);
  for (double& value : scaled.values) value = std::ldexp(value, -halvings);
  for (std::size_t i = 0; i < a.rows; ++i) sum(i, i) = 1;
  Matrix term = sum;
  for (int k = 1; k < 12; ++k) {
    term = product(term, scaled);
    for (double& value : term.values) value /= k;
    for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += term.values[i];
  }
  for (int k = 0; k < halvings; ++k) sum = product(sum, sum);
  return sum;
}

/// Solves a x = b by elimination.
Vector solved(Matrix a, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    for (std::size_t j = 0; j < n; ++j) std::swap(a(k, j), a(pivot, j));
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a(i, k) / a(k, k);
      for (std::size_t j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a(k, j) * b[j];
    b[k] /= a(k, k);
  }
  return b;
}

/// Components with their states, coupled by u = L y, stepped with a scheme.
class Simulation {
 public:
  Simulation(const stability::CoupledSystem& system, double h)
      : system_(system), l_(system.inputs(), system.outputs()), y_(system.outputs()), before_(y_) {
    for (const auto& [row, column, value] : system.l.entries) l_(row, column) += value;
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (const stability::Subsystem& part : system.parts) {
      const std::size_t n = part.states(), m = part.inputs();
      Matrix joint(n + 2 * m, n + 2 * m);  // x, u, u' h
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) joint(i, j) = h * part.a(i, j);
        for (std::size_t j = 0; j < m; ++j) joint(i, n + j) = h * part.b(i, j);
      }
      for (std::size_t j = 0; j < m; ++j) joint(n + j, n + m + j) = 1;
      maps_.push_back(series_exponential(joint));
      x_.emplace_back(n);
      for (double& value : x_.back()) value = normal(random);
    }
    for (double& value : y_) value = normal(random);
    for (double& value : before_) value = normal(random);
  }

  /// By what everything grows from step to step in the long run.
  double growth(const std::string& scheme, int steps) {
    double exponent = 0;
    for (int k = 0; k < steps; ++k) {
      step(scheme);
      double size = 0;
      for (const Vector& x : x_)
        for (const double value : x) size += value * value;
      for (const double value : y_) size += value * value;
      size = std::sqrt(size);
      if (size < 1e-200) return 0;
      if (k >= steps / 2) exponent += std::log(size);
      for (Vector& x : x_)
        for (double& value : x) value /= size;
      for (double& value : y_) value /= size;
      for (double& value : before_) value /= size;
    }
    return std::exp(exponent / (steps - steps / 2));
  }

 private:
  void step(const std::string& scheme) {
    if (scheme == "newton") return step_implicitly();
    const bool linear = scheme.find("order 1") != std::string::npos;
    const bool sequential = scheme.starts_with("gauss-seidel");
    const Vector u = product(l_, y_);
    Vector ud = product(l_, before_);
    for (std::size_t j = 0; j < u.size(); ++j) ud[j] = linear ? u[j] - ud[j] : 0;
    const Vector old = y_;
    Vector next = y_;
    std::size_t first_u = 0, first_y = 0;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
      // Later ones know what earlier ones have computed.
      const Vector now = sequential ? product(l_, next) : u;
      const Vector y = advance(i, now, ud, first_u);
      std::copy(y.begin(), y.end(), next.begin() + static_cast<std::ptrdiff_t>(first_y));
      first_u += system_.parts[i].inputs();
      first_y += y.size();
    }
    y_ = scheme.ends_with("corrected") ? consistent() : next;
    before_ = old;
  }
  /// Steps one component; returns its outputs.
  Vector advance(std::size_t i, const Vector& u, const Vector& ud, std::size_t first) {
    const stability::Subsystem& part = system_.parts[i];
    const std::size_t n = part.states(), m = part.inputs();
    Vector all = x_[i];
    for (std::size_t j = 0; j < m; ++j) all.push_back(u[first + j]);
    for (std::size_t j = 0; j < m; ++j) all.push_back(ud[first + j]);
    all = product(maps_[i], all);
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(n);
    x_[i].assign(all.begin(), at);
    Vector y = product(part.c, x_[i]);
    const Vector through = product(part.d, Vector(at, at + static_cast<std::ptrdiff_t>(m)));
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += through[k];
    return y;
  }
  /// y = C x + D L y
  Vector consistent() const {
    Matrix matrix(y_.size(), y_.size());
    Vector right(y_.size());
    std::size_t row = 0, input = 0;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
      const stability::Subsystem& part = system_.parts[i];
      const Vector y = product(part.c, x_[i]);
      for (std::size_t k = 0; k < part.outputs(); ++k, ++row) {
        right[row] = y[k];
        matrix(row, row) += 1;
        for (std::size_t j = 0; j < part.inputs(); ++j)
          for (std::size_t c = 0; c < y_.size(); ++c)
            matrix(row, c) -= part.d(k, j) * l_(input + j, c);
      }
      input += part.inputs();
    }
    return solved(matrix, right);
  }
  /// Inputs are constant at L y_new: y_new = C (phi x + gamma L y_new) + D L y_new.
  void step_implicitly() {
    Matrix matrix(y_.size(), y_.size());
    Vector right(y_.size());
    std::size_t row = 0, input = 0;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
      const stability::Subsystem& part = system_.parts[i];
      const std::size_t n = part.states(), m = part.inputs();
      for (std::size_t k = 0; k < part.outputs(); ++k, ++row) {
        matrix(row, row) += 1;
        for (std::size_t s = 0; s < n; ++s) {
          for (std::size_t q = 0; q < n; ++q)
            right[row] += part.c(k, s) * maps_[i](s, q) * x_[i][q];
          for (std::size_t j = 0; j < m; ++j)
            for (std::size_t c = 0; c < y_.size(); ++c)
              matrix(row, c) -= part.c(k, s) * maps_[i](s, n + j) * l_(input + j, c);
        }
        for (std::size_t j = 0; j < m; ++j)
          for (std::size_t c = 0; c < y_.size(); ++c)
            matrix(row, c) -= part.d(k, j) * l_(input + j, c);
      }
      input += m;
    }
    y_ = solved(matrix, right);
    const Vector u = product(l_, y_), none(u.size());
    input = 0;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
      advance(i, u, none, input);
      input += system_.parts[i].inputs();
    }
  }

  const stability::CoupledSystem& system_;
  Matrix l_;
  std::vector<Matrix> maps_;
  std::vector<Vector> x_;
  Vector y_, before_;
};

/// A ring of 2 to 5 components with up to 3 states, some links across it.
struct RandomCycle {
  explicit RandomCycle(unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const auto pick = [&](std::size_t low, std::size_t high) {
      return low + random() % (high - low + 1);
    };
    const std::size_t count = pick(2, 5);
    const bool feeds_through = random() % 2 == 0;
    std::vector<std::size_t> first_u, first_y;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t n = pick(1, 3), m = pick(1, 3), r = pick(1, 3);
      Linearization part;
      part.source = Source::model_exchange_derivatives;
      part.has_states = true;
      part.system = {Matrix(n, n), Matrix(n, m), Matrix(r, n), Matrix(r, m)};
      const double rate = std::pow(10, static_cast<double>(random() % 3));
      for (double& value : part.system.a.values) value = rate * normal(random);
      for (std::size_t k = 0; k < n; ++k) part.system.a(k, k) -= 2 * rate;
      for (double& value : part.system.b.values) value = rate * normal(random);
      for (double& value : part.system.c.values) value = normal(random);
      if (feeds_through)
        for (double& value : part.system.d.values) value = 0.7 * normal(random);
      part.uncertain.assign(m * r, false);
      const std::string name = fmt::format("c{}", i);
      interface.components.push_back(static_cast<std::uint32_t>(i));
      interface.names.push_back(name);
      first_u.push_back(interface.inputs.size());
      first_y.push_back(interface.outputs.size());
      for (std::size_t k = 0; k < m; ++k)
        interface.inputs.push_back({i, fmt::format("{}.u{}", name, k)});
      for (std::size_t k = 0; k < r; ++k)
        interface.outputs.push_back({i, fmt::format("{}.y{}", name, k)});
      parts.push_back(part);
      LinearizedComponent component;
      component.name = name;
      component.linearized = component.can_roll_back = component.has_directional_derivatives = true;
      component.follows_inputs = component.provides_output_derivatives = true;
      components.push_back(component);
    }
    interface.l = {interface.inputs.size(), interface.outputs.size()};
    for (std::size_t j = 0; j < interface.inputs.size(); ++j) {
      const std::size_t part = interface.inputs[j].part;
      const std::size_t source =
          random() % 4 == 0 ? pick(0, count - 1) : (part + count - 1) % count;
      if (source == part) continue;
      const std::size_t outputs = parts[source].system.outputs();
      interface.l.entries.push_back(
          {j, first_y[source] + pick(0, outputs - 1), 0.5 * normal(random)});
    }
    step = std::pow(10, -static_cast<double>(random() % 3));
  }
  CycleInterface interface;
  std::vector<Linearization> parts;
  std::vector<LinearizedComponent> components;
  double step = 0;
};

// The long-run growth of a simulation of the same scheme is the spectral radius of its step map;
// the verdict is whether that is above 1. 0.01: 2000 steps with modes of nearly the same size.
TEST(RandomCycles, GrowAsTheAdvicePrints) {
  int compared = 0, grown = 0;
  // The last ones have limits of short steps that are unlike what the step does.
  for (const unsigned seed : {0, 1, 2, 3, 4, 5, 23, 50, 98, 165, 292}) {
    const RandomCycle random(seed);
    const LinearCycle cycle = couple(random.interface, random.parts);
    const std::vector<double> steps = {random.step};
    const CycleAdvice advice =
        advise_cycle(cycle, {random.components, random.step, steps, CouplingChoice{}, nullptr, {}});
    for (const char* name :
         {"jacobi", "gauss-seidel", "jacobi, order 1, differences", "jacobi, corrected",
          "jacobi, order 1, differences, corrected", "newton"}) {
      const auto found = std::find_if(advice.schemes.begin(), advice.schemes.end(),
                                      [&](const SchemeAdvice& s) { return s.name == name; });
      ASSERT_TRUE(found->radius.has_value()) << seed;
      constexpr double most = 1e6;  // a matrix that is nearly singular
      const double growth =
          std::min(Simulation(cycle.system, random.step).growth(name, 4000), most);
      EXPECT_NEAR(std::min(*found->radius, most), growth, 0.015 + 0.01 * growth)
          << seed << ' ' << name;
      ++compared;
      if (growth > 1.005) {
        const double own = std::exp(2 * std::max(0.0, *advice.abscissa) * random.step);
        EXPECT_TRUE(found->at_step == Stability::unstable || growth < 1.01 * own)
            << seed << ' ' << name << ' ' << growth;
        ++grown;
      }
      if (growth < 0.995) {
        EXPECT_EQ(found->at_step, Stability::stable) << seed << ' ' << name;
      }
    }
  }
  EXPECT_GT(grown, compared / 10);  // both verdicts occur
}

}  // namespace
}  // namespace tutti::analysis
