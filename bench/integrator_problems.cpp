// SPDX-License-Identifier: BSD-2-Clause
#include "integrator_problems.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace bench {
namespace {

using tutti::SparsityPattern;
constexpr double pi = std::numbers::pi;

/// Kepler's equation M = E - e sin E by Newton's method; e = 0.6, the start is the perihelion.
std::vector<double> kepler_solution(const TestProblem&, double t) {
  const double e = 0.6, root = std::sqrt(1 - e * e);
  double anomaly = t;
  for (int i = 0; i < 100; ++i)
    anomaly -= (anomaly - e * std::sin(anomaly) - t) / (1 - e * std::cos(anomaly));
  const double rate = 1 / (1 - e * std::cos(anomaly));
  return {std::cos(anomaly) - e, root * std::sin(anomaly), -std::sin(anomaly) * rate,
          root * std::cos(anomaly) * rate};
}

/// Between impacts v = -w + (v0 + w) e^-kt with w = g/k; the impacts by Newton's method.
std::vector<double> ball_solution(const TestProblem& problem, double t) {
  const long double k = 0.1L, w = 9.81L / k;
  long double from = 0, height = problem.start[0], speed = problem.start[1];
  const auto at = [&](long double after) {
    const long double fallen = 1 - std::exp(-k * after);
    return std::pair{height - w * after + (speed + w) * fallen / k,
                     -w + (speed + w) * (1 - fallen)};
  };
  for (;;) {
    // From above the root and on the concave side the iteration approaches it from one side.
    long double fall = 2 * (std::abs(speed) + std::sqrt(2 * height * 9.81L)) / 9.81L + 0.1L;
    for (int i = 0; i < 100; ++i) fall -= at(fall).first / at(fall).second;
    if (t < static_cast<double>(from + fall)) {
      const auto [y, v] = at(static_cast<long double>(t) - from);
      return {static_cast<double>(y), static_cast<double>(v)};
    }
    speed = -0.9L * at(fall).second;
    height = 0;
    from += fall;
  }
}

/// Modes sin(k pi x) sin(l pi y) of the differences in space: the solution of the system itself.
constexpr std::pair<int, int> heat_modes[] = {{1, 1}, {2, 3}, {5, 4}, {12, 9}};

std::vector<double> heat_solution(const TestProblem& problem, double t) {
  const auto m = static_cast<std::size_t>(std::lround(std::sqrt(problem.start.size())));
  const double width = 1 / static_cast<double>(m + 1);
  std::vector<double> y(m * m);
  for (const auto& [k, l] : heat_modes) {
    const auto rate = [&](int number) {
      const double wave = std::sin(number * pi * width / 2) / width;
      return 4 * wave * wave;
    };
    const double size = std::exp(-(rate(k) + rate(l)) * t) / (k + l);
    for (std::size_t i = 0; i < m * m; ++i)
      y[i] += size * std::sin(k * pi * width * static_cast<double>(i / m + 1)) *
              std::sin(l * pi * width * static_cast<double>(i % m + 1));
  }
  return y;
}

/// theta'' = -g cos theta by Runge-Kutta of order 4 with steps of 1e-5 s in long double: no error
/// above 1e-15. The force in the rod follows from the constraint.
std::vector<double> pendulum_solution(const TestProblem&, double t) {
  using Number = long double;
  const Number g = 13.7503671L;
  const auto steps = static_cast<long>(std::lround(t * 1e5));
  const Number h = steps > 0 ? static_cast<Number>(t) / static_cast<Number>(steps) : 0;
  Number angle = 0, rate = 0;
  for (long n = 0; n < steps; ++n) {
    const Number a1 = rate, b1 = -g * std::cos(angle);
    const Number a2 = rate + h / 2 * b1, b2 = -g * std::cos(angle + h / 2 * a1);
    const Number a3 = rate + h / 2 * b2, b3 = -g * std::cos(angle + h / 2 * a2);
    const Number a4 = rate + h * b3, b4 = -g * std::cos(angle + h * a3);
    angle += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    rate += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
  }
  const Number x = std::cos(angle), y = std::sin(angle);
  const auto number = [](Number value) { return static_cast<double>(value); };
  return {number(x), number(y), number(-rate * y), number(rate * x), number(rate * rate - g * y)};
}

SparsityPattern heat_pattern(std::size_t m) {
  std::vector<std::vector<std::size_t>> rows(m * m);
  for (std::size_t i = 0; i < m * m; ++i) {
    if (i >= m) rows[i].push_back(i - m);
    if (i + m < m * m) rows[i].push_back(i + m);
    if (i % m > 0) rows[i].push_back(i - 1);
    if (i % m + 1 < m) rows[i].push_back(i + 1);
  }
  return tutti::pattern_of_rows(rows);
}

SparsityPattern brusselator_pattern(std::size_t n) {
  std::vector<std::vector<std::size_t>> rows(n);
  for (std::size_t i = 0; i < n; ++i) {
    rows[i].push_back(i ^ 1U);
    if (i >= 2) rows[i].push_back(i - 2);
    if (i + 2 < n) rows[i].push_back(i + 2);
  }
  return tutti::pattern_of_rows(rows);
}

std::vector<double> brusselator_start(std::size_t n) {
  std::vector<double> y(n, 3.0);
  const auto cells = n / 2;
  for (std::size_t i = 0; i < cells; ++i)
    y[2 * i] = 1 + std::sin(2 * pi * static_cast<double>(i + 1) / static_cast<double>(cells + 1));
  return y;
}

}  // namespace

std::vector<std::string_view> problem_names() {
  return {"van-der-pol", "robertson", "kepler", "ball", "heat", "pendulum"};
}

std::optional<TestProblem> find_problem(std::string_view name, std::size_t size) {
  if (name == "van-der-pol")  // the fast phases are at 0.82 and 1.65
    return TestProblem{.name = name,
                       .rhs = ode_van_der_pol,
                       .start = {2, -0.6},
                       .points = {0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2},
                       .atol = {1}};
  if (name == "robertson")
    return TestProblem{.name = name,
                       .rhs = ode_robertson,
                       .start = {1, 0, 0},
                       .points = {0.4, 4, 40, 400, 4000, 4e4, 4e5},
                       .atol = {1e-2, 1e-6, 1e-2}};
  if (name == "kepler")
    return TestProblem{.name = name,
                       .rhs = ode_kepler,
                       .start = {0.4, 0, 0, 2},
                       .points = {5, 10, 15, 20},
                       .atol = {1},
                       .exact = kepler_solution};
  if (name == "ball")  // impacts at about 1.50, 4.08, 6.35, 8.37
    return TestProblem{.name = name,
                       .rhs = ode_ball,
                       .start = {10, 0},
                       .points = {1, 2.5, 5, 7.5, 10},
                       .atol = {1},
                       .bounces = true,
                       .exact = ball_solution};
  if (name == "heat") {
    TestProblem heat{.name = name,
                     .rhs = ode_heat,
                     .start = std::vector<double>(10'000),
                     .points = {0.001, 0.01, 0.05, 0.1},
                     .atol = {1},
                     .stride = 101,
                     .pattern = heat_pattern(100),
                     .exact = heat_solution};
    heat.start = heat_solution(heat, 0);
    return heat;
  }
  if (name == "pendulum")
    return TestProblem{.name = name,
                       .rhs = ode_pendulum,
                       .start = {1, 0, 0, 0, 0},
                       .points = {0.3, 2.3, 4.7, 7.1, 10},
                       .atol = {1},
                       .is_dae = true,
                       .exact = pendulum_solution};
  if (name == "brusselator")
    return TestProblem{.name = name,
                       .rhs = ode_brusselator,
                       .start = brusselator_start(size),
                       .points = {10},
                       .atol = {1},
                       .pattern = brusselator_pattern(size)};
  return {};
}

CountedProblem::CountedProblem(const TestProblem& problem, tutti::OdeForm form, bool exact_jacobian)
    : p_(problem),
      form_(form),
      exact_jacobian_(exact_jacobian),
      algebraic_(problem.start.size()),
      moved_(problem.start.size()),
      sum_(problem.start.size()),
      f_(problem.start.size()) {
  diagonal_ = tutti::pattern_of_rows(std::vector<std::vector<std::size_t>>(size()));
  if (p_.is_dae) algebraic_.back() = 1;
  if (exact_jacobian) find_groups();
}

/// Each column joins the first group that shares no row with it.
void CountedProblem::find_groups() {
  if (jacobian_pattern() == nullptr) {
    for (std::size_t j = 0; j < size(); ++j) groups_.push_back({j});
    return;
  }
  std::vector<std::vector<bool>> taken;
  for (std::size_t j = 0; j < size(); ++j) {
    std::size_t group = 0;
    const auto meets = [&](std::int64_t row) { return taken[group][static_cast<size_t>(row)]; };
    while (group < groups_.size() && std::ranges::any_of(p_.pattern.rows_of(j), meets)) ++group;
    if (group == groups_.size()) {
      groups_.emplace_back();
      taken.emplace_back(size());
    }
    groups_[group].push_back(j);
    for (const std::int64_t row : p_.pattern.rows_of(j))
      taken[group][static_cast<size_t>(row)] = true;
  }
}

bool CountedProblem::evaluate(double t, std::span<const double> y, std::span<double> f) {
  ++evaluations_;
  p_.rhs(y.size(), t, y.data(), f.data());
  return true;
}

bool CountedProblem::residual(double t, std::span<const double> y, std::span<const double> yp,
                              std::span<double> r) {
  ++evaluations_;
  p_.rhs(y.size(), t, y.data(), r.data());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = (algebraic_[i] != 0 ? 0 : yp[i]) - r[i];
  return true;
}

bool CountedProblem::mass(double, std::span<const double>, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = algebraic_[i] != 0 ? 0 : 1;
  return true;
}

/// Differences (f(y - 2d) - 8 f(y - d) + 8 f(y + d) - f(y + 2d)) / 12d have no error for
/// polynomials up to degree 4, as all these problems but Kepler's are (there d^4 of 1e-12).
bool CountedProblem::jacobian(double t, std::span<const double> y, std::span<double> values) {
  constexpr std::pair<double, double> stencil[] = {{-2, 1}, {-1, -8}, {1, 8}, {2, -1}};
  for (const std::vector<std::size_t>& group : groups_) {
    const auto width = [&](std::size_t j) {
      return 1e-3 * std::max(std::abs(y[j]), p_.atol[p_.atol.size() > 1 ? j : 0]);
    };
    std::ranges::fill(sum_, 0.0);
    for (const auto& [place, weight] : stencil) {
      std::ranges::copy(y, moved_.begin());
      for (const std::size_t j : group) moved_[j] += place * width(j);
      p_.rhs(size(), t, moved_.data(), f_.data());
      for (std::size_t i = 0; i < size(); ++i) sum_[i] += weight * f_[i];
    }
    for (const std::size_t j : group) {
      const double scale = 1 / (12 * width(j));
      if (const SparsityPattern* const pattern = jacobian_pattern()) {
        auto place = static_cast<std::size_t>(pattern->column_start[j]);
        for (const std::int64_t row : pattern->rows_of(j))
          values[place++] = scale * sum_[static_cast<std::size_t>(row)];
      } else {
        for (std::size_t i = 0; i < size(); ++i) values[j * size() + i] = scale * sum_[i];
      }
    }
  }
  evaluations_ += groups_.size();
  return true;
}

bool CountedProblem::time_derivative(double, std::span<const double>, std::span<double> result) {
  std::ranges::fill(result, 0.0);
  return true;
}

bool CountedProblem::evaluate_roots(double, std::span<const double> y, std::span<const double>,
                                    std::span<double> g) {
  g[0] = y[0];
  return true;
}

tutti::AfterEvent CountedProblem::handle_event(tutti::OdeEvent& event) {
  event.y[0] = 0;
  event.y[1] *= -0.9;
  return tutti::AfterEvent::go_on;
}

}  // namespace bench
