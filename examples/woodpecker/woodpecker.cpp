// SPDX-License-Identifier: BSD-2-Clause
// The woodpecker toy, see README.md, as a reduced differential equation or as an equation with the
// forces of the pole, of index 1 or 2:
//   woodpecker ode|index1|index2 SOLVER TOLERANCE [PHIS]
#include "woodpecker.hpp"

#include <algorithm>
#include <string_view>

#include "write_csv.hpp"

namespace {

using namespace woodpecker;
using View = std::span<const double>;
using Out = std::span<double>;

enum class Equations { reduced, index_1, index_2 };
enum Event : std::size_t {
  reaches_below,
  reaches_above,
  comes_off_below,
  comes_off_above,
  hits,
  event_count
};

/// y = (z, phiS, phiB, v, wS, wB), and lam1, lam2 of the implicit forms. The phase is a switch: it
/// changes in events only, and with it the event functions that can trigger.
class Woodpecker final : public tutti::OdeProblem {
 public:
  explicit Woodpecker(Equations equations) : equations_(equations) {
    // Where v' and wS' are equations, only the forces are algebraic; they are in the others, too.
    if (equations != Equations::reduced) algebraic_ = {0, 0, 0, 0, 0, 0, 1, 1};
  }

  std::size_t size() const override { return equations_ == Equations::reduced ? 6 : 8; }
  tutti::OdeForm form() const override {
    return equations_ == Equations::reduced ? tutti::OdeForm::explicit_ode
                                            : tutti::OdeForm::implicit;
  }
  std::span<const std::uint8_t> algebraic() const override { return algebraic_; }

  bool evaluate(double, View y, Out f) override {
    const Motion now = motion(phase_, y[1], y[2]);
    for (std::size_t i = 0; i < 3; ++i) {
      f[i] = y[3 + i];
      f[3 + i] = now.a[i];
    }
    return true;
  }

  bool has_jacobian() const override { return equations_ == Equations::reduced; }
  /// The accelerations are linear in the angles, so differences are exact.
  bool jacobian(double, View, Out j) override {
    std::fill(j.begin(), j.end(), 0);
    for (std::size_t i = 0; i < 3; ++i) {
      j[6 * (3 + i) + i] = 1;
      const double a = motion(phase_, 0, 0).a[i];
      j[6 * 1 + 3 + i] = motion(phase_, 1, 0).a[i] - a;
      j[6 * 2 + 3 + i] = motion(phase_, 0, 1).a[i] - a;
    }
    return true;
  }
  bool has_time_derivative() const override { return true; }
  bool time_derivative(double, View, Out f) override {
    std::fill(f.begin(), f.end(), 0);
    return true;
  }

  /// The exact values, where y has the positions and speeds.
  void make_consistent(Out y, Out yp) const {
    const Motion now = motion(phase_, y[1], y[2]);
    for (std::size_t i = 0; i < 3; ++i) {
      yp[i] = y[3 + i];
      yp[3 + i] = now.a[i];
    }
    y[6] = now.lam1;
    y[7] = now.lam2;
    yp[6] = yp[7] = 0;
  }

  bool residual(double, View y, View yp, Out r) override {
    const double lam1 = y[6], lam2 = y[7];
    const std::array<double, 3> f = forces(y[1], y[2]);
    const double pole[] = {-lam2, side(phase_) * hS * lam1 - rS * lam2, 0};
    for (std::size_t i = 0; i < 3; ++i) {
      r[i] = yp[i] - y[3 + i];
      r[3 + i] = M[i][0] * yp[3] + M[i][1] * yp[4] + M[i][2] * yp[5] - f[i] - pole[i];
    }
    const bool is_free = phase_ == Phase::free, on_speeds = equations_ == Equations::index_2;
    r[6] = is_free ? lam1 : on_speeds ? y[4] : yp[4];
    r[7] = is_free ? lam2 : on_speeds ? y[3] : yp[3];
    return true;
  }

  std::size_t root_count() const override { return event_count; }
  /// The sleeve comes off below when the force of the pole changes its sign, in either direction.
  int root_direction(std::size_t function) const override {
    constexpr int directions[event_count] = {-1, 1, 0, 1, 1};
    return directions[function];
  }
  bool evaluate_roots(double, View y, View, Out value) override {
    const double lam1 = equations_ == Equations::reduced ? motion(phase_, y[1], y[2]).lam1 : y[6];
    value[reaches_below] = phase_ == Phase::free ? gap_below(y[1]) : 1;
    value[reaches_above] = phase_ == Phase::free ? gap_above(y[1]) : -1;
    value[comes_off_below] = phase_ == Phase::blocked_below ? lam1 : 1;
    value[comes_off_above] = phase_ == Phase::blocked_above ? lam1 : -1;
    value[hits] = phase_ == Phase::blocked_above ? beak(y[2]) : -1;
    return true;
  }

  tutti::AfterEvent handle_event(tutti::OdeEvent& event) override {
    const double wB = event.y[5];
    if (event.roots[reaches_below] != 0 && wB < 0) {
      phase_ = Phase::blocked_below;
      block(event.y);
    } else if (event.roots[reaches_above] != 0 && wB > 0) {
      phase_ = Phase::blocked_above;
      block(event.y);
    } else if (event.roots[comes_off_below] != 0 || event.roots[comes_off_above] != 0) {
      phase_ = Phase::free;
    } else if (event.roots[hits] != 0) {
      hit(event.y);
    }
    if (equations_ != Equations::reduced) make_consistent(event.y, event.yp);
    return tutti::AfterEvent::go_on;
  }

 private:
  Equations equations_;
  Phase phase_ = Phase::blocked_below;
  std::vector<std::uint8_t> algebraic_;
};

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, 3, "ode|index1|index2 SOLVER TOLERANCE [PHIS]", [&] {
    const std::string_view form = argv[1];
    const Equations equations = form == "ode"      ? Equations::reduced
                                : form == "index1" ? Equations::index_1
                                                   : Equations::index_2;
    Woodpecker problem(equations);
    std::vector<double> y = {0, argc > 4 ? std::atof(argv[4]) : -0.1, -0.65, 0, 0, 0}, yp;
    tutti::OdeSettings settings = example::settings(argv[2], argv[3]);
    if (equations != Equations::reduced) {
      y.resize(8);
      yp.resize(8);
      problem.make_consistent(y, yp);
      settings.consistent = false;
      if (settings.solver == "ida") settings.options["suppress_alg"] = true;
    }
    tutti::OdeOutput output;
    output.points = example::points(1, 500);
    const auto found = tutti::integrate(problem, 0, y, 1, settings, output, yp);
    example::write_csv(found, {"z", "phiS", "phiB"},
                       {{"hits", [](const auto& event) { return event.roots[hits] != 0; }}});
  });
}
