// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cmath>

/// Diffusion between n cells with cold ends, as arrays: x_i' = k (x_(i-1) - 2 x_i + x_(i+1)), k =
/// (n + 1)^2. It starts as the slowest mode, which decays with (2 - 2 cos(pi h))/h^2, h = 1/(n +
/// 1). The dependencies of the elements are known (FMI 3.0); those of the arrays say nothing.
///
/// DIFFUSION_OPENS: walls between the cells open at t = 0.0005. Until then each cell decays alone,
/// as x_i' = -k x_i.
class Diffusion final : public fmukit::Model {
 public:
  static constexpr std::size_t n = 50;
  std::array<double, n> x{}, dx{};
  double middle = 0;
  int is_open = 1;

  Diffusion() {
    for (std::size_t i = 0; i < n; ++i)
      x[i] = std::sin(M_PI * static_cast<double>(i + 1) / (n + 1));
#ifdef DIFFUSION_OPENS
    is_open = 0;
#endif
  }
  static void describe(fmukit::Description<Diffusion>& d) {
    using D = Diffusion;
    d.text("Diffusion between cells").default_experiment({.start = 0, .stop = 0.1, .step = 0.01});
    d.internal_step(1e-4);
    d.output("middle", &D::middle).depends_on({"x"});
    d.local("x", &D::x);
    d.local("der(x)", &D::dx).derivative_of("x").depends_on({"x"});
    d.local("is_open", &D::is_open);
  }
  void update_discrete_states(fmukit::EventInfo& event) override {
#ifdef DIFFUSION_OPENS
    if (time >= opening) is_open = 1;
    if (is_open == 0) event.next_time = opening;
#endif
    (void)event;
  }
  void derivatives() override {
    for (std::size_t i = 0; i < n; ++i)
      dx[i] = is_open == 0 ? -k * x[i]
                           : k * ((i > 0 ? x[i - 1] : 0) - 2 * x[i] + (i + 1 < n ? x[i + 1] : 0));
  }
  void outputs() override { middle = x[n / 2]; }
#ifndef DIFFUSION_BARE
  void partials(fmukit::Partials& p) override {
    p(middle, x[n / 2]) = 1;
    for (std::size_t i = 0; i < n; ++i) {
      p(dx[i], x[i]) = is_open == 0 ? -k : -2 * k;
      if (is_open != 0 && i > 0) p(dx[i], x[i - 1]) = k;
      if (is_open != 0 && i + 1 < n) p(dx[i], x[i + 1]) = k;
    }
  }
#else  // differences by the importer
  Diffusion(const Diffusion&) = delete;
  Diffusion& operator=(const Diffusion&) = delete;
#endif
  void element_dependencies(fmukit::ElementDependencies& depends) const override {
    depends(middle, x[n / 2], fmukit::DependencyKind::constant);
    for (std::size_t i = 0; i < n; ++i) {
      depends(dx[i], x[i]);
      if (is_open != 0 && i > 0) depends(dx[i], x[i - 1]);
      if (is_open != 0 && i + 1 < n) depends(dx[i], x[i + 1]);
    }
  }

 private:
  static constexpr double k = static_cast<double>(n + 1) * (n + 1);
  static constexpr double opening = 0.0005;
};

FMUKIT_EXPORT(Diffusion)
