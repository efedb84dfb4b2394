// SPDX-License-Identifier: BSD-2-Clause
#include <array>
#include <stdexcept>

#include "core/instance.hpp"

namespace fmukit {
namespace {

/// The points of a central difference of order 4: g(e), g(-e), g(2e), g(-2e).
constexpr std::array<double, 4> places{1, -1, 2, -2};

double first_difference(const std::array<double, 4>& g, double e) {
  return (8 * (g[0] - g[1]) - (g[2] - g[3])) / (12 * e);
}
double second_difference(const std::array<double, 4>& g, double here, double e) {
  return (16 * (g[0] + g[1]) - (g[2] + g[3]) - 30 * here) / (12 * e * e);
}

}  // namespace

/// The model at `time + s`, on a copy: the states follow x + s x' + s^2/2 x'', the inputs their
/// polynomials. Discrete variables do not change, so that there are no events.
Model& Instance::moved_along(double s, const std::vector<double>& second) {
  Model& m = scratch();
  m.time += s;
  std::size_t i = 0;
  for (const std::uint32_t state : layout.states)
    for (double& x : elements<double>(m, info.variables[state])) {
      x += s * (*derivatives[i] + s / 2 * second[i]);
      ++i;
    }
  std::size_t k = 0;
  for (const std::uint32_t input : layout.inputs)
    for (double& u : elements<double>(m, info.variables[input]))
      u += integrator_.input_change(inputs[k++], s);
  m.derivatives();
  m.outputs();
  return m;
}

/// x'' = f_x x' + f_u u' + f_t is the slope of f along the tangent. With it g(s) = y(moved along by
/// s) has the first and second derivative of y along the solution. Differences rather than the
/// model's partials, because these need not contain the dependence of y on time. A quarter of an
/// internal step resolves the model: the fastest motion that the integrator follows has about 100
/// of these to the radian, where differences of order 4 are right to 1e-9.
void Instance::output_derivatives(std::span<const std::uint32_t> references, const int* orders,
                                  double* values) {
  std::vector<const Slot*> asked;
  for (const std::uint32_t reference : references) {
    if (reference >= layout.slots.size()) throw std::runtime_error("unknown value reference");
    const Slot& slot = layout.slots[reference];
    if (slot.type != Type::float64) throw std::runtime_error("only doubles have derivatives");
    asked.push_back(&slot);
  }
  ready();
  const double e = integrator_.internal_step() / 4;
  std::vector<double> second(states.size(), 0.0);
  const auto look = [&](auto&& take) {
    for (std::size_t p = 0; p < places.size(); ++p) take(p, moved_along(places[p] * e, second));
  };

  if (!states.empty()) {
    std::vector<std::array<double, 4>> f(states.size());
    look([&](std::size_t p, Model& m) {
      std::size_t i = 0;
      for (const std::uint32_t derivative : layout.derivatives)
        for (const double dx : elements<double>(m, info.variables[derivative])) f[i++][p] = dx;
    });
    for (std::size_t i = 0; i < f.size(); ++i) second[i] = first_difference(f[i], e);
  }
  std::vector<std::array<double, 4>> g(asked.size());
  look([&](std::size_t p, Model& m) {
    for (std::size_t k = 0; k < asked.size(); ++k) g[k][p] = slot_elements<double>(m, *asked[k])[0];
  });
  for (std::size_t k = 0; k < asked.size(); ++k) {
    const double* here = slot_elements<double>(*model, *asked[k]).data();
    const auto state = std::find(states.begin(), states.end(), here);
    const auto i = static_cast<std::size_t>(state - states.begin());
    const bool first = orders[k] == 1;
    if (state != states.end())
      values[k] = first ? *derivatives[i] : second[i];
    else
      values[k] = first ? first_difference(g[k], e) : second_difference(g[k], *here, e);
  }
}

}  // namespace fmukit
