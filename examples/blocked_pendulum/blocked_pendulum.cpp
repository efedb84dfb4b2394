// SPDX-License-Identifier: BSD-2-Clause
// A pendulum that bounces off a wall, with a step event, see README.md:
//   blocked_pendulum SOLVER TOLERANCE RESTITUTION WALL START
#include <cmath>

#include "write_csv.hpp"

/// The event function is switched off when the pendulum bounces, and on again by a step event when
/// it has turned back.
class BlockedPendulum final : public tutti::OdeProblem {
 public:
  BlockedPendulum(double restitution, double wall) : restitution_(restitution), wall_(wall) {}

  std::size_t size() const override { return 2; }
  bool evaluate(double, std::span<const double> y, std::span<double> f) override {
    f[0] = y[1];
    f[1] = -gravity * std::sin(y[0]);
    return true;
  }
  bool has_jacobian() const override { return true; }
  bool jacobian(double, std::span<const double> y, std::span<double> j) override {
    j[0] = 0, j[1] = -gravity * std::cos(y[0]), j[2] = 1, j[3] = 0;
    return true;
  }
  bool has_time_derivative() const override { return true; }
  bool time_derivative(double, std::span<const double>, std::span<double> f) override {
    f[0] = f[1] = 0;
    return true;
  }
  std::size_t root_count() const override { return 1; }
  bool evaluate_roots(double, std::span<const double> y, std::span<const double>,
                      std::span<double> g) override {
    g[0] = watches_wall_ ? y[0] - wall_ : 1;
    return true;
  }
  bool is_step_event(double, std::span<const double> y) override {
    return !watches_wall_ && y[1] < 0;
  }
  tutti::AfterEvent handle_event(tutti::OdeEvent& event) override {
    if (event.step_event) {
      watches_wall_ = true;
    } else {
      event.y[1] *= -restitution_;
      watches_wall_ = false;
    }
    return tutti::AfterEvent::go_on;
  }

 private:
  static constexpr double gravity = 9.81;
  double restitution_, wall_;
  bool watches_wall_ = true;
};

int main(int argc, char** argv) {
  return example::run(argc, argv, 5, "SOLVER TOLERANCE RESTITUTION WALL START", [&] {
    BlockedPendulum problem(std::atof(argv[3]), std::atof(argv[4]));
    tutti::OdeOutput output;
    output.points = example::points(10, 200);
    const auto found = tutti::integrate(problem, 0, {std::atof(argv[5]), 0}, 10,
                                        example::settings(argv[1], argv[2]), output);
    example::write_csv(found, {"angle", "speed"},
                       {{"bounces", [](const tutti::OdeEventRecord& e) { return !e.step_event; }},
                        {"turns", [](const tutti::OdeEventRecord& e) { return e.step_event; }}});
  });
}
