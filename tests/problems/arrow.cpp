// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <string>

/// Stiff equations whose Jacobian has the shape of an arrow. ARROW_ROW: a store x0 that collects
/// from all others, x0' = sum of x_i - x0, x_i' = -i x_i: a full row, so that differences and
/// directional derivatives need a call for each column, but adjoint derivatives need two.
/// Otherwise a source that feeds all others, x0' = -x0, x_i' = x0 - i x_i: a full column.
class Arrow final : public fmukit::Model {
 public:
  static constexpr std::size_t n = 40;
  std::array<double, n> x{}, dx{};
  double total = 0;

  Arrow() { x.fill(1); }
  static void describe(fmukit::Description<Arrow>& d) {
    d.text("A Jacobian like an arrow").default_experiment({.start = 0, .stop = 5, .step = 0.1});
    d.internal_step(1e-3);
    const auto name = [](std::size_t i) { return std::string("x").append(std::to_string(i)); };
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<fmukit::Dependency> knowns{fmukit::Dependency(name(i))};
#ifdef ARROW_ROW
      for (std::size_t j = 1; i == 0 && j < n; ++j) knowns.emplace_back(name(j));
#else
      if (i > 0) knowns.emplace_back(name(0));
#endif
      std::string derivative = "der(";
      derivative.append(name(i)).push_back(')');
      d.local(name(i), [i](Arrow& m) -> double& { return m.x[i]; });
      d.local(derivative, [i](Arrow& m) -> double& { return m.dx[i]; })
          .derivative_of(name(i))
          .depends_on(knowns);
    }
    d.output("total", &Arrow::total);
  }
  void derivatives() override {
    for (std::size_t i = 0; i < n; ++i) dx[i] = -rate(i) * x[i];
    for (std::size_t i = 1; i < n; ++i)
#ifdef ARROW_ROW
      dx[0] += x[i];
#else
      dx[i] += x[0];
#endif
  }
  void outputs() override {
    total = 0;
    for (const double value : x) total += value;
  }
  void partials(fmukit::Partials& p) override {
    for (std::size_t i = 0; i < n; ++i) {
      p(dx[i], x[i]) = -rate(i);
      p(total, x[i]) = 1;
      p(x[i], x[i]) = 1;  // not necessary, but true
#ifdef ARROW_ROW
      if (i > 0) p(dx[0], x[i]) = 1;
#else
      if (i > 0) p(dx[i], x[0]) = 1;
#endif
    }
  }

 private:
  static double rate(std::size_t i) { return i == 0 ? 1 : static_cast<double>(100 * i); }
};

FMUKIT_EXPORT(Arrow)
